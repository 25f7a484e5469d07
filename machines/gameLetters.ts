/**
 * Letters of the game: what the effects of its statechart send to whom.
 *
 * Worked out here and delivered elsewhere, so that the game that runs and the game that is checked send the same.
 */
import type { Letter } from './letters.ts';
import { toPlayer } from './letters.ts';
import { ORDERS, type ToGame, type ToOrders } from './protocol.ts';
import { LATE } from './rules/attendance.ts';
import { askedIn, type Course } from './rules/round/course.ts';
import type { GameFact } from './rules/round/facts.ts';
import type { Order } from './rules/round/order.ts';
import { sceneFor } from './rules/round/views.ts';
import { COLOURS, type Note } from './types.ts';

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

/** What players learn of a round: what they saw, why an order was refused, and that they are dead or gone. */
export function roundLetters(fact: GameFact): readonly GameLetter[] {
  if (fact.type !== 'round.closed') return [];
  const { round, seen, events } = fact;
  const letters: GameLetter[] = [];
  for (const seat of COLOURS) {
    const sights = seen[seat];
    const notes: Note[] = [];
    for (const event of events) {
      if (event.type === 'intent.refused' && event.seat === seat) notes.push(event.note);
    }
    if (sights !== undefined || notes.length > 0) {
      letters.push(toPlayer(seat, { type: 'round.seen', round, sights: sights ?? [], notes }));
    }
  }
  for (const event of events) {
    if (event.type === 'player.killed') letters.push(toPlayer(event.victim, { type: 'seat.died' }));
    if (event.type === 'seat.departed') {
      letters.push(toPlayer(event.seat, { type: 'seat.departed' }));
    }
  }
  return letters;
}

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
