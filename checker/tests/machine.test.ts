import { describe, expect, test } from 'vitest';
import {
  type AnyActorRef,
  assign,
  createActor,
  createMachine,
  enqueueActions,
  fromPromise,
  sendTo,
  setup,
  spawnChild,
} from 'xstate';
import { always, assumeComes, eventually, leadsTo, never, type PropertiesOf } from '../claims.ts';
import { coveringPaths } from '../coveringPaths.ts';
import { check } from '../machine.ts';
import { observe } from '../observe.ts';
import '../vitest.ts';

const door = setup({
  types: {
    context: {} as { locked: boolean },
    events: {} as { type: 'OPEN' } | { type: 'SHUT' } | { type: 'LOCK'; code: number },
  },
}).createMachine({
  id: 'door',
  context: { locked: false },
  initial: 'shut',
  states: {
    shut: {
      on: {
        OPEN: { guard: ({ context }) => !context.locked, target: 'open' },
        LOCK: { guard: ({ event }) => event.code === 7, actions: assign({ locked: true }) },
      },
    },
    open: { on: { SHUT: 'shut' } },
  },
});

describe('events', () => {
  test('that are listed are searched where the chart takes them', () => {
    const found = check(door, {
      events: [{ type: 'OPEN' }, { type: 'SHUT' }, { type: 'LOCK', code: 7 }],
      properties: [
        never('It is never open and locked.', ({ at, context }) => at === 'open' && context.locked),
        always('It is shut.', ({ at }) => at === 'shut'),
      ],
    });
    // Shut, open, and locked; from the locked one both events are refused by guards or change nothing.
    expect(found).toMatchObject({ model: 'door', states: 3, transitions: 5, warnings: [] });
    expect(found.results.map(({ verdict }) => verdict.type)).toEqual([
      ...['proved', 'violated', 'proved', 'proved'],
    ]);
  });

  test('that a world lists are searched in the states for which it lists them', () => {
    const found = check(door, {
      name: 'a door',
      world: ({ at }) => (at === 'open' ? [{ type: 'SHUT' }] : [{ type: 'OPEN' }]),
      properties: [],
    });
    expect(found).toMatchObject({ model: 'a door', states: 2, transitions: 2 });
  });

  test('misspelt events and missing fields are type errors', () => {
    // @ts-expect-error there is no such event
    check(door, { events: [{ type: 'OPNE' }], properties: [] });
    // @ts-expect-error a lock needs its code
    check(door, { world: () => [{ type: 'LOCK' }], properties: [] });
    // @ts-expect-error there is no such part of the context
    check(door, { events: [], properties: [always('x', ({ context }) => context.lokced === 1)] });
    expect(check(door, { events: [], properties: [] }).states).toBe(1);
  });

  test('that are not given come without payloads, and a machine that reads one is refused', () => {
    const lamp = createMachine({
      initial: 'off',
      states: { off: { on: { PRESS: 'on' } }, on: { on: { PRESS: 'off' } } },
    });
    const dark = always('It is off.', ({ at }) => at === 'off');
    expect(check(lamp, {})).toMatchObject({ states: 2, transitions: 2 });
    expect(check(lamp, { events: [] })).toMatchObject({ states: 1, transitions: 0 });
    expect(lamp).not.toSatisfy(dark);
    expect(coveringPaths(lamp, {})).toHaveLength(1);
    const advice = /a list "events" or .* takes LOCK, OPEN, SHUT and reads code of LOCK$/;
    expect(() => check(door, {})).toThrow(advice);
    expect(() => expect(door).not.toSatisfy(dark)).toThrow(advice);
    expect(() => coveringPaths(door, {})).toThrow(advice);
  });

  const sending = createMachine({
    initial: 'a',
    states: { a: { invoke: { id: 'p', src: fromPromise(() => Promise.resolve()) } } },
    on: { GO: {} },
  });

  test.each([
    [{ world: () => ['GO'] }, /"world" .*, found "GO"\. Write/],
    [{ world: () => [undefined] }, /"world" .*, found nothing\. Write/],
    [{ world: async () => [{ type: 'GO' }] }, /"world" .*, found a promise\. Write/],
    [{ world: () => {} }, /"world" .*, found nothing\. Write/],
    [{ events: ['GO'] }, /"events" .*, found "GO"\. Write/],
    [{ events: { type: 'GO' } }, /"events" .*, found \{"type":"GO"\}\. Write/],
  ])('that are none are refused in a sentence: %o', (asked, text) => {
    for (const machine of [loader, sending])
      expect(() => check(machine, asked as never)).toThrow(text);
  });
});

