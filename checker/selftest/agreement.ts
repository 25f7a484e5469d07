/** Agreement: whether the compiled stepper does what XState's own engine does, step for step. */
import type { AnyStateMachine, EventObject } from 'xstate';
import { UNLIMITED } from '../budget.ts';
import { compileStepper } from '../compiled.ts';
import { createXstateStepper } from '../engine.ts';
import { explore, listEvents } from '../explore.ts';
import type { Model } from '../model.ts';
import type { MachineStepper, Transition } from '../step.ts';
import { SeededRandom } from './chance.ts';
import { ALPHABET, createRandomChart } from './randomChart.ts';

/** Where the two parted: what either says. */
export type EngineDifference = {
  readonly where: string;
  readonly compiled: unknown;
  readonly xstate: unknown;
};

/** Explores with the compiled stepper, and takes every step with XState's engine as well. */
export function compareEngines<C, E extends EventObject>(model: Model<C, E>, most: number) {
  const fast = compileStepper<C, E>(model.machine, model.input);
  const slow = createXstateStepper<C, E>(model.machine, model.input);
  const parted: EngineDifference[] = [];
  const compare = (where: string, one: Transition<C>, other: Transition<C>): Transition<C> => {
    const [compiled, xstate] = [describeTransition(one), describeTransition(other)];
    if (!isAlike(compiled, xstate)) parted.push({ where, compiled, xstate });
    return one;
  };
  const both: MachineStepper<C, E> = {
    engine: 'compiled',
    guards: fast.guards,
    initial: () => compare('the beginning', fast.initial(), slow.initial()),
    step: (point, event) =>
      compare(
        `${event.type} in ${point.place.name}`,
        fast.step(point, event),
        slow.step(point, event),
      ),
  };
  const found = explore(model, both, {}, { budget: { ...UNLIMITED, states: most } });
  return { parted, found };
}

const WALKS = 2;
const STEPS = 25;

/** Walks both through a random chart, each on its own points, until they part. */
export function compareOnRandomChart(seed: number): {
  readonly steps: number;
  readonly parting: EngineDifference | null;
} {
  const machine = createRandomChart(new SeededRandom(seed));
  let steps = 0;
  for (let walk = 0; walk < WALKS; walk++) {
    const went = compareWalk(machine, new SeededRandom(seed ^ ((walk + 1) * 7919)));
    steps += went.steps;
    if (went.parting === null) continue;
    const where = `chart of seed ${seed}, walk ${walk}, ${went.parting.where}`;
    return { steps, parting: { ...went.parting, where } };
  }
  return { steps, parting: null };
}

function compareWalk(
  machine: AnyStateMachine,
  chance: SeededRandom,
): { readonly steps: number; readonly parting: EngineDifference | null } {
  const fast = compileStepper<unknown, EventObject>(machine, undefined);
  const slow = createXstateStepper<unknown, EventObject>(machine, undefined);
  const world = () => ALPHABET.map((type) => ({ type }));
  const model = { name: 'random', machine, world, properties: [] };
  let one = attempt(() => fast.initial());
  let other = attempt(() => slow.initial());
  let where = 'the beginning';
  for (let steps = 0; ; steps++) {
    const [compiled, xstate] = [describeOrNull(one), describeOrNull(other)];
    if (!isAlike(compiled, xstate)) return { steps, parting: { where, compiled, xstate } };
    if (one === null || other === null || one.point.status !== 'active' || steps === STEPS) {
      return { steps, parting: null };
    }
    const [from, back] = [one.point, other.point];
    const children = from.children.map((id) =>
      chance.of([`xstate.done.actor.${id}`, `xstate.error.actor.${id}`]),
    );
    const event = chance.of([...listEvents(model, from), ...children.map((type) => ({ type }))]);
    where = `step ${steps}, ${event.type} in ${from.place.name}`;
    one = attempt(() => fast.step(from, event));
    other = attempt(() => slow.step(back, event));
  }
}

/** Null where the machine breaks, in whatever words. */
function attempt(step: () => Transition<unknown>): Transition<unknown> | null {
  try {
    return step();
  } catch {
    return null;
  }
}

function describeOrNull(transition: Transition<unknown> | null) {
  return transition === null ? null : describeTransition(transition);
}

/** A transition without what only its own stepper understands. */
function describeTransition({ point, effects, taken }: Transition<unknown>) {
  const { place, context, status, timers, children } = point;
  const { name, value, tags, invoked } = place;
  const sorted = [...tags].sort();
  return { name, value, tags: sorted, invoked, context, status, timers, children, effects, taken };
}

/** Equal as plain values; whatever is not plain must be the very same. */
export function isAlike(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isComposed(one) || !isComposed(other)) return false;
  const prototype: unknown = Object.getPrototypeOf(one);
  if (prototype !== Object.getPrototypeOf(other) || !PLAIN.includes(prototype)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) && isAlike(Reflect.get(one, name), Reflect.get(other, name)),
    )
  );
}

const PLAIN: readonly unknown[] = [Object.prototype, Array.prototype, null];

function isComposed(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
