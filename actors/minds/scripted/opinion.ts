/**
 * The opinion: how much a player suspects each of the others, and for which reason most.
 *
 * It is worked out anew from what the player saw and from the whole transcript, in the order in which things were said:
 * the word of somebody who is suspected already counts for less. Points have no unit; about 60 is "I would vote for
 * them".
 */
import type { Told } from '../../../machines/rules/views.ts';
import type { Colour, Role } from '../../../machines/types.ts';
import type { Heard } from './hearing.ts';
import type { Ledger } from './ledger.ts';
import type { Past } from './past.ts';
import type { Reason } from './reasons.ts';
import type { Charge, Scene } from './recollection.ts';
import type { Traits } from './temperament.ts';

export type Judgement = {
  readonly seat: Colour;
  readonly heat: number;
  /** What weighs most; null when there is nothing against them. */
  readonly reason: Reason | null;
};

/** What a player came to the meeting with. */
type Mindset = Pick<Scene, 'known' | 'body' | 'victim'> & {
  readonly past: Past;
  /** A suspicion out of nothing, and how much their word is liked, each from 0 up to 1, for each rival. */
  readonly hunches: ReadonlyMap<Colour, number>;
  readonly likings: ReadonlyMap<Colour, number>;
};

/** Whose opinion it is, and what it is about. */
export type Judge = {
  readonly mindset: Mindset;
  readonly role: Role;
  readonly partners: readonly Colour[];
  readonly traits: Traits;
  readonly rivals: readonly Colour[];
  /** Seconds before the call in which the victim died. */
  readonly window: number;
  readonly recollected: readonly Charge[];
  /** The result once it is told. */
  readonly told: Told | null;
};

/** Heat at which a word counts for nothing. */
const DISCREDITED = 80;
/** How much an impostor makes of any charge against the crew. */
const OPPORTUNISM = 1.1;
/** A partner whom so many have seen in the act can't be saved. */
const CAUGHT_BY = 2;
/** How coolly an impostor looks at a partner. */
const SHIELDED = -120;
/** What a mind that was right keeps of an old suspicion: less than nothing. */
const TRUSTED = -15;

/** Evidence that one may make much or little of. */
const WEAK: ReadonlySet<Reason['type']> = new Set([
  'lastWith',
  'followed',
  'near',
  'absent',
  'company',
  'shadowed',
  'placed',
  'contradicted',
  'named',
  'earlier',
  'misled',
  'mute',
]);

type Entry = { seat: Colour; heat: number; reason: Reason | null; weight: number };
export type Book = {
  readonly judge: Judge;
  readonly entries: Map<Colour, Entry>;
  /** Who has told a place of their own. */
  readonly talked: Set<Colour>;
  /** Who needs no story: others told where they were. */
  readonly placed: Set<Colour>;
  /** Who said of whom that they saw the deed. */
  readonly witnesses: Map<Colour, Set<Colour>>;
};

export function opened(judge: Judge): Book {
  const entries = new Map<Colour, Entry>();
  for (const seat of judge.rivals) entries.set(seat, { seat, heat: 0, reason: null, weight: 0 });
  return { judge, entries, talked: new Set(), placed: new Set(), witnesses: new Map() };
}

/** The rivals, hottest first. */
export function closed(book: Book, record: Ledger): readonly Judgement[] {
  shieldPartners(book, record);
  return [...book.entries.values()].sort((one, other) => other.heat - one.heat);
}

export function blame(book: Book, seat: Colour, points: number, reason: Reason | null): void {
  const entry = book.entries.get(seat);
  if (entry === undefined) return;
  const { role, partners } = book.judge;
  // What an impostor saw a partner do is no charge that they would ever bring.
  const loyal =
    role === 'impostor' &&
    partners.includes(seat) &&
    reason?.type !== 'told' &&
    reason?.type !== 'named';
  if (loyal && points > 0) return;
  const felt = reason !== null && WEAK.has(reason.type) ? points * prejudice(book, seat) : points;
  entry.heat += felt;
  if (reason === null || (reason.type === 'hunch' && entry.reason !== null)) return;
  const isBetter = entry.reason?.type === 'hunch' || felt > entry.weight;
  if (!isBetter) return;
  entry.reason = reason;
  entry.weight = felt;
}

/** By how much more or less weak evidence against somebody counts to this player. */
function prejudice({ judge }: Book, seat: Colour): number {
  if (judge.role === 'impostor') return 1;
  return 1 + (2 * (judge.mindset.hunches.get(seat) ?? 0.5) - 1) * judge.traits.bias;
}

/** Somebody's word turned out to be true: what was held against them is forgotten. */
export function trust(book: Book, seat: Colour): void {
  const entry = book.entries.get(seat);
  if (entry === undefined) return;
  entry.heat = Math.min(entry.heat, 0) + TRUSTED;
  entry.reason = null;
  entry.weight = 0;
}

/** How much the word of `by` counts: nothing once they are suspected enough. */
export function faith({ judge, entries }: Book, by: Colour): number {
  const most = judge.role === 'impostor' ? OPPORTUNISM : judge.traits.credulity;
  return most * Math.max(0, 1 - Math.max(0, entries.get(by)?.heat ?? 0) / DISCREDITED);
}

/** The same for what is no testimony of a deed: there, whom one likes counts too. */
export function sympathy(book: Book, by: Colour): number {
  const { mindset, traits, role } = book.judge;
  const liked = role === 'impostor' ? 0.5 : (mindset.likings.get(by) ?? 0.5);
  return faith(book, by) * (1 + (2 * liked - 1) * traits.bias);
}

/** Notes that somebody bore witness, and returns the others who did so about the same player. */
export function alsoSaw(book: Book, item: Heard & { type: 'deed' }): readonly Colour[] {
  const known = book.witnesses.get(item.who);
  if (known === undefined) {
    book.witnesses.set(item.who, new Set([item.by]));
    return [];
  }
  const others = [...known].filter((by) => by !== item.by);
  known.add(item.by);
  return others;
}

/** An impostor looks coolly at a partner, unless everybody has seen what the partner did. */
function shieldPartners(book: Book, record: Ledger): void {
  for (const partner of book.judge.partners) {
    const entry = book.entries.get(partner);
    if (entry === undefined || isCaught(partner, record)) continue;
    entry.heat = SHIELDED;
    entry.reason = null;
  }
}

/** Whether a partner is lost: seen in the act by enough others. */
function isCaught(seat: Colour, record: Ledger): boolean {
  const witnesses = new Set(
    record.heard.filter((item) => item.type === 'deed' && item.who === seat).map(({ by }) => by),
  );
  return witnesses.size >= CAUGHT_BY;
}
