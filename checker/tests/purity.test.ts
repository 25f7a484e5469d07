import { describe, expect, test } from 'vitest';
import {
  type AnyStateMachine,
  assign,
  createMachine,
  type EventObject,
  fromCallback,
  fromPromise,
  raise,
  setup,
} from 'xstate';
import { check } from '../check.ts';
import type { Property } from '../model.ts';
import type { PurityWatch } from '../purity.ts';
import { createModel, encodeSet } from './machines.ts';

type Count = { count: number; list: number[]; deep: { on: boolean } };

const FRESH = () => ({ count: 0, list: [], deep: { on: false } });
const harmless: Property<unknown, EventObject> = {
  name: 'harmless',
  sentence: 'It is harmless.',
  kind: 'always',
  holds: () => true,
};

function createCounter(act: (context: Count) => Partial<Count>): AnyStateMachine {
  return setup({
    types: { context: {} as Count, events: {} as { type: 'INC' } },
    actions: { increment: assign(({ context }) => act(context)) },
    guards: { isLow: ({ context }) => context.count < 3 },
  }).createMachine({
    id: 'counter',
    context: FRESH,
    initial: 'counting',
    states: { counting: { on: { INC: { guard: 'isLow', actions: 'increment' } } } },
  });
}

const find = (machine: AnyStateMachine, options: Parameters<typeof check>[1] = {}) =>
  check(createModel(machine, ['INC'], [harmless]), options);

const ENGINES = ['compiled', 'xstate'] as const;
const WATCHES: readonly PurityWatch[] = ['each-step', 'some-steps'];

describe.each(ENGINES)('by the %s engine', (engine) => {
  test('a machine that returns new values is searched whole', () => {
    const found = find(
      createCounter(({ count }) => ({ count: count + 1 })),
      { engine },
    );
    expect(found).toMatchObject({ states: 4, broken: null });
  });

  test.each([
    {
      what: 'a number of the context',
      act: (context: Count) => {
        context.count += 1;
        return context;
      },
      name: ' changed context.count in ',
    },
    {
      what: 'a list of the context',
      act: (context: Count) => {
        context.list.push(1);
        return {};
      },
      name: ' changed context.list[0] in ',
    },
    {
      what: 'what stands deep in it',
      act: (context: Count) => {
        context.deep.on = !context.deep.on;
        return { count: context.count + 1 };
      },
      name: ' changed context.deep.on in ',
    },
  ])('an assign that changes $what is named', ({ act, name }) => {
    const found = find(createCounter(act), { engine });
    expect(found.broken?.code).toBe('machine/changes-its-context');
    expect(found.broken?.message).toMatch(/ in counting on INC\. Expected a new value/);
    expect(found.broken?.message).toContain(name);
    if (engine === 'compiled') {
      expect(found.broken?.message).toMatch(
        /^the action increment of counting ─INC→ · \[isLow\] changed /,
      );
    }
    expect(found.broken?.trace.events).toEqual([{ type: 'INC' }]);
    expect(found.results[0]?.verdict).toMatchObject({ type: 'incomplete' });
    expect(found.ended).toContain('an error');
  });

  test('a guard that answers every other time is named', () => {
    let asked = 0;
    const machine = createMachine({
      id: 'moody',
      initial: 'off',
      states: { off: { on: { INC: { guard: () => asked++ % 2 === 0, target: 'on' } } }, on: {} },
    });
    const found = find(machine, { engine });
    expect(found.broken).toMatchObject({ code: 'machine/not-repeatable' });
    expect(found.broken?.message).toContain(
      'off on INC is not repeatable: it led to on, and to off',
    );
  });

  test('a guard of a small machine that answers otherwise after forty questions is found', () => {
    let asked = 0;
    const machine = createMachine({
      initial: 'off',
      states: { off: { on: { INC: { guard: () => ++asked > 40, target: 'on' } } }, on: {} },
    });
    expect(find(machine, { engine }).broken?.code).toBe('machine/not-repeatable');
  });

  test('a clock in an assign is named with the path', () => {
    const found = find(
      createCounter(() => ({ count: Date.now() })),
      { engine },
    );
    expect(found.broken?.message).toContain('context.count differed');
  });

  test('a clock in the first context as well', () => {
    const machine = createMachine({
      id: 'born',
      context: () => ({ at: new Date().getFullYear() }),
    });
    const found = find(machine, { engine });
    expect(found.broken?.message).toContain('the beginning is not repeatable: context.at');
  });

  test('a date of a known moment is no clock', () => {
    const machine = createMachine({ id: 'dated', context: () => ({ at: new Date(5) }) });
    expect(find(machine, { engine }).broken).toBeNull();
  });

  test('what drifts after the steps that are taken twice is found at last', () => {
    let asked = 0;
    const machine = createMachine({
      id: 'drifting',
      types: {} as { context: { n: number } },
      context: { n: 0 },
      initial: 'off',
      states: {
        off: {
          on: {
            INC: [
              { guard: () => asked++ > 4000, target: 'on' },
              { actions: assign({ n: ({ context }) => (context.n + 1) % 5000 }) },
            ],
          },
        },
        on: {},
      },
    });
    expect(find(machine, { engine }).broken?.code).toBe('machine/not-repeatable');
  });
});

