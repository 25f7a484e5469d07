/** The self-test: the checker on what is known, and the shortcuts that it takes on the meeting against the long way. */
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
import { meetingMachine } from '../../machines/charts/meeting.ts';
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import { RULE_SETS } from '../../machines/types.ts';
import type { ReportCase } from '../../proofs/formats.ts';
import {
  classicTable,
  type Environment,
  houseTable,
  meetingEvents,
} from '../../proofs/models/meeting.ts';
import { seatExchange, seatSymmetry } from '../../proofs/models/symmetry.ts';
import type { MeetingModel } from '../../proofs/run.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { drawSeed } from '../options.ts';
import { print, printJson } from '../output.ts';
import type { CheckFlags } from './flags.ts';

/** States of the meeting of which every step is taken by both engines. */
const MOST_COMPARED = 2_500;
const WALKS = 200;
const TABLES = { house: houseTable, classic: classicTable } as const;

const KNOBS: Environment = { faults: true, departures: 1, stops: false };

/** Everything that is tried, the checker alone first. */
export const SELFTEST: readonly Trial[] = [
  ...TRIALS,
  {
    name: 'meeting-steps',
    sentence: 'The compiled stepper takes the steps of a meeting of three as XState does.',
    run: () => inBoth(steps),
  },
  {
    name: 'meeting-seats',
    sentence: 'A step of a meeting of four with its seats exchanged is the step, exchanged.',
    run: (seed) => inBoth((setting) => seats(setting, seed), { players: 4 }),
  },
  {
    name: 'meeting-quotient',
    sentence: 'Of a meeting of three, states that are alike can go on to the same.',
    run: () => inBoth(orbits, { patience: 1 }),
  },
];

export type Tested = Pick<Trial, 'name' | 'sentence'> & TrialOutcome;

/** Runs every trial and says what came of each; returns the exit status. */
export function runSelftest(
  { json = false, seed = drawSeed() }: CheckFlags,
  write: (cases: readonly ReportCase[]) => void,
): ExitCode {
  if (!json) print(`self-test, seed ${seed}`);
  const tested = SELFTEST.map(({ name, sentence, run }): Tested => {
    const found = { name, sentence, ...run(seed) };
    if (json) printJson({ type: 'check.trial', v: 1, ...found });
    else print(line(found));
    return found;
  });
  write(tested.map(caseOf));
  const exit = tested.every(({ isPassed }) => isPassed) ? EXIT.done : EXIT.found;
  if (json) printJson({ type: 'check.result', v: 1, exit, seed, trials: tested });
  return exit;
}

function line({ isPassed, name, sentence, found }: Tested): string {
  return `${isPassed ? '✓' : '✗'} ${name}: ${sentence} (${found})`;
}

function caseOf({ isPassed, name, sentence, found }: Tested): ReportCase {
  return {
    suite: 'self-test',
    name,
    sentence,
    result: isPassed ? 'kept' : 'broken',
    text: found,
    place: { path: 'checker/check.ts', line: 1 },
  };
}

/** The same in both rule sets. */
function inBoth(
  run: (setting: MeetingSetup) => TrialOutcome,
  wanted: Parameters<typeof houseTable>[0] = {},
): TrialOutcome {
  const outcomes = RULE_SETS.map((rules) => ({ rules, ...run(TABLES[rules](wanted)) }));
  return {
    isPassed: outcomes.every(({ isPassed }) => isPassed),
    found: outcomes.map(({ rules, found }) => `${rules}: ${found}`).join('; '),
  };
}

function modelOf(setting: MeetingSetup, knobs = KNOBS): MeetingModel {
  return {
    name: setting.options.rules,
    machine: meetingMachine,
    input: setting,
    world: meetingEvents(knobs),
    properties: [],
    symmetry: seatSymmetry(setting),
  };
}

function steps(setting: MeetingSetup): TrialOutcome {
  const { parted, found } = compareEngines(modelOf(setting), MOST_COMPARED);
  const where = parted[0]?.where;
  return {
    isPassed: where === undefined && found.broken === null,
    found: where === undefined ? `${found.transitions} steps` : `they part: ${where}`,
  };
}

function seats(setting: MeetingSetup, seed: number): TrialOutcome {
  const model = modelOf(setting, { ...KNOBS, departures: 2, stops: true });
  const leaked = findAsymmetry(model, seatExchange(setting), new SeededRandom(seed), WALKS);
  return {
    isPassed: leaked === null,
    found: leaked === null ? `${WALKS} walks` : `seats matter in ${leaked.at} at ${leaked.event}`,
  };
}

function orbits(setting: MeetingSetup): TrialOutcome {
  const { states, orbits: number, unlike } = checkQuotient(modelOf(setting));
  const { isPassed, found } = compareWithExpected({ unlike }, { unlike: null });
  return { isPassed, found: isPassed ? `${states} states, ${number} orbits` : found };
}
