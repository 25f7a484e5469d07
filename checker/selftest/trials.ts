/** Trials of the checker on machines whose answers are known. None of them is about a meeting. */
import { type AnyStateMachine, assign, createMachine, type EventObject } from 'xstate';
import { check } from '../check.ts';
import { Unhashable } from '../identity.ts';
import { type Fairness, type Model, type Property, type State, UNLIMITED } from '../model.ts';
import { compareActorsOnRandomChart } from './actors.ts';
import { compareOnRandomChart, findAsymmetry, type PartExchange } from './agreement.ts';
import { SeededRandom } from './randomChart.ts';

type CounterContext = { readonly counts: readonly number[] };
export type Bump = { readonly type: 'bump'; readonly index: number };

/** `k` counters, each of which counts modulo `modulus`: modulus^k states, k moves from each. */
export function createCounters(
  k: number,
  modulus: number,
  properties: readonly Property<CounterContext, Bump>[] = [],
): Model<CounterContext, Bump> {
  return createStriding(k, modulus, () => 1, properties);
}

/** Three counters of which the first goes twice as fast: a symmetry that exchanges them is wrong. */
const LOPSIDED = createStriding(3, 3, (index) => (index === 0 ? 2 : 1), []);

function createStriding(
  k: number,
  modulus: number,
  stride: (index: number) => number,
  properties: readonly Property<CounterContext, Bump>[],
): Model<CounterContext, Bump> {
  const machine = createMachine({
    types: {} as { context: CounterContext; events: Bump },
    id: 'counters',
    context: { counts: Array.from({ length: k }, () => 0) },
    on: {
      bump: {
        actions: assign(({ context, event }) => ({
          counts: context.counts.map((count, index) =>
            index === event.index ? (count + stride(index)) % modulus : count,
          ),
        })),
      },
    },
  });
  const events: Bump[] = Array.from({ length: k }, (_, index) => ({ type: 'bump', index }));
  return { name: 'counters', machine, world: () => events, properties };
}

/** A model of a machine to which the same events may come at any time. */
export function createModel(
  machine: AnyStateMachine,
  events: readonly (string | EventObject)[] = [],
  properties: readonly Property<unknown, EventObject>[] = [],
): Model<unknown, EventObject> {
  const alphabet = events.map((event) => (typeof event === 'string' ? { type: event } : event));
  return { name: machine.id, machine, world: () => alphabet, properties };
}

/** Three counters exchanged, in a context and in an event. */
const COUNTER_EXCHANGE: PartExchange = {
  parts: ['0', '1', '2'],
  renamed: (value, to) => exchangeCounts(value, (index) => Number(to[index] ?? index)),
  compared: (effects) => effects,
};

function exchangeCounts(value: unknown, to: (index: number) => number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('counts' in value && Array.isArray(value.counts)) {
    const { counts } = value;
    const moved = [...counts];
    counts.forEach((count: unknown, index) => {
      moved[to(index)] = count;
    });
    return { counts: moved };
  }
  if ('index' in value && typeof value.index === 'number')
    return { ...value, index: to(value.index) };
  return value;
}

/** Paused from b1 and paused from b2 differ in what BACK will do. */
export const tape = createMachine({
  id: 'tape',
  initial: 'p',
  states: {
    p: {
      initial: 'b1',
      states: {
        b1: { on: { NEXT: 'b2' } },
        b2: { on: { NEXT: 'b1' } },
        hist: { type: 'history' },
      },
      on: { PAUSE: 'paused' },
    },
    paused: { on: { BACK: 'p.hist' } },
  },
});

/** Fresh b1 and b2, paused from either, and either again with a memory of either. */
export const TAPE_STATES = 2 + 2 + 4;

/** Flags that are switched one by one, kept in a Set. */
export const flags = createMachine({
  id: 'flags',
  types: {} as {
    context: { flags: ReadonlySet<number> };
    events: { type: 'flip'; at: number };
  },
  context: { flags: new Set<number>() },
  on: {
    flip: {
      actions: assign(({ context, event }) => {
        const switched = new Set(context.flags);
        if (!switched.delete(event.at)) switched.add(event.at);
        return { flags: switched };
      }),
    },
  },
});

