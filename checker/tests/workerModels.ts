/** Models that workers build themselves: each is a function of something that can be cloned. */
import { isMainThread } from 'node:worker_threads';
import { type AnyEventObject, assign, createMachine, setup } from 'xstate';
import type { Model, Property } from '../model.ts';

type Counts = { readonly counts: readonly number[] };
type Bump = { readonly type: 'bump'; readonly index: number };
type Counting = { readonly k: number; readonly modulus: number };

const total = ({ counts }: Counts) => counts.reduce((sum, count) => sum + count, 0);

function counters({ k, modulus }: Counting, bumped: (counts: Counts) => void) {
  const machine = createMachine({
    types: {} as { context: Counts; events: Bump },
    id: 'counters',
    context: { counts: Array.from({ length: k }, () => 0) },
    on: {
      bump: {
        guard: ({ context, event }) => event.index !== 1 || total(context) % 5 !== 4,
        actions: assign(({ context, event }) => {
          bumped(context);
          const { counts } = context;
          return { counts: counts.with(event.index, ((counts[event.index] ?? 0) + 1) % modulus) };
        }),
      },
    },
  });
  const events: Bump[] = Array.from({ length: k }, (_, index) => ({ type: 'bump', index }));
  return { name: 'counters', machine, world: () => events, properties };
}

const turns = { name: 'the first turns', helps: (_: unknown, { index }: Bump) => index === 0 };

/** Of every kind one that is kept and one that is not. */
const properties: readonly Property<Counts, Bump>[] = [
  { name: 'low', sentence: '', kind: 'always', holds: ({ context }) => total(context) < 7 },
  { name: 'below', sentence: '', kind: 'never', holds: ({ context }) => total(context) < 0 },
  { name: 'six', sentence: '', kind: 'sometimes', holds: ({ context }) => total(context) === 6 },
  { name: 'ninety', sentence: '', kind: 'sometimes', holds: ({ context }) => total(context) > 90 },
  {
    name: 'climbs',
    sentence: '',
    kind: 'step',
    when: ({ event }) => event.type === 'bump' && event.index === 0,
    holds: ({ before, after }) => total(after.context) > total(before.context),
  },
  {
    name: 'by-one',
    sentence: '',
    kind: 'step',
    when: ({ before, after }) => total(before.context) < total(after.context),
    holds: ({ before, after }) => total(after.context) === total(before.context) + 1,
  },
  { name: 'never-asked', sentence: '', kind: 'step', when: () => false, holds: () => false },
  { name: 'goes-on', sentence: '', kind: 'deadlock-free' },
  { name: 'one', sentence: '', kind: 'eventually', holds: ({ context }) => total(context) === 1 },
  {
    name: 'first-turns',
    sentence: '',
    kind: 'leads-to',
    from: ({ context }) => context.counts[0] === 0,
    holds: ({ context }) => context.counts[0] === 1,
    fair: [turns],
  },
];

export function counting(size: Counting): Model<Counts, Bump> {
  return counters(size, () => {});
}

/** Its action throws far from the beginning. */
export function throwing(size: Counting): Model<Counts, Bump> {
  return counters(size, (context) => {
    if (total(context) === 8) throw new Error('eight is too many');
  });
}

/** A property that throws: a mistake of its author. */
export function mistaken(size: Counting): Model<Counts, Bump> {
  const holds = ({ before }: { readonly before: { readonly context: Counts } }) => {
    if (total(before.context) === 5) throw new Error('a mistake in a property');
    return true;
  };
  return {
    ...counters(size, () => {}),
    properties: [{ name: 'x', sentence: '', kind: 'step', holds }],
  };
}

/** Its thread ends as soon as a worker makes a step. */
export function dying(size: Counting): Model<Counts, Bump> {
  return counters(size, () => {
    if (!isMainThread) process.exit(3);
  });
}

/** Orbits of counters in any order; the counter that may stand still keeps its place. */
export function symmetric(size: Counting): Model<Counts, Bump> {
  const orbit = ({ context }: { readonly context: Counts }) => {
    const [first, second, ...rest] = context.counts;
    return [first, second, ...rest.toSorted((one, other) => one - other)].join();
  };
  return { ...counters(size, () => {}), symmetry: { name: 'counters', orbit } };
}

/** Contexts that can't be put into JSON, and timers, children and parallel regions. */
export function coded(): Model<unknown, AnyEventObject> {
  const machine = createMachine({
    types: {} as { context: { readonly seen: ReadonlySet<number> }; events: AnyEventObject },
    id: 'coded',
    type: 'parallel',
    context: { seen: new Set<number>() },
    states: {
      lamp: {
        initial: 'off',
        states: {
          off: { after: { 10: 'on' } },
          on: { invoke: { id: 'bulb', src: 'bulb', onDone: 'off', onError: 'off' } },
        },
      },
      list: {
        on: {
          see: {
            actions: assign({ seen: ({ context, event }) => new Set([...context.seen, event.n]) }),
          },
        },
      },
    },
  });
  const world = [0, 1, 2, 3, 4].map((n) => ({ type: 'see', n }));
  return {
    name: 'coded',
    machine,
    world: () => [
      ...world,
      { type: 'xstate.done.actor.bulb' },
      { type: 'xstate.error.actor.bulb' },
    ],
    properties: [],
    codec: (value) => (value instanceof Set ? [...value].toSorted() : undefined),
  };
}

/** A history state: what it remembers tells states apart. */
export function remembering(): Model<unknown, AnyEventObject> {
  const machine = createMachine({
    id: 'remembering',
    initial: 'home',
    states: {
      home: {
        initial: 'a',
        on: { away: 'away' },
        states: {
          a: { on: { next: 'b' } },
          b: { on: { next: 'c' } },
          c: { on: { next: 'a' } },
          last: { type: 'history' },
        },
      },
      away: { on: { back: 'home.last' } },
    },
  });
  return {
    name: 'remembering',
    machine,
    world: () => ['next', 'away', 'back'].map((type) => ({ type })),
    properties: [],
  };
}

/** What the compiled stepper refuses is found after a while only. */
export function spawning(): Model<unknown, AnyEventObject> {
  const child = createMachine({ id: 'child' });
  const machine = setup({
    types: { context: {} as { readonly n: number } },
    actors: { child },
  }).createMachine({
    id: 'spawning',
    context: { n: 0 },
    on: {
      go: {
        guard: ({ context }) => context.n < 8,
        actions: assign({
          n: ({ context, spawn }) => {
            if (context.n === 6) spawn('child', { id: 'kid' });
            return context.n + 1;
          },
        }),
      },
    },
  });
  return { name: 'spawning', machine, world: () => [{ type: 'go' }], properties: [] };
}
