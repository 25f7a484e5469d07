import { describe, expect, test } from 'vitest';
import { createActor, createMachine, fromCallback, setup } from 'xstate';
import { type CheckOptions, check } from '../check.ts';
import { isAsDeclared, type Property } from '../model.ts';
import { observe } from '../observe.ts';
import { renderReport } from '../report.ts';
import { type Bump, createCounters, createModel } from './machines.ts';
import { statesAlong, traceOf } from './replay.ts';

type Counts = { readonly counts: readonly number[] };
const total = ({ counts }: Counts) => counts.reduce((sum, count) => sum + count, 0);

function results(property: Property<Counts, Bump>, options?: CheckOptions) {
  const model = createCounters(2, 4, [property]);
  const [found] = check(model, options).results;
  if (found === undefined) throw new Error('nothing was judged');
  return { model, found, verdict: found.verdict };
}

const sums = (sum: number) => ({
  name: 'sum',
  sentence: `It sums to ${sum}.`,
  holds: ({ context }: { readonly context: Counts }) => total(context) === sum,
});

describe('states', () => {
  test('always: proved where it holds everywhere', () => {
    const property = { ...sums(0), kind: 'always', holds: () => true } as const;
    expect(results(property).verdict).toEqual({ type: 'proved', antecedents: null });
  });

  test('always: violated by the nearest state', () => {
    const { model, verdict, found } = results({
      ...sums(0),
      kind: 'always',
      holds: ({ context }) => total(context) < 3,
    });
    expect(verdict.type).toBe('violated');
    const states = statesAlong(model, traceOf(found));
    expect(states).toHaveLength(4);
    expect(states.map(({ context }) => total(context))).toEqual([0, 1, 2, 3]);
  });

  test('never: the first state counts as well', () => {
    const { found } = results({ ...sums(0), kind: 'never' });
    expect(traceOf(found)).toMatchObject({ events: [], loop: null, excludedBy: [] });
  });

  test('sometimes: witnessed, or violated without a run to show', () => {
    expect(results({ ...sums(6), kind: 'sometimes' }).verdict.type).toBe('proved');
    expect(results({ ...sums(7), kind: 'sometimes' }).verdict).toEqual({
      type: 'violated',
      trace: { events: [], loop: null, excludedBy: [] },
    });
  });
});

test('a reason that a property gives is in its verdict, and in the report', () => {
  const step = {
    ...sums(0),
    kind: 'step',
    holds: ({ after }: { readonly after: { readonly context: Counts } }) =>
      total(after.context) < 3 || `the sum is ${total(after.context)}`,
  } as const;
  const { model, verdict } = results(step);
  expect(verdict).toMatchObject({ type: 'violated', why: 'the sum is 3', trace: { loop: null } });
  expect(renderReport(check(model))).toMatch(/violated\. It sums to 0\.\n {6}the sum is 3\n/);
});

describe('the beginning and the end', () => {
  const machine = setup({ actors: { helper: fromCallback(() => {}) } }).createMachine({
    context: ({ input }) => input as Seats, // what the model gives it
    invoke: { src: 'helper', id: 'helper', input: ({ context }) => ({ of: context.seats }) },
    initial: 'open',
    states: { open: { on: { END: 'over' } }, over: { type: 'final' } },
    output: ({ context, event }) => ({ left: context.seats, by: event.type }),
  });
  type Seats = { readonly seats: number };
  type End = { readonly type: 'END' };
  const judge = (property: Property<Seats, End>, engine: 'compiled' | 'xstate') => {
    const model = {
      ...{ name: 'table', machine, input: { seats: 3 }, properties: [property] },
      world: (): readonly End[] => [{ type: 'END' }],
    };
    return check<Seats, End>(model, { engine }).results[0]?.verdict.type;
  };
  const starts = (seats: number): Property<Seats, End> => ({
    name: 'start',
    sentence: `The helper is for ${seats}.`,
    kind: 'start',
    holds: ({ state, effects }) =>
      state.at === 'open' &&
      JSON.stringify(effects) ===
        JSON.stringify([
          { type: 'xstate.spawnChild', params: { id: 'helper', input: { of: seats } } },
        ]),
  });
  const ends = (left: number): Property<Seats, End> => ({
    name: 'end',
    sentence: `It hands out ${left}.`,
    kind: 'step',
    when: ({ after }) => after.isDone,
    holds: ({ effects }) =>
      JSON.stringify(effects.find(({ type }) => type === 'xstate.output')?.params) ===
      JSON.stringify({ left, by: 'xstate.done.state.(machine).over' }),
  });

  test.each(['compiled', 'xstate'] as const)('inputs and outputs are seen: %s', (engine) => {
    expect([3, 2].map((seats) => judge(starts(seats), engine))).toEqual(['proved', 'violated']);
    expect([3, 2].map((left) => judge(ends(left), engine))).toEqual(['proved', 'violated']);
  });

  test('a beginning that is wrong is shown without a step', () => {
    const { found } = results({ ...sums(0), kind: 'start', holds: () => false });
    expect(traceOf(found)).toMatchObject({ events: [], loop: null, excludedBy: [] });
  });
});

