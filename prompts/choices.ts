/**
 * Choices: what a player can do now on the ship, each as the action to send, taken from the situation itself.
 *
 * The engine judges in the end: a choice that is possible later says when.
 */
import { type IntentType, LONGEST_WAIT } from '../machines/rules/ship/intent.ts';
import { neighbours, SYSTEMS, ventCalled, ventsAt } from '../machines/rules/ship/map.ts';
import type { ActionView, TaskCard } from '../machines/rules/ship/views.ts';
import type { Place } from '../machines/types.ts';
import { section } from './block.ts';
import { intentText, soon } from './scene.ts';

/** What a living player of either role can do, the urgent first. */
const COMMON: readonly IntentType[] = ['go', 'follow', 'watch', 'button', 'wait'];
const URGENT: readonly IntentType[] = ['report', 'fix'];

/** What this player can ever send: the words of `action.type`. */
export function typesFor({ you }: Pick<ActionView, 'you'>): readonly IntentType[] {
  if (you.isGhost) {
    return you.role === 'impostor' ? ['sabotage', 'shut', 'go', 'wait'] : ['task', 'go', 'wait'];
  }
  if (you.role === 'crewmate') return [...URGENT, 'task', ...COMMON];
  return ['kill', ...URGENT, 'vent', 'surface', 'sabotage', 'shut', 'fake', ...COMMON];
}

/** Something that can be done now, in one way or in several; `names` tells those apart, and is empty for one. */
export type Choice = {
  readonly actions: readonly Action[];
  readonly names: readonly string[];
  readonly meaning: string;
};

export type Action = Readonly<Record<string, string | number>> & { readonly type: IntentType };

/** The actions that make sense now. */
export function choicesFor(view: ActionView): readonly Choice[] {
  const types = typesFor(view);
  const can = view.scene.vent === null ? types : types.filter((type) => IN_VENT.includes(type));
  return can.flatMap((type) => choicesOf(type, view));
}

/** The actions that make sense now, as a list. */
export function choicesText(view: ActionView): string {
  const { scene } = view;
  const lines = choicesFor(view).map(lineOf);
  const goOn =
    scene.intent === null ? [] : [`- {"type": null} go on: you are ${intentText(scene.intent)}`];
  return section('What you can do', [...goOn, ...lines]);
}

const IN_VENT: readonly IntentType[] = ['wait', 'vent', 'surface', 'sabotage', 'shut'];

function choicesOf(type: IntentType, view: ActionView): readonly Choice[] {
  switch (type) {
    case 'task':
    case 'fake':
      return taskChoices(type, view);
    case 'kill':
      return killChoices(view);
    case 'vent':
      return ventChoices(view);
    case 'surface':
      return view.scene.vent === null ? [] : [choice({ type }, 'climb out of the vent')];
    case 'sabotage':
      return sabotageChoices(view);
    case 'shut':
      return anyOf(view.scene.closable ?? [], (to) => ({ type, to }), 'shut the doors');
    case 'fix':
      return fixChoices(view);
    case 'report':
      return view.scene.bodies
        .filter(({ place }) => place === view.scene.place)
        .map(({ victim }) => choice({ type, whom: victim }, 'report the body: calls a meeting'));
    case 'button':
      return buttonChoices(view);
    case 'follow':
      return anyOf(
        view.scene.here.map(({ who }) => who),
        (whom) => ({ type, whom, rounds: 8 }),
      );
    case 'watch':
      return watchChoices(view);
    case 'go':
      return goChoices(view);
    case 'wait':
      return [choice({ type, rounds: 4 }, `stay where you are, at most ${LONGEST_WAIT} rounds`)];
  }
}

function choice(action: Action, meaning = ''): Choice {
  return { actions: [action], names: [], meaning };
}

/** The first way in full, then the names of the others, then what it means. */
function lineOf({ actions: [action], names, meaning }: Choice): string {
  const fields = Object.entries(action ?? {}).map(
    ([name, value]) => `"${name}": ${JSON.stringify(value)}`,
  );
  const [, ...others] = names;
  const also = others.length === 0 ? '' : `or ${others.join(', ')}`;
  const words = [also, meaning].filter((part) => part !== '').join('; ');
  return `- {${fields.join(', ')}}${words === '' ? '' : ` ${words}`}`;
}

