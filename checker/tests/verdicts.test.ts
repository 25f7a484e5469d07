/** No machine gets a wrong verdict: each kind of trap, in both engines. */

import { describe, expect, test } from 'vitest';
import {
  type AnyStateMachine,
  and,
  assign,
  createActor,
  createMachine,
  type EventObject,
  enqueueActions,
  fromCallback,
  fromPromise,
  fromTransition,
  not,
  raise,
  sendTo,
  spawnChild,
} from 'xstate';
import { eventually, never, sometimes } from '../claims.ts';
import { coveringPaths } from '../coveringPaths.ts';
import { writeVitest } from '../formats.ts';
import { check, type MachineQuestion } from '../machine.ts';
import { observe } from '../observe.ts';
import { renderReport } from '../report.ts';
import { writeSource } from '../values.ts';

const STUCK = 'It never gets stuck.';
const FAILS = 'It never fails.';

type Asked = Partial<MachineQuestion<AnyStateMachine>>;

/** The verdicts by sentence, which both engines must share. */
function judge(
  machine: AnyStateMachine,
  asked: Asked & { readonly events?: readonly string[] } = {},
) {
  const { events = [], ...question } = asked as Asked & { readonly events?: readonly string[] };
  const [one, other] = (['compiled', 'xstate'] as const).map((engine) => {
    const found = check(machine, {
      ...question,
      engine,
      events: events.map((type) => ({ type })),
    } as MachineQuestion<AnyStateMachine>);
    const verdicts = found.results.map(({ name, verdict }) => [name, verdict.type]);
    return { ...Object.fromEntries(verdicts), states: found.states, code: found.broken?.code };
  });
  expect(one).toEqual(other);
  return one;
}

const promise = fromPromise(() => Promise.resolve());
const callback = fromCallback(() => {});
const counted = (most: number) =>
  createMachine({
    types: {} as { context: { fails: number } },
    id: 'checkout',
    context: { fails: 0 },
    initial: 'paying',
    states: {
      paying: {
        on: {
          FAIL: {
            guard: ({ context }) => context.fails < most,
            actions: assign({ fails: ({ context }) => context.fails + 1 }),
          },
          PAY: { guard: ({ context }) => context.fails < most, target: 'paid' },
        },
      },
      paid: { type: 'final' },
    },
  });

function inState(state: object, more: object = {}) {
  return createMachine({
    id: 'm',
    initial: 'a',
    states: { a: state, b: { type: 'final' } },
    ...more,
  } as never);
}

describe('a machine is stuck when nothing can move it', () => {
  test.each([
    {
      why: 'its only guard is false',
      machine: inState({ on: { GO: { guard: () => false, target: 'b' } } }),
      is: 'violated',
    },
    { why: 'a way out', machine: inState({ on: { GO: 'b' } }), is: 'proved' },
    { why: 'four failures', machine: counted(4), events: ['FAIL', 'PAY'], is: 'violated' },
    { why: 'no event at all', machine: inState({}), is: 'violated' },
    { why: 'an event that is only hidden', machine: inState({ on: { GO: {} } }), is: 'violated' },
    {
      why: 'an event that it answers',
      machine: inState({ on: { GO: { actions: 'reply' } } }),
      is: 'proved',
    },
    {
      why: 'it is done',
      machine: createMachine({ id: 'm', initial: 'b', states: { b: { type: 'final' } } }),
      is: 'proved',
    },
    { why: 'a timer', machine: inState({ after: { 9: 'b' } }), is: 'proved' },
    {
      why: 'a timer that leads nowhere',
      machine: inState({ after: { 9: { guard: () => false, target: 'b' } } }),
      is: 'violated',
    },
    {
      why: 'a callback may send something',
      machine: inState({ invoke: { src: callback } }),
      is: 'proved',
    },
    {
      why: 'a promise only ends',
      machine: inState({ invoke: { id: 'p', src: promise } }),
      is: 'violated',
    },
    {
      why: 'a promise that leads on',
      machine: inState({ invoke: { id: 'p', src: promise, onDone: 'b', onError: 'b' } }),
      is: 'proved',
    },
    {
      why: 'a promise that never ends',
      machine: inState({ invoke: { id: 'p', src: promise, onDone: 'b', onError: 'b' } }),
      outcomes: { p: { done: [], error: [] } },
      is: 'violated',
    },
    {
      why: 'a reducer may send something',
      machine: inState({ invoke: { src: fromTransition((n: number) => n, 0) } }),
      is: 'proved',
    },
  ])('$why: $is', ({ machine, is, events = ['GO'], ...asked }) => {
    expect(judge(machine, { ...asked, events } as never)).toMatchObject({ [STUCK]: is });
  });
});