test('properties have the types of their machine where they name it, and none elsewhere', () => {
  const loose = [never('It gives up.', ({ context }) => context.attempts > 3)];
  const typed: PropertiesOf<typeof door> = [
    never('It is locked.', ({ context }) => context.locked),
  ];
  // @ts-expect-error there is no such part of the context
  const wrong: PropertiesOf<typeof door> = [never('It is.', ({ context }) => context.lokced)];
  expect([loose, typed, wrong].flat()).toHaveLength(3);
  expect(door).toSatisfy(typed, { events: [{ type: 'OPEN' }, { type: 'LOCK', code: 1 }] });
  const observed = observe(createActor(door), [
    always('It is shut.', ({ context }) => !context.locked),
  ]);
  expect(observed.results()).toMatchObject([{ verdict: { type: 'kept' } }]);
});

const load = fromPromise(() => Promise.resolve('page'));

const loader = setup({
  types: { context: {} as { tries: number; page: string | null }, events: {} as { type: 'LOAD' } },
  actors: { load },
  guards: { mayRetry: ({ context }) => context.tries < 2 },
}).createMachine({
  id: 'loader',
  context: { tries: 0, page: null },
  initial: 'idle',
  states: {
    idle: { on: { LOAD: 'loading' } },
    loading: {
      entry: assign({ tries: ({ context }) => context.tries + 1 }),
      invoke: {
        id: 'load',
        src: 'load',
        onDone: { target: 'done', actions: assign({ page: ({ event }) => event.output }) },
        onError: [{ guard: 'mayRetry', target: 'waiting' }, { target: 'failed' }],
      },
    },
    waiting: { after: { 1000: 'loading' } },
    done: { type: 'final' },
    failed: { type: 'final' },
  },
});

const LOAD = [{ type: 'LOAD' }] as const;

describe('children', () => {
  test('end by themselves, both ways, and timers run out', () => {
    const found = check(loader, {
      events: LOAD,
      outcomes: { load: { done: ['page'] } },
      properties: [
        always('It tries at most twice.', ({ context }) => context.tries <= 2),
        leadsTo(
          'Who loads comes to an end.',
          ({ at }) => at === 'loading',
          ({ isDone }) => isDone,
        ),
        eventually('It ends.', ({ isDone }) => isDone, { fair: [assumeComes('LOAD')] }),
      ],
    });
    // Idle, loading, done, waiting, loading again, done again, failed.
    expect(found).toMatchObject({ states: 7, transitions: 6, warnings: [], ended: null });
    expect(new Set(found.results.map(({ verdict }) => verdict.type))).toEqual(new Set(['proved']));
    expect(found.coverage.transitions).toEqual({ seen: 5, all: 5 });
  });

  test('a child without a given output: a warning names the assumption', () => {
    const { warnings } = check(loader, { events: LOAD, properties: [] });
    expect(warnings).toEqual([
      'the search assumed that load is done without an output: if the output matters, list its values, as in outcomes: { load: { done: [output, ...] } }',
    ]);
  });

  const takesOutput = assign(({ event }) => ({ took: event }));
  test.each([
    ['the exit of the state that waits', { exit: takesOutput }, {}],
    ['the entry of an inner state', {}, { initial: 'in', states: { in: { entry: takesOutput } } }],
    ['an eventless transition', {}, { always: { guard: () => false, target: 'waiting' } }],
    ['the output of a final state', {}, { type: 'final', output: () => 1 }],
  ] as const)('a child without a given output that %s may read: a warning says so', (...row) => {
    const [, waiting, done] = row;
    const invoke = { id: 'load', src: load, onDone: 'done', onError: 'failed' };
    const states = { waiting: { invoke, ...waiting }, done, failed: {} };
    const { warnings } = check(createMachine({ initial: 'waiting', states }), {});
    expect(warnings).toEqual([expect.stringMatching(/^the search assumed that load is done/)]);
  });

  test.each([
    ['spawned', spawnChild('laod' as never, { id: 'load' })],
    ['enqueued', enqueueActions(({ enqueue }) => enqueue.spawnChild('laod' as never))],
  ])('a child that is %s from an actor that the machine does not have is no child', (_, entry) => {
    const { broken, results } = check(createMachine({ entry }), {});
    expect(broken).toMatchObject({ code: 'machine/missing-names' });
    expect(broken?.message).toContain('the actor "laod"');
    expect(new Set(results.map(({ verdict }) => verdict.type))).toEqual(new Set(['incomplete']));
  });

  test('a world that lists one end of a child: a warning names the other', () => {
    const found = check(loader, {
      world: ({ at }) =>
        at === 'loading'
          ? [{ type: 'xstate.done.actor.load', output: 'page' }]
          : [{ type: 'LOAD' }],
      properties: [],
    });
    expect(found.warnings).toEqual([
      'the world lists xstate.done.actor.load and never xstate.error.actor.load, so the search did not cover it: list it too, or list neither',
    ]);
    expect(found.coverage.unreached).toEqual(['waiting', 'failed']);
  });

  test('that the world has taken over: nothing comes by itself, and nothing is warned of', () => {
    const found = check(loader, { events: LOAD, outcomes: { load: 'world' }, properties: [] });
    expect(found).toMatchObject({ states: 2, warnings: [] });
  });

  test('end in each way that their outcomes list, and in no other', () => {
    const found = check(loader, {
      events: LOAD,
      outcomes: { load: { done: ['one', 'two'], error: [] } },
      properties: [],
    });
    expect(found).toMatchObject({ states: 4, warnings: [] });
  });

  test('whose error nobody takes: the machine fails, and a warning says so', () => {
    const careless = setup({ actors: { load } }).createMachine({
      id: 'careless',
      initial: 'loading',
      states: { loading: { invoke: { id: 'load', src: 'load', onDone: 'done' } }, done: {} },
    });
    const { warnings, states, results } = check(careless, { properties: [] });
    expect(states).toBe(3);
    expect(results.map(({ verdict }) => verdict.type)).toEqual(['violated', 'violated']);
    const [advice = ''] = warnings;
    expect(advice).toMatch(/no transition for an error of load: so the machine fails with it/);
    expect(advice).toContain('outcomes: { load: { error: [] } }');
    expect(check(careless, { outcomes: { load: { error: [] } } })).toMatchObject({
      states: 2,
      warnings: [],
    });
  });

  test('a promise comes to an end that nobody takes: the machine is stuck after it', () => {
    const printer = setup({ actors: { print: load } }).createMachine({
      id: 'printer',
      initial: 'printing',
      states: {
        printing: { invoke: { id: 'print', src: 'print', onError: 'jammed' } },
        jammed: { on: { PULL: 'printing' } },
      },
    });
    const events = [{ type: 'PULL' }];
    const { results, states } = check(printer, { events });
    expect(states).toBe(3);
    expect(results.map(({ verdict }) => verdict)).toMatchObject([
      { type: 'violated', trace: { events: [{ type: 'xstate.done.actor.print' }] } },
      { type: 'proved' },
    ]);
    const endless = check(printer, { events, outcomes: { print: { done: [] } } });
    expect(endless.results.map(({ verdict }) => verdict.type)).toEqual(['proved', 'proved']);
  });
});

