/**
 * The compiled stepper does exactly what XState does, step for step: place, context, status, timers, children, every
 * effect in order, and the transitions that were taken. Without this the fast path proves nothing about XState.
 */
import { describe, expect, test } from 'vitest';
import {
  type AnyStateMachine,
  assign,
  cancel,
  type EventObject,
  enqueueActions,
  sendTo,
  setup,
  stateIn,
} from 'xstate';
import { check } from '../check.ts';
import { compileStepper } from '../compile.ts';
import { createXstateStepper } from '../xstateStepper.ts';
import { compareEngines, compareOnRandomChart } from './agreement.ts';
import { charts, SEED } from './law.ts';

type SaidContext = { readonly isOpen: boolean; readonly said: string };

const sayings = setup({
  types: { context: {} as SaidContext },
  guards: {
    isOpen: ({ context }) => context.isOpen,
    isUnsaid: ({ context }, { name }: { name: string }) =>
      context.isOpen && !context.said.includes(name),
  },
  actions: {
    open: assign({ isOpen: true }),
    say: assign(({ context }, { name }: { name: string }) => ({ said: context.said + name })),
  },
});

function sayOnce(name: string) {
  return {
    guard: { type: 'isUnsaid', params: { name } },
    actions: { type: 'say', params: { name } },
  } as const;
}

function listSaid(machine: AnyStateMachine, events: readonly string[]): readonly string[] {
  return [compileStepper, createXstateStepper].map((createStepper) => {
    const stepper = createStepper<SaidContext, EventObject>(machine, undefined);
    let { point } = stepper.initial();
    for (const type of events) point = stepper.step(point, { type }).point;
    return point.context.said;
  });
}

describe('XState asks the leaves for eventless transitions in their order of entry', () => {
  test.each([
    { first: 'a', second: 'b', said: 'ab' },
    { first: 'b', second: 'a', said: 'ba' },
  ])('of two regions that wait, the one that came first: $said', ({ first, second, said }) => {
    const region = (name: string) => ({
      initial: 'idle',
      states: {
        idle: { on: { [`come.${name}`]: 'ready' } },
        ready: {
          always: { guard: 'isOpen', target: 'gone', actions: { type: 'say', params: { name } } },
        },
        gone: {},
      },
    });
    const machine = sayings.createMachine({
      id: 'door',
      context: { isOpen: false, said: '' },
      type: 'parallel',
      states: { a: region('a'), b: region('b') } as never, // their events are made of their names
      on: { open: { actions: 'open' } },
    });
    // Its states are untyped, and with them the whole of it.
    const found = listSaid(machine as never, [`come.${first}`, `come.${second}`, 'open']);
    expect(found).toEqual([said, said]);
  });

  /** Once it is ready, the waiter finds a transition of its own; the other region finds one further above. */
  const pair = {
    type: 'parallel',
    states: {
      waiter: {
        initial: 'idle',
        states: {
          idle: { on: { come: 'ready' } },
          ready: { id: 'ready', always: sayOnce('inner ') },
        },
      },
      other: {},
    },
  } as const;
  const common = {
    context: { isOpen: false, said: '' },
    on: { open: { actions: 'open' }, again: '#ready' },
  } as const;

  test.each([
    { events: ['come', 'open'], said: 'outer inner ' },
    { events: ['again', 'open'], said: 'inner outer ' },
    // Entering the same states again leaves them in the old order.
    { events: ['come', 'again', 'open'], said: 'outer inner ' },
  ])('of a region and the states around it, after $events: $said', ({ events, said }) => {
    const around = sayings.createMachine({ ...common, ...pair, always: sayOnce('outer ') });
    const furtherAbove = sayings.createMachine({
      ...common,
      always: sayOnce('outer '),
      initial: 'pair',
      states: { pair },
    });
    const nested = sayings.createMachine({
      ...common,
      type: 'parallel',
      states: { pair: { ...pair, always: sayOnce('outer ') }, beside: {} },
    });
    for (const machine of [around, furtherAbove, nested]) {
      expect(listSaid(machine, events)).toEqual([said, said]);
      const world = () => ['come', 'again', 'open'].map((type) => ({ type }));
      const { parted } = compareEngines({ name: 'pair', machine, world, properties: [] }, 100);
      expect(parted).toEqual([]);
    }
  });
});

