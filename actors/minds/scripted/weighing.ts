/** Weighing: what each thing heard adds to the opinion of a player, in the order in which it was said. */
import type { Colour } from '../../../machines/types.ts';
import type { Heard } from './hearing.ts';
import type { Ledger } from './ledger.ts';
import { clashing, confirming, missed } from './memory.ts';
import {
  alsoSaw,
  type Book,
  blame,
  closed,
  faith,
  type Judge,
  type Judgement,
  opened,
  sympathy,
  trust,
} from './opinion.ts';
import type { Reason } from './reasons.ts';
import type { Charge } from './recollection.ts';
import { NEXT_ROOM, steps } from './walk.ts';

const POINTS = {
  toldDeed: 58,
  /** Each further witness of the same deed, who is not alone any more. */
  toldAgain: 40,
  toldAtBody: 34,
  toldLastWith: 16,
  toldFollower: 14,
  clash: 34,
  absent: 14,
  confirmed: -20,
  answered: -4,
  falsehood: 40,
  placedThere: 16,
  placedNear: 8,
  /** Without any work, on top. */
  idle: 4,
  placedNextDoor: 3,
  /** By their own word near the body. */
  nearby: 5,
  contradicted: 18,
  named: 7,
  supported: -10,
  visualTold: -34,
  pushed: 5,
  /** One's own charge: people believe what they have said. */
  stated: 6,
  mute: 6,
  /** Kept from an earlier meeting. */
  watched: 9,
  cleared: -10,
  misled: 8,
  defended: 18,
} as const;
/** Lines after which somebody who has not told their place is dodging. */
const DODGING_LINES = 7;
/** Who was seen so many seconds before the call needs no story. */
const LATELY = 15;
/** How much less a lie about oneself weighs for who hears it than for who was slandered. */
const SLANDER = 1.5;

/** The rivals, hottest first. */
export function opinion(judge: Judge, record: Ledger): readonly Judgement[] {
  const book = opened(judge);
  for (const seat of judge.rivals) {
    const hunch = (judge.mindset.hunches.get(seat) ?? 0) * judge.traits.hunch;
    blame(book, seat, hunch, { type: 'hunch' });
    if (judge.mindset.past.watched.has(seat))
      blame(book, seat, POINTS.watched, { type: 'earlier' });
    if (judge.mindset.past.cleared.has(seat)) blame(book, seat, POINTS.cleared, null);
  }
  for (const { seat, points, reason } of judge.recollected) blame(book, seat, points, reason);
  for (const item of record.heard) {
    const found = weigh(book, item);
    if (found !== null) blame(book, found.seat, found.points, found.reason);
    compare(book, item, record);
  }
  if (record.lines >= DODGING_LINES) chargeTheMute(book);
  if (judge.told !== null) lookBack(book, record);
  return closed(book, record);
}

function charge(seat: Colour, points: number, reason: Reason | null): Charge {
  return { seat, points, reason };
}

function weigh(book: Book, item: Heard): Charge | null {
  const { judge } = book;
  const { me } = judge.mindset.known;
  if (item.by === me) return item.type === 'charge' ? charge(item.who, POINTS.stated, null) : null;
  switch (item.type) {
    case 'whereabouts':
      return weighStory(book, item);
    case 'sighting':
      return weighSighting(book, item);
    case 'company':
      return weighCompany(book, item);
    case 'deed':
      return weighDeed(book, item);
    case 'charge':
      if (item.who === me) return charge(item.by, POINTS.named, null);
      return charge(item.who, POINTS.named * sympathy(book, item.by), {
        type: 'named',
        by: item.by,
      });
    case 'support':
      return charge(
        item.who,
        (item.visual ? POINTS.visualTold : POINTS.supported) * sympathy(book, item.by),
        null,
      );
    case 'push':
      if (item.who === 'skip') return null;
      return charge(item.who, POINTS.pushed * sympathy(book, item.by), {
        type: 'named',
        by: item.by,
      });
    case 'question':
    case 'denial':
      return null;
    default:
      return item satisfies never;
  }
}

/** A witness whom one's own eyes or another witness bear out is no liar. */
function weighDeed(book: Book, item: Heard & { type: 'deed' }): Charge {
  const { known } = book.judge.mindset;
  if (item.who === known.me)
    return charge(item.by, POINTS.falsehood * SLANDER, { type: 'falsehood', about: item.who });
  const saw = known.byWho.get(item.who)?.some(({ did }) => did === 'vent' || did === 'kill');
  const others = alsoSaw(book, item);
  if (saw === true) trust(book, item.by);
  if (others.length > 0) for (const by of [item.by, ...others]) trust(book, by);
  const points = others.length > 0 ? POINTS.toldAgain : POINTS.toldDeed;
  return charge(item.who, points * faith(book, item.by), { type: 'told', by: item.by });
}