describe.each(['compiled', 'xstate'] as const)('odd values, with %s', (engine) => {
  const question = { engine, events: [{ type: 'GO' }] };

  test.each([false, null, undefined, 'alias'])('the action %s makes XState throw', (action) => {
    const on = { GO: { actions: [action as never] } };
    const careless = createMachine({ on }, { actions: { alias: 'other' as never } });
    expect(check(careless, question).broken).toMatchObject({ code: 'machine/threw' });
  });

  test('the machine that its context keeps is the same in every step', () => {
    const machine = createMachine({
      types: {} as { context: { me: AnyActorRef } },
      context: ({ self }) => ({ me: self }),
      initial: 'a',
      states: {
        a: { on: { GO: { actions: sendTo(({ context }) => context.me, { type: 'X' }) }, X: 'b' } },
        b: {},
      },
    });
    const property = never('It is never at b.', ({ at }) => at === 'b');
    const found = check(machine, { ...question, properties: [property], defaults: false });
    expect(found.results[0]?.verdict).toMatchObject({ type: 'violated' });
  });

  test('a text that an assignment returns is spread, as in XState', () => {
    const spread = createMachine({ on: { GO: { actions: assign(() => 'ab' as never) } } });
    const property = always('It has no a.', ({ context }) => !('0' in context));
    const found = check(spread, { ...question, properties: [property] });
    expect(found.results[0]?.verdict).toMatchObject({ type: 'violated' });
  });

  test.each([false, null, 0, ''])('the guard %s of an event passes, as in XState', (guard) => {
    const states = { a: { on: { GO: { guard: guard as never, target: 'b' } } }, b: {} };
    const guards = { '': () => false };
    const machine = createMachine({ initial: 'a', states }, { guards });
    expect(check(machine, question)).toMatchObject({ states: 2, broken: null });
    const actor = createActor(machine).start();
    actor.send({ type: 'GO' });
    expect(actor.getSnapshot().value).toBe('b');
  });
});

test('a machine that needs an input must get one', () => {
  const machine = setup({
    types: { input: {} as { start: number }, context: {} as { n: number } },
  }).createMachine({ id: 'from', context: ({ input }) => ({ n: input.start }) });
  const found = check(machine, {
    input: { start: 2 },
    properties: [always('It is 2.', ({ context }) => context.n === 2)],
  });
  expect(found.results[0]?.verdict.type).toBe('proved');
  // @ts-expect-error the input is missing
  expect(() => check(machine, { properties: [] })).not.toThrow();
});
