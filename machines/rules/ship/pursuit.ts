/** Pursuit: what a player is about. Work that is left for something else is begun again. */
import type { Colour } from '../../types.ts';
import { change, type Draft, playerOf } from './draft.ts';
import { type Intent, LONGEST_WAIT } from './intent.ts';
import { taskIndex } from './world.ts';

/** Takes something up; null for nothing. Only who goes on with the same task keeps what was worked. */
export function pursue(draft: Draft, seat: Colour, intent: Intent | null): void {
  const player = playerOf(draft, seat);
  if (player === undefined) return;
  const kept = intent !== null && isWork(intent) ? taskIndex(draft.world, seat, intent.task) : -1;
  const isLeft = player.progress.some(({ worked }, index) => worked > 0 && index !== kept);
  const progress = isLeft
    ? player.progress.map((one, index) =>
        one.worked > 0 && index !== kept ? { ...one, worked: 0 } : one,
      )
    : player.progress;
  change(draft, seat, { intent: intent === null ? null : bounded(intent), progress });
}

function bounded(intent: Intent): Intent {
  if (!('rounds' in intent)) return intent;
  return { ...intent, rounds: Math.min(Math.max(1, intent.rounds), LONGEST_WAIT) };
}

function isWork(intent: Intent): intent is Extract<Intent, { type: 'task' | 'fake' }> {
  return intent.type === 'task' || intent.type === 'fake';
}
