/**
 * The opinion: how much a player suspects each of the others, and for which reason most.
 *
 * It is worked out anew from the brief and the whole transcript, in the order in which things were said: the word of
 * somebody who is suspected already counts for less. Points have no unit; about 60 is "I would vote for them".
 */
import type { Colour, Role, Room } from '../../../machines/types.ts';
import type { Heard } from './hearing.ts';
import type { Ledger } from './ledger.ts';
import { clashing, confirming, type Memory, missed } from './memory.ts';
import { added, type Placing, placingIn } from './placings.ts';
import type { Reason } from './reasons.ts';
import { steps } from './skeld.ts';
import type { Traits } from './temperament.ts';

export type Judgement = {
  readonly seat: Colour;
  readonly heat: number;
  /** What weighs most; null when there is nothing against them. */
  readonly reason: Reason | null;
};

/** Whose opinion it is, and what it is about. */
type Judge = {
  readonly known: Memory;
  readonly role: Role;
  readonly partners: readonly Colour[];
  readonly traits: Traits;
  readonly body: Room | null;
  readonly rivals: readonly Colour[];
  /** A suspicion out of nothing, from 0 up to 1, for each rival. */
  readonly hunches: ReadonlyMap<Colour, number>;
};

const POINTS = {
  witnessed: 120,
  visual: -90,
  lurkedThere: 30,
  lurkedNear: 15,
  wasThere: 12,
  toldDeed: 58,
  clash: 34,
  absent: 14,
  confirmed: -20,
  answered: -4,
  falsehood: 40,
  placedThere: 16,
  contradicted: 18,
  named: 7,
  supported: -10,
  visualTold: -34,
  pushed: 5,
  /** One's own charge: people believe what they have said. */
  stated: 6,
  mute: 6,
} as const;
/** Seconds before the meeting in which being beside the body means something. */
const FRESH = 45;
/** Lines after which somebody who has not told their place is dodging. */
const DODGING_LINES = 7;
/** Heat at which a word counts for nothing. */
const DISCREDITED = 80;
/** How much an impostor makes of any charge against the crew. */
const OPPORTUNISM = 1.1;
/** A partner whom so many have seen in the act can't be saved. */
const CAUGHT_BY = 2;

type Entry = { seat: Colour; heat: number; reason: Reason | null; weight: number };
/** What one thing heard adds to the suspicion of somebody; points below 0 clear them. */
type Charge = { readonly seat: Colour; readonly points: number; readonly reason: Reason | null };
type Book = {
  readonly judge: Judge;
  readonly entries: Map<Colour, Entry>;
  readonly talked: Set<Colour>;
  /** What was heard of places at a time: own stories and what others saw. */
  readonly placings: Placing[];
};

/** The rivals, hottest first. */
export function opinion(judge: Judge, record: Ledger): readonly Judgement[] {
  const book: Book = { judge, entries: new Map(), talked: new Set(), placings: [] };
  for (const seat of judge.rivals)
    book.entries.set(seat, { seat, heat: 0, reason: null, weight: 0 });
  for (const [seat, share] of judge.hunches)
    blame(book, seat, share * judge.traits.hunch, { type: 'hunch' });
  remember(book);
  for (const item of record.heard) {
    const found = weigh(book, item);
    if (found !== null) blame(book, found.seat, found.points, found.reason);
    compare(book, item);
  }
  if (record.lines >= DODGING_LINES) chargeTheMute(book);
  shieldPartners(book, record);
  return [...book.entries.values()].sort((one, other) => other.heat - one.heat);
}

/** Whether a partner is lost: seen in the act by enough others. */
function isCaught(seat: Colour, record: Ledger): boolean {
  const witnesses = new Set(
    record.heard.filter((item) => item.type === 'deed' && item.who === seat).map(({ by }) => by),
  );
  return witnesses.size >= CAUGHT_BY;
}

function remember(book: Book): void {
  const { known, body } = book.judge;
  for (const { who, place, ago, did } of known.others) {
    if (did === 'vent' || did === 'kill') {
      blame(book, who, POINTS.witnessed, { type: 'witnessed', deed: did, place, ago });
    } else if (did === 'visual') {
      blame(book, who, POINTS.visual, null);
    } else if (body !== null && ago <= FRESH) {
      const distance = steps(place, body);
      const lurked = distance === 0 ? POINTS.lurkedThere : distance === 1 ? POINTS.lurkedNear : 4;
      const points = did === 'lurking' ? lurked : distance === 0 ? POINTS.wasThere : -3;
      blame(book, who, points, points > 0 ? { type: 'near', place, ago } : null);
    }
  }
}

