/** The actions that a player can take now, each as the JSON to send. The engine decides in the end. */

import { distance, findVent, neighbours, ventsAt } from '../machines/rules/ship/map.ts';
import { type IntentType, LONGEST_WAIT } from '../machines/rules/ship/orders.ts';
import type { ActionView, TaskCard } from '../machines/rules/ship/views.ts';
import { type Place, type ShipMap, SYSTEMS } from '../machines/types.ts';
import { remember } from './block.ts';

/** Actions of a living player of either role, urgent ones first. */
const COMMON: readonly IntentType[] = ['go', 'follow', 'watch', 'button', 'wait'];
const URGENT: readonly IntentType[] = ['report', 'fix'];

/** The words of `action.type` that this player can ever send. */
function listActionTypes({ you }: Pick<ActionView, 'you'>): readonly IntentType[] {
  if (you.isGhost)
    return you.role === 'impostor' ? ['sabotage', 'shut', 'go', 'wait'] : ['task', 'go', 'wait'];
  if (you.role === 'crewmate') return [...URGENT, 'task', ...COMMON];
  return ['kill', ...URGENT, 'vent', 'surface', 'sabotage', 'shut', 'fake', ...COMMON];
}

/**
 * An action with one or several targets. Actions that requests share are frozen. `names` has words for the targets that
 * the action itself may lack.
 */
export type ActionChoice = {
  readonly actions: readonly WireAction[];
  readonly names: readonly string[];
  readonly meaning: string;
};

type WireAction = Readonly<Record<string, string | number>> & { readonly type: IntentType };

export function listChoices(view: ActionView): readonly ActionChoice[] {
  const types = listActionTypes(view);
  const can = view.scene.vent === null ? types : types.filter((type) => IN_VENT.includes(type));
  return can.flatMap((type) => listChoicesOf(type, view));
}

const IN_VENT: readonly IntentType[] = ['wait', 'vent', 'surface', 'sabotage', 'shut'];

function listChoicesOf(type: IntentType, view: ActionView): readonly ActionChoice[] {
  switch (type) {
    case 'task':
    case 'fake':
      return view.scene.tasks
        .filter(({ next }) => next !== null)
        .map((card) => createChoice({ type, task: card.id }, writeTask(type, card), card.name));
    case 'kill':
      return listVictims(view);
    case 'vent':
      return listVents(view);
    case 'surface':
      return view.scene.vent === null ? [] : [createChoice({ type }, 'climb out of the vent')];
    case 'sabotage':
      return listSabotages(view);
    case 'shut':
      return createGroup(view.scene.closable ?? [], (to) => ({ type, to }), 'shut the doors');
    case 'fix':
      return listRepairs(view);
    case 'report':
      return view.scene.bodies
        .filter(({ place }) => place === view.scene.place)
        .map(({ victim }) =>
          createChoice({ type, whom: victim }, 'report the body: calls a meeting', 'body'),
        );
    case 'button': {
      const { buttons, buttonWait, crisis } = view.scene;
      if (buttons === 0 || buttonWait > 0 || crisis !== null) return [];
      return [createChoice({ type }, `call a meeting from ${view.map.button}`)];
    }
    case 'follow': {
      const here = view.scene.here.map(({ who }) => who);
      return createGroup(here, (whom) => ({ type, whom, rounds: 8 }));
    }
    case 'watch':
      return listScreens(view.map);
    case 'go':
      return listWaysOut(view);
    case 'wait':
      return [
        createChoice({ type, rounds: 4 }, `stay where you are, at most ${LONGEST_WAIT} rounds`),
      ];
  }
}

function createChoice(action: WireAction, meaning = '', name?: string): ActionChoice {
  return { actions: [action], names: name === undefined ? [] : [name], meaning };
}

/** A neighbouring place first. The list of choices shows no other. */
function listWaysOut({ map, scene }: ActionView): readonly ActionChoice[] {
  const next = neighbours(map, scene.place);
  const shut: readonly Place[] = scene.shut;
  const isShutIn = shut.includes(scene.place);
  const to = next.find((place) => isShutIn || !shut.includes(place)) ?? map.button;
  const meaning = isShutIn ? 'as soon as the doors open again' : 'or any other place of the map';
  return [{ actions: listWays(map).get(scene.place)?.get(to) ?? [], names: [], meaning }];
}

