/** Claims: properties in one line each, for tests and machines that are checked as they stand. */
import type { Fairness, MachineStep, Property, State } from './model.ts';

type Assumed<C, E> = {
  /** Assumed of the world: that these moves are made in the end. Without any, the world may do what it likes for ever. */
  readonly fair?: readonly Fairness<C, E>[];
};

/** In every state. */
export function always<C, E>(
  sentence: string,
  holds: (state: State<C>) => boolean,
): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'always', holds };
}

/** In no state. */
export function never<C, E>(sentence: string, holds: (state: State<C>) => boolean): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'never', holds };
}

/** In at least one state that can be reached. */
export function sometimes<C, E>(
  sentence: string,
  holds: (state: State<C>) => boolean,
): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'sometimes', holds };
}

/** On every step; with `when` on those that it selects. */
export function eachStep<C, E>(
  sentence: string,
  holds: (step: MachineStep<C, E>) => boolean,
  when?: (step: MachineStep<C, E>) => boolean,
): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'step', holds, ...(when === undefined ? {} : { when }) };
}

/** On every run that is fair, at last. */
export function eventually<C, E>(
  sentence: string,
  holds: (state: State<C>) => boolean,
  assumed: Assumed<C, E> = {},
): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'eventually', holds, ...assumed };
}

/** Whenever the first holds, the second holds then or later, on every run that is fair. */
export function leadsTo<C, E>(
  sentence: string,
  from: (state: State<C>) => boolean,
  holds: (state: State<C>) => boolean,
  assumed: Assumed<C, E> = {},
): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'leads-to', from, holds, ...assumed };
}

/** Something may come next in every state, until the machine is done. */
export function deadlockFree<C, E>(sentence = 'It never gets stuck.'): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'deadlock-free' };
}

/** Assumes of the world that one of these events comes at last where it may come all the time. */
export function assumeComes<C, E extends { readonly type: string }>(
  ...types: readonly string[]
): Fairness<C, E> {
  return {
    name: `${types.join(' or ')} comes at last`,
    helps: (_, { type }) => types.includes(type),
  };
}

function nameClaim(sentence: string) {
  return { name: sentence, sentence };
}
