/** Claims of a whole transcript, gathered for the offline players, and which of them contradict each other. */
import {
  type Ballot,
  type Colour,
  type Place,
  SYSTEM,
  type Utterance,
} from '../../../machines/types.ts';
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

/** Where `by` says to have seen somebody. */
export type ToldSight = Pick<Whereabouts, 'by' | 'place' | 'ago'>;

type StoryConflict = { readonly story: Whereabouts; readonly seen: Whereabouts };

/** The player, place and time of a claim. Null when it names no place or no time. */
function findWhereabouts(item: TableClaim): Whereabouts | null {
  if ((item.type !== 'whereabouts' && item.type !== 'sighting') || item.ago === null) return null;
  const { by, place, ago } = item;
  return { by, who: item.type === 'sighting' ? item.who : by, place, ago };
}

/** Adds whereabouts to those told so far, and returns the new conflicts. A repetition adds none. */
function addWhereabouts(told: Whereabouts[], found: Whereabouts): readonly StoryConflict[] {
  const isRepeated = told.some((other) => isRepeat(other, found));
  const conflicts = isRepeated
    ? []
    : told.filter((other) => isConflict(other, found)).map((other) => pairConflict(other, found));
  told.push(found);
  return conflicts;
}

function isRepeat(one: Whereabouts, other: Whereabouts): boolean {
  return (
    one.by === other.by &&
    one.who === other.who &&
    one.place === other.place &&
    Math.abs(one.ago - other.ago) <= SAME_TIME
  );
}

function isConflict(one: Whereabouts, other: Whereabouts): boolean {
  return one.who === other.who && isStory(one) !== isStory(other) && cannotBoth(one, other);
}

function pairConflict(one: Whereabouts, other: Whereabouts): StoryConflict {
  return isStory(one) ? { story: one, seen: other } : { story: other, seen: one };
}

function isStory({ by, who }: Whereabouts): boolean {
  return by === who;
}

/**
 * All claims of a transcript, with speakers and words.
 *
 * They are the same for every player, and a transcript only grows, so each line is counted once.
 */
export type TableClaims = {
  readonly lines: number;
  readonly all: readonly TableClaim[];
  readonly tally: ReadonlyMap<TableClaim['type'], number>;
  /** Earlier claims that each claim contradicts. */
  readonly conflicts: ReadonlyMap<TableClaim, readonly StoryConflict[]>;
  /** Where others say they saw each player, and when, latest first. */
  readonly sights: ReadonlyMap<Colour, readonly ToldSight[]>;
  /** Players who have told their whereabouts or witnessed a deed. */
  readonly told: ReadonlySet<Colour>;
  readonly asked: ReadonlySet<Colour>;
  readonly words: ReadonlyMap<Colour, readonly string[]>;
  readonly own: ReadonlyMap<Colour, OwnClaims>;
  /** Index of each player's last line. */
  readonly lastLine: ReadonlyMap<Colour, number>;
  /** Turns of phrase used so far: messages without names, places and numbers. */
  readonly turns: ReadonlySet<string>;
  readonly nudges: number;
};

type OwnClaims = {
  readonly all: readonly TableClaim[];
  /** The kinds of statements about each player, as bits of `KIND_BITS`. */
  readonly kinds: ReadonlyMap<Ballot | null, number>;
  /** How many claims there were at the table after the player's last line. */
  readonly heard: number;
};

const KIND_BITS: Readonly<Record<TableClaim['type'], number>> = {
  whereabouts: 1,
  sighting: 2,
  company: 4,
  deed: 8,
  charge: 16,
  support: 32,
  question: 64,
  push: 128,
  denial: 256,
};

export function hasClaimed(
  { own }: TableClaims,
  by: Colour,
  type: TableClaim['type'],
  who: Colour,
): boolean {
  return ((own.get(by)?.kinds.get(who) ?? 0) & KIND_BITS[type]) !== 0;
}

type OwnDraft = {
  readonly all: TableClaim[];
  readonly kinds: Map<Ballot | null, number>;
  heard: number;
};

type ClaimsDraft = {
  lines: number;
  readonly all: TableClaim[];
  readonly tally: Map<TableClaim['type'], number>;
  readonly conflicts: Map<TableClaim, readonly StoryConflict[]>;
  readonly sights: Map<Colour, ToldSight[]>;
  readonly told: Set<Colour>;
  readonly asked: Set<Colour>;
  readonly words: Map<Colour, string[]>;
  readonly own: Map<Colour, OwnDraft>;
  readonly lastLine: Map<Colour, number>;
  readonly turns: Set<string>;
  nudges: number;
  readonly places: Whereabouts[];
};

function startClaims(): ClaimsDraft {
  return {
    lines: 0,
    all: [],
    tally: new Map(),
    conflicts: new Map(),
    sights: new Map(),
    told: new Set(),
    asked: new Set(),
    words: new Map(),
    own: new Map(),
    lastLine: new Map(),
    turns: new Set(),
    nudges: 0,
    places: [],
  };
}

function addLine(draft: ClaimsDraft, utterance: Utterance, line: number): void {
  const { speaker, message } = utterance;
  draft.lines += 1;
  if (speaker === SYSTEM) {
    draft.nudges += 1;
    return;
  }
  const parsed = parseLine(utterance, line);
  const own: OwnDraft = draft.own.get(speaker) ?? { all: [], kinds: new Map(), heard: 0 };
  for (const item of parsed.claims) {
    addClaim(draft, item);
    own.all.push(item);
    if ('who' in item) {
      own.kinds.set(item.who, (own.kinds.get(item.who) ?? 0) | KIND_BITS[item.type]);
    }
  }
  own.heard = draft.all.length;
  draft.own.set(speaker, own);
  draft.turns.add(parsed.turn);
  draft.lastLine.set(speaker, line);
  append(draft.words, speaker, message);
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
  const sights = append(draft.sights, found.who, found);
  sights.sort((one, other) => one.ago - other.ago);
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): V[] {
  const list = lists.get(key);
  if (list !== undefined) {
    list.push(value);
    return list;
  }
  const made = [value];
  lists.set(key, made);
  return made;
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

/** A cache: the meaning of a line does not change. */
const parsedLines = new WeakMap<Utterance, ParsedLine>();

export function getClaims(utterance: Utterance, line: number): readonly TableClaim[] {
  return parseLine(utterance, line).claims;
}

function parseLine(utterance: Utterance, line: number): ParsedLine {
  const known = parsedLines.get(utterance);
  if (known !== undefined && known.line === line) return known;
  const made =
    known === undefined
      ? { line, claims: readClaims(utterance, line), turn: maskFacts(utterance.message) }
      : { ...known, line, claims: known.claims.map((item) => ({ ...item, line })) };
  parsedLines.set(utterance, made);
  return made;
}