/** Puts a Set into JSON. */
export function encodeSet(value: object): unknown {
  return value instanceof Set ? [...value].sort() : undefined;
}

/** A caller is put on hold and off again as often as the exchange likes; the operator answers only off hold. */
const exchange = createMachine({
  id: 'exchange',
  initial: 'idle',
  states: {
    idle: { on: { call: 'ringing' } },
    ringing: { on: { wait: 'ringing', hold: 'held', answer: 'talking' } },
    held: { on: { wait: 'held', resume: 'ringing' } },
    talking: { on: { hang: 'idle' } },
  },
});

export type Calls = Readonly<Record<string, readonly string[]>>;

/** What may happen where at the exchange. */
export const HOLDING: Calls = {
  idle: ['call'],
  ringing: ['wait', 'hold', 'answer'],
  held: ['wait', 'resume'],
  talking: ['hang'],
};
/** The exchange without holding: there the answer stays possible. */
export const DIRECT: Calls = { ...HOLDING, ringing: ['wait', 'answer'] };

/** One of these is done at last. */
export function assumeSome(...types: readonly string[]): Fairness<unknown, EventObject> {
  return {
    name: `${types.join(' or ')} eventually`,
    helps: (_, { type }) => types.includes(type),
  };
}

/** The exchange with the property that a caller is answered. */
export function createExchange(
  open: Calls,
  fair: readonly Fairness<unknown, EventObject>[],
  excuses: readonly Fairness<unknown, EventObject>[] = [],
): Model<unknown, EventObject> {
  return {
    name: 'exchange',
    machine: exchange,
    world: ({ at }: State<unknown>) => (open[at] ?? []).map((type) => ({ type })),
    properties: [
      {
        name: 'answered',
        sentence: 'A caller is eventually answered.',
        kind: 'leads-to',
        from: ({ at }) => at === 'ringing',
        holds: ({ at }) => at === 'talking',
        fair,
        excuses,
      },
    ],
  };
}

/** A trial: one thing that the checker must get right, tried on something whose answer is known. */

/** What came of a trial: whether it is as it should be, and what was found. */
export type TrialOutcome = { readonly isPassed: boolean; readonly found: string };

export type Trial = {
  /** A handle without blanks, stable over versions. */
  readonly name: string;
  readonly sentence: string;
  /** Tries it; trials that draw draw from this seed. */
  readonly run: (seed: number) => TrialOutcome;
};

/** Passed when nothing differs from what was expected; says both otherwise. */
export function compareWithExpected(
  found: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, unknown>>,
): TrialOutcome {
  const wrong = Object.keys(expected).filter((name) => found[name] !== expected[name]);
  const told = (from: Readonly<Record<string, unknown>>, names: readonly string[]) =>
    names.map((name) => `${name} ${String(from[name])}`).join(', ');
  if (wrong.length === 0) return { isPassed: true, found: told(found, Object.keys(expected)) };
  return {
    isPassed: false,
    found: `expected ${told(expected, wrong)}; found ${told(found, wrong)}`,
  };
}

const [COUNTERS, MODULUS] = [6, 4];
const CHARTS = 300;
const EXCHANGES = 200;

