/** A storm: a league that is played while everything around it fails. After the faults it must end. */
import { hash } from 'node:crypto';
import { type Landmark, listenForLandmarks } from '../../actors/ports/reach.ts';
import { describeFault, type Fault, type FaultType } from './faults.ts';
import { judgeEnd } from './judgement.ts';
import { Operator } from './operator.ts';
import type { Breach } from './promises.ts';
import { drawScenario } from './scenario.ts';
import { World } from './world.ts';

/** Limits: simulated milliseconds after the faults, and events of a whole storm. */
const CALM_MS = 1_200_000;
const MOST_STEPS = 150_000;

export type StormOutcome = {
  readonly seed: number;
  readonly breach: Breach | null;
  readonly faults: readonly Fault[];
  readonly trace: string;
  readonly digest: string;
  readonly reached: ReadonlySet<Landmark>;
  readonly fired: ReadonlySet<FaultType>;
  /** Paid answers of models, and those among them that did not fit. */
  readonly paid: number;
  readonly misfits: number;
  readonly steps: number;
  readonly simulatedMs: number;
};

/** `only` lists the ids of the faults that happen; null for all. */
export async function runStorm(
  seed: number,
  only: readonly number[] | null = null,
): Promise<StormOutcome> {
  const scenario = drawScenario(seed);
  const faults = scenario.faults.filter(({ id }) => only === null || only.includes(id));
  const world = new World(scenario, faults);
  const { timeline, promises } = world;
  for (const fault of faults) timeline.note('storm', `fault ${fault.id}: ${describeFault(fault)}`);
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
    const why = end === 'silent' ? 'nothing is due' : 'it never ends';
    promises.report('ends', `${why}, and ${operator.describeWaiting()}`);
  }
  listenForLandmarks(null);
  if (promises.breach === null) await judgeEnd(world);
  return {
    seed,
    breach: promises.breach,
    faults,
    trace: timeline.trace,
    digest: hash('sha256', timeline.trace, 'hex'),
    reached,
    fired: world.faults.fired,
    paid: world.models.paid,
    misfits: promises.misfits,
    steps: timeline.steps,
    simulatedMs: timeline.now,
  };
}
