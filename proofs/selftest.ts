/** The self-test: the checker on what is known, and its shortcuts on the meeting against the long way. */
import {
  checkQuotient,
  compareEngines,
  compareWithExpected,
  findAsymmetry,
  SeededRandom,
  TRIALS,
  type Trial,
  type TrialOutcome,
} from 'glass-box-checker/selftest';
import { meetingMachine } from '../machines/charts/meeting.ts';
import type { MeetingSetup } from '../machines/rules/meeting.ts';
import { RULE_SETS } from '../machines/types.ts';
import {
  classicTable,
  type Environment,
  factoredEvents,
  houseTable,
  meetingEvents,
} from './models/meeting.ts';
import { seatExchange, seatSymmetry } from './models/symmetry.ts';
import type { MeetingModel } from './run.ts';

/* The self-test: the checker on what is known, and the shortcuts that it takes on the meeting against the long way. */

/** States of the meeting of which every step is taken by both engines. */
const MOST_COMPARED = 2_500;

const WALKS = 200;

const TABLES = { house: houseTable, classic: classicTable } as const;

const TRIAL_ENVIRONMENT: Environment = {
  faults: true,
  combinations: 'some',
  departures: 1,
  stops: false,
};

/** Everything that is tried, the checker alone first. */
export const SELFTEST: readonly Trial[] = [
  ...TRIALS,
  {
    name: 'meeting-steps',
    sentence: 'The compiled stepper takes the steps of a meeting of three as XState does.',
    run: () => tryBothRules(trySteps),
  },
  {
    name: 'meeting-seats',
    sentence: 'A step of a meeting of four with its seats exchanged is the step, exchanged.',
    run: (seed) => tryBothRules((setting) => trySeats(setting, seed), { players: 4 }),
  },
  {
    name: 'meeting-quotient',
    sentence: 'Of a meeting of three, states that are alike can go on to the same.',
    run: () => tryBothRules(tryOrbits, { patience: 1 }),
  },
];

/** The same in both rule sets. */
function tryBothRules(
  run: (setting: MeetingSetup) => TrialOutcome,
  wanted: Parameters<typeof houseTable>[0] = {},
): TrialOutcome {
  const outcomes = RULE_SETS.map((rules) => ({ rules, ...run(TABLES[rules](wanted)) }));
  return {
    isPassed: outcomes.every(({ isPassed }) => isPassed),
    found: outcomes.map(({ rules, found }) => `${rules}: ${found}`).join('; '),
  };
}

function createTrialModel(setting: MeetingSetup, knobs = TRIAL_ENVIRONMENT): MeetingModel {
  return {
    name: setting.options.rules,
    machine: meetingMachine,
    input: setting,
    world: meetingEvents(knobs),
    ...factoredEvents(knobs),
    properties: [],
    symmetry: seatSymmetry(setting),
  };
}

function trySteps(setting: MeetingSetup): TrialOutcome {
  const { parted, found } = compareEngines(createTrialModel(setting), MOST_COMPARED);
  const where = parted[0]?.where;
  return {
    isPassed: where === undefined && found.broken === null,
    found: where === undefined ? `${found.transitions} steps` : `they part: ${where}`,
  };
}

/** Along ticks that are written out, and along ticks whose bids are drawn one by one. */
function trySeats(setting: MeetingSetup, seed: number): TrialOutcome {
  const chance = new SeededRandom(seed);
  const leaked = (['some', 'folded'] as const).flatMap((combinations) => {
    const knobs = { ...TRIAL_ENVIRONMENT, combinations, departures: 2, stops: true };
    const model = createTrialModel(setting, knobs);
    return findAsymmetry(model, seatExchange(setting), chance, WALKS) ?? [];
  });
  const [first] = leaked;
  return {
    isPassed: first === undefined,
    found:
      first === undefined
        ? `${WALKS} walks, ${WALKS} bid by bid`
        : `seats matter in ${first.at} at ${first.event}`,
  };
}

function tryOrbits(setting: MeetingSetup): TrialOutcome {
  const { states, orbits: number, unlike } = checkQuotient(createTrialModel(setting));
  const { isPassed, found } = compareWithExpected({ unlike }, { unlike: null });
  return { isPassed, found: isPassed ? `${states} states, ${number} orbits` : found };
}
