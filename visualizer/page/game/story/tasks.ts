/** Tasks: how far the crew is, as far as the lens shows it. */
import {
  countTasks,
  type ShipState,
  tasksPerPlayer,
} from '../../../../machines/journal/projection.ts';

export type TaskBar = { readonly done: number; readonly all: number; readonly words: string };

/** Null where nothing is known of tasks. */
export function taskBar(ship: ShipState): TaskBar | null {
  const { tasksDone, taskSteps, lens } = ship;
  if (lens.type === 'player') {
    const [done, all] = [tasksDone[lens.seat] ?? 0, tasksPerPlayer(ship)];
    return { done, all, words: `${done} of ${all} own tasks` };
  }
  if (lens.type === 'table') {
    return taskSteps === 0 ? null : { done: 0, all: 0, words: `${taskSteps} steps of tasks done` };
  }
  const { done, all } = countTasks(ship);
  return { done, all, words: `${done} of ${all} tasks` };
}