function weighStory(book: Book, item: Heard & { type: 'whereabouts' }): Charge | null {
  const { window, mindset } = book.judge;
  const { known, body } = mindset;
  const { by, place, ago } = item;
  const first = !book.talked.has(by);
  book.talked.add(by);
  const seen = clashing(known, by, place, ago);
  if (seen !== null) return charge(by, POINTS.clash, { type: 'clash', said: place, seen });
  if (confirming(known, by, place, ago) !== null)
    return charge(by, first ? POINTS.confirmed : 0, null);
  if (missed(known, by, place, ago)) return charge(by, POINTS.absent, { type: 'absent', place });
  if (!first) return null;
  const near = body !== null && steps(place, body) <= NEXT_ROOM && (ago ?? 0) <= window;
  return charge(by, near ? POINTS.nearby : POINTS.answered, null);
}

function weighSighting(book: Book, item: Heard & { type: 'sighting' }): Charge | null {
  const { window, mindset } = book.judge;
  const { known, body, victim } = mindset;
  const { by, who, place, ago } = item;
  if (ago !== null && clashing(known, who, place, ago) !== null)
    return charge(by, POINTS.falsehood, { type: 'falsehood', about: who });
  book.placed.add(who);
  if (who === known.me || who === victim) return null;
  const away =
    body === null || item.manner === 'kindly' || (ago ?? 0) > window ? null : steps(place, body);
  if (away === null || away > NEXT_ROOM)
    return charge(who, POINTS.answered * sympathy(book, by), null);
  if (away === NEXT_ROOM) return charge(who, POINTS.placedNextDoor * sympathy(book, by), null);
  const points =
    (away === 0 ? POINTS.placedThere : POINTS.placedNear) +
    (item.manner === 'idle' ? POINTS.idle : 0);
  return charge(who, points * sympathy(book, by), { type: 'placed', by, place });
}

function weighCompany(book: Book, item: Heard & { type: 'company' }): Charge | null {
  const { window, mindset } = book.judge;
  const { known, victim } = mindset;
  const { by, who, whom, ago } = item;
  if (who === known.me) return null;
  if (whom === by)
    return charge(who, POINTS.toldFollower * sympathy(book, by), { type: 'shadowed', by });
  if (whom !== null && (whom !== victim || (ago ?? 0) > window)) return null;
  const points = whom === null ? POINTS.toldAtBody : POINTS.toldLastWith;
  return charge(who, points * sympathy(book, by), { type: 'company', by });
}

/** A story that can't be true with what somebody else saw speaks against its teller, once for each witness. */
function compare(book: Book, item: Heard, record: Ledger): void {
  const conflicts = record.conflicts.get(item);
  if (conflicts === undefined) return;
  const { me } = book.judge.mindset.known;
  for (const { story, seen } of conflicts) {
    if (story.who === me || seen.by === me) continue;
    blame(book, story.who, POINTS.contradicted * sympathy(book, seen.by), {
      type: 'contradicted',
      by: seen.by,
      said: story.place,
      place: seen.place,
    });
  }
}

function chargeTheMute(book: Book): void {
  const { known } = book.judge.mindset;
  for (const { seat } of book.entries.values()) {
    const seen = known.byWho.get(seat)?.[0];
    const isPlaced = book.placed.has(seat) || (seen !== undefined && seen.ago <= LATELY);
    if (!book.talked.has(seat) && !isPlaced) blame(book, seat, POINTS.mute, { type: 'mute' });
  }
}

/** With the role of the ejected told, everybody's words about them are seen in another light. */
function lookBack(book: Book, record: Ledger): void {
  const { ejected, role } = book.judge.told ?? { ejected: null, role: null };
  if (ejected === null || role === null) return;
  const about = record.heard.filter((item) => 'who' in item && item.who === ejected);
  const speakers = (types: readonly Heard['type'][]) =>
    new Set(about.filter(({ type }) => types.includes(type)).map(({ by }) => by));
  const friends = speakers(['support']);
  if (role === 'impostor') {
    for (const by of speakers(['deed', 'charge', 'company', 'push'])) trust(book, by);
    for (const by of friends)
      blame(book, by, POINTS.defended, { type: 'defended', friend: ejected });
    return;
  }
  for (const by of speakers(['charge', 'push']))
    blame(book, by, POINTS.misled, { type: 'misled', friend: ejected });
  for (const by of speakers(['deed']))
    blame(book, by, POINTS.falsehood * SLANDER, { type: 'falsehood', about: ejected });
}