describe('steps', () => {
  const falls: Property<Counts, Bump> = {
    name: 'grows',
    sentence: 'No step makes the sum smaller.',
    kind: 'step',
    holds: ({ before, after }) => total(after.context) >= total(before.context),
  };

  test('violated by the nearest step', () => {
    const { model, found } = results(falls);
    const states = statesAlong(model, traceOf(found));
    expect(states.map(({ context }) => total(context))).toEqual([0, 1, 2, 3, 0]);
  });

  test('proved for those it speaks of, which are counted', () => {
    const when: typeof falls = {
      ...falls,
      when: ({ before, event }) => (before.context.counts[event.index] ?? 0) < 3,
    };
    // 3 of the 4 values of the counter that is bumped, in 16 states with 2 moves each.
    expect(results(when).verdict).toEqual({ type: 'proved', antecedents: 24 });
  });

  test('vacuous where there is none', () => {
    expect(results({ ...falls, when: () => false }).verdict.type).toBe('vacuous');
  });
});

describe('deadlock', () => {
  const free = {
    name: 'goes-on',
    sentence: 'There is always something that may happen.',
    kind: 'deadlock-free',
  } as const;
  const machine = createMachine({
    id: 'door',
    initial: 'open',
    states: { open: { on: { shut: 'shut', leave: 'left' } }, shut: {}, left: { type: 'final' } },
  });
  const world = ({ at }: { readonly at: string }) =>
    at === 'open' ? [{ type: 'shut' }, { type: 'leave' }] : [];

  test('a state without any event is one, unless the machine is done', () => {
    const [found] = check({ ...createModel(machine), world, properties: [free] }).results;
    expect(found === undefined ? null : traceOf(found).events).toEqual([{ type: 'shut' }]);
    const leaving = ({ at }: { readonly at: string }) => (at === 'open' ? [{ type: 'leave' }] : []);
    const [kept] = check({ ...createModel(machine), world: leaving, properties: [free] }).results;
    expect(kept?.verdict.type).toBe('proved');
  });
});

