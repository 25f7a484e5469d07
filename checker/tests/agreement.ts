/** Agreement: whether the compiled stepper does what XState's own engine does, step for step. */
import type { AnyStateMachine, EventObject } from 'xstate';
import { chooseStepper } from '../check.ts';
import { compileStepper } from '../compile.ts';
import { explore, listEvents } from '../explore.ts';
import { FactoredEvents } from '../factored.ts';
import { type Model, UNLIMITED } from '../model.ts';
import {
  type MachineEffect,
  type MachinePoint,
  type MachineStepper,
  nameChild,
  type Transition,
  Uncompilable,
} from '../stepper.ts';
import { createXstateStepper } from '../xstateStepper.ts';
import { ALPHABET, createRandomChart, SeededRandom } from './randomChart.ts';

type EngineDifference = {
  readonly where: string;
  readonly compiled: unknown;
  readonly xstate: unknown;
};

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

type WalkComparison = {
  readonly steps: number;
  readonly parting: EngineDifference | null;
  readonly isRefused: boolean;
};

export function compareOnRandomChart(seed: number): WalkComparison {
  const machine = createRandomChart(new SeededRandom(seed));
  let steps = 0;
  let isRefused = false;
  for (let walk = 0; walk < WALKS; walk++) {
    const went = compareWalk(machine, new SeededRandom(seed ^ ((walk + 1) * 7919)));
    steps += went.steps;
    isRefused ||= went.isRefused;
    if (went.parting === null) continue;
    const where = `chart of seed ${seed}, walk ${walk}, ${went.parting.where}`;
    return { steps, parting: { ...went.parting, where }, isRefused };
  }
  return { steps, parting: null, isRefused };
}

function compareWalk(machine: AnyStateMachine, chance: SeededRandom): WalkComparison {
  const fast = compileStepper<unknown, EventObject>(machine, undefined);
  const slow = createXstateStepper<unknown, EventObject>(machine, undefined);
  const world = () => ALPHABET.map((type) => ({ type }));
  const model = { name: 'random', machine, world, properties: [] };
  let one = attempt(() => fast.initial());
  let other = attempt(() => slow.initial());
  let where = 'the beginning';
  for (let steps = 0; ; steps++) {
    if (one === 'refused' || other === 'refused') return { steps, parting: null, isRefused: true };
    const [compiled, xstate] = [describeOrNull(one), describeOrNull(other)];
    if (!isAlike(compiled, xstate))
      return { steps, parting: { where, compiled, xstate }, isRefused: false };
    if (one === null || other === null || one.point.status !== 'active' || steps === STEPS) {
      return { steps, parting: null, isRefused: false };
    }
    const [from, back] = [one.point, other.point];
    // Also of a child that has ended: XState takes whatever comes.
    const children = from.children
      .map(nameChild)
      .map((id) => chance.of([`xstate.done.actor.${id}`, `xstate.error.actor.${id}`]));
    const event = chance.of([...listEvents(model, from), ...children.map((type) => ({ type }))]);
    where = `step ${steps}, ${event.type} in ${from.place.name}`;
    other = attempt(() => slow.step(back, event));
    one = attempt(() => fast.step(from, event));
  }
}

/** Null where the machine breaks, in whatever words. The compiled stepper may also refuse what no chart means. */
function attempt(step: () => Transition<unknown>): Transition<unknown> | null | 'refused' {
  try {
    return step();
  } catch (error) {
    if (error instanceof Uncompilable) return 'refused';
    return null;
  }
}

function describeOrNull(transition: Transition<unknown> | null) {
  return transition === null ? null : describeTransition(transition);
}

function describeTransition({ point, effects, taken }: Transition<unknown>) {
  const { place, context, status, timers, history, children } = point;
  const { name, value, tags } = place;
  return {
    ...{ name, value, tags: [...tags].sort() },
    ...{ context, status, timers, history, children },
    ...{ effects, taken },
  };
}

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

/*
 * Equivariance: whether parts that a model calls alike can be exchanged.
 *
 * Walks at random, and at each state tries an exchange on it and on an event. A step of what was exchanged must be the
 * step, exchanged; where it is not, something tells the parts apart, and a search modulo symmetry would prove nothing.
 */

export type PartExchange = {
  readonly parts: readonly string[];
  /** Exchanges the parts in any value. Equal values have equal results. */
  readonly renamed: (value: unknown, to: Readonly<Record<string, string>>) => unknown;
  readonly compared: (effects: readonly MachineEffect[]) => unknown;
};

type Asymmetry = { readonly at: string; readonly event: string };

const LONGEST = 14;