describe('a promise that is spawned may fail, as one that is invoked', () => {
  test.each<[string, object, string]>([
    ['by an action', { entry: spawnChild(promise as never, { id: 'p' }) }, 'violated'],
    [
      'by an assignment',
      { entry: assign(({ spawn }) => ({ ref: spawn(promise, { id: 'p' }) })) as never },
      'violated',
    ],
    [
      'with a transition for the failure',
      {
        entry: spawnChild(promise as never, { id: 'p' }),
        on: { 'xstate.error.actor.p': { target: 'b' } },
      },
      'proved',
    ],
    ['a callback', { entry: spawnChild(callback as never, { id: 'p' }) }, 'proved'],
  ])('%s: %s', (_, state, is) => {
    const machine = inState({ ...state, on: { GO: 'b', ...(Reflect.get(state, 'on') ?? {}) } });
    expect(judge(machine, { events: ['GO'] })).toMatchObject({ [FAILS]: is });
    const never = { events: ['GO'], outcomes: { p: { error: [] } } };
    expect(judge(machine, never)).toMatchObject({ [FAILS]: 'proved' });
  });
});

test.each(['Terms & Conditions', 'a.b', 'a\\.b', '', '#x', '条款 & 条件', ' (ended)'])(
  'a state called "%s" is a place of its own, as far as XState can enter it',
  (name) => {
    const odd = { id: 'odd', on: { BACK: '#m' }, invoke: { id: name, src: 'p', onDone: '#m' } };
    const machine = createMachine(
      {
        id: 'm',
        initial: 'start',
        states: { start: { on: { GO: '#odd' } }, [name]: odd },
      } as never,
      { actors: { p: promise } } as never,
    );
    const events = ['GO', 'BACK'];
    if (name === '#x')
      expect(judge(machine, { events } as never)).toMatchObject({ code: 'machine/threw' });
    else {
      // The start, the odd state, and its error.
      expect(judge(machine, { events } as never)).toMatchObject({ states: 3, [STUCK]: 'proved' });
      const { coverage } = check(machine, { events: events.map((type) => ({ type })) as never });
      expect(coverage).toMatchObject({ unreached: [], untaken: [] });
    }
  },
);

describe('a machine that fails is not done', () => {
  const fetching = (invoke: object) => inState({ invoke: { id: 'p', ...invoke } });
  const ends = [eventually<unknown, EventObject>('It ends.', ({ isDone }) => isDone)];
  test.each([
    {
      invoke: { src: promise, onDone: 'b', onError: { guard: () => false, target: 'b' } },
      fails: 'violated',
    },
    { invoke: { src: promise, onDone: 'b' }, fails: 'violated' },
    { invoke: { src: promise, onDone: 'b', onError: 'b' }, fails: 'proved' },
  ])('$fails', ({ invoke, fails }) => {
    expect(judge(fetching(invoke), { properties: ends as never })).toMatchObject({
      [FAILS]: fails,
      'It ends.': fails,
    });
  });
});

