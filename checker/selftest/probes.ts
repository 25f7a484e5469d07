/** Probes: machines with states that are easily taken for one another, and a context that has no exact identity. */
import { assign, createMachine, type EventObject } from 'xstate';
import type { Fairness, Model, State } from '../model.ts';

/** Paused from b1 and paused from b2 differ in what BACK will do. */
export const tape = createMachine({
  id: 'tape',
  initial: 'p',
  states: {
    p: {
      initial: 'b1',
      states: {
        b1: { on: { NEXT: 'b2' } },
        b2: { on: { NEXT: 'b1' } },
        hist: { type: 'history' },
      },
      on: { PAUSE: 'paused' },
    },
    paused: { on: { BACK: 'p.hist' } },
  },
});

/** Fresh b1 and b2, paused from either, and either again with a memory of either. */
export const TAPE_STATES = 2 + 2 + 4;

/** Flags that are switched one by one, kept in a Set. */
export const flags = createMachine({
  id: 'flags',
  types: {} as {
    context: { flags: ReadonlySet<number> };
    events: { type: 'flip'; at: number };
  },
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

/** Puts a Set into JSON. */
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

/** What may happen where at the exchange. */
export const HOLDING: Calls = {
  idle: ['call'],
  ringing: ['wait', 'hold', 'answer'],
  held: ['wait', 'resume'],
  talking: ['hang'],
};
/** The exchange without holding: there the answer stays possible. */
export const DIRECT: Calls = { ...HOLDING, ringing: ['wait', 'answer'] };

/** One of these is done at last. */
export function assumeSome(...types: readonly string[]): Fairness<unknown, EventObject> {
  return {
    name: `${types.join(' or ')} at last`,
    helps: (_, { type }) => types.includes(type),
  };
}

/** The exchange with the property that whoever calls is answered. */
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
        sentence: 'Whoever calls is answered at last.',
        kind: 'leads-to',
        from: ({ at }) => at === 'ringing',
        holds: ({ at }) => at === 'talking',
        fair,
        excuses,
      },
    ],
  };
}
