/** A scripted player's order on the ship: the first rule that makes a move, the most pressing rule first. */
import { SECONDS_PER_ROUND } from '../../../../machines/rules/options.ts';
import { LONGEST_WAIT } from '../../../../machines/rules/ship/orders.ts';
import type { ActionView } from '../../../../machines/rules/ship/views.ts';
import type { WireOrder } from '../../../../prompts/order.ts';
import type { ShipTraits } from '../traits.ts';
import { CREW } from './crew.ts';
import { IMPOSTOR, pickSabotage } from './impostor.ts';
import { pickMove, type ShipMoment, type ShipMove } from './moment.ts';
import { pickTask } from './routine.ts';
import { sayThought } from './thoughts.ts';

function workAsGhost(at: ShipMoment): ShipMove {
  const { scene, view } = at;
  if (view.you.role === 'impostor') {
    const move = pickSabotage(at);
    if (move !== null) return move;
    // The clock of the next sabotage stops while something is broken.
    const left = Math.ceil((scene.sabotageWait ?? 0) / SECONDS_PER_ROUND);
    const rounds = Math.min(LONGEST_WAIT, left + 2);
    return { action: { type: 'wait', rounds }, theme: 'haunts' };
  }
  if (scene.intent?.type === 'task') return { action: null, theme: 'haunts' };
  const task = pickTask(at, () => true) ?? at.scene.tasks.find(({ next }) => next !== null);
  if (task === undefined)
    return { action: { type: 'wait', rounds: LONGEST_WAIT }, theme: 'haunts' };
  return { action: { type: 'task', task: task.id }, theme: 'labours', facts: { task: task.name } };
}

/** Rounds have their own moments, above the moments of all meetings. */
const FIRST_ROUND = 2 ** 31;
/** The moment for draws once per game: above all rounds. */
const ONCE = 2 ** 32 - 1;

export function decideAction(view: ActionView, seed: number, traits: ShipTraits): WireOrder {
  const { scene, you } = view;
  const { colour } = you;
  const at: ShipMoment = {
    view,
    scene,
    traits,
    chance: { seed, colour, moment: FIRST_ROUND + view.round },
    settled: { seed, colour, moment: ONCE },
    others: scene.company.filter((who) => !you.partners.includes(who)),
  };
  const rules = you.role === 'impostor' ? IMPOSTOR : CREW;
  const move = you.isGhost ? workAsGhost(at) : pickMove(at, rules);
  const { action } = move;
  const internal_thought = sayThought(move, you.role, at.chance);
  return { internal_thought, action, scratchpad_updates: {} };
}
