/**
 * An action: what a scripted player orders when they are asked on the ship.
 *
 * It is a value of the view, the dice and the nerves. Rules are tried one after another, the most pressing first.
 */
import type { ActionView } from '../../../../machines/rules/ship/views.ts';
import type { WireOrder } from '../../../../prompts/order.ts';
import type { Chance } from '../chance.ts';
import { haunts } from './afterlife.ts';
import { CREW } from './crew.ts';
import { IMPOSTOR } from './impostor.ts';
import { firstMove, type Moment } from './moment.ts';
import { thought } from './thoughts.ts';

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
