/** `glassbox check --journal`: the properties over meetings that were recorded. */

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
import type { Journal } from '../../actors/engine/journal/reader.ts';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import { gameIn } from '../../machines/journal/projection.ts';
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import { RULE_SETS } from '../../machines/types.ts';
import { type JudgedJournal, judgeJournal } from '../../proofs/conformance.ts';
import type { RecordedJournal } from '../../proofs/explorer/createReport.ts';
import { listJournalCases, type ReportCase } from '../../proofs/formats.ts';
import {
  classicTable,
  type Environment,
  houseTable,
  meetingEvents,
} from '../../proofs/models/meeting.ts';
import { seatExchange, seatSymmetry } from '../../proofs/models/symmetry.ts';
import {
  AS_IT_IS,
  countKilled,
  isAccountedFor,
  listMutants,
  type TriedMutant,
  tryMutant,
} from '../../proofs/mutation.ts';
import type { MeetingModel } from '../../proofs/run.ts';
import { findEdgeIds } from '../../visualizer/charts/chart.ts';
import { createFailure, EXIT, type ExitCode, Failure } from '../exit.ts';
import { drawSeed } from '../flags.ts';
import { damagedJournal, nameOf, openJournal } from '../input.ts';
import { cleanLines, print, printJson } from '../output.ts';
import type { Outlets } from './explorerPage.ts';
import type { CheckFlags } from './flags.ts';
import { refuseUnjudgeable } from './refusals.ts';

/** Judges journals one after the other; returns the exit status. */
export async function checkJournals(
  paths: readonly string[],
  { property, json = false }: CheckFlags,
  { writeReports, shown }: Outlets,
): Promise<ExitCode> {
  refuseUnjudgeable(property ?? []);
  const histories: JudgedJournal[] = [];
  const recorded: RecordedJournal[] = [];
  const damages: Failure[] = [];
  for (const path of paths) {
    const journal = await openJournal(path);
    refuseGame(path, journal);
    if (journal.damages.length > 0) damages.push(damagedJournal(path, journal));
    if (!isPlayable(journal)) continue;
    const history = judgeJournal(nameOf(path), journal, property ?? null);
    if (history === null) continue;
    histories.push(history);
    recorded.push({ history, journal });
    if (json) printJson({ type: 'check.history', v: 1, ...history });
    else print(cleanLines(told(history).join('\n')));
  }
  writeReports(histories.flatMap(listJournalCases));
  const isBroken = histories.some(({ judged }) => judged.some(({ finding }) => finding !== null));
  const exit = isBroken ? EXIT.found : EXIT.done;
  if (shown.isWanted) {
    const { createJournalReport } = await import('../../proofs/explorer/createReport.ts');
    await shown.show(createJournalReport(recorded, exit, findEdgeIds));
  }
  if (damages.length > 0 && !isBroken) {
    throw new Failure(
      EXIT.damaged,
      damages.flatMap(({ notes }) => notes),
    );
  }
  if (json) printJson({ type: 'check.result', v: 1, exit, journals: histories });
  return exit;
}

/** The properties are those of one meeting, held from its own scenario. */
function refuseGame(path: string, { lines }: Journal): void {
  if (lines.every((line) => gameIn(line) === null)) return;
  const text = `${nameOf(path)} is the journal of a whole game, and only journals of single meetings are judged here: compare it with a second run by \`replay\``;
  throw createFailure(EXIT.usage, 'check/whole-game', text);
}

/** A torn end leaves a whole beginning; any other damage leaves holes, and nothing is judged. */
function isPlayable({ damages }: Journal): boolean {
  return damages.every(({ code }) => code === 'journal/torn');
}

function told({ path, steps, isWhole, isFinished, judged }: JudgedJournal): readonly string[] {
  const broken = judged.flatMap(({ name, finding }) =>
    finding === null ? [] : [{ name, ...finding }],
  );
  const spoke = judged.filter(({ applied }) => applied > 0).length;
  const quiet = judged.length - spoke;
  const silent = quiet === 0 ? '' : `, ${quiet} did not apply`;
  const end = isFinished ? '' : ', up to where it ends in mid-meeting';
  if (broken.length === 0) {
    return [`✓ ${path}: ${steps} steps, ${spoke} properties hold${silent}${end}`];
  }
  return [
    ...broken.map(({ name, line, text }) => `✗ ${path}, line ${line}: ${name}: ${text}`),
    ...(isWhole ? [] : [`  ${path} was judged up to there: ${steps} steps`]),
  ];
}

/* `glassbox check --mutants`: breaks the meeting in every way there is, and says which property fails. */

