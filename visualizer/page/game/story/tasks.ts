/** Tasks: how far the crew is, as far as the lens shows it. */
import type { ShipState } from '../../../../machines/journal/projection.ts';

export type TaskBar = { readonly done: number; readonly all: number; readonly words: string };

/** Null where nothing is known of tasks. */
export function taskBar(ship: ShipState): TaskBar | null {
  const { options, seats, losses, tasksDone, taskSteps, lens } = ship;
  const hand = (options.common_tasks ?? 0) + (options.long_tasks ?? 0) + (options.short_tasks ?? 0);
  if (lens.type === 'player') {
    const done = tasksDone[lens.seat] ?? 0;
    return { done, all: hand, words: `${done} of ${hand} own tasks` };
  }
  if (lens.type === 'table') {
    return taskSteps === 0 ? null : { done: 0, all: 0, words: `${taskSteps} steps of tasks done` };
  }
  let [done, all] = [0, 0];
  for (const { colour, role } of seats) {
    if (role === 'impostor') continue;
    const own = tasksDone[colour] ?? 0;
    const loss = losses.find(({ seat }) => seat === colour);
    const counts = loss === undefined || (loss.how !== 'left' && options.ghosts_do_tasks === true);
    done += own;
    all += counts ? hand : own;
  }
  return { done, all, words: `${done} of ${all} tasks` };
}
