/** Builds a property in one line. */
import type { Fairness, MachineStep, Property, State } from './model.ts';

type Assumed<C, E> = {
  /** Moves that the world eventually makes. Without this assumption it may postpone any move for ever. */
  readonly fair?: readonly Fairness<C, E>[];
};

/** The predicate holds in every reachable state. */
export function always<C, E>(
  sentence: string,
  holds: (state: State<C>) => boolean,
): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'always', holds };
}

/** The predicate holds in no reachable state. */
export function never<C, E>(sentence: string, holds: (state: State<C>) => boolean): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'never', holds };
}

/** The predicate holds in at least one reachable state. */
export function sometimes<C, E>(
  sentence: string,
  holds: (state: State<C>) => boolean,
): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'sometimes', holds };
}

/** The predicate holds on every step, or on every step that `when` selects. */
export function eachStep<C, E>(
  sentence: string,
  holds: (step: MachineStep<C, E>) => boolean,
  when?: (step: MachineStep<C, E>) => boolean,
): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'step', holds, ...(when === undefined ? {} : { when }) };
}

/** On every fair run the predicate eventually holds. */
export function eventually<C, E>(
  sentence: string,
  holds: (state: State<C>) => boolean,
  assumed: Assumed<C, E> = {},
): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'eventually', holds, ...assumed };
}

/** On every fair run, whenever `from` holds, `holds` is true then or later. */
export function leadsTo<C, E>(
  sentence: string,
  from: (state: State<C>) => boolean,
  holds: (state: State<C>) => boolean,
  assumed: Assumed<C, E> = {},
): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'leads-to', from, holds, ...assumed };
}

/** In every reachable state a listed event takes a transition, a timer or child runs, or the machine is over. */
export function deadlockFree<C, E>(sentence = 'It never gets stuck.'): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'deadlock-free' };
}

/** No error ends the machine. */
export function neverFails<C, E>(sentence = 'It never fails.'): Property<C, E> {
  return never(sentence, ({ status }) => status === 'error');
}

/** Assumes that one of these events eventually comes if it stays possible. */
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