test.each(WATCHES)('a Set that is changed in place is found when %s is watched', (purity) => {
  const machine = createMachine({
    id: 'flags',
    types: {} as { context: { flags: Set<number> }; events: { type: 'flip'; at: number } },
    context: { flags: new Set<number>() },
    on: {
      flip: {
        actions: assign(({ context, event }) => {
          context.flags.add(event.at);
          return { flags: context.flags };
        }),
      },
    },
  });
  const events = [0, 1].map((at) => ({ type: 'flip', at }));
  const found = check({ ...createModel(machine, events), codec: encodeSet }, { purity });
  expect(found.broken?.code).toBe('machine/changes-its-context');
});

test.each([
  {
    what: 'a Set is compared',
    fresh: () => new Set<number>(),
    change: (seen: Set<number>) => seen.add(619),
    name: 'changed ',
  },
  {
    what: 'an object is frozen',
    fresh: () => ({ last: 0 }),
    change: (seen: { last: number }) => Object.assign(seen, { last: 619 }),
    name: ' changed context.seen.last in ',
  },
])('what is changed late is found, for $what at each step', ({ fresh, change, name }) => {
  const machine = createMachine({
    id: 'late',
    types: {} as { context: { n: number; seen: object } },
    context: () => ({ n: 0, seen: fresh() }),
    on: {
      INC: {
        actions: assign(({ context }) => {
          // The checker does not repeat step 619.
          if (context.n === 619) change(context.seen as never);
          return { n: Math.min(context.n + 1, 1000) };
        }),
      },
    },
  });
  const model = { ...createModel(machine, ['INC']), codec: encodeSet };
  const { broken } = check(model);
  expect(broken?.code).toBe('machine/changes-its-context');
  expect(broken?.message).toContain(name);
  expect(check(model, { purity: 'some-steps' }).broken).toBeNull();
});

test.each(ENGINES)(
  'a part that is exchanged in place is named with the way to it (%s)',
  (engine) => {
    const machine = createMachine({
      id: 'cards',
      types: {} as { context: { hand: { cards: number[] } } },
      context: { hand: { cards: [1, 2] } },
      initial: 'shut',
      states: {
        shut: { on: { OPEN: 'open' } },
        open: {
          on: {
            SWAP: {
              target: 'shut',
              actions: assign(({ context: { hand } }) => {
                hand.cards.reverse();
                return { hand };
              }),
            },
          },
        },
      },
    });
    const { broken } = check(createModel(machine, ['OPEN', 'SWAP']), { engine });
    expect(broken?.message).toContain(' changed context.hand.cards[0] in open on SWAP.');
    expect(broken?.trace.events).toEqual([{ type: 'OPEN' }, { type: 'SWAP' }]);
  },
);

test('an event that is changed is found', () => {
  const machine = createMachine({
    id: 'sorter',
    types: {} as { events: { type: 'SORT'; list: number[] } },
    on: { SORT: { actions: assign(({ event }) => ({ list: event.list.sort() })) } },
  });
  const found = check(createModel(machine, [{ type: 'SORT', list: [2, 1] } as EventObject]));
  expect(found.broken?.message).toContain('of its context or its event in');
});

