import { describe, expect, test } from 'vitest';
import { createMachine, type EventObject } from 'xstate';
import { check } from '../check.ts';
import type { Fairness, Model, Property, State } from '../model.ts';
import {
  assumeSome,
  type Calls,
  createExchange,
  createModel,
  DIRECT,
  HOLDING,
} from './machines.ts';
import { statesAlong, traceOf } from './replay.ts';

function modelOf(
  open: Calls,
  property: Property<unknown, EventObject>,
): Model<unknown, EventObject> {
  return { ...createExchange(open, []), properties: [property] };
}

function answered(...asked: Parameters<typeof createExchange>) {
  const model = createExchange(...asked);
  const [found] = check(model).results;
  if (found === undefined) throw new Error('nothing was judged');
  return { model, found, verdict: found.verdict };
}

describe('weak fairness', () => {
  test('without any, the caller rings for ever', () => {
    const { found, model } = answered(DIRECT, [], [assumeSome('answer'), assumeSome('call')]);
    const trace = traceOf(found);
    expect(trace.events.map(({ type }) => type)).toEqual(['call', 'wait']);
    expect(trace.loop).toBe(1);
    expect(trace.excludedBy).toEqual(['answer eventually']);
    expectLasso(model, trace);
  });

  test('an answer that stays possible is eventually given', () => {
    expect(answered(DIRECT, [assumeSome('answer')]).verdict).toEqual({
      type: 'proved',
      antecedents: 1,
    });
  });

  test('an answer that is possible again and again need not be given', () => {
    const { found, model } = answered(HOLDING, [assumeSome('answer')]);
    const trace = traceOf(found);
    // The nearest loop that is fair passes by "held", where nobody can answer.
    expect(statesAlong(model, trace).map(({ at }) => at)).toContain('held');
    expectLasso(model, trace);
  });

  test('even if every hold ends, an answer need not be given', () => {
    const { found, model } = answered(HOLDING, [assumeSome('answer'), assumeSome('resume')]);
    const ats = statesAlong(model, traceOf(found))
      .slice(traceOf(found).loop ?? 0)
      .map(({ at }) => at);
    expect(ats).toContain('ringing');
    expect(ats).toContain('held');
    expectLasso(model, traceOf(found));
  });

  test('an assumption about several moves is kept by any of them', () => {
    // In no state of the loop are both impossible, but resuming is one of the two.
    const { found } = answered(HOLDING, [assumeSome('answer', 'resume')]);
    expect(traceOf(found).events.map(({ type }) => type)).toEqual(['call', 'hold', 'resume']);
  });
});

describe('eventually', () => {
  const talks = (
    fair: readonly Fairness<unknown, EventObject>[],
  ): Property<unknown, EventObject> => ({
    name: 'talks',
    sentence: 'There is eventually talk.',
    kind: 'eventually',
    holds: ({ at }) => at === 'talking',
    fair,
  });

  test('holds on all fair runs', () => {
    const [found] = check(modelOf(DIRECT, talks([assumeSome('answer')]))).results;
    expect(found?.verdict.type).toBe('proved');
  });

  test('a run that ends somewhere else breaks it', () => {
    const [found] = check(
      modelOf({ ...DIRECT, ringing: [] }, talks([assumeSome('answer')])),
    ).results;
    expect(found === undefined ? null : traceOf(found)).toMatchObject({
      events: [{ type: 'call' }],
      loop: null,
      excludedBy: [],
    });
  });

  test('a property that never becomes due is vacuous', () => {
    const [found] = check(
      modelOf(HOLDING, {
        name: 'talks',
        sentence: 'After nowhere there is talk.',
        kind: 'leads-to',
        from: ({ at }) => at === 'nowhere',
        holds: ({ at }) => at === 'talking',
      }),
    ).results;
    expect(found?.verdict).toEqual({ type: 'vacuous', why: 'it never becomes due' });
  });
});

test('of several loops the one nearest to the start is reported', () => {
  const machine = createMachine({
    id: 'paths',
    initial: 'a',
    states: {
      a: { on: { x: 'b', z: 'far1' } },
      b: { on: { x: 'c' } },
      c: { on: { x: 'd', y: 'c' } },
      d: { on: { x: 'd' } },
      far1: { on: { x: 'far2' } },
      far2: { on: { x: 'far3' } },
      far3: { on: { x: 'far4' } },
      far4: { on: { x: 'far3' } },
    },
  });
  const model = createModel(
    machine,
    ['x', 'y', 'z'],
    [{ name: 'ends', sentence: 'It eventually gets out.', kind: 'eventually', holds: () => false }],
  );
  // Events that are ignored are loops too: leave them out.
  const world = ({ at }: State<unknown>) =>
    ({ a: ['x', 'z'], c: ['x', 'y'] })[at]?.map((type) => ({ type })) ?? [{ type: 'x' }];
  const [found] = check({ ...model, world }).results;
  const trace = traceOf(
    found ?? ({ ...model.properties[0], verdict: { type: 'incomplete' } } as never),
  );
  expect(trace.events.map(({ type }) => type)).toEqual(['x', 'x', 'y']);
  expect(trace.loop).toBe(2);
  expectLasso({ ...model, world }, trace);
});

/** The run is one of the machine, and after its last event it is where its loop began. */
function expectLasso(model: Model<unknown, EventObject>, trace: ReturnType<typeof traceOf>): void {
  const states = statesAlong(model, trace);
  expect(trace.loop).not.toBeNull();
  expect(trace.loop).toBeLessThan(trace.events.length);
  expect(states.at(-1)).toEqual(states[trace.loop ?? -1]);
}
