/** Counters: machines whose counts arithmetic gives, and other small models that the checker is tested on. */
import { type AnyStateMachine, assign, createMachine, type EventObject } from 'xstate';
import type { Model, Property } from '../model.ts';
import type { PartExchange } from './equivariance.ts';

type CounterContext = { readonly counts: readonly number[] };
export type Bump = { readonly type: 'bump'; readonly index: number };

/** So many counters, each of which goes round modulo `modulus`: modulus^k states, k moves from each. */
export function createCounters(
  k: number,
  modulus: number,
  properties: readonly Property<CounterContext, Bump>[] = [],
): Model<CounterContext, Bump> {
  return createStriding(k, modulus, () => 1, properties);
}

/** Three counters of which the first goes twice as fast: whoever takes them for alike is wrong. */
export const LOPSIDED = createStriding(3, 3, (index) => (index === 0 ? 2 : 1), []);

function createStriding(
  k: number,
  modulus: number,
  stride: (index: number) => number,
  properties: readonly Property<CounterContext, Bump>[],
): Model<CounterContext, Bump> {
  const machine = createMachine({
    types: {} as { context: CounterContext; events: Bump },
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
  return { name: 'counters', machine, world: () => events, properties };
}

/** A model of a machine to which the same events may come at any time. */
export function createModel(
  machine: AnyStateMachine,
  events: readonly (string | EventObject)[] = [],
  properties: readonly Property<unknown, EventObject>[] = [],
): Model<unknown, EventObject> {
  const alphabet = events.map((event) => (typeof event === 'string' ? { type: event } : event));
  return { name: machine.id, machine, world: () => alphabet, properties };
}

/** Three counters exchanged, in a context and in an event. */
export const COUNTER_EXCHANGE: PartExchange = {
  parts: ['0', '1', '2'],
  renamed: (value, to) => exchangeCounts(value, (index) => Number(to[index] ?? index)),
  compared: (effects) => effects,
};

function exchangeCounts(value: unknown, to: (index: number) => number): unknown {
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
