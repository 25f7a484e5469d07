/**
 * Letters of the game: what the effects of its statechart send to whom.
 *
 * Worked out here and delivered elsewhere, so that the game that runs and the game that is checked send the same.
 */
import type { Letter } from './letters.ts';
import { toPlayer } from './letters.ts';
import { ORDERS, type Seen, type ToGame, type ToOrders } from './messages.ts';
import { LATE } from './rules/attendance.ts';
import { askedIn, type Course } from './rules/ship/course.ts';
import type { GameFact } from './rules/ship/facts.ts';
import type { Order } from './rules/ship/order.ts';
import { sceneFor } from './rules/ship/views.ts';
import { type BySeat, COLOURS, type Colour } from './types.ts';

export type GameLetter = Letter | { readonly to: typeof ORDERS; readonly message: ToOrders };

/** Asks everybody who has something to decide, and tells the collection whom to wait for. */
export function orderRequests(course: Course): readonly GameLetter[] {
  const { world, round, known } = course;
  const seats = askedIn(course);
  const { map, options, meeting } = world.ship;
  const shown = { rules: meeting.rules, map, options };
  const requests = seats.flatMap((seat): readonly GameLetter[] => {
    const scene = sceneFor(world, seat, known);
    if (scene === null) return [];
    return [toPlayer(seat, { type: 'order.requested', round, shown, scene })];
  });
  return [
    toOrders({ type: 'orders.awaited', round, seats }),
    ...requests,
    toOrders({ type: 'orders.requested', round }),
  ];
}

/**
 * What players saw on the ship and were not told yet. They are told when they have something to decide or a meeting is
 * called: nobody remembers anything else for being told at once.
 */
export type Unread = BySeat<readonly Seen[]>;

/** The letters that a round gives rise to, and what is unread after them. */
export type RoundPost = { readonly unread: Unread; readonly letters: readonly GameLetter[] };

/** What players learn of a round: what they saw, why an order was refused, and that they are dead or gone. */
export function roundPost(before: Unread, fact: GameFact, course: Course): RoundPost {
  if (fact.type !== 'round.closed') return { unread: before, letters: [] };
  const { round, seen, events } = fact;
  const told = course.call === null ? askedIn(course) : COLOURS;
  const unread: Partial<Record<Colour, readonly Seen[]>> = {};
  const letters: GameLetter[] = [];
  for (const { colour } of course.world.ship.seats) {
    const sights = seen[colour];
    const known = before[colour] ?? NOTHING_SEEN;
    const rounds = sights === undefined ? known : [...known, { round, sights }];
    if (!told.includes(colour)) unread[colour] = rounds;
    else if (rounds.length > 0) letters.push(toPlayer(colour, { type: 'rounds.seen', rounds }));
  }
  for (const event of events) {
    switch (event.type) {
      case 'intent.refused':
        letters.push(toPlayer(event.seat, { type: 'notice.given', note: event.note }));
        break;
      case 'player.killed':
        letters.push(toPlayer(event.victim, { type: 'seat.died' }));
        break;
      case 'seat.departed':
        letters.push(toPlayer(event.seat, { type: 'seat.departed' }));
        break;
      default:
    }
  }
  return { unread, letters };
}

const NOTHING_SEEN: readonly Seen[] = [];

export function roundTimeCall({ round }: Course): readonly GameLetter[] {
  return [toOrders({ type: 'time.called', round })];
}

/** To everybody who was asked and has not decided in time. */
export function roundReleases(event: ToGame): readonly GameLetter[] {
  if (event.type !== 'orders.gathered') return [];
  return event.orders
    .filter((order) => order.type === 'fault' && order.code === LATE)
    .map(({ seat }) => toPlayer(seat, { type: 'round.missed', round: event.round }));
}

/** A decision on its way to where it was asked for. */
export function orderHandedIn(round: number, order: Order): GameLetter {
  return toOrders({ type: 'order.placed', round, order });
}

function toOrders(message: ToOrders): GameLetter {
  return { to: ORDERS, message };
}