function charge(seat: Colour, points: number, reason: Reason | null): Charge {
  return { seat, points, reason };
}

function weigh(book: Book, item: Heard): Charge | null {
  const { judge } = book;
  if (item.by === judge.known.me)
    return item.type === 'charge' ? charge(item.who, POINTS.stated, null) : null;
  const trust = faith(book, item.by);
  switch (item.type) {
    case 'whereabouts':
      return weighStory(book, item);
    case 'sighting':
      return weighSighting(book, item, trust);
    case 'deed':
      if (item.who === judge.known.me)
        return charge(item.by, POINTS.falsehood * 1.5, { type: 'falsehood', about: item.who });
      return charge(item.who, POINTS.toldDeed * trust, { type: 'told', by: item.by });
    case 'charge':
      if (item.who === judge.known.me) return charge(item.by, POINTS.named, null);
      return charge(item.who, POINTS.named * trust, { type: 'named', by: item.by });
    case 'support':
      return charge(item.who, (item.visual ? POINTS.visualTold : POINTS.supported) * trust, null);
    case 'push':
      if (item.who === 'skip') return null;
      return charge(item.who, POINTS.pushed * trust, { type: 'named', by: item.by });
    case 'question':
    case 'denial':
      return null;
    default:
      return item satisfies never;
  }
}

/** How much the word of `by` counts: nothing once they are suspected enough. */
function faith({ judge, entries }: Book, by: Colour): number {
  const most = judge.role === 'impostor' ? OPPORTUNISM : judge.traits.credulity;
  return most * Math.max(0, 1 - Math.max(0, entries.get(by)?.heat ?? 0) / DISCREDITED);
}

function weighStory(book: Book, item: Heard & { type: 'whereabouts' }): Charge | null {
  const { known } = book.judge;
  const { by, place, ago } = item;
  const first = !book.talked.has(by);
  book.talked.add(by);
  const seen = clashing(known, by, place, ago);
  if (seen !== null) return charge(by, POINTS.clash, { type: 'clash', said: place, seen });
  if (confirming(known, by, place, ago) !== null)
    return charge(by, first ? POINTS.confirmed : 0, null);
  if (missed(known, by, place, ago)) return charge(by, POINTS.absent, { type: 'absent', place });
  return charge(by, first ? POINTS.answered : 0, null);
}

function weighSighting(
  book: Book,
  item: Heard & { type: 'sighting' },
  trust: number,
): Charge | null {
  const { known, body } = book.judge;
  const { by, who, place, ago } = item;
  if (ago !== null && clashing(known, who, place, ago) !== null) {
    return charge(by, POINTS.falsehood, { type: 'falsehood', about: who });
  }
  if (who === known.me) return null;
  const near = body !== null && steps(place, body) <= 1 && (ago ?? 0) <= FRESH;
  const points = near ? POINTS.placedThere / (place === body ? 1 : 2) : POINTS.answered;
  return charge(who, points * trust, near ? { type: 'placed', by, place } : null);
}

/** A story that can't be true with what somebody else saw speaks against its teller, once for each witness. */
function compare(book: Book, item: Heard): void {
  const placing = placingIn(item);
  if (placing === null) return;
  const { me } = book.judge.known;
  for (const { story, seen } of added(book.placings, placing)) {
    if (story.who === me || seen.by === me) continue;
    blame(book, story.who, POINTS.contradicted * faith(book, seen.by), {
      type: 'contradicted',
      by: seen.by,
      said: story.place,
      place: seen.place,
    });
  }
}

function chargeTheMute(book: Book): void {
  for (const { seat } of book.entries.values()) {
    if (!book.talked.has(seat)) blame(book, seat, POINTS.mute, { type: 'mute' });
  }
}

/** An impostor looks coolly at a partner, unless everybody has seen what the partner did. */
function shieldPartners(book: Book, record: Ledger): void {
  for (const partner of book.judge.partners) {
    const entry = book.entries.get(partner);
    if (entry === undefined || isCaught(partner, record)) continue;
    entry.heat = -POINTS.witnessed;
    entry.reason = null;
  }
}

function blame(book: Book, seat: Colour, points: number, reason: Reason | null): void {
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
  entry.heat += points;
  if (reason === null || points <= entry.weight) return;
  entry.reason = reason;
  entry.weight = points;
}
