import { expect, test } from 'vitest';
import { assign, createMachine } from 'xstate';
import { check } from '../check.ts';
import { createModel } from './machines.ts';

const lift = createMachine({
  types: {} as { context: { floor: number } },
  id: 'lift',
  context: { floor: 0 },
  initial: 'running',
  states: {
    running: {
      initial: 'standing',
      states: {
        standing: {
          on: {
            up: [
              { guard: ({ context }) => context.floor > 9, target: '#lift.overload' },
              {
                guard: ({ context }) => context.floor < 2,
                actions: assign({ floor: ({ context }) => context.floor + 1 }),
              },
            ],
            down: { guard: ({ context }) => context.floor >= 0, actions: assign({ floor: 0 }) },
          },
        },
        service: { on: { up: { guard: () => true, target: 'standing' } } },
      },
    },
    overload: { on: { reset: 'running' } },
  },
});

test('an unreachable state, a dead guard, an idle guard and an unheard event', () => {
  const { coverage } = check(createModel(lift, ['up', 'down', 'sing']));
  expect(coverage.states).toEqual({ seen: 1, all: 3 });
  expect(coverage.unreached).toEqual(['running.service', 'overload']);
  expect(coverage.transitions).toEqual({ seen: 2, all: 5 });
  expect(coverage.untaken.map(({ nearest }) => nearest)).toEqual([
    'running.standing',
    'running.standing',
    null,
  ]);
  // Four guarded transitions, eight outcomes: true and false of the second "up", false of the first, true of "down".
  expect(coverage.guards).toEqual({
    seen: 4,
    all: 8,
    neverTrue: ['running.standing ─up→ overload [(inline)]'],
    neverFalse: ['running.standing ─down→ · [(inline)]'],
    unasked: ['running.service ─up→ running.standing [(inline)]'],
  });
  expect(coverage.matrix).toEqual([
    { at: 'running.standing', event: 'up', accepted: 2, ignored: 1 },
    { at: 'running.standing', event: 'down', accepted: 3, ignored: 0 },
    { at: 'running.standing', event: 'sing', accepted: 0, ignored: 3 },
  ]);
});

test("XState's own engine can't be watched at its guards, and says so", () => {
  expect(check(createModel(lift, ['up']), { engine: 'xstate' }).coverage.guards).toBeNull();
});