describe('budgets', () => {
  const all: readonly Property<Counts, Bump>[] = [
    { ...sums(99), kind: 'never' },
    { ...sums(0), kind: 'always', holds: () => true },
    { ...sums(99), kind: 'sometimes' },
    { ...sums(0), kind: 'step', holds: () => true },
    { ...sums(0), kind: 'deadlock-free' },
    { ...sums(6), kind: 'eventually' },
    { ...sums(6), kind: 'leads-to', from: () => true },
  ];

  test('too many states: every property is incomplete and says why', () => {
    const found = check(createCounters(3, 10, all), { budget: { states: 100, seconds: Infinity } });
    expect(found.ended).toBe('the budget of 100 states');
    expect(found.frontier).toBeGreaterThan(0);
    for (const { verdict } of found.results) {
      expect(verdict).toEqual({
        type: 'incomplete',
        why: 'the budget of 100 states ended the search',
      });
    }
    expect(found.results.some(isAsDeclared)).toBe(false);
  });

  test('too many seconds: every property is incomplete', () => {
    let clock = 0;
    const found = check(createCounters(3, 10, all), {
      budget: { states: Infinity, seconds: 5 },
      now: () => clock++ / 10,
    });
    expect(found.ended).toBe('the budget of 5 seconds');
    expect(new Set(found.results.map(({ verdict }) => verdict.type))).toEqual(
      new Set(['incomplete']),
    );
  });

  test('a budget that is just enough proves', () => {
    const found = check(createCounters(2, 10, all.slice(0, 2)), {
      budget: { states: 100, seconds: Infinity },
    });
    expect(found).toMatchObject({ ended: null, states: 100, frontier: 0 });
    expect(found.results.every(isAsDeclared)).toBe(true);
  });

  test('a violation found before the budget ended counts', () => {
    const found = check(createCounters(3, 10, [{ ...sums(1), kind: 'never' }]), {
      budget: { states: 10, seconds: Infinity },
    });
    expect(found.results[0]?.verdict.type).toBe('violated');
  });

  test('liveness is not checked on a quotient', () => {
    const model = {
      ...createCounters(2, 4, [{ ...sums(6), kind: 'eventually' }]),
      symmetry: {
        name: 'counters',
        orbit: (point: { context: Counts }) => point.context.counts.toSorted().join(),
      },
    };
    const found = check(model, { isSymmetric: true });
    // Of two counters of four values there are 4·5/2 pairs without order.
    expect(found.states).toBe(10);
    expect(found.results[0]?.verdict).toEqual({
      type: 'incomplete',
      why: 'not checked modulo symmetry: it is not marked isSymmetric',
    });
  });

  test('only the properties that were named are judged', () => {
    const found = check(
      createCounters(1, 2, [{ ...sums(0), kind: 'always', name: 'other' }, ...all]),
      { only: ['other'] },
    );
    expect(found.results.map(({ name }) => name)).toEqual(['other']);
  });
});

describe('a machine that breaks', () => {
  test('a cycle of always is reported with the way to it, in either engine', () => {
    const machine = createMachine({
      id: 'mill',
      initial: 'still',
      states: {
        still: { on: { wind: 'left' } },
        left: { always: 'right' },
        right: { always: 'left' },
      },
    });
    const property = {
      name: 'turns',
      sentence: 'It turns.',
      kind: 'always',
      holds: () => true,
    } as const;
    for (const engine of ['compiled', 'xstate'] as const) {
      const found = check(createModel(machine, ['wind'], [property]), { engine });
      expect(found.broken?.message).toMatch(/^more than 10000 microsteps/);
      expect(found.broken?.trace.events).toEqual([{ type: 'wind' }]);
      expect(found.results[0]?.verdict.type).toBe('incomplete');
    }
  });

  test('a function of the chart that throws is reported with the way to it, too', () => {
    const machine = createMachine({
      id: 'bomb',
      initial: 'armed',
      states: { armed: { on: { tick: { guard: () => refuse('wrong wire') } } } },
    });
    const found = check(createModel(machine, ['tick']));
    expect(found.broken).toMatchObject({
      message: 'wrong wire',
      trace: { events: [{ type: 'tick' }] },
    });
    expect(found.ended).toBe('an error (wrong wire)');
  });
});

function refuse(message: string): never {
  throw new Error(message);
}

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a promise', Promise.resolve(false)],
  ['a number', 0],
])('a property that returns %s ends the search, and nothing is proved', (_, answer) => {
  const machine = createMachine({ initial: 'on', states: { on: { on: { GO: 'on' } } } });
  const holds = () => answer as boolean;
  const kinds = ['always', 'never', 'sometimes', 'eventually', 'start', 'step'] as const;
  const base = { name: 'p', sentence: 'P.', holds };
  const properties = [
    ...kinds.map((kind) => ({ ...base, kind })),
    { ...base, kind: 'leads-to' as const, from: () => true },
    { ...base, kind: 'leads-to' as const, from: holds, holds: () => true },
  ];
  for (const property of properties) {
    const world = () => [{ type: 'GO' }];
    const judge = () => {
      const { results } = check({ name: 'm', machine, world, properties: [property] });
      const verdict = results.find(({ name }) => name === 'p')?.verdict;
      throw new Error(verdict?.type === 'incomplete' ? verdict.why : 'judged');
    };
    expect(judge).toThrow('property "p": expected true or false');
    const actor = createActor(machine);
    const run = () => {
      observe(actor, [property]);
      actor.start();
      actor.send({ type: 'GO' });
    };
    expect(run).toThrow('property "p": expected true or false');
  }
});