/** All ways from a place, by the end that comes first. */
const listWays = remember((map: ShipMap) => {
  const go = (to: Place) => Object.freeze({ type: 'go', to } as const);
  const listFrom = (from: Place) => {
    const ends = map.places.filter((to) => to !== from && distance(map, from, to) < Infinity);
    return map.places.map((to) => [to, [to, ...ends.filter((end) => end !== to)].map(go)] as const);
  };
  return new Map(map.places.map((from) => [from, new Map(listFrom(from))]));
});

function createGroup(
  names: readonly string[],
  action: (name: string) => WireAction,
  meaning = '',
): readonly ActionChoice[] {
  return names.length === 0 ? [] : [{ actions: names.map(action), names, meaning }];
}

function writeTask(
  type: 'task' | 'fake',
  { name, next, rounds, steps, of, visual }: TaskCard,
): string {
  const step = of === 1 ? '' : `, step ${steps + 1} of ${of}`;
  const sight =
    type === 'task'
      ? ', visual: it proves that you are no impostor'
      : ', visual: others see that it is not done';
  const seen = visual && steps + 1 === of ? sight : '';
  const work = `${rounds} ${rounds === 1 ? 'round' : 'rounds'} of work`;
  return `${name}: in ${next}, ${work}${step}${seen}`;
}

/** Players within reach, including the next places with a long reach. Partners are excluded. */
function listVictims({ you, scene, map, options }: ActionView): readonly ActionChoice[] {
  if (scene.killWait !== 0) return [];
  const next = options.killDistance === 'long' ? neighbours(map, scene.place) : [];
  const near = [scene.place, ...next];
  const within = scene.here.filter(
    ({ who, place }) => near.includes(place) && !you.partners.includes(who),
  );
  const victims = within.map(({ who }) => who);
  return createGroup(victims, (whom) => ({ type: 'kill', whom }));
}

function listVents({ scene, map }: ActionView): readonly ActionChoice[] {
  const choose = (id: number, meaning: string) =>
    createChoice({ type: 'vent', vent: String(id) }, meaning, findVent(map, id)?.place);
  if (scene.vent === null)
    return ventsAt(map, scene.place).map(({ id }) => choose(id, 'climb in here'));
  const links = findVent(map, scene.vent)?.links ?? [];
  return links.map((id) => choose(id, `crawl to ${findVent(map, id)?.place ?? 'it'}`));
}

function listSabotages({ scene, map }: ActionView): readonly ActionChoice[] {
  if (scene.crisis !== null || scene.sabotageWait !== 0) return [];
  return createGroup(
    SYSTEMS.filter((system) => map.consoles[system].length > 0),
    (system) => ({ type: 'sabotage', system }),
  );
}

function listRepairs({ scene: { crisis } }: ActionView): readonly ActionChoice[] {
  if (crisis === null) return [];
  const left = new Set(crisis.consoles.filter((room) => !crisis.done.includes(room)));
  return [...left].map((to) =>
    createChoice({ type: 'fix', to }, `fix ${crisis.system}`, crisis.system),
  );
}

const listScreens = remember((map: ShipMap): readonly ActionChoice[] => {
  const screens = Object.entries({ cameras: map.cameras?.at, admin: map.adminTable });
  return screens.flatMap(([what, place]) =>
    place == null
      ? []
      : [createChoice(Object.freeze({ type: 'watch', what, rounds: 8 }), `in ${place}`, place)],
  );
});

/** An order that can be carried out now, and the words that name its target. */
export type OrderOption = { readonly action: WireAction; readonly words: readonly string[] };

export function listOptions(view: ActionView): readonly OrderOption[] {
  return listChoices(view).flatMap(({ actions, names }) =>
    actions.map((action, index) => {
      return { action, words: [...listTargets(action), names[index] ?? []].flat() };
    }),
  );
}

export function listTargets(order: object): readonly string[] {
  const fields = Object.entries(order).filter(([name]) => name !== 'type' && name !== 'rounds');
  return fields.map(([, value]) => String(value));
}
