/** Machines whose counts arithmetic gives, and other small models that the checker is tested on. */
import { type AnyStateMachine, assign, createMachine, type EventObject } from 'xstate';
import type { Model, Promised } from '../../checker/model.ts';

type Counts = { readonly counts: readonly number[] };
export type Bump = { readonly type: 'bump'; readonly index: number };

/** So many counters, each of which goes round modulo `modulus`: modulus^k states, k moves from each. */
export function counters(
  k: number,
  modulus: number,
  promises: readonly Promised<Counts, Bump>[] = [],
): Model<Counts, Bump> {
  const machine = createMachine({
    types: {} as { context: Counts; events: Bump },
    id: 'counters',
    context: { counts: Array.from({ length: k }, () => 0) },
    on: {
      bump: {
        actions: assign(({ context, event }) => ({
          counts: context.counts.map((count, index) =>
            index === event.index ? (count + 1) % modulus : count,
          ),
        })),
      },
    },
  });
  const events: Bump[] = Array.from({ length: k }, (_, index) => ({ type: 'bump', index }));
  return { name: 'counters', machine, world: () => events, promises };
}

/** A model of a machine to which the same events may come at any time. */
export function aModel(
  machine: AnyStateMachine,
  events: readonly (string | EventObject)[] = [],
  promises: readonly Promised<unknown, EventObject>[] = [],
): Model<unknown, EventObject> {
  const alphabet = events.map((event) => (typeof event === 'string' ? { type: event } : event));
  return { name: machine.id, machine, world: () => alphabet, promises };
}