/** All that can be tried without a machine of one's own. */
export const TRIALS: readonly Trial[] = [
  {
    name: 'counts',
    sentence: `${COUNTERS} counters modulo ${MODULUS} have ${MODULUS}^${COUNTERS} states and ${COUNTERS} transitions from each.`,
    run: () => {
      const { states, transitions, depth } = check(createCounters(COUNTERS, MODULUS));
      const all = MODULUS ** COUNTERS;
      const expected = {
        states: all,
        transitions: COUNTERS * all,
        depth: COUNTERS * (MODULUS - 1),
      };
      return compareWithExpected({ states, transitions, depth }, expected);
    },
  },
  {
    name: 'history',
    sentence: 'States that differ only in what a history state remembers are different states.',
    run: () => {
      const { states, engine } = check(createModel(tape, ['NEXT', 'PAUSE', 'BACK']));
      return compareWithExpected({ states, engine }, { states: TAPE_STATES, engine: 'compiled' });
    },
  },
  {
    name: 'set',
    sentence: 'A Set is refused with its path; with a codec its values are told apart.',
    run: () => {
      const model = createModel(
        flags,
        [0, 1, 2].map((at) => ({ type: 'flip', at })),
      );
      const { states, transitions } = check({ ...model, codec: encodeSet });
      return compareWithExpected(
        { refused: findRefusedPath(() => check(model)), states, transitions },
        { refused: 'flags', states: 2 ** 3, transitions: 3 * 2 ** 3 },
      );
    },
  },
  {
    name: 'fair',
    sentence: 'A transition that stays possible is eventually taken.',
    run: () => compareWithExpected(checkExchange(DIRECT), { verdict: 'proved', loop: null }),
  },
  {
    name: 'unfair',
    sentence:
      'A transition that is possible only now and then may never be taken, and the loop is shown.',
    run: () => compareWithExpected(checkExchange(HOLDING), { verdict: 'violated', loop: 'shown' }),
  },
  {
    name: 'asymmetry',
    sentence: 'Symmetry that does not hold is caught, and symmetry that holds is accepted.',
    run: (seed) => {
      const found = (model: typeof LOPSIDED) =>
        findAsymmetry(model, COUNTER_EXCHANGE, new SeededRandom(seed), EXCHANGES)?.event ??
        'nothing';
      return compareWithExpected(
        { lopsided: found(LOPSIDED), even: found(createCounters(3, 3)) },
        { lopsided: 'bump', even: 'nothing' },
      );
    },
  },
  {
    name: 'budget',
    sentence: 'A search that hits a limit is incomplete: neither proved nor violated.',
    run: () => {
      const property = {
        name: 'x',
        sentence: 'It is so.',
        kind: 'always',
        holds: () => true,
      } as const;
      const model = createCounters(COUNTERS, MODULUS, [property]);
      const { results, ended } = check(model, { budget: { ...UNLIMITED, states: 100 } });
      return compareWithExpected(
        { verdict: results[0]?.verdict.type, isEnded: ended !== null },
        { verdict: 'incomplete', isEnded: true },
      );
    },
  },
  {
    name: 'random-charts',
    sentence: 'On random charts the compiled stepper takes the same steps as XState.',
    run: tryRandomCharts,
  },
  {
    name: 'random-actors',
    sentence: 'As an actor a compiled random chart is seen to do what it does on XState.',
    run: tryRandomActors,
  },
];

function findRefusedPath(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Unhashable) return error.path;
    throw error;
  }
  return 'nowhere';
}

/** Whether the caller is answered at last, where the answer is given if it stays possible. */
function checkExchange(open: typeof DIRECT) {
  const verdict = check(createExchange(open, [assumeSome('answer')])).results[0]?.verdict;
  const loop = verdict?.type === 'violated' && verdict.trace.loop !== null ? 'shown' : null;
  return { verdict: verdict?.type, loop };
}

function tryRandomActors(seed: number): TrialOutcome {
  let seen = 0;
  for (let chart = 0; chart < CHARTS; chart++) {
    const walk = compareActorsOnRandomChart(seed + chart);
    seen += walk.seen;
    if (walk.parting !== null)
      return { isPassed: false, found: `they part: ${walk.parting.where}` };
  }
  return { isPassed: seen > CHARTS, found: `${seen} inspection events in ${CHARTS} charts` };
}

function tryRandomCharts(seed: number): TrialOutcome {
  let steps = 0;
  for (let chart = 0; chart < CHARTS; chart++) {
    const walk = compareOnRandomChart(seed + chart);
    steps += walk.steps;
    if (walk.parting !== null)
      return { isPassed: false, found: `they part: ${walk.parting.where}` };
  }
  return { isPassed: steps > CHARTS, found: `${steps} steps in ${CHARTS} charts` };
}
