/** Compiled machines act like XState's own, and machines that cannot be compiled are refused. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ActorRefFrom,
  type AnyStateMachine,
  assign,
  createActor,
  createMachine,
  type EventObject,
  emit,
  enqueueActions,
  fromCallback,
  fromTransition,
  log,
  raise,
  StateMachine,
  sendTo,
  setup,
  spawnChild,
  stateIn,
  stopChild,
} from 'xstate';
import { compile } from '../compileMachine.ts';
import { Uncompilable } from '../stepper.ts';
import { type ActorWalk, compareActors, compareActorsOnRandomChart } from './compareActors.ts';
import { charts, SEED } from './law.ts';

const CHARTS = charts(60, 20_000);

// XState warns of each event that a stopped actor receives.
beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

test(`random charts as actors, walked at random (seed ${SEED}, ${CHARTS} charts)`, () => {
  let seen = 0;
  for (let chart = 0; chart < CHARTS; chart++) {
    const walk = compareActorsOnRandomChart(SEED * CHARTS + chart);
    expect(walk.parting).toBeNull();
    seen += walk.seen;
  }
  expect(seen).toBeGreaterThan(CHARTS * 50);
});

const counter = fromTransition(
  (count: number, event: { type: string }) => count + event.type.length,
  0,
);
const idler = fromCallback(() => {});
const base = setup({
  types: {} as { context: { n: number; first: ActorRefFrom<typeof counter> | null } },
  actors: { counter, idler },
  actions: { unheardOf: () => {} },
});
const context = { n: 0, first: null };
const brittle = () => {
  throw new Error('brittle');
};
const throwing = (thrown: unknown) => () => {
  throw thrown;
};

/** A machine, and the events that come to it: one `go` if none are listed. */
const MACHINES: Readonly<
  Record<string, AnyStateMachine | readonly [AnyStateMachine, readonly string[]]>