test('the parameters of an action may contain the time', () => {
  const machine = setup({ actions: { note: (_, _params: { at: number }) => {} } }).createMachine({
    id: 'noting',
    on: { INC: { actions: { type: 'note', params: () => ({ at: Date.now() }) } } },
  });
  expect(find(machine)).toMatchObject({ states: 1, broken: null });
});

test('an error of the machine itself is reported unchanged', () => {
  const found = find(
    createCounter(() => {
      throw new TypeError('there is no such thing');
    }),
  );
  expect(found.broken).toMatchObject({ code: 'machine/threw' });
  expect(found.broken?.message).toContain('there is no such thing');
});

describe('timers', () => {
  const reminder = (id: string | undefined) =>
    createMachine({
      id: 'reminder',
      on: {
        INC: {
          actions: raise({ type: 'ring' }, { delay: 10, ...(id === undefined ? {} : { id }) }),
        },
        ring: {},
      },
    });

  test.each(ENGINES)('that grow without bound are refused in a sentence (%s)', (engine) => {
    const found = find(reminder(undefined), { engine });
    expect(found.broken?.code).toBe('machine/unbounded-timers');
    expect(found.broken?.message).toMatch(/^more than 32 timers run at once \(ring\)/);
    // One more than may run at once, each by an event of its own.
    expect(found.broken?.trace.events).toEqual(Array.from({ length: 33 }, () => ({ type: 'INC' })));
  });

  test('with an id replace each other', () => {
    expect(find(reminder('ring'))).toMatchObject({ states: 2, broken: null });
  });
});

describe('children', () => {
  const child = fromPromise(() => Promise.resolve(1));

  test.each(ENGINES)('a child ends once, also where that leaves no state (%s)', (engine) => {
    const machine = setup({
      types: { context: {} as { ends: number } },
      actors: { child },
    }).createMachine({
      id: 'parent',
      context: { ends: 0 },
      invoke: {
        src: 'child',
        id: 'child',
        onDone: { actions: assign({ ends: ({ context }) => context.ends + 1 }) },
      },
    });
    const model = {
      ...createModel(machine),
      world: ({ children }: { readonly children: readonly string[] }) =>
        children.map((id) => ({ type: `xstate.done.actor.${id}` })),
    };
    expect(check(model, { engine })).toMatchObject({ states: 2, transitions: 1 });
  });

  test('only its id identifies an actor in the context', () => {
    const idle = fromCallback(() => {});
    const machine = setup({
      types: { context: {} as { ref: unknown; n: number }, events: {} as { type: 'INC' } },
      actors: { idle },
    }).createMachine({
      id: 'spawner',
      context: { ref: null, n: 0 },
      on: {
        INC: {
          actions: assign(({ context, spawn }) => ({
            n: (context.n + 1) % 2,
            ref: spawn('idle', { id: `idle-${context.n}` }),
          })),
        },
      },
    });
    // The fourth state differs from the second only in its children.
    expect(find(machine)).toMatchObject({ states: 4, broken: null, engine: 'xstate' });
  });

  test('a child without an id gets the smallest free number, the same each time', () => {
    const idle = fromCallback(() => {});
    const machine = setup({ actors: { idle } }).createMachine({
      id: 'spawner',
      types: {} as { context: { refs: readonly unknown[] } },
      context: { refs: [] },
      on: {
        INC: {
          guard: ({ context }) => context.refs.length < 3,
          actions: assign(({ context, spawn }) => ({ refs: [...context.refs, spawn(idle)] })),
        },
      },
    });
    expect(find(machine)).toMatchObject({ states: 4, broken: null });
  });
});

test('a budget of seconds ends a search without a clock of the caller', () => {
  const endless = createCounter(({ count }) => ({ count: count - 1 }));
  const found = find(endless, { budget: { states: Number.POSITIVE_INFINITY, seconds: 0.05 } });
  expect(found.ended).toBe('the budget of 0.05 seconds');
  expect(found.results[0]?.verdict.type).toBe('incomplete');
});
