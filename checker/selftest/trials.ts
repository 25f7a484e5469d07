/** Trials of the checker on machines whose answers are known. None of them is about a meeting. */
import { UNLIMITED } from '../budget.ts';
import { check } from '../check.ts';
import { Unhashable } from '../unidentifiable.ts';
import { compareOnRandomChart } from './agreement.ts';
import { SeededRandom } from './chance.ts';
import { COUNTER_EXCHANGE, createCounters, createModel, LOPSIDED } from './counters.ts';
import { findAsymmetry } from './equivariance.ts';
import {
  assumeSome,
  createExchange,
  DIRECT,
  encodeSet,
  flags,
  HOLDING,
  TAPE_STATES,
  tape,
} from './probes.ts';
import { compareWithExpected, type Trial, type TrialOutcome } from './trial.ts';

const [COUNTERS, MODULUS] = [6, 4];
const CHARTS = 300;
const EXCHANGES = 200;

/** All that can be tried without a machine of one's own. */
export const TRIALS: readonly Trial[] = [
  {
    name: 'counts',
    sentence: `${COUNTERS} counters modulo ${MODULUS} have ${MODULUS}^${COUNTERS} states and ${COUNTERS} moves from each.`,
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
    sentence: 'What a history state remembers tells states apart.',
    run: () => {
      const { states, engine } = check(createModel(tape, ['NEXT', 'PAUSE', 'BACK']));
      return compareWithExpected({ states, engine }, { states: TAPE_STATES, engine: 'xstate' });
    },
  },
  {
    name: 'set',
    sentence: 'A Set is refused with its path, and with a codec it is told apart.',
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
    sentence: 'A move that stays possible is made at last.',
    run: () => compareWithExpected(checkExchange(DIRECT), { verdict: 'proved', loop: null }),
  },
  {
    name: 'unfair',
    sentence: 'One that is possible only again and again need not be, and the loop is shown.',
    run: () => compareWithExpected(checkExchange(HOLDING), { verdict: 'violated', loop: 'shown' }),
  },
  {
    name: 'asymmetry',
    sentence: 'Parts that are not alike are caught, and parts that are are let through.',
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
    sentence: 'A search that a budget ends is incomplete, never kept and never a failure.',
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
    sentence: 'The compiled stepper walks through random charts as XState does.',
    run: tryRandomCharts,
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
