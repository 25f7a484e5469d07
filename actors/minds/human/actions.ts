/** Actions: what a person can do on the ship now, one by one, with what is not possible yet left out. */

import type { IntentType } from '../../../machines/rules/ship/orders.ts';
import type { ActionView } from '../../../machines/rules/ship/views.ts';
import type { OfferedAction } from '../../../machines/turnPrompt.ts';
import { type ActionChoice, listChoices } from '../../../prompts/action.ts';

const DOES: Readonly<Record<IntentType, string>> = {
  kill: 'Kill',
  report: 'Report the body of',
  fix: 'Repair',
  task: 'Do a task',
  vent: 'Use the vent',
  surface: 'Climb out',
  sabotage: 'Sabotage',
  shut: 'Shut the doors of',
  fake: 'Pretend a task',
  go: 'Go to',
  follow: 'Follow',
  watch: 'Watch',
  button: 'Emergency button',
  wait: 'Wait',
};

/** Rounds that a person can choose to wait: short, and as long as it takes until something happens. */
const WAITS = [
  { rounds: 2, what: '5 s' },
  { rounds: 8, what: '20 s' },
] as const;

export function actionsFor(view: ActionView): readonly OfferedAction[] {
  return listChoices(view).flatMap((choice) => offered(choice, view));
}

function offered(choice: ActionChoice, view: ActionView): readonly OfferedAction[] {
  const type = choice.actions[0]?.type;
  if (type === undefined || !isPossible(type, view)) return [];
  const does = DOES[type];
  switch (type) {
    case 'go':
      return placesFrom(view).map((to) => ({ does, what: to, hint: '', action: { type, to } }));
    case 'wait':
      return WAITS.map(({ rounds, what }) => ({ does, what, hint: '', action: { type, rounds } }));
    case 'task':
    case 'fake':
    case 'vent':
      return choice.actions.map((action) => ({ does, what: choice.meaning, hint: '', action }));
    case 'fix':
      return choice.actions.map((action) => ({
        does,
        what: `${view.scene.crisis?.system ?? 'it'} in ${action['to']}`,
        hint: '',
        action,
      }));
    case 'watch':
      return choice.actions.map((action) => ({
        does,
        what: action['what'] === 'admin' ? 'the Admin table' : 'the cameras',
        hint: choice.meaning,
        action,
      }));
    case 'button':
      return choice.actions.map((action) => ({ does, what: '', hint: choice.meaning, action }));
    default:
      return choice.actions.map((action, index) => ({
        does,
        what: choice.names[index] ?? String(action['whom'] ?? ''),
        hint: '',
        action,
      }));
  }
}

/** What a prompt announces for later is no choice yet. */
function isPossible(type: IntentType, { scene }: ActionView): boolean {
  switch (type) {
    case 'kill':
      return scene.killWait === 0;
    case 'sabotage':
      return scene.sabotageWait === 0;
    case 'button':
      return scene.crisis === null;
    default:
      return true;
  }
}

/** Every place of the map, rooms before hallways, without the one where the player stands. */
function placesFrom({ map, scene }: ActionView): readonly string[] {
  const isHall = (place: string) => place.endsWith('hallway');
  return map.places
    .filter((place) => place !== scene.place)
    .toSorted((one, other) => Number(isHall(one)) - Number(isHall(other)));
}
