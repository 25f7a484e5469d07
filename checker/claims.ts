/**
 * Builds a property in one line. The types of context and events come from the place where it stands, such as the
 * question of a check, or `PropertiesOf<typeof machine>`. Elsewhere they are not checked.
 */
import type { AnyStateMachine, ContextFrom, EventFromLogic } from 'xstate';
import type { Fairness, MachineStep, Property, State } from './model.ts';

// biome-ignore lint/suspicious/noExplicitAny: without a machine nothing is known of the context.
type Untyped = any;

export type PropertiesOf<M extends AnyStateMachine> = readonly Property<
  ContextFrom<M>,
  EventFromLogic<M>
>[];

type Assumed<C, E> = Pick<Extract<Property<C, E>, { kind: 'eventually' }>, 'fair'>;

type StateClaim = <C = Untyped, E = Untyped>(
  sentence: string,
  holds: (state: State<C>) => boolean,
) => Property<C, E>;

const claimStates =
  (kind: 'always' | 'never' | 'sometimes'): StateClaim =>
  (sentence, holds) => ({ ...nameClaim(sentence), kind, holds });

/** The predicate holds in every reachable state. */
export const always = claimStates('always');

/** The predicate holds in no reachable state. */
export const never = claimStates('never');

/** The predicate holds in at least one reachable state. */
export const sometimes = claimStates('sometimes');

/** The predicate holds on every step, or on every step that `when` selects. It may say as text why it does not. */
export function eachStep<C = Untyped, E = Untyped>(
  sentence: string,
  holds: (step: MachineStep<C, E>) => boolean | string,
  when?: (step: MachineStep<C, E>) => boolean,
): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'step', holds, ...(when === undefined ? {} : { when }) };
}

/** On every fair run the predicate eventually holds. */
export function eventually<C = Untyped, E = Untyped>(
  sentence: string,
  holds: (state: State<C>) => boolean,
  assumed: Assumed<C, E> = {},
): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'eventually', holds, ...assumed };
}

/** On every fair run, whenever `from` holds, `holds` is true then or later. */
export function leadsTo<C = Untyped, E = Untyped>(
  sentence: string,
  from: (state: State<C>) => boolean,
  holds: (state: State<C>) => boolean,
  assumed: Assumed<C, E> = {},
): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'leads-to', from, holds, ...assumed };
}

/** In every reachable state a listed event takes a transition, a timer or child runs, or the machine is over. */
export function deadlockFree<C = Untyped, E = Untyped>(
  sentence = 'It never gets stuck.',
): Property<C, E> {
  return { ...nameClaim(sentence), kind: 'deadlock-free' };
}

/** No error ends the machine. */
export function neverFails<C = Untyped, E = Untyped>(sentence = 'It never fails.'): Property<C, E> {
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
