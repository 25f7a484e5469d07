/** Attendance of a round: faults in a row, and players who are gone for the rest of the game (ruling 2). */
import { isOutOfPatience, LEFT, streakAfter, withStreak } from '../attendance.ts';
import { change, type Draft } from './draft.ts';
import type { Order } from './order.ts';
import { pursue } from './pursuit.ts';

export function attend(draft: Draft, orders: readonly Order[]): void {
  for (const order of orders) {
    const { streaks, ship } = draft.world;
    const { seat } = order;
    if (draft.world.standings[seat] === 'departed') continue;
    const streak = streakAfter(streaks[seat], order.type === 'fault');
    draft.world = { ...draft.world, streaks: withStreak(streaks, seat, streak) };
    if (order.type === 'order') continue;
    draft.events.push({ type: 'seat.faulted', seat, code: order.code, streak });
    if (order.code === LEFT) depart(draft, seat, 'left');
    else if (isOutOfPatience(streak, ship.meeting.patience)) depart(draft, seat, 'faults');
    // A fault is a wait: what the player did before is over.
    else pursue(draft, seat, { type: 'wait', rounds: 1 });
  }
}

function depart(draft: Draft, seat: Order['seat'], reason: 'left' | 'faults'): void {
  const { standings, streaks } = draft.world;
  draft.world = {
    ...draft.world,
    standings: { ...standings, [seat]: 'departed' },
    streaks: withStreak(streaks, seat, 0),
  };
  pursue(draft, seat, null);
  change(draft, seat, { vent: null });
  draft.events.push({ type: 'seat.departed', seat, reason });
}