/** Tries every mutant and says what became of it; returns the exit status. */
export async function runMutants(
  { json = false }: CheckFlags,
  { writeReports, shown }: Outlets,
): Promise<ExitCode> {
  const asItIs = tryMutant(AS_IT_IS);
  const all = asItIs.fate === null ? listMutants() : [];
  const fates = all.map((mutant) => {
    const one = tryMutant(mutant);
    if (json) printJson({ type: 'check.mutant', v: 1, ...fieldsOf(one) });
    else print(mutantLine(one));
    return one;
  });
  const exit = exitOf(asItIs, fates);
  writeReports(asItIs.fate === null ? fates.map(mutantCase) : [mutantCase(asItIs)]);
  if (json) {
    const broken = asItIs.fate === null ? null : { by: asItIs.fate.by, in: asItIs.fate.world };
    printJson({ type: 'check.result', v: 1, exit, broken, mutants: fates.map(fieldsOf) });
  } else print(conclusion(asItIs, fates));
  if (shown.isWanted) {
    const { createMutantReport } = await import('../../proofs/explorer/createReport.ts');
    const all = asItIs.fate === null ? fates : [asItIs];
    await shown.show(createMutantReport(all, conclusion(asItIs, fates).trim(), exit, findEdgeIds));
  }
  return exit;
}

function exitOf(asItIs: TriedMutant, fates: readonly TriedMutant[]): ExitCode {
  if (asItIs.fate !== null) return EXIT.found;
  return fates.every(isAccountedFor) ? EXIT.done : EXIT.gate;
}

function mutantLine(one: TriedMutant): string {
  const { name, fate, excuse } = one;
  const mark = isAccountedFor(one) ? '✓' : '✗';
  if (fate === null) return `${mark} ${name}: survives: ${excuse ?? 'no property fails'}`;
  const lie = excuse === null ? '' : `, though it is said to live: ${excuse}`;
  return `${mark} ${name}: ${fate.by}, ${fate.world}${lie}`;
}

function conclusion({ fate }: TriedMutant, fates: readonly TriedMutant[]): string {
  if (fate !== null) {
    return `✗ the meeting breaks ${fate.by} as it is (${fate.world}): no mutant would show anything`;
  }
  const open = fates.filter((one) => !isAccountedFor(one)).length;
  const alive = fates.filter((one) => one.fate === null && one.excuse !== null).length;
  const excused = alive === 0 ? '' : `, ${alive} live${alive === 1 ? 's' : ''} for a reason`;
  return `\n${countKilled(fates)} mutants are killed${excused}${open === 0 ? '' : `, ${open} unaccounted for`}`;
}

function fieldsOf({ kind, name, fate, excuse }: TriedMutant): object {
  return { kind, broken: name, by: fate?.by ?? null, in: fate?.world ?? null, excuse };
}

function mutantCase(one: TriedMutant): ReportCase {
  return {
    suite: `mutants of the ${one.kind}`,
    name: one.name,
    sentence: 'At least one property fails.',
    result: isAccountedFor(one) ? 'kept' : 'broken',
    text: mutantLine(one),
    place: {
      path: one.kind === 'rule' ? 'proofs/models/ruleMutants.ts' : 'machines/charts/meeting.ts',
      line: 1,
    },
  };
}

/* The self-test: the checker on what is known, and the shortcuts that it takes on the meeting against the long way. */

/** States of the meeting of which every step is taken by both engines. */
const MOST_COMPARED = 2_500;
const WALKS = 200;
const TABLES = { house: houseTable, classic: classicTable } as const;

const KNOBS: Environment = { faults: true, departures: 1, stops: false };

/** Everything that is tried, the checker alone first. */
const SELFTEST: readonly Trial[] = [
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

type Tested = Pick<Trial, 'name' | 'sentence'> & TrialOutcome;

/** Runs every trial and says what came of each; returns the exit status. */
export function runSelftest(
  { json = false, seed = drawSeed() }: CheckFlags,
  write: (cases: readonly ReportCase[]) => void,
): ExitCode {
  if (!json) print(`self-test, seed ${seed}`);
  const tested = SELFTEST.map(({ name, sentence, run }): Tested => {
    const found = { name, sentence, ...run(seed) };
    if (json) printJson({ type: 'check.trial', v: 1, ...found });
    else print(trialLine(found));
    return found;
  });
  write(tested.map(trialCase));
  const exit = tested.every(({ isPassed }) => isPassed) ? EXIT.done : EXIT.found;
  if (json) printJson({ type: 'check.result', v: 1, exit, seed, trials: tested });
  return exit;
}

function trialLine({ isPassed, name, sentence, found }: Tested): string {
  return `${isPassed ? '✓' : '✗'} ${name}: ${sentence} (${found})`;
}

function trialCase({ isPassed, name, sentence, found }: Tested): ReportCase {
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