describe('snapshots of a child', () => {
  const guard = ({ event }: never) => Reflect.get(Reflect.get(event, 'snapshot'), 'context') > 0;
  const watching = inState({
    invoke: { id: 'c', src: callback, onSnapshot: { guard, target: 'b' } },
  });

  test('that a function reads must be listed, and the advice leads further', () => {
    const found = check(watching, {});
    expect(found.coverage.unreached).toEqual(['b']);
    expect(found.warnings.join()).toMatch(
      /waits for snapshots of c.* outcomes: \{ c: \{ snapshot: \[/,
    );
    const outcomes = { c: { snapshot: [{ status: 'active', context: 0 }, { context: 1 }] } };
    expect(check(watching, { outcomes })).toMatchObject({ coverage: { unreached: [] } });
    expect(judge(watching, { outcomes })).toMatchObject({ states: 2 });
  });

  test('that nobody reads may come', () => {
    const bare = inState({ invoke: { id: 'c', src: callback, onSnapshot: 'b' } });
    expect(check(bare, {}).coverage.unreached).toEqual([]);
  });
});

describe('an actor that ends', () => {
  const claims = [
    eventually<unknown, EventObject>('It ends.', ({ isDone }) => isDone),
    sometimes<unknown, EventObject>('It is there.', ({ at }) => at === 'nowhere'),
    never<unknown, EventObject>('It is never there.', ({ at }) => at === 'nowhere'),
  ];
  const machine = inState({
    on: {
      GO: 'b',
      BAD: {
        actions: assign(() => {
          throw new Error('oh');
        }),
      },
    },
  });
  test.each([
    { how: 'stop', verdicts: ['unjudged', 'unjudged', 'kept'] },
    { how: 'GO', verdicts: ['kept', 'unjudged', 'kept'] },
    { how: 'BAD', verdicts: ['violated', 'unjudged', 'kept'] },
  ])('by $how: $verdicts', ({ how, verdicts }) => {
    const actor = createActor(machine);
    actor.subscribe({ error: () => {} });
    const seen = observe(actor, claims as never);
    actor.start();
    expect(seen.results()[0]?.verdict.type).toBe('open');
    if (how === 'stop') actor.stop();
    else actor.send({ type: how });
    expect(seen.results().map(({ verdict }) => verdict.type)).toEqual(verdicts);
  });
});

describe('a machine that reads another actor is refused, and goes further as the advice says', () => {
  const child = fromTransition((n: number) => n, 0);
  const store = createActor(child, { systemId: 'store', id: 'store' });
  const spawning = (read: (args: never) => unknown) => ({
    context: { n: 0, ref: null, ...({ store } as object) },
    entry: assign(({ spawn }) => ({ ref: spawn(child, { id: 'store' }) })) as never,
    states: { a: { on: { GO: { guard: read as never, target: 'b' } } }, b: { type: 'final' } },
  });
  const isOpen = (ref: { getSnapshot(): unknown }) =>
    Reflect.get(Reflect.get(Object(ref.getSnapshot()), 'context'), 'open') === true;
  const acting = (action: unknown) => ({
    states: { a: { on: { GO: { actions: action, target: 'b' } } }, b: { type: 'final' } },
  });
  const systemOf = ({ system }: never) =>
    system as { get(name: string): { getSnapshot(): unknown } };
  test.each([
    ['a child in a guard', spawning(({ context }: never) => isOpen(Reflect.get(context, 'ref')))],
    [
      'an actor from outside',
      spawning(({ context }: never) => isOpen(Reflect.get(context, 'store'))),
    ],
    ['an actor of the module', spawning(() => isOpen(store as never))],
    [
      'in a try',
      spawning(() => {
        try {
          return isOpen(store as never);
        } catch {
          return true;
        }
      }),
    ],
    [
      'the system in an assign',
      acting(assign((args: never) => ({ n: isOpen(systemOf(args).get('store')) }))),
    ],
    [
      'a recipient',
      acting(
        sendTo(((args: never) => systemOf(args).get('store')) as never, { type: 'x' } as never),
      ),
    ],
    [
      'in an enqueued action',
      acting(
        enqueueActions(((args: never) => void systemOf(args).get('store').getSnapshot()) as never),
      ),
    ],
    [
      'in an input',
      {
        states: {
          a: { on: { GO: 'c' } },
          b: {},
          c: {
            invoke: {
              id: 'p',
              src: promise,
              input: (({ self }: { self: never }) =>
                systemOf(self).get('store').getSnapshot()) as never,
              onDone: 'b',
              onError: 'b',
            },
          },
        },
      },
    ],
  ])('%s', (_, more) => {
    const machine = inState({}, more);
    expect(judge(machine, { events: ['GO'] } as never)).toMatchObject({
      code: 'machine/reads-another-actor',
    });
    const { broken } = check(machine, { events: [{ type: 'GO' }] as never });
    expect(broken?.message).toMatch(
      /reads another actor, which the checker does not run \(store\).*snapshots: \{ store: /,
    );
    const snapshots = { store: { context: { open: true } } };
    const further = judge(machine, { events: ['GO'], snapshots } as never);
    expect(further).not.toMatchObject({ code: expect.anything() });
    expect(further?.['states']).toBeGreaterThan(1);
    expect(check(machine, { snapshots }).warnings.join()).toContain(
      'snapshot of store stays as given',
    );
  });

  test.each(['getSnapshot', 'getPersistedSnapshot', 'send'] as const)('itself by %s', (method) => {
    const read = assign(({ self }) => ({ n: Reflect.apply(self[method], self, [{ type: 'x' }]) }));
    const found = judge(inState({}, acting(read)), { events: ['GO'] } as never);
    expect(found).toMatchObject({ code: 'machine/reads-another-actor' });
    expect(typeof store.getSnapshot()).toBe('object');
  });
});

describe('names that stand for nothing', () => {
  test.each([
    ['actor "nope"', { states: { a: {}, b: { invoke: { src: 'nope', onDone: 'a' } } } }],
    ['guard "x"', { states: { a: { on: { GO: { guard: and([not('x')]), target: 'a' } } } } }],
    ['delay "soon"', { states: { a: { after: { soon: 'a' } } } }],
    [
      'delay "later"',
      { states: { a: { entry: raise({ type: 'x' }, { delay: 'later' as never }) } } },
    ],
    ['actor "worker"', { states: { a: { entry: spawnChild('worker' as never) } } }],
    ['initial state of m.a', { states: { a: { initial: 'zz', states: { b: {} } } } }],
  ])('%s', (name, more) => {
    const machine = inState({}, more);
    expect(judge(machine)).toMatchObject({ code: 'machine/missing-names', states: 0 });
    expect(check(machine, {}).broken?.message).toContain(name);
  });

  test('an action without an implementation does nothing, and a warning says so', () => {
    const { warnings, broken } = check(inState({ entry: 'ring' }), {});
    expect({ broken, warnings }).toEqual({
      broken: null,
      warnings: [expect.stringMatching(/the action ring has no implementation/)],
    });
  });

  test.each([
    [
      'spawned',
      {
        states: {
          a: {
            on: {
              GO: { actions: spawnChild(callback, { id: 'x', systemId: 'one' }), target: 'b' },
            },
          },
          b: { entry: spawnChild(callback, { id: 'y', systemId: 'one' }) },
        },
      },
    ],
    [
      'invoked',
      {
        type: 'parallel',
        initial: undefined,
        states: {
          a: { invoke: { src: callback, id: 'x', systemId: 'one' } },
          b: { invoke: { src: callback, id: 'y', systemId: 'one' } },
        },
      },
    ],
  ])('two children %s under one system id', (_, more) => {
    const machine = inState({}, more);
    const found = judge(machine, { events: ['GO'] } as never);
    expect(found).toMatchObject({ code: 'machine/threw' });
    const again = {
      states: {
        a: {
          invoke: { src: callback, id: 'x', systemId: 'one' },
          on: { GO: { target: 'a', reenter: true } },
        },
      },
    };
    expect(judge(inState({}, again), { events: ['GO'] } as never)).toMatchObject({
      states: 1,
      code: undefined,
    });
  });
});

test.each([
  [
    'a class',
    () =>
      new (class Money {
        readonly cents = 1;
      })(),
    { codec: () => ({ cents: 1 }) },
  ],
  [
    'a part of itself',
    () => {
      const ring: { ring?: object } = {};
      ring.ring = ring;
      return ring;
    },
    {},
  ],
  ['a promise', () => Promise.resolve(), {}],
])('%s in the context is refused, and goes further without it', (_, value, codec) => {
  const machine = inState({ on: { GO: 'b' } }, { context: { odd: value() } });
  expect(() => check(machine, {})).toThrow(
    /view: \(\{ context: \{ odd: _, \.\.\.rest \} \}\) => rest/,
  );
  const view = ({ context: { odd: _, ...rest } }: { context: { odd: unknown } }) => rest;
  const asked = 'codec' in codec ? codec : { view };
  expect(judge(machine, { events: ['GO'], ...asked } as never)).toMatchObject({ states: 2 });
});

test.each([
  ['NaN', Number('abc')],
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
  ['a Map', new Map()],
])('%s in the context needs nothing', (_, odd) => {
  expect(
    judge(inState({ on: { GO: 'b' } }, { context: { odd } }), { events: ['GO'] } as never),
  ).toMatchObject({ states: 2 });
});

test('nothing of the caller is frozen', () => {
  const list = [{ n: 1 }];
  const events = [{ type: 'GO', list }];
  const machine = inState(
    {
      on: {
        GO: { actions: assign({ list: ({ event }) => Reflect.get(event, 'list') }), target: 'b' },
      },
    },
    { context: { list } },
  );
  check(machine, { events: events as never });
  for (const value of [list, list[0], events, events[0]])
    expect(Object.isFrozen(value)).toBe(false);
});

test('33 parallel regions with a timer each are no error', () => {
  const regions = Array.from({ length: 33 }, (_, n) => [
    `r${n}`,
    { initial: 'on', states: { on: { after: { 9: 'off' } }, off: {} } },
  ]);
  const machine = createMachine({ id: 'm', type: 'parallel', states: Object.fromEntries(regions) });
  const found = check(machine, { budget: { states: 60, seconds: 60 } });
  expect(found).toMatchObject({ broken: null, ended: 'the budget of 60 states' });
});

test('a counter without an end is incomplete, with the numbers', () => {
  const machine = inState(
    { on: { GO: { actions: assign({ n: ({ context }) => context.n + 1 }) } } },
    { context: { n: 0 } },
  );
  const found = check(machine, {
    events: [{ type: 'GO' }] as never,
    budget: { states: 500, seconds: 60 },
  });
  expect(found.results.map(({ verdict }) => verdict)).toEqual(
    Array(2).fill({ type: 'incomplete', why: 'the budget of 500 states ended the search' }),
  );
});

describe('a run that explains', () => {
  const lock = createMachine({
    id: 'door',
    context: { codes: [1], on: false },
    initial: 'shut',
    states: {
      shut: {
        on: {
          LOCK: { actions: assign({ on: true }) },
          CODE: { actions: assign({ codes: ({ context }) => [...context.codes, 2].slice(0, 2) }) },
          OPEN: 'open',
        },
      },
      open: { after: { 10: 'shut' } },
    },
  } as never);
  const found = check(lock, {
    events: [{ type: 'LOCK' }, { type: 'CODE', n: 1n }, { type: 'OPEN' }] as never,
    properties: [
      never(
        'It is never open after a code and a lock.',
        ({ at, context }) => at === 'open' && context.on && context.codes.length > 1,
      ),
      never('It is never open.', ({ at }) => at === 'open'),
    ],
  });

  test('shows each event, the new state and the changes, the shortest run first', () => {
    expect(renderReport(found).split('\n').slice(1, 9)).toEqual([
      '  ✗ violated. It is never open.',
      '      0. shut   codes: [1], on: false',
      '      1. OPEN → open',
      '  ✗ violated. It is never open after a code and a lock.',
      '      0. shut   codes: [1], on: false',
      '      1. LOCK → shut   on: false → true',
      '      2. CODE {"n":"1n"} → shut   codes: [1] → [1,2]',
      '      3. OPEN → open',
    ]);
  });

  test('an event of any kind of value is written as it was', () => {
    const event = {
      type: 'SET',
      big: 12n,
      day: new Date(5),
      never: new Date(Number.NaN),
      numbers: [-0, Number.NaN, Number.POSITIVE_INFINITY, undefined],
      map: new Map<unknown, unknown>([[{ at: 1n }, new Set(['a', -0])]]),
      error: Object.assign(new TypeError('no "way"'), { code: 7n }),
      pattern: /a\/"b/giu,
      ['__proto__']: { of: 'its own' },
      text: 'line\n\u2028"end"',
      nothing: null,
    };
    const written = new Function(`return ${writeSource(event)}`)();
    expect(written).toStrictEqual({
      ...event,
      error: Object.assign(new Error('no "way"'), { name: 'TypeError', code: 7n }),
    });
    expect(Object.hasOwn(written, '__proto__')).toBe(true);
    const loop: { type: string; self?: unknown; run: () => void } = { type: 'GO', run: () => {} };
    loop.self = loop;
    expect(new Function(`return ${writeSource(loop)}`)()).toEqual({ type: 'GO' });
  });

  test('covering paths take every transition, and replay on XState as written tests', async () => {
    const paths = coveringPaths(lock, {
      events: [{ type: 'LOCK' }, { type: 'CODE' }, { type: 'OPEN' }] as never,
    });
    expect(new Set(paths.flatMap(({ covers }) => covers)).size).toBe(4);
    expect(paths.map(({ steps }) => steps.length)).toEqual([2, 2, 3]);
    const text = writeVitest(
      paths.map(({ steps }) => ({ title: 'a "path"', steps })),
      { module: './door.ts', machine: 'door' },
    );
    const { initialTransition, transition } = await import('xstate');
    let ran = 0;
    const body = text.replace(/^import.*$/gm, '');
    const replay = new Function(
      'test',
      'expect',
      'initialTransition',
      'transition',
      'door',
      body.replaceAll(' as never', ''),
    );
    replay(
      (_: string, run: () => void) => {
        run();
        ran++;
      },
      expect,
      initialTransition,
      transition,
      lock,
    );
    expect(ran).toBe(3);
  });
});
