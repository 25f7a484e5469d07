/** No machine gets a wrong verdict: each kind of trap, in both engines. */
import { describe, expect, test } from 'vitest';
import {
  type AnyStateMachine,
  assign,
  createActor,
  createMachine,
  type EventObject,
  fromCallback,
  fromPromise,
  fromTransition,
} from 'xstate';
import { eventually, never, sometimes } from '../claims.ts';
import { check, type MachineQuestion } from '../machine.ts';
import { observe } from '../observe.ts';

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
