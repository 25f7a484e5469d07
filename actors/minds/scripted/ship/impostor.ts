/** An impostor on the ship: hunts, gets away, breaks things, and in between looks like everybody else. */
import type { TaskCard } from '../../../../machines/rules/ship/views.ts';
import { consoleFor } from './alarm.ts';
import { nextTask } from './errands.ts';
import { leavesBody, surfaces } from './escape.ts';
import { stalks, strikes, traps } from './hunt.ts';
import { keepsCompany, looks, pauses, strolls } from './leisure.ts';
import { happens, isShutIn, LANE, type Moment, type Move, type Rule, stepsTo } from './moment.ts';
import { breaks } from './sabotage.ts';

/** Share of alarms at which an impostor is seen running. */
const PRETENDING = 0.45;
/** Steps that an impostor runs for the look of it. */
const FOR_SHOW = 4;

/** A task that can be faked: the last step of a visual one shows who does it, so nobody poses there. */
function isFakeable({ view }: Moment, card: TaskCard): boolean {
  return !(card.visual && view.options.visualTasks);
}

/** Runs with the others to what is broken; mends it only when it would be mended anyhow. */
function pretends(at: Moment): Move | null {
  const { scene } = at;
  const { crisis } = scene;
  if (crisis === null || scene.vent !== null) return null;
  const console = consoleFor(at);
  if (console === null) return null;
  const facts = { system: crisis.system, place: console };
  if (scene.place === console && at.others.length >= 2 && scene.intent?.type !== 'fix') {
    return { action: { type: 'fix', at: console }, theme: 'helps', facts };
  }
  if (!scene.why.includes('alarm') || scene.place === console) return null;
  if (stepsTo(at, console) > FOR_SHOW || !happens(at, LANE.pretend, PRETENDING)) return null;
  return { action: { type: 'go', to: console }, theme: 'pretends', facts };
}

function goesOn({ scene }: Moment): Move | null {
  if (scene.intent === null) return null;
  const [who] = scene.company;
  return who === undefined
    ? { action: null, theme: 'keepsUp' }
    : { action: null, theme: 'smiles', facts: { who } };
}

function sitsItOut(at: Moment): Move | null {
  if (!isShutIn(at)) return null;
  const task = nextTask(at, (card) => card.next === at.scene.place && isFakeable(at, card));
  return task === null ? { action: { type: 'wait', rounds: 2 }, theme: 'shutIn' } : null;
}

function fakes(at: Moment): Move | null {
  const task = nextTask(at, (card) => isFakeable(at, card));
  if (task?.next === undefined || task.next === null) return null;
  const facts = { task: task.name, place: task.next };
  return { action: { type: 'fake', task: task.id }, theme: 'fakes', facts };
}

export const IMPOSTOR: readonly Rule[] = [
  surfaces,
  traps,
  strikes,
  leavesBody,
  breaks,
  stalks,
  pretends,
  goesOn,
  sitsItOut,
  keepsCompany,
  looks,
  pauses,
  fakes,
  strolls,
];