/** The way out, and that one may name any place. */
function goChoices({ map, scene }: ActionView): readonly Choice[] {
  const next = neighbours(map, scene.place);
  if (isShut(scene, scene.place)) {
    return [choice({ type: 'go', to: next[0] ?? map.button }, 'as soon as the doors open again')];
  }
  const [first = map.button, ...others] = next.filter((place) => !isShut(scene, place));
  const also = others.length === 0 ? '' : `; also next to you: ${others.join(', ')}`;
  return [choice({ type: 'go', to: first }, `or any other place of the map${also}`)];
}

function isShut({ shut }: ActionView['scene'], place: Place): boolean {
  return shut.some((room) => room === place);
}

/** One choice for several people, places or systems. */
function anyOf(
  names: readonly string[],
  action: (name: string) => Action,
  meaning = '',
): readonly Choice[] {
  return names.length === 0 ? [] : [{ actions: names.map(action), names, meaning }];
}

function taskChoices(type: 'task' | 'fake', { scene }: ActionView): readonly Choice[] {
  return scene.tasks
    .filter(({ next }) => next !== null)
    .map((card) => choice({ type, task: card.id }, taskText(card)));
}

function taskText({ name, next, rounds, steps, of, visual }: TaskCard): string {
  const step = of === 1 ? '' : `, step ${steps + 1} of ${of}`;
  const seen = visual && steps + 1 === of ? ', seen by all around' : '';
  const work = `${rounds} ${rounds === 1 ? 'round' : 'rounds'} of work`;
  return `${name}: in ${next}, ${work}${step}${seen}`;
}

/** Who is within reach; with a long reach also those in the next places. Partners are not to be killed. */
function killChoices({ you, scene, map, options }: ActionView): readonly Choice[] {
  const isFar = options.killDistance === 'long';
  const next = isFar ? neighbours(map, scene.place) : [];
  const within = scene.here.filter(({ who, place }) => {
    const isNear = place === scene.place || next.includes(place);
    return isNear && !you.partners.includes(who);
  });
  return anyOf(
    within.map(({ who }) => who),
    (whom) => ({ type: 'kill', whom }),
    `possible ${soon(scene.killWait ?? 0)}`,
  );
}

function ventChoices({ scene, map }: ActionView): readonly Choice[] {
  if (scene.vent === null) {
    return ventsAt(map, scene.place).map(({ id }) =>
      choice({ type: 'vent', to: String(id) }, 'climb in here'),
    );
  }
  return (ventCalled(map, scene.vent)?.links ?? []).map((id) =>
    choice({ type: 'vent', to: String(id) }, `crawl to ${ventCalled(map, id)?.place ?? 'it'}`),
  );
}

function sabotageChoices({ scene, map }: ActionView): readonly Choice[] {
  if (scene.crisis !== null) return [];
  return anyOf(
    SYSTEMS.filter((system) => map.consoles[system].length > 0),
    (system) => ({ type: 'sabotage', system }),
    `possible ${soon(scene.sabotageWait ?? 0)}`,
  );
}

function fixChoices({ scene: { crisis } }: ActionView): readonly Choice[] {
  if (crisis === null) return [];
  const left = new Set(crisis.consoles.filter((room) => !crisis.done.includes(room)));
  return [...left].map((to) => choice({ type: 'fix', to }, `fix ${crisis.system}`));
}

function buttonChoices({ scene, map }: ActionView): readonly Choice[] {
  const { buttons, buttonWait, crisis } = scene;
  if (buttons === 0) return [];
  const when = crisis === null ? `works ${soon(buttonWait)}` : 'does not work during the sabotage';
  return [choice({ type: 'button' }, `call a meeting from ${map.button}; ${when}`)];
}

function watchChoices({ map }: ActionView): readonly Choice[] {
  const { cameras, adminTable } = map;
  return [
    ...(cameras === null
      ? []
      : [choice({ type: 'watch', what: 'cameras', rounds: 8 }, `in ${cameras.at}`)]),
    ...(adminTable === null
      ? []
      : [choice({ type: 'watch', what: 'admin', rounds: 8 }, `in ${adminTable}`)]),
  ];
}
