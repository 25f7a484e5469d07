/**
 * The compiled stepper does exactly what XState does, step for step: place, context, status, timers, children, every
 * effect in order, and the transitions that were taken. Without this the fast path proves nothing about XState.
 */
import { expect, test } from 'vitest';
import { assign, type EventObject, setup } from 'xstate';
import { compileStepper } from '../compile.ts';
import { compareOnRandomChart } from '../selftest/selftest.ts';
import { createXstateStepper } from '../xstateStepper.ts';
import { charts, SEED } from './law.ts';

test.each([
  { first: 'a', second: 'b', said: 'ab' },
  { first: 'b', second: 'a', said: 'ba' },
])(
  'of two regions that wait, the one that came first goes first: $said',
  ({ first, second, said }) => {
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
    const machine = setup({
      types: { context: {} as { isOpen: boolean; said: string } },
      guards: { isOpen: ({ context }) => context.isOpen },
      actions: {
        open: assign({ isOpen: true }),
        say: assign(({ context }, { name }: { name: string }) => ({ said: context.said + name })),
      },
    }).createMachine({
      id: 'door',
      context: { isOpen: false, said: '' },
      type: 'parallel',
      states: { a: region('a'), b: region('b') } as never, // their events are made of their names
      on: { open: { actions: 'open' } },
    });
    for (const stepperOf of [compileStepper, createXstateStepper]) {
      // Its states are untyped, and with them the whole of it.
      const stepper = stepperOf<{ said: string }, EventObject>(machine as never, undefined);
      let { point } = stepper.initial();
      for (const type of [`come.${first}`, `come.${second}`, 'open']) {
        point = stepper.step(point, { type }).point;
      }
      expect(point.context.said).toBe(said);
    }
  },
);

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
