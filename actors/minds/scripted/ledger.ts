/**
 * The ledger: everything heard in a transcript, in order, with who spoke when and in which words.
 *
 * It is the same for everybody at the table, so it is made once per transcript and kept as long as the transcript
 * lives. The caches below are for speed only: a transcript that has grown in place is read again.
 */
import { namings } from '../../../machines/rules/mentions.ts';
import { type Colour, SYSTEM, type Utterance } from '../../../machines/types.ts';
import { type Heard, heard } from './hearing.ts';
import { withoutPlaces } from './places.ts';
import { added, type Conflict, type Placing, placingIn } from './placings.ts';

export type Ledger = {
  readonly lines: number;
  readonly heard: readonly Heard[];
  /** How many lines said something of each kind. */
  readonly tally: ReadonlyMap<Heard['type'], number>;
  /** What each thing heard contradicts that was told before it. */
  readonly conflicts: ReadonlyMap<Heard, readonly Conflict[]>;
  /** Seconds before the call when somebody was last seen, as far as anybody told. */
  readonly lastSeen: ReadonlyMap<Colour, number>;
  /** Who has told where they were, or bore witness to a deed. */
  readonly told: ReadonlySet<Colour>;
  /** Who has been asked where they were. */
  readonly asked: ReadonlySet<Colour>;
  /** What each player said, in order. */
  readonly words: ReadonlyMap<Colour, readonly string[]>;
  /** The line in which each player last spoke. */
  readonly lastLine: ReadonlyMap<Colour, number>;
  /** Turns of phrase used so far: messages without names, places and numbers. */
  readonly turns: ReadonlySet<string>;
  /** How often System said "wrap it up". */
  readonly nudges: number;
};

type Parsed = { readonly line: number; readonly heard: readonly Heard[]; readonly turn: string };

const parsedLines = new WeakMap<Utterance, Parsed>();
const ledgers = new WeakMap<readonly Utterance[], Ledger>();

export function ledger(transcript: readonly Utterance[]): Ledger {
  const known = ledgers.get(transcript);
  if (known !== undefined && known.lines === transcript.length) return known;
  const made = read(transcript);
  ledgers.set(transcript, made);
  return made;
}

/** What a line says, wherever it stands. */
export function heardIn(utterance: Utterance): readonly Heard[] {
  return (parsedLines.get(utterance) ?? parsedLine(utterance, 0)).heard;
}

/** A message stripped of its facts. */
export function turnOf(message: string): string {
  let bare = withoutPlaces(message);
  for (const { word } of namings(bare)) bare = bare.replace(word, '@');
  return bare.replace(
    /(?:(?:about|around|maybe|roughly) [\w -]+?|right|just) before the call|when the call came|when they called us|doing a task|fixing the sabotage|watching the screens/gi,
    '~',
  );
}

function read(transcript: readonly Utterance[]): Ledger {
  const all: Heard[] = [];
  const words = new Map<Colour, string[]>();
  const lastLine = new Map<Colour, number>();
  const turns = new Set<string>();
  let nudges = 0;
  for (const [line, utterance] of transcript.entries()) {
    const { speaker, message } = utterance;
    if (speaker === SYSTEM) {
      nudges += 1;
      continue;
    }
    const parsed = parsedLine(utterance, line);
    all.push(...parsed.heard);
    turns.add(parsed.turn);
    lastLine.set(speaker, line);
    const said = words.get(speaker);
    if (said === undefined) words.set(speaker, [message]);
    else said.push(message);
  }
  return { lines: transcript.length, heard: all, ...sums(all), words, lastLine, turns, nudges };
}

/** What can be said of everything heard together. */
function sums(
  all: readonly Heard[],
): Pick<Ledger, 'tally' | 'conflicts' | 'lastSeen' | 'told' | 'asked'> {
  const tally = new Map<Heard['type'], number>();
  const conflicts = new Map<Heard, readonly Conflict[]>();
  const lastSeen = new Map<Colour, number>();
  const told = new Set<Colour>();
  const asked = new Set<Colour>();
  const placings: Placing[] = [];
  for (const item of all) {
    tally.set(item.type, (tally.get(item.type) ?? 0) + 1);
    if (item.type === 'whereabouts' || item.type === 'deed') told.add(item.by);
    if (item.type === 'question') asked.add(item.who);
    const placing = placingIn(item);
    if (placing === null) continue;
    const found = added(placings, placing);
    if (found.length > 0) conflicts.set(item, found);
    if (placing.by !== placing.who) {
      const before = lastSeen.get(placing.who) ?? Number.POSITIVE_INFINITY;
      lastSeen.set(placing.who, Math.min(before, placing.ago));
    }
  }
  return { tally, conflicts, lastSeen, told, asked };
}

function parsedLine(utterance: Utterance, line: number): Parsed {
  const known = parsedLines.get(utterance);
  if (known !== undefined && known.line === line) return known;
  const made =
    known === undefined
      ? { line, heard: heard(utterance, line), turn: turnOf(utterance.message) }
      : { ...known, line, heard: known.heard.map((item) => ({ ...item, line })) };
  parsedLines.set(utterance, made);
  return made;
}
