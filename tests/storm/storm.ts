/**
 * A storm: a league that is played while everything around it fails, and then, when the faults have stopped, must end.
 */
import { hash } from 'node:crypto';
import { type Landmark, listenForLandmarks } from '../../actors/ports/reach.ts';
import type { Fault } from './faults.ts';
import { describeFault } from './faults.ts';
import { judgeEnd } from './judgement.ts';
import { Operator } from './operator.ts';
import type { Breach } from './promises.ts';
import { drawScenario, type Scenario } from './scenario.ts';
import { World } from './world.ts';

/** Milliseconds of simulated time in which all must end after the faults, and events of a whole storm at most. */
const CALM_MS = 1_200_000;
const MOST_STEPS = 150_000;

export type StormOutcome = {
  readonly seed: number;
  /** The promise that was broken; null when all were kept. */
  readonly breach: Breach | null;
  readonly faults: readonly Fault[];
  readonly trace: string;
  /** SHA-256 of the trace. */
  readonly digest: string;
  /** Landmarks that it came to. */
  readonly reached: ReadonlySet<Landmark>;
  /** Answers of models that were paid for, and how many of them players refused. */
  readonly paid: number;
  readonly misfits: number;
  readonly steps: number;
  readonly simulatedMs: number;
};

/** Runs the storm of a seed; `only` names the faults that happen, and without it all do. */
export async function runStorm(
  seed: number,
  only: readonly number[] | null = null,
): Promise<StormOutcome> {
  const scenario = drawScenario(seed);
  const faults = scenario.faults.filter(({ id }) => only === null || only.includes(id));
  return await runScenario(scenario, faults);
}

async function runScenario(scenario: Scenario, faults: readonly Fault[]): Promise<StormOutcome> {
  const world = new World(scenario, faults);
  const { timeline, trace, promises } = world;
  for (const fault of faults) trace.note('storm', `fault ${fault.id}: ${describeFault(fault)}`);
  const reached = new Set<Landmark>();
  listenForLandmarks((landmark) => reached.add(landmark));
  const operator = new Operator(world);
  operator.begin(faults);
  const end = await timeline.run({
    isOver: () => promises.breach !== null || operator.isOver,
    mostMs: operator.calmMs + CALM_MS,
    mostSteps: MOST_STEPS,
  });
  if (end !== 'over') {
    const waiting = operator.describeWaiting();
    const why = end === 'silent' ? 'nothing happens any more' : 'it goes on and on';
    promises.broken('ends', `${why}, and ${waiting}`);
  }
  listenForLandmarks(null);
  if (promises.breach === null) await judgeEnd(world);
  return {
    seed: scenario.seed,
    breach: promises.breach,
    faults,
    trace: trace.text,
    digest: hash('sha256', trace.text, 'hex'),
    reached,
    paid: world.models.paid,
    misfits: promises.misfits,
    steps: timeline.steps,
    simulatedMs: timeline.now,
  };
}
