/** A check from its flags to its exit status. */
import { WorkerLost } from 'glass-box-checker/workers';
import { realProcess } from '../../actors/ports/process.ts';
import { realTime } from '../../actors/ports/time.ts';
import { addExtraChecks, EXTRA_CHECKS } from '../../proofs/extraChecks.ts';
import { createResultLine, createRunLine, listCases } from '../../proofs/formats.ts';
import { type CheckOutcome, judgeRuns, mergeCoverage } from '../../proofs/outcome.ts';
import { renderCheck } from '../../proofs/report.ts';
import {
  type CheckRun,
  checkConfiguration,
  createMeetingModel,
  listConfigurations,
  type MeetingConfiguration,
  RefusedConfiguration,
} from '../../proofs/run.ts';
import { findEdgeIds } from '../../visualizer/charts/chart.ts';
import { createFailure, EXIT, type ExitCode, Failure, toFailure } from '../exit.ts';
import { refuseForeign } from '../files.ts';
import { openScenario, refusedScenario } from '../input.ts';
import { commandLine } from '../options.ts';
import { print, printJson, printNote } from '../output.ts';
import { exhibition, type Outlets } from './explorerPage.ts';
import type { CheckFlags } from './flags.ts';
import { checkJournals, runMutants, runSelftest } from './modes.ts';
import { refuseContradictions, refuseUnasked } from './refusals.ts';
import { besides, createSearchLine, openReports, writeTrace } from './reports.ts';

/** Checks a scenario or a plain table, or journals; returns the exit status. */
export async function runCheck(path: string | null, flags: CheckFlags): Promise<ExitCode> {
  refuseContradictions(path, flags);
  if (flags.trace !== undefined) {
    for (const place of [flags.trace, besides(flags.trace)]) refuseForeign(place, '--trace');
  }
  const writeReports = openReports(flags);
  if (flags.selftest) return runSelftest(flags, writeReports);
  const shown = await exhibition(flags);
  try {
    if (flags.journal !== undefined) {
      return await checkJournals(flags.journal, flags, { writeReports, shown });
    }
    if (flags.mutants) return await runMutants(flags, { writeReports, shown });
    return await search(path, flags, { writeReports, shown });
  } finally {
    shown.close();
  }
}

async function search(
  path: string | null,
  flags: CheckFlags,
  { writeReports, shown }: Outlets,
): Promise<ExitCode> {
  const scenario = path === null ? null : { path, scenario: await openScenario(path) };
  const list = configurationsFor(scenario, flags);
  refuseUnasked(flags.property ?? [], list.flatMap(namesIn));
  const runs = await runAll(list, flags, shown.isWanted);
  const coverage = mergeCoverage(runs);
  const found = judgeRuns(runs, coverage);
  const exit = exitOf(found);
  writeReports(listCases(runs, coverage));
  if (!flags.json) print(renderCheck(runs, coverage, found).join('\n'));
  const traces = flags.trace === undefined ? [] : await writeTrace(flags.trace, runs);
  if (flags.json) printJson(createResultLine(runs, coverage, exit, traces));
  else if (traces.length > 0)
    printNote(
      `\nWatch it: ${traces.map((path) => commandLine('watch', path)).join('\nand:      ')}`,
    );
  if (shown.isWanted) {
    const { createSearchReport } = await import('../../proofs/explorer/createReport.ts');
    await shown.show(
      await createSearchReport(
        { runs, coverage, found, exit, workers: flags.workers },
        findEdgeIds,
      ),
    );
  }
  return exit;
}

/** What was found decides first, then what says too little, then what was not decided. */
export function exitOf({
  broken,
  kept,
  crashed,
  vacuous,
  unreached,
  incomplete,
}: CheckOutcome): ExitCode {
  if (broken.length > 0 || kept.length > 0 || crashed.length > 0) return EXIT.found;
  if (vacuous.length > 0 || unreached.length > 0) return EXIT.gate;
  return incomplete.length > 0 ? EXIT.incomplete : EXIT.done;
}

function configurationsFor(...request: Parameters<typeof listConfigurations>) {
  try {
    return listConfigurations(...request);
  } catch (error) {
    if (!(error instanceof RefusedConfiguration)) throw error;
    if (error.place === null) throw new Failure(EXIT.usage, error.notes);
    throw refusedScenario(error.place, error.notes);
  }
}

function namesIn(subject: MeetingConfiguration): readonly string[] {
  return [...createMeetingModel(subject).properties.map(({ name }) => name), ...EXTRA_CHECKS];
}

async function runAll(
  list: readonly MeetingConfiguration[],
  flags: CheckFlags,
  keepsGraph: boolean,
): Promise<readonly CheckRun[]> {
  const options = {
    keepsGraph,
    only: flags.property ?? null,
    isSymmetric: flags.symmetry,
    workers: flags.workers,
    budget: {
      states: flags.maxStates,
      seconds: flags.maxSeconds ?? Number.POSITIVE_INFINITY,
      bytes: (flags.maxMemory ?? Number.POSITIVE_INFINITY) * MEGABYTE,
    },
    now: () => realTime.now() / MS,
    memory: () => realProcess.memory(),
  };
  let title = '';
  const { show, clear } = createSearchLine(() => title);
  try {
    const runs: CheckRun[] = [];
    for (const subject of list) {
      title = `${subject.rules}, ${subject.players} players`;
      const found = await checkConfiguration(subject, { ...options, onProgress: show });
      const done = addExtraChecks(found, {
        ...options,
        isInterference: flags.interference === true,
      });
      clear();
      if (flags.json) printJson(createRunLine(done));
      runs.push(done);
    }
    return runs;
  } catch (error) {
    throw unusable(error);
  }
}

const MS = 1000;
const MEGABYTE = 1_000_000;

/** What the checker refuses has a code of its own; all else is a mistake of this program. */
function unusable(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof WorkerLost)
    return createFailure(EXIT.internal, 'check/worker-lost', error.message);
  if (!(error instanceof Error) || !code.startsWith('model/')) return toFailure(error);
  return createFailure(EXIT.unusable, code, `this meeting can't be checked: ${error.message}`);
}
