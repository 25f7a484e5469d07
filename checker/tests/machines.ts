/** Machines with known answers: their number of states, their verdicts, their symmetries. */
import { type AnyStateMachine, assign, createMachine, type EventObject } from 'xstate';
import type { Fairness, Model, Property, State } from '../model.ts';
import type { PartExchange } from './agreement.ts';

type CounterContext = { readonly counts: readonly number[] };
export type Bump = { readonly type: 'bump'; readonly index: number };

/** `k` counters modulo `modulus`: modulus^k states, k moves from each. */
export function createCounters(
  k: number,
  modulus: number,
  properties: readonly Property<CounterContext, Bump>[] = [],
): Model<CounterContext, Bump> {
  return createStriding(k, modulus, () => 1, properties);
}

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

export function createModel(
  machine: AnyStateMachine,
  events: readonly (string | EventObject)[] = [],
  properties: readonly Property<unknown, EventObject>[] = [],
): Model<unknown, EventObject> {
  const alphabet = events.map((event) => (typeof event === 'string' ? { type: event } : event));
  return { name: machine.id, machine, world: () => alphabet, properties };
}

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

/** Paused from b1 and paused from b2 differ in what BACK will do. */
export const tape = createMachine({
  id: 'tape',
  initial: 'p',
  states: {
    p: {
      initial: 'b1',
      states: { b1: { on: { NEXT: 'b2' } }, b2: { on: { NEXT: 'b1' } }, hist: { type: 'history' } },
      on: { PAUSE: 'paused' },
    },
    paused: { on: { BACK: 'p.hist' } },
  },
});

/** Fresh b1 and b2, paused from either, and either again with a memory of either. */
export const TAPE_STATES = 2 + 2 + 4;

export const flags = createMachine({
  id: 'flags',
  types: {} as { context: { flags: ReadonlySet<number> }; events: { type: 'flip'; at: number } },
  context: { flags: new Set<number>() },
  on: {
    flip: {
      actions: assign(({ context, event }) => {
        const switched = new Set(context.flags);
        if (!switched.delete(event.at)) switched.add(event.at);
        return { flags: switched };
      }),
    },
  },
});

export function encodeSet(value: object): unknown {
  return value instanceof Set ? [...value].sort() : undefined;
}

/** A caller is put on hold and off again as often as the exchange likes; the operator answers only off hold. */
const exchange = createMachine({
  id: 'exchange',
  initial: 'idle',
  states: {
    idle: { on: { call: 'ringing' } },
    ringing: { on: { wait: 'ringing', hold: 'held', answer: 'talking' } },
    held: { on: { wait: 'held', resume: 'ringing' } },
    talking: { on: { hang: 'idle' } },
  },
});

export type Calls = Readonly<Record<string, readonly string[]>>;

export const HOLDING: Calls = {
  idle: ['call'],
  ringing: ['wait', 'hold', 'answer'],
  held: ['wait', 'resume'],
  talking: ['hang'],
};
/** The exchange without holding: there the answer stays possible. */
export const DIRECT: Calls = { ...HOLDING, ringing: ['wait', 'answer'] };

export function assumeSome(...types: readonly string[]): Fairness<unknown, EventObject> {
  return { name: `${types.join(' or ')} eventually`, helps: (_, { type }) => types.includes(type) };
}

export function createExchange(
  open: Calls,
  fair: readonly Fairness<unknown, EventObject>[],
  excuses: readonly Fairness<unknown, EventObject>[] = [],
): Model<unknown, EventObject> {
  return {
    name: 'exchange',
    machine: exchange,
    world: ({ at }: State<unknown>) => (open[at] ?? []).map((type) => ({ type })),
    properties: [
      {
        name: 'answered',
        sentence: 'A caller is eventually answered.',
        kind: 'leads-to',
        from: ({ at }) => at === 'ringing',
        holds: ({ at }) => at === 'talking',
        fair,
        excuses,
      },
    ],
  };
}