> = {
  'children are spawned in an assign, and written to': [
    base.createMachine({
      context,
      on: {
        go: {
          actions: [
            assign({ first: ({ spawn }) => spawn('counter', { id: 'first' }) }),
            sendTo('first', { type: 'more' }),
          ],
        },
        write: { actions: sendTo(({ context: { first } }) => first ?? 'first', { type: 'more' }) },
      },
    }),
    ['go', 'write', 'write'],
  ],
  'a child spawned twice in one assign': base.createMachine({
    context,
    on: {
      go: {
        actions: assign(({ spawn }) => {
          spawn('counter', { id: 'one' });
          return { n: spawn('idler', { id: 'two' }).id.length };
        }),
      },
    },
  }),
  'children are spawned and stopped by what is enqueued': [
    base.createMachine({
      context,
      on: {
        go: {
          actions: enqueueActions(({ enqueue }) => {
            enqueue.spawnChild('counter', { id: 'kept' });
            enqueue.sendTo('kept', { type: 'hello' });
            enqueue.assign(({ context: { n } }) => ({ n: n + 1 }));
            enqueue.assign({ n: ({ context: { n } }) => n + 1 });
            enqueue.emit({ type: 'gone' });
          }),
        },
        stop: { actions: enqueueActions(({ enqueue }) => enqueue.stopChild('kept')) },
        cancel: {
          actions: enqueueActions(({ enqueue }) => {
            enqueue.raise({ type: 'go' }, { delay: 5, id: 'soon' });
            enqueue.cancel('soon');
          }),
        },
      },
    }),
    ['go', 'stop', 'cancel', 'go'],
  ],
  'an entry action writes to a child that is started after it': [
    base.createMachine({
      context,
      initial: 'out',
      states: {
        out: { on: { go: 'in' } },
        in: {
          invoke: { src: 'counter', id: 'child' },
          entry: sendTo('child', { type: 'hello' }),
          on: { go: 'out' },
        },
      },
    }),
    ['go', 'go', 'go'],
  ],
  'snapshots of a child are followed': base.createMachine({
    context,
    invoke: { src: 'counter', id: 'child', onSnapshot: { actions: log('heard') } },
    on: { go: { actions: sendTo('child', { type: 'more' }) } },
  }),
  'a guard throws in the transition of an event': base.createMachine({
    context,
    on: { go: { guard: brittle, actions: log('never') } },
  }),
  'a guard with a name throws': setup({ guards: { brittle } }).createMachine({
    on: { go: { guard: 'brittle' } },
  }),
  'a guard throws in an eventless transition': base.createMachine({
    context,
    initial: 'calm',
    states: {
      calm: { on: { go: 'broken' } },
      broken: { always: { guard: brittle, target: 'calm' } },
    },
  }),
  'an action throws': [
    base.createMachine({ context, on: { go: { actions: ['unheardOf', brittle, log('never')] } } }),
    ['go', 'go'],
  ],
  'a cycle of raised events': createMachine({
    options: { maxIterations: 7 },
    on: { go: { actions: raise({ type: 'go' }) } },
  }),
  'a letter to a child that is not there': createMachine({
    on: { go: { actions: sendTo('no one', { type: 'hello' }) } },
  }),
  'an assignment to a context that was never given': createMachine({
    on: { go: { actions: assign({ n: 1 }) } },
  }),
  'values that the context loses': createMachine({
    context: { n: 1 },
    on: { go: { actions: assign({ n: undefined }) } },
  }),
  'a parameter that is worked out, for an action and for a guard': [
    setup({
      actions: { tell: (_, _told: { readonly n: number }) => {} },
      guards: { isAbove: (_, { least }: { readonly least: number }) => least > 0 },
      types: {} as { context: { n: number } },
    }).createMachine({
      context,
      on: {
        go: [
          {
            guard: { type: 'isAbove', params: ({ context: { n } }) => ({ least: n }) },
            actions: { type: 'tell', params: ({ context: { n } }) => ({ n }) },
          },
          { actions: assign(({ context: { n } }) => ({ n: n + 1 })) },
        ],
      },
    }),
    ['go', 'go', 'go'],
  ],
  'an enqueued check asks where the machine is': [
    createMachine({
      initial: 'a',
      states: { a: { on: { go: 'b' } }, b: { on: { go: 'a' } } },
      on: {
        look: {
          actions: enqueueActions(({ check, enqueue }) => {
            enqueue(emit({ type: check(stateIn({ b: {} } as never)) ? 'in b' : 'elsewhere' }));
            enqueue(log(() => check(({ event }: { event: EventObject }) => event.type === 'look')));
          }),
        },
      },
    }),
    ['look', 'go', 'look'],
  ],
  'an eventless transition that changes nothing is taken once': [
    base.createMachine({
      context,
      always: { guard: ({ context: { n } }) => n === 1 },
      on: { go: { actions: assign(({ context: { n } }) => ({ n: n + 1 })) } },
    }),
    ['go', 'go'],
  ],
  'a machine is done while its children run': [
    base.createMachine({
      context,
      invoke: [
        { src: 'counter', id: 'one' },
        { src: 'idler', id: 'two' },
      ],
      initial: 'on',
      output: ({ context: { n } }) => n,
      states: { on: { on: { go: 'off' } }, off: { type: 'final' } },
    }),
    ['go', 'go'],
  ],
  'a child is spawned in the first context, and stopped by name and by reference': [
    base.createMachine({
      context: ({ spawn }) => ({ n: 1, first: spawn('counter', { id: 'first' }) }),
      entry: [
        ({ context: { first } }) => first?.send({ type: 'early' }),
        assign({ n: ({ context: { n } }) => n + 1 }),
        enqueueActions(({ enqueue }) => enqueue.spawnChild('idler', { id: 'second' })),
      ],
      on: {
        go: { actions: enqueueActions(({ enqueue }) => enqueue.stopChild('second')) },
        stop: { actions: stopChild(({ context: { first } }) => first ?? 'first') },
        miss: { actions: stopChild('no one') },
      },
    }),
    ['go', 'miss', 'stop', 'stop'],
  ],
  'a child whose logic is given as it is, and whose name is worked out': createMachine({
    entry: spawnChild(counter, { id: ({ event: { type } }) => `on ${type}` }),
    on: { go: { actions: sendTo('on xstate.init', { type: 'hello' }) } },
  }),
  'a child that does not exist': createMachine({
    on: { go: { actions: spawnChild('nothing' as never, { id: 'child' }) } },
  }),
  'the first context throws': base.createMachine({ context: brittle }),
  'the first context has a child, and then an entry action throws': base.createMachine({
    context: ({ spawn }) => ({ n: 1, first: spawn('counter', { id: 'first' }) }),
    entry: [log('before'), brittle],
  }),
  'the first states ask where the machine is, raise events and are left at once': [
    createMachine({
      types: {} as { context: { n: number } },
      context: { n: 0 },
      type: 'parallel',
      entry: enqueueActions(({ check, enqueue }) => {
        enqueue(emit({ type: check(stateIn({ left: 'a' } as never)) ? 'in a' : 'elsewhere' }));
        enqueue.raise({ type: 'go' });
      }),
      states: {
        left: {
          initial: 'a',
          states: {
            a: { on: { go: 'b' } },
            b: { entry: assign({ n: ({ context: { n } }) => n + 1 }), always: 'c' },
            c: { on: { go: 'a' } },
          },
        },
        right: { initial: 'x', states: { x: { entry: raise({ type: 'go' }, { delay: 3 }) } } },
      },
    }),
    ['go', 'go'],
  ],
  'a machine that is done before anything comes': base.createMachine({
    context,
    invoke: { src: 'counter', id: 'one' },
    initial: 'off',
    output: ({ context: { n } }) => n,
    states: { off: { type: 'final' } },
  }),
  'an output is null': createMachine({
    initial: 'on',
    output: () => null,
    states: { on: { on: { go: 'off' } }, off: { type: 'final' } },
  }),
  'the first context throws null, and undefined': setup({
    actors: {
      nothing: createMachine({ context: throwing(null) }),
      undefined: createMachine({ context: throwing(undefined) }),
    },
  }).createMachine({
    invoke: [
      { src: 'nothing', id: 'one', onError: {} },
      { src: 'undefined', id: 'two', onError: {} },
    ],
    on: { go: { actions: log('gone') } },
  }),
  'the star is no event': [createMachine({ on: { go: { actions: log('any') } } }), ['*']],
};