describe('The engines agree in rare places', () => {
  const rare = setup({
    types: { context: {} as { said: string } },
    actions: {
      append: assign(({ context }, said: string) => ({ said: context.said + said })),
      ask: enqueueActions(({ context, enqueue, check }, where: string) => {
        const isThere = check(stateIn(where) as never); // XState's types have no place for a guard of its own
        enqueue.assign({ said: `${context.said}${isThere} ` });
      }),
    },
  });

  test('a guard that the first entry actions ask finds no state active but the root', () => {
    const machine = rare.createMachine({
      context: { said: '' },
      initial: 'a',
      states: {
        a: {
          id: 'a',
          entry: [
            { type: 'ask', params: '#a' },
            { type: 'ask', params: 'a' },
          ],
        },
      },
    });
    expect(listSaid(machine, [])).toEqual(['false true ', 'false true ']);
  });

  test('the actions of an initial transition that a parallel state does not need are performed', () => {
    const machine = rare.createMachine({
      context: { said: '' },
      type: 'parallel',
      initial: { target: 'b', actions: { type: 'append', params: 'first' } },
      states: { a: {}, b: {} },
    });
    expect(listSaid(machine, [])).toEqual(['first', 'first']);
  });

  test('a machine can cancel its own delayed event', () => {
    const machine = rare.createMachine({
      context: { said: '' },
      entry: sendTo(({ self }) => self, { type: 'late' }, { delay: 10, id: 'timer' }),
      on: { stop: { actions: cancel('timer') } },
    });
    for (const createStepper of [compileStepper, createXstateStepper]) {
      const stepper = createStepper<unknown, EventObject>(machine, undefined);
      const { point } = stepper.initial();
      expect(point.timers).toEqual([{ id: 'timer', event: { type: 'late' } }]);
      expect(stepper.step(point, { type: 'stop' }).point.timers).toEqual([]);
    }
  });
});

