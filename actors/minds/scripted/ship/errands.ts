/** Errands: which task is next, and where to stroll when there is none. */
import type { TaskCard } from '../../../../machines/rules/ship/views.ts';
import { ROOMS, type Room } from '../../../../machines/types.ts';
import { fraction } from '../chance.ts';
import { HABIT, isReachable, LANE, type Moment, stepsTo } from './moment.ts';

/** Steps that a habit may add to a way: not everybody begins with the same task. */
const WHIM_STEPS = 3;
/** A stroll leads at most so far. */
const STROLL_STEPS = 4;

/** The task that is best done next among those that suit; null when there is none that one can get to. */
export function nextTask(at: Moment, suits: (card: TaskCard) => boolean): TaskCard | null {
  let best: TaskCard | null = null;
  let least = Infinity;
  for (const [index, card] of at.scene.tasks.entries()) {
    if (card.next === null || !suits(card) || !isReachable(at, card.next)) continue;
    const cost = stepsTo(at, card.next) + fraction(at.settled, HABIT.task + index) * WHIM_STEPS;
    if (cost < least) [best, least] = [card, cost];
  }
  return best;
}

/** A room nearby that one can walk to; null when the doors are shut. */
export function stroll(at: Moment): Room | null {
  const start = Math.floor(fraction(at.chance, LANE.stroll) * ROOMS.length);
  for (let index = 0; index < ROOMS.length; index++) {
    const room = ROOMS[(start + index) % ROOMS.length];
    if (room === undefined || room === at.scene.place || !at.view.map.places.includes(room)) {
      continue;
    }
    if (stepsTo(at, room) <= STROLL_STEPS && isReachable(at, room)) return room;
  }
  return null;
}