function walkThrough(events: readonly string[]): () => ActorWalk {
  return () => {
    const left: (EventObject | { readonly timer: number })[] = [
      ...events.map((type) => ({ type })),
      { timer: 0 },
      { timer: 0 },
    ];
    return () => left.shift() ?? null;
  };
}

describe('a compiled machine looks like its original', () => {
  test.each(Object.entries(MACHINES))('%s', (_, one) => {
    const [machine, events] = one instanceof StateMachine ? [one, ['go']] : one;
    const { seen, parting } = compareActors(machine, walkThrough(events));
    expect(parting).toBeNull();
    expect(seen).toBeGreaterThan(events.length);
  });

  test('XState computes neither the steps nor the beginning of a compiled machine', () => {
    const machine = createMachine({ on: { go: { actions: log('gone') } } });
    for (const [one, asked] of [
      [machine, 1],
      [compile(machine), 0],
    ] as const) {
      const spy = vi.spyOn(one, 'getTransitionData');
      const begun = vi.spyOn(one, '_getPreInitialState' as never);
      createActor(one, { logger: () => {} })
        .start()
        .send({ type: 'go' });
      expect(spy).toHaveBeenCalledTimes(asked);
      expect(begun).toHaveBeenCalledTimes(asked);
    }
  });

  test('children that are machines are compiled as well, and each machine once', () => {
    const child = createMachine({ on: { go: { actions: log('child') } } });
    const parent = setup({ actors: { child } }).createMachine({
      invoke: { src: 'child', id: 'child' },
      on: { go: { actions: sendTo('child', { type: 'go' }) } },
    });
    expect(compareActors(parent, walkThrough(['go', 'go'])).parting).toBeNull();
    expect(compile(parent).implementations.actors.child).toBe(compile(child));
    expect(compile(parent)).toBe(compile(parent));
  });

  test('a snapshot is stored by one engine and goes on with the other', () => {
    const machine = createMachine({
      types: {} as { context: { n: number } },
      context,
      initial: 'a',
      states: {
        a: { on: { go: { target: 'b', actions: assign(({ context: { n } }) => ({ n: n + 1 })) } } },
        b: { on: { go: 'a' } },
      },
    });
    const first = createActor(compile(machine)).start();
    first.send({ type: 'go' });
    const stored = JSON.parse(JSON.stringify(first.getPersistedSnapshot()));
    for (const next of [machine, compile(machine)]) {
      const actor = createActor(next, { snapshot: stored }).start();
      expect(actor.getSnapshot().value).toBe('b');
      actor.send({ type: 'go' });
      actor.send({ type: 'go' });
      expect(actor.getSnapshot().context).toEqual({ n: 2, first: null });
    }
  });
});

test('a machine with history states is refused in a sentence', () => {
  const machine = createMachine({
    id: 'tape',
    initial: 'on',
    states: { on: { initial: 'a', states: { a: {}, past: { type: 'history' } } } },
  });
  expect(() => compile(machine)).toThrow(Uncompilable);
  expect(() => compile(machine)).toThrow(
    /a history state \(in tape\.on\.past\) cannot be compiled/,
  );
});