describe('The engines agree on history states', () => {
  const rack = setup({
    types: { context: {} as { said: string } },
    actions: { say: assign(({ context }, name: string) => ({ said: context.said + name })) },
  });
  const say = (name: string) => ({ type: 'say', params: name }) as const;
  const side = (name: string) =>
    ({
      initial: { target: 'one', actions: say(`first ${name} `) },
      states: {
        one: { entry: say(`${name}1 `), on: { skip: 'two' } },
        two: { entry: say(`${name}2 `), on: { skip: 'one' } },
      },
    }) as const;
  const on = { shallow: 'tape.shallow', deep: 'tape.deep', other: 'tape.other' } as const;
  const histories = {
    shallow: { type: 'history' },
    deep: { type: 'history', history: 'deep' },
    other: { type: 'history', target: 'b' },
  } as const;
  const away = { on } as const;
  const sided = rack.createMachine({
    id: 'sided',
    context: { said: '' },
    initial: 'away',
    states: {
      away,
      tape: {
        initial: { target: 'a', actions: say('fresh ') },
        states: { a: { ...side('a'), on: { turn: 'b' } }, b: side('b'), ...histories },
        on: { stop: 'away' },
      },
    },
  });
  const parallel = rack.createMachine({
    id: 'parallel',
    context: { said: '' },
    initial: 'away',
    states: {
      away: { on: { ...on, other: 'tape.other' } },
      tape: {
        type: 'parallel',
        states: { a: side('a'), b: side('b'), ...histories },
        on: { stop: 'away' },
      },
    },
  });

  test.each([
    // As long as nothing is remembered: to the initial state, with the actions on the way there, or where the history state leads.
    { machine: sided, events: ['shallow'], said: 'fresh a1 ' },
    { machine: sided, events: ['deep'], said: 'fresh a1 ' },
    { machine: sided, events: ['other'], said: 'b1 ' },
    { machine: sided, events: ['deep', 'skip', 'stop', 'shallow'], said: '… a1 ' },
    { machine: sided, events: ['deep', 'skip', 'stop', 'deep'], said: '… a2 ' },
    { machine: sided, events: ['deep', 'turn', 'skip', 'stop', 'deep'], said: '… b2 ' },
    { machine: sided, events: ['deep', 'turn', 'stop', 'other'], said: '… b1 ' },
    {
      machine: sided,
      events: ['deep', 'skip', 'stop', 'deep', 'skip', 'stop', 'deep'],
      said: '… a1 ',
    },
    { machine: parallel, events: ['shallow'], said: 'first a a1 first b b1 ' },
    { machine: parallel, events: ['deep', 'skip', 'stop', 'deep'], said: '… a2 b2 ' },
    { machine: parallel, events: ['deep', 'skip', 'stop', 'shallow'], said: '… a1 b1 ' },
  ])('$machine.id after $events: $said', ({ machine, events, said }) => {
    const found = listSaid(machine, events).map((all) => {
      const before = listSaid(machine, events.slice(0, -1))[0] ?? '';
      expect(all.startsWith(before)).toBe(true);
      return all.slice(before.length);
    });
    expect(found).toEqual([said.replace('… ', ''), said.replace('… ', '')]);
  });

  test.each([{ machine: sided }, { machine: parallel }])(
    '$machine.id, every step',
    ({ machine }) => {
      const named = ['shallow', 'deep', 'other', 'skip', 'turn', 'stop'];
      const world = () => named.map((type) => ({ type }));
      const silent = machine.provide({ actions: { say: assign({ said: '' }) } });
      const { parted, found } = compareEngines(
        { name: machine.id, machine: silent, world, properties: [] },
        500,
      );
      expect(parted).toEqual([]);
      expect(found).toMatchObject({ ended: null, broken: null });
    },
  );

  test('what XState itself does not do as it is meant is left to XState', () => {
    const first = rack.createMachine({
      context: { said: '' },
      initial: 'h',
      states: { h: { type: 'history', target: 'a' }, a: {} },
    });
    expect(() => compileStepper(first, undefined)).toThrow('a history state as initial state');
    const chained = rack.createMachine({
      context: { said: '' },
      initial: 'a',
      states: { a: {}, h: { type: 'history', target: 'g' }, g: { type: 'history', target: 'a' } },
    });
    expect(() => compileStepper(chained, undefined)).toThrow('leads to a history state');
    // The parallel state is left as a whole, and by then its history state remembers no more than its regions.
    const torn = rack.createMachine({
      context: { said: '' },
      initial: 'pair',
      states: {
        pair: {
          type: 'parallel',
          states: { a: { on: { back: '#h' } }, b: {}, h: { id: 'h', type: 'history' } },
        },
      },
    });
    const model = { name: 'torn', machine: torn, world: () => [{ type: 'back' }], properties: [] };
    expect(check(model)).toMatchObject({
      engine: 'xstate',
      slow: expect.stringContaining('a state that is active only in part'),
    });
  });
});

const CHARTS = charts(120, 20_000);

test(`random charts, walked at random (seed ${SEED}, ${CHARTS} charts)`, () => {
  let [steps, refused] = [0, 0];
  for (let chart = 0; chart < CHARTS; chart++) {
    const walk = compareOnRandomChart(SEED * CHARTS + chart);
    expect(walk.parting).toBeNull();
    steps += walk.steps;
    refused += Number(walk.isRefused);
  }
  expect(steps).toBeGreaterThan(CHARTS * 10);
  // With history states a walk can reach a place that XState should not reach. It ends there.
  expect(refused).toBeLessThan(CHARTS / 10);
});
