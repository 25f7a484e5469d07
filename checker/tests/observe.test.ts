import { describe, expect, test } from 'vitest';
import {
  assign,
  createActor,
  type EventObject,
  emit,
  fromCallback,
  SimulatedClock,
  setup,
} from 'xstate';
import {
  always,
  deadlockFree,
  eachStep,
  eventually,
  leadsTo,
  never,
  sometimes,
} from '../claims.ts';
import { check } from '../machine.ts';
import { observe } from '../observe.ts';

const lift = setup({
  types: {
    context: {} as { floor: number },
    events: {} as { type: 'UP' } | { type: 'DOWN' } | { type: 'STOP' },
    emitted: {} as { type: 'bell'; floor: number },
  },
  actors: { motor: fromCallback(() => {}) },
})
  .createMachine({
    id: 'lift',
    context: { floor: 0 },
    initial: 'idle',
    states: {
      idle: {
        on: {
          UP: { actions: [assign({ floor: ({ context }) => context.floor + 1 }), 'ring'] as never },
          DOWN: { target: 'moving' },
          STOP: 'off',
        },
      },
      moving: { invoke: { id: 'motor', src: 'motor' }, after: { 1000: 'idle' } },
      off: { type: 'final' },
    },
  })
  .provide({
    actions: { ring: emit(({ context }) => ({ type: 'bell', floor: context.floor })) } as never,
  });

const verdictOf = (results: ReturnType<ReturnType<typeof observe>['results']>, index: number) =>
  results[index]?.verdict;

describe('an actor that runs', () => {
  test('shows kept, violated, open and unjudged properties', () => {
    const actor = createActor(lift, { clock: new SimulatedClock() });
    const violated: string[] = [];
    const seen = observe(
      actor,
      [
        always('It is below the second floor.', ({ context }) => context.floor < 2),
        never('It is below ground.', ({ context }) => context.floor < 0),
        sometimes('It moves.', ({ at }) => at === 'moving'),
        sometimes('It is on the ninth floor.', ({ context }) => context.floor === 9),
        eventually('It is switched off.', ({ isDone }) => isDone),
        leadsTo(
          'Who moves arrives.',
          ({ at }) => at === 'moving',
          ({ at }) => at === 'idle',
        ),
        eachStep(
          'It rings when it goes up.',
          ({ effects }) => effects.some(({ type }) => type === 'xstate.emit'),
          ({ event }) => event.type === 'UP',
        ),
        deadlockFree(),
      ],
      { onViolation: ({ name }) => violated.push(name) },
    );
    actor.start();
    expect(verdictOf(seen.results(), 0)).toEqual({ type: 'kept', applied: 1 });
    actor.send({ type: 'UP' });
    actor.send({ type: 'UP' });
    actor.send({ type: 'UP' });
    expect(violated).toEqual(['It is below the second floor.']);
    expect(verdictOf(seen.results(), 0)).toEqual({
      type: 'violated',
      at: 'idle',
      events: [{ type: 'UP' }, { type: 'UP' }],
    });
    actor.send({ type: 'DOWN' });
    expect(verdictOf(seen.results(), 2)).toEqual({ type: 'kept', applied: 1 });
    expect(verdictOf(seen.results(), 5)?.type).toBe('open');
    (actor.clock as SimulatedClock).increment(1000);
    expect(verdictOf(seen.results(), 5)).toEqual({ type: 'kept', applied: 1 });
    expect(verdictOf(seen.results(), 4)?.type).toBe('open');
    actor.send({ type: 'STOP' });
    expect(seen.results().map(({ verdict }) => verdict.type)).toEqual([
      ...['violated', 'kept', 'kept', 'unjudged', 'kept', 'kept', 'kept', 'unjudged'],
    ]);
    expect(verdictOf(seen.results(), 6)).toEqual({ type: 'kept', applied: 3 });
  });

  test('an actor that ends too early violates its property', () => {
    const actor = createActor(lift);
    const seen = observe(actor, [eventually('It moves.', ({ at }) => at === 'moving')]);
    actor.start();
    actor.send({ type: 'STOP' });
    expect(verdictOf(seen.results(), 0)).toMatchObject({ type: 'violated', at: 'off' });
  });

  test('is observed from where it is, and no longer than it should be', () => {
    const actor = createActor(lift).start();
    actor.send({ type: 'UP' });
    const seen = observe(actor, [
      always('It is on the ground.', ({ context }) => context.floor === 0),
      always('It is not higher than 1.', ({ context }) => context.floor < 2),
      { name: 'begins', sentence: 'It begins.', kind: 'start', holds: () => true },
    ]);
    expect(seen.results().map(({ verdict }) => verdict.type)).toEqual([
      'violated',
      'kept',
      'unjudged',
    ]);
    seen.stop();
    actor.send({ type: 'UP' });
    expect(verdictOf(seen.results(), 1)).toEqual({ type: 'kept', applied: 1 });
  });

  test('a step of the checker and the same step of an actor show the same effects', () => {
    const shown: string[] = [];
    const note = eachStep<{ floor: number }, EventObject>('It is noted.', ({ event, effects }) => {
      if (event.type === 'UP') shown.push(JSON.stringify(effects));
      return true;
    });
    const actor = createActor(lift);
    observe(actor, [note] as never);
    actor.start().send({ type: 'UP' });
    check(lift, {
      events: [{ type: 'UP' }],
      budget: { states: 1, seconds: 60 },
      properties: [note] as never,
    });
    expect(shown).toHaveLength(2);
    expect(shown[0]).toBe(shown[1]);
  });
});
