/** The quotient: whether states that a symmetry takes for one can really go on to the same. */
import type { EventObject } from 'xstate';
import { chooseStepper } from '../check.ts';
import { explore } from '../explore.ts';
import type { Model } from '../model.ts';
import type { MachineStepper } from '../step.ts';

export type QuotientResult = {
  readonly states: number;
  readonly orbits: number;
  /** A state that can go on to other orbits than one before it of the same orbit; null when there is none. */
  readonly unlike: number | null;
};

/** Explores every state on its own, and compares what can follow from states of one orbit. */
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
  const numbers = new Map<string, number>();
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
