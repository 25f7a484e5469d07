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
import { compileStepper } from '../compile.ts';
import { compareEngines, compareOnRandomChart } from '../selftest/selftest.ts';
import { createXstateStepper } from '../xstateStepper.ts';
import { charts, SEED } from './law.ts';

type SaidContext = { readonly isOpen: boolean; readonly said: string };

/** A door: a region that waits says its name once, when the door is open. */
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

/** An eventless transition without a target. */
function sayOnce(name: string) {
  return {
    guard: { type: 'isUnsaid', params: { name } },
    actions: { type: 'say', params: { name } },
  } as const;
}

/** What is said on these events, by either engine. */
function listSaid(machine: AnyStateMachine, events: readonly string[]): readonly string[] {
  return [compileStepper, createXstateStepper].map((createStepper) => {
    const stepper = createStepper<SaidContext, EventObject>(machine, undefined);
    let { point } = stepper.initial();
    for (const type of events) point = stepper.step(point, { type }).point;
    return point.context.said;
  });
}

describe('XState asks the leaves for eventless transitions in the order in which they were entered', () => {
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
    // The value is that of the states to come.
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

  test('what a machine sends to itself later can be cancelled', () => {
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

const CHARTS = charts(300, 20_000);

test(`random charts, walked at random (seed ${SEED}, ${CHARTS} charts)`, () => {
  let steps = 0;
  for (let chart = 0; chart < CHARTS; chart++) {
    const walk = compareOnRandomChart(SEED * CHARTS + chart);
    expect(walk.parting).toBeNull();
    steps += walk.steps;
  }
  expect(steps).toBeGreaterThan(CHARTS * 10);
});
