/** Claims of a whole transcript, gathered for the offline players, and which of them contradict each other. */
import { type Colour, type Place, SYSTEM, type Utterance } from '../../../machines/types.ts';
import { remember } from '../remember.ts';
import { maskFacts, readClaims, type TableClaim } from './hearing.ts';
import { foldLines } from './lineFold.ts';
import { cannotBoth, SAME_TIME } from './memory.ts';

/** `who` was in `place`, says `by`; it is a story when they are the same. */
type Whereabouts = {
  readonly by: Colour;
  readonly who: Colour;
  readonly place: Place;
  /** Seconds before the meeting. */
  readonly ago: number;
};

export type ToldSight = Pick<Whereabouts, 'by' | 'place' | 'ago'>;

type StoryConflict = { readonly story: Whereabouts; readonly seen: Whereabouts };

function findWhereabouts(item: TableClaim): Whereabouts | null {
  if ((item.type !== 'whereabouts' && item.type !== 'sighting') || item.ago === null) return null;
  const { by, place, ago } = item;
  return { by, who: item.type === 'sighting' ? item.who : by, place, ago };
}

/** Adds whereabouts to those told so far, and returns the new conflicts. A repetition adds none. */
function addWhereabouts(told: Whereabouts[], found: Whereabouts): readonly StoryConflict[] {
  const about = told.filter(({ who }) => who === found.who);
  told.push(found);
  const isRepeated = about.some(
    ({ by, place, ago }) =>
      by === found.by && place === found.place && Math.abs(ago - found.ago) <= SAME_TIME,
  );
  if (isRepeated) return [];
  return about.flatMap((other) => {
    if (isStory(other) === isStory(found) || !cannotBoth(other, found)) return [];
    return [isStory(other) ? { story: other, seen: found } : { story: found, seen: other }];
  });
}

function isStory({ by, who }: Whereabouts): boolean {
  return by === who;
}

type OwnClaims = {
  readonly all: TableClaim[];
  /** The type of each statement and the player it is about, as "charge red". */
  readonly made: Set<string>;
  /** How many claims there were at the table after the player's last line. */
  heard: number;
};

function startClaims() {
  return {
    lines: 0,
    all: [] as TableClaim[],
    tally: new Map<TableClaim['type'], number>(),
    conflicts: new Map<TableClaim, readonly StoryConflict[]>(),
    /** Where others say they saw each player, and when, latest first. */
    sights: new Map<Colour, ToldSight[]>(),
    told: new Set<Colour>(),
    asked: new Set<Colour>(),
    words: new Map<Colour, string[]>(),
    own: new Map<Colour, OwnClaims>(),
    lastLine: new Map<Colour, number>(),
    /** Turns of phrase used so far: messages without names, places and numbers. */
    turns: new Set<string>(),
    nudges: 0,
    places: [] as Whereabouts[],
  };
}

type ClaimsDraft = ReturnType<typeof startClaims>;
type Frozen<T> =
  T extends Map<infer K, infer V>
    ? ReadonlyMap<K, Frozen<V>>
    : T extends Set<infer V>
      ? ReadonlySet<V>
      : T extends (infer V)[]
        ? readonly V[]
        : Readonly<T>;
export type TableClaims = { readonly [Key in keyof ClaimsDraft]: Frozen<ClaimsDraft[Key]> };

function addLine(draft: ClaimsDraft, utterance: Utterance, line: number): void {
  const { speaker, message } = utterance;
  draft.lines += 1;
  if (speaker === SYSTEM) {
    draft.nudges += 1;
    return;
  }
  const parsed = parseLine(utterance, line);
  const own = remember(draft.own, speaker, () => ({ all: [], made: new Set<string>(), heard: 0 }));
  for (const item of parsed.claims) {
    addClaim(draft, item);
    own.all.push(item);
    if ('who' in item) own.made.add(`${item.type} ${item.who}`);
  }
  own.heard = draft.all.length;
  draft.turns.add(parsed.turn);
  draft.lastLine.set(speaker, line);
  draft.words.set(speaker, [...(draft.words.get(speaker) ?? []), message]);
}

function addClaim(draft: ClaimsDraft, item: TableClaim): void {
  draft.all.push(item);
  draft.tally.set(item.type, (draft.tally.get(item.type) ?? 0) + 1);
  if (item.type === 'whereabouts' || item.type === 'deed') draft.told.add(item.by);
  if (item.type === 'question') draft.asked.add(item.who);
  const found = findWhereabouts(item);
  if (found === null) return;
  const added = addWhereabouts(draft.places, found);
  if (added.length > 0) draft.conflicts.set(item, added);
  if (found.by === found.who) return;
  const sights = [...(draft.sights.get(found.who) ?? []), found];
  sights.sort((one, other) => one.ago - other.ago);
  draft.sights.set(found.who, sights);
}

/** The claims of a transcript, which grow with it: they are for the answer of a moment. */
export const gatherClaims: (transcript: readonly Utterance[]) => TableClaims = foldLines(
  startClaims,
  addLine,
);

type ParsedLine = {
  readonly line: number;
  readonly claims: readonly TableClaim[];
  readonly turn: string;
};

const parsedLines = new WeakMap<Utterance, ParsedLine>();

export function parseLine(utterance: Utterance, line: number): ParsedLine {
  const known = parsedLines.get(utterance);
  if (known !== undefined && known.line === line) return known;
  const read = known ?? readWords(utterance, line);
  const made = { ...read, line, claims: read.claims.map((item) => ({ ...item, line })) };
  parsedLines.set(utterance, made);
  return made;
}

/** Lines by their words: a game that is played many times with changes repeats most of them. */
const readLines = new Map<string, ParsedLine>();
const MOST_LINES = 10_000;

function readWords(utterance: Utterance, line: number): ParsedLine {
  const { speaker, target, message } = utterance;
  if (readLines.size > MOST_LINES) readLines.clear();
  return remember(readLines, `${speaker} ${target} ${message}`, () => {
    return { line, claims: readClaims(utterance, line), turn: maskFacts(message) };
  });
}
