/**
 * Victory: who has won, checked in the order of the real game, so that a kill that reaches parity beats a last task
 * of the same moment.
 */
import { livingIn, roleOf, taskBar, type World } from './world.ts';

export const WINNERS = ['crew', 'impostors'] as const;
export type Winner = (typeof WINNERS)[number];

export const VICTORIES = ['vote', 'tasks', 'kills', 'sabotage', 'disconnect'] as const;
export type Victory = (typeof VICTORIES)[number];

export type Ending =
  | { readonly winner: Winner; readonly reason: Victory }
  /** The operator's limit, a stop or a budget ended the game. */
  | { readonly winner: null; readonly reason: 'unfinished' | 'interrupted' };

/** What took those of each role who were living a moment ago. */
export type Losses = {
  readonly impostor: Extract<Victory, 'vote' | 'disconnect'>;
  readonly crewmate: Extract<Victory, 'vote' | 'kills' | 'disconnect'>;
};

/** Who has won; null while the game goes on. */
export function victory(world: World, losses: Losses): Ending | null {
  if (world.crisis?.left !== null && world.crisis !== null && world.crisis.left <= 0) {
    return { winner: 'impostors', reason: 'sabotage' };
  }
  const living = livingIn(world);
  const impostors = living.filter((seat) => roleOf(world, seat) === 'impostor').length;
  if (impostors === 0) return { winner: 'crew', reason: losses.impostor };
  if (living.length - impostors <= impostors) {
    return { winner: 'impostors', reason: losses.crewmate };
  }
  const { done, all } = taskBar(world);
  return all > 0 && done >= all ? { winner: 'crew', reason: 'tasks' } : null;
}