/** The first step that tells the parts apart. Null if `walks` walks found none. */
export function findAsymmetry<C, E extends EventObject>(
  model: Model<C, E>,
  { parts, renamed, compared }: PartExchange,
  chance: SeededRandom,
  walks: number,
): Asymmetry | null {
  const { stepper } = chooseStepper(model);
  const factored = new FactoredEvents(model, false);
  const same: Readonly<Record<string, string>> = {};
  for (let walk = 0; walk < walks; walk++) {
    const order = shuffle(parts, chance);
    const exchange = Object.fromEntries(parts.map((part, at) => [part, order[at] ?? part]));
    let { point } = stepper.initial();
    for (let steps = chance.below(LONGEST) + 1; steps > 0; steps--) {
      const event = drawEvent(model, factored, point, chance);
      if (event === null) break;
      const transition = stepper.step(point, event);
      const elsewhere = { ...point, context: renamed(point.context, exchange) as C };
      const other = stepper.step(elsewhere, renamed(event, exchange) as E);
      const isSame =
        other.point.place === transition.point.place &&
        isAlike(renamed(other.point.context, same), renamed(transition.point.context, exchange)) &&
        isAlike(
          compared(renamed(other.effects, same) as readonly MachineEffect[]),
          compared(renamed(transition.effects, exchange) as readonly MachineEffect[]),
        );
      if (!isSame) return { at: point.place.name, event: event.type };
      point = transition.point;
    }
  }
  return null;
}

/**
 * Something that may happen at a point; null where nothing may. Of an event that is taken part by part the whole is drawn:
 * what each part hands in, one after the other, and then how it ends.
 */
function drawEvent<C, E extends EventObject>(
  model: Model<C, E>,
  factored: FactoredEvents<C, E>,
  point: MachinePoint<C>,
  chance: SeededRandom,
): E | EventObject | null {
  const events = listEvents(model, point);
  const awaited = factored.open(point);
  const drawn = chance.below(events.length + awaited.length * PRODUCTS);
  const single = events[drawn];
  if (single !== undefined || awaited.length === 0) return single ?? null;
  let open = chance.of(awaited);
  const choices = Array.from<unknown>({ length: open.parts });
  for (let part = factored.nextPart(open); part >= 0; part = factored.nextPart(open)) {
    const { choice } = chance.of(factored.choicesOf(open, part).all);
    choices[part] = choice;
    open = factored.take(open, part, choice);
  }
  return factored.join(open, chance.of(factored.listEnds(open)), choices);
}

/** A product counts as this many events when one is drawn. */
const PRODUCTS = 8;

function shuffle(parts: readonly string[], chance: SeededRandom): readonly string[] {
  const left = [...parts];
  return parts.map(() => left.splice(chance.below(left.length), 1)[0] ?? '');
}

type QuotientResult = {
  readonly states: number;
  readonly orbits: number;
  readonly unlike: number | null;
};

/** Whether states that a symmetry merges really lead to the same: explores each one, and compares the successors in an orbit. */
export function checkQuotient<C, E extends EventObject>(model: Model<C, E>): QuotientResult {
  const { stepper } = chooseStepper(model);
  const orbit = model.symmetry?.orbit;
  if (orbit === undefined) throw new Error(`${model.name} has no symmetry`);
  let last = stepper.initial();
  const watched: MachineStepper<C, E> = {
    engine: stepper.engine,
    guards: stepper.guards,
    initial: () => stepper.initial(),
    step: (point, event) => {
      last = stepper.step(point, event);
      return last;
    },
  };
  const numbers = new Map<string | number, number>();
  const orbitOf: number[] = [];
  const followers: Set<number>[] = [];
  const { states } = explore(model, watched, {
    onState: (_, state) => {
      const form = orbit(last.point);
      const number = numbers.get(form) ?? numbers.size;
      numbers.set(form, number);
      orbitOf[state] = number;
      followers[state] = new Set();
    },
    onMove: (_, from, to) => followers[from]?.add(orbitOf[to] ?? -1),
  });
  return { states, orbits: numbers.size, unlike: findUnlike(orbitOf, followers) };
}

function findUnlike(
  orbitOf: readonly number[],
  followers: readonly ReadonlySet<number>[],
): number | null {
  const known = new Map<number, string>();
  const unlike = followers.findIndex((reached, state) => {
    const text = [...reached].sort((one, other) => one - other).join();
    const number = orbitOf[state] ?? -1;
    const expected = known.get(number) ?? text;
    known.set(number, expected);
    return text !== expected;
  });
  return unlike < 0 ? null : unlike;
}
