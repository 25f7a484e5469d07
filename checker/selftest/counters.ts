/** Counters: machines whose counts arithmetic gives, and other small models that the checker is tested on. */
import { type AnyStateMachine, assign, createMachine, type EventObject } from 'xstate';
import type { Model, Promised } from '../model.ts';
import type { Exchanging } from './equivariance.ts';

type Counts = { readonly counts: readonly number[] };
export type Bump = { readonly type: 'bump'; readonly index: number };

/** So many counters, each of which goes round modulo `modulus`: modulus^k states, k moves from each. */
export function counters(
  k: number,
  modulus: number,
  promises: readonly Promised<Counts, Bump>[] = [],
): Model<Counts, Bump> {
  return counting(k, modulus, () => 1, promises);
}

/** Three counters of which the first goes twice as fast: whoever takes them for alike is wrong. */
export const lopsided = counting(3, 3, (index) => (index === 0 ? 2 : 1), []);

function counting(
  k: number,
  modulus: number,
  stride: (index: number) => number,
  promises: readonly Promised<Counts, Bump>[],
): Model<Counts, Bump> {
  const machine = createMachine({
    types: {} as { context: Counts; events: Bump },
    id: 'counters',
    context: { counts: Array.from({ length: k }, () => 0) },
    on: {
      bump: {
        actions: assign(({ context, event }) => ({
          counts: context.counts.map((count, index) =>
            index === event.index ? (count + stride(index)) % modulus : count,
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

/** Three counters exchanged, in a context and in an event. */
export const exchangedCounts: Exchanging = {
  parts: ['0', '1', '2'],
  renamed: (value, to) => exchanged(value, (index) => Number(to[index] ?? index)),
  compared: (effects) => effects,
};

function exchanged(value: unknown, to: (index: number) => number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('counts' in value && Array.isArray(value.counts)) {
    const { counts } = value;
    const moved = [...counts];
    counts.forEach((count: unknown, index) => {
      moved[to(index)] = count;
    });
    return { counts: moved };
  }
  if ('index' in value && typeof value.index === 'number')
    return { ...value, index: to(value.index) };
  return value;
}
