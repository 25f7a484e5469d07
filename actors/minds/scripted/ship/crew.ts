/** A crewmate on the ship: tasks first, and a body, an alarm or a killer before the tasks. */
import { SECONDS_PER_ROUND } from '../../../../machines/rules/options.ts';
import type { Colour } from '../../../../machines/types.ts';
import {
  countStepsTo,
  findCulprit,
  happens,
  isShutIn,
  LANE,
  type ShipMoment,
  type ShipMove,
  type ShipRule,
  weighSuspicion,
} from './moment.ts';
import {
  canCallMeeting,
  insists,
  keepsCompany,
  looks,
  mends,
  misses,
  pauses,
  pickStroll,
  pickTask,
  rallies,
  sitsItOut,
  strolls,
} from './routine.ts';

const EXIT_SHARE = 0.5;

function reports({ scene }: ShipMoment): ShipMove | null {
  const here = scene.bodies.find(({ place }) => place === scene.place);
  const body = here ?? scene.bodies[0];
  if (body === undefined) return null;
  const { victim, place } = body;
  const facts = { who: victim, place };
  if (here === undefined) return { action: { type: 'go', to: place }, theme: 'nears', facts };
  return { action: { type: 'report', body: victim }, theme: 'reports', facts };
}

function sounds(at: ShipMoment): ShipMove | null {
  const who = findCulprit(at);
  if (who === null) return null;
  return pressButton(at, who) ?? (at.scene.company.includes(who) ? leave(at, 'flees', who) : null);
}

function pressButton(at: ShipMoment, who: Colour): ShipMove | null {
  const { scene, view } = at;
  const { button } = view.map;
  if (!canCallMeeting(at)) return null;
  const facts = { who };
  const rounds = Math.ceil(scene.buttonWait / SECONDS_PER_ROUND);
  if (countStepsTo(at, button) / view.options.playerSpeed >= rounds)
    return { action: { type: 'button' }, theme: 'hurries', facts };
  if (scene.place !== button)
    return { action: { type: 'go', to: button }, theme: 'hurries', facts };
  const isAlone = scene.company.length === 1 && scene.company[0] === who;
  return isAlone ? null : { action: { type: 'wait', rounds }, theme: 'bides', facts };
}

function getsAway(at: ShipMoment): ShipMove | null {
  const [who, ...more] = at.scene.company;
  if (who === undefined || more.length > 0 || isShutIn(at)) return null;
  const { intent } = at.scene;
  if (intent?.type === 'go' || intent?.type === 'fix') return null;
  if (weighSuspicion(at, who) < at.traits.wary || !happens(at, LANE.wary, EXIT_SHARE)) return null;
  return leave(at, 'avoids', who);
}

function leave(at: ShipMoment, theme: 'flees' | 'avoids', who: Colour): ShipMove | null {
  const task = pickTask(at, ({ next }) => next !== at.scene.place);
  const to = task?.next ?? pickStroll(at);
  return to === null ? null : { action: { type: 'go', to }, theme, facts: { who, place: to } };
}

function goesOn({ scene }: ShipMoment): ShipMove | null {
  const { intent, company, tasks, crisis } = scene;
  if (intent === null) return null;
  // The button does not work while something is broken.
  if (intent.type === 'button' && crisis !== null) return null;
  const [who] = company;
  if (who !== undefined) return { action: null, theme: 'meets', facts: { who } };
  const task = tasks.find(({ id }) => 'task' in intent && id === intent.task);
  if (task === undefined) return { action: null, theme: 'goesOn' };
  return { action: null, theme: 'continues', facts: { task: task.name } };
}

function works(at: ShipMoment): ShipMove | null {
  const task = pickTask(at, () => true);
  if (task?.next == null) return null;
  const theme = task.next === at.scene.place ? 'works' : 'setsOut';
  const facts = { task: task.name, place: task.next };
  return { action: { type: 'task', task: task.id }, theme, facts };
}

export const CREW: readonly ShipRule[] = [
  reports,
  sounds,
  mends,
  getsAway,
  rallies,
  goesOn,
  (at) => sitsItOut(at, () => true),
  misses,
  keepsCompany,
  looks,
  pauses,
  works,
  insists,
  strolls,
];
