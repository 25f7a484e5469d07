/**
 * An action: what a scripted player orders when they are asked on the ship.
 *
 * It is a value of the view, the dice and the nerves. Rules are tried one after another, the most pressing first.
 */
import { LONGEST_WAIT } from '../../../../machines/rules/ship/orders.ts';
import type { ActionView } from '../../../../machines/rules/ship/views.ts';
import type { WireOrder } from '../../../../prompts/order.ts';
import type { Chance } from '../chance.ts';
import { CREW } from './crew.ts';
import { broken, IMPOSTOR } from './impostor.ts';
import { firstMove, type Moment, type Move } from './moment.ts';
import { nextTask } from './routine.ts';
import { thought } from './thoughts.ts';

/* The afterlife: where ghosts are at work, those of the crew do their tasks and those of impostors break things. */

const SECONDS = 2.5;

function haunts(at: Moment): Move {
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

/** Rounds have moments of their own, above those of all meetings. */
const FIRST_ROUND = 2 ** 31;
/** The moment of what falls once for the game: above all rounds. */
const ONCE = 2 ** 32 - 1;

export function action(
  view: ActionView,
  { seed, colour }: Pick<Chance, 'seed' | 'colour'>,
  { nerves }: Pick<Moment, 'nerves'>,
): WireOrder {
  const { scene, you } = view;
  const at: Moment = {
    view,
    scene,
    nerves,
    chance: { seed, colour, moment: FIRST_ROUND + view.round },
    settled: { seed, colour, moment: ONCE },
    others:
      you.partners.length === 0
        ? scene.company
        : scene.company.filter((who) => !you.partners.includes(who)),
  };
  const rules = you.role === 'impostor' ? IMPOSTOR : CREW;
  const move = you.isGhost ? haunts(at) : firstMove(at, rules);
  return {
    internal_thought: thought(move, you.role, at.chance),
    action: move.action,
    scratchpad_updates: {},
  };
}
