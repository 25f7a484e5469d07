/** The afterlife: where ghosts are at work, those of the crew do their tasks and those of impostors break things. */
import { LONGEST_WAIT } from '../../../../machines/rules/ship/intent.ts';
import { nextTask } from './errands.ts';
import type { Moment, Move } from './moment.ts';
import { broken } from './sabotage.ts';

const SECONDS = 2.5;

export function haunts(at: Moment): Move {
  const { scene, view } = at;
  if (view.you.role === 'impostor') {
    const move = broken(at);
    if (move !== null) return move;
    // The clock of the next sabotage stands while something is broken.
    const rounds = Math.ceil((scene.sabotageWait ?? 0) / SECONDS);
    return {
      action: { type: 'wait', rounds: Math.min(LONGEST_WAIT, rounds + 2) },
      theme: 'haunts',
    };
  }
  if (scene.intent?.type === 'task') return { action: null, theme: 'haunts' };
  const task = nextTask(at, () => true) ?? at.scene.tasks.find(({ next }) => next !== null);
  if (task === undefined) {
    return { action: { type: 'wait', rounds: LONGEST_WAIT }, theme: 'haunts' };
  }
  return { action: { type: 'task', task: task.id }, theme: 'labours', facts: { task: task.name } };
}
