/** Trials of the checker on machines whose answers are known. None of them is about a meeting. */
import { UNLIMITED } from '../budget.ts';
import { check } from '../check.ts';
import { Unidentifiable } from '../unidentifiable.ts';
import { strayed } from './agreement.ts';
import { Chance } from './chance.ts';
import { aModel, counters, exchangedCounts, lopsided } from './counters.ts';
import { leak } from './equivariance.ts';
import { answering, DIRECT, flags, HOLDING, setCodec, some, TAPE_STATES, tape } from './probes.ts';
import { expecting, type Outcome, type Trial } from './trial.ts';

const [COUNTERS, MODULUS] = [6, 4];
const CHARTS = 300;
const EXCHANGES = 200;

/** All that can be tried without a machine of one's own. */
export const TRIALS: readonly Trial[] = [
  {
    name: 'counts',
    sentence: `${COUNTERS} counters modulo ${MODULUS} have ${MODULUS}^${COUNTERS} states and ${COUNTERS} moves from each.`,
    run: () => {
      const { states, transitions, depth } = check(counters(COUNTERS, MODULUS));
      const all = MODULUS ** COUNTERS;
      const expected = {
        states: all,
        transitions: COUNTERS * all,
        depth: COUNTERS * (MODULUS - 1),
      };
      return expecting({ states, transitions, depth }, expected);
    },
  },
  {
    name: 'history',
    sentence: 'What a history state remembers tells states apart.',
    run: () => {
      const { states, engine } = check(aModel(tape, ['NEXT', 'PAUSE', 'BACK']));
      return expecting({ states, engine }, { states: TAPE_STATES, engine: 'xstate' });
    },
  },
  {
    name: 'set',
    sentence: 'A Set is refused with its path, and with a codec it is told apart.',
    run: () => {
      const model = aModel(
        flags,
        [0, 1, 2].map((at) => ({ type: 'flip', at })),
      );
      const { states, transitions } = check({ ...model, codec: setCodec });
      return expecting(
        { refused: refusedAt(() => check(model)), states, transitions },
        { refused: 'flags', states: 2 ** 3, transitions: 3 * 2 ** 3 },
      );
    },
  },
  {
    name: 'fair',
    sentence: 'A move that stays possible is made at last.',
    run: () => expecting(liveness(DIRECT), { verdict: 'proved', loop: null }),
  },
  {
    name: 'unfair',
    sentence: 'One that is possible only again and again need not be, and the loop is shown.',
    run: () => expecting(liveness(HOLDING), { verdict: 'violated', loop: 'shown' }),
  },
  {
    name: 'asymmetry',
    sentence: 'Parts that are not alike are caught, and parts that are are let through.',
    run: (seed) => {
      const found = (model: typeof lopsided) =>
        leak(model, exchangedCounts, new Chance(seed), EXCHANGES)?.event ?? 'nothing';
      return expecting(
        { lopsided: found(lopsided), even: found(counters(3, 3)) },
        { lopsided: 'bump', even: 'nothing' },
      );
    },
  },
  {
    name: 'budget',
    sentence: 'A search that a budget ends is incomplete, never kept and never a failure.',
    run: () => {
      const promised = {
        name: 'x',
        sentence: 'It is so.',
        kind: 'always',
        holds: () => true,
      } as const;
      const model = counters(COUNTERS, MODULUS, [promised]);
      const { judged, ended } = check(model, { budget: { ...UNLIMITED, states: 100 } });
      return expecting(
        { verdict: judged[0]?.verdict.type, isEnded: ended !== null },
        { verdict: 'incomplete', isEnded: true },
      );
    },
  },
  {
    name: 'random-charts',
    sentence: 'The compiled stepper walks through random charts as XState does.',
    run: randomCharts,
  },
];

function refusedAt(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Unidentifiable) return error.path;
    throw error;
  }
  return 'nowhere';
}

/** Whether the caller is answered at last, where the answer is given if it stays possible. */
function liveness(open: typeof DIRECT) {
  const verdict = check(answering(open, [some('answer')])).judged[0]?.verdict;
  const loop = verdict?.type === 'violated' && verdict.trace.loop !== null ? 'shown' : null;
  return { verdict: verdict?.type, loop };
}

function randomCharts(seed: number): Outcome {
  let steps = 0;
  for (let chart = 0; chart < CHARTS; chart++) {
    const walk = strayed(seed + chart);
    steps += walk.steps;
    if (walk.parting !== null)
      return { isPassed: false, found: `they part: ${walk.parting.where}` };
  }
  return { isPassed: steps > CHARTS, found: `${steps} steps in ${CHARTS} charts` };
}
