/** A check from its flags to its exit status. */
import { WorkerLost } from 'glass-box-checker/workers';
import { createFailure, EXIT, type ExitCode, toFailure } from '../exit.ts';
import { openScenario } from '../input.ts';
import { refuseForeign } from '../journal-file.ts';
import { commandLine } from '../options.ts';
import { print, printJson, printNote } from '../output.ts';
import { ASIDES, withAsides } from './asides.ts';
import { besides } from './beside.ts';
import { casesOf } from './cases.ts';
import { refuseContradictions } from './contradictions.ts';
import { covered } from './coverage.ts';
import { exhibition, type Outlets } from './explorer/exhibition.ts';
import type { CheckFlags } from './flags.ts';
import { checkJournals } from './journals.ts';
import { runMutants } from './mutants.ts';
import { outcome } from './outcome.ts';
import { gauge } from './progress.ts';
import { refuseUnasked } from './promised.ts';
import { report } from './report.ts';
import { openReports } from './reports.ts';
import { resultLine, runLine } from './result.ts';
import { modelOf, type Run, run } from './run.ts';
import { runSelftest } from './selftest.ts';
import { type Subject, subjects } from './subject.ts';
import { writeTrace } from './traces.ts';

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
  const list = subjects(scenario, flags);
  refuseUnasked(flags.property ?? [], list.flatMap(namesIn));
  const runs = await runAll(list, flags, shown.isWanted);
  const coverage = covered(runs);
  const found = outcome(runs, coverage);
  writeReports(casesOf(runs, coverage));
  if (!flags.json) print(report(runs, coverage, found).join('\n'));
  const traces = flags.trace === undefined ? [] : await writeTrace(flags.trace, runs);
  if (flags.json) printJson(resultLine(runs, coverage, found, traces));
  else if (traces.length > 0)
    printNote(
      `\nWatch it: ${traces.map((path) => commandLine('watch', path)).join('\nand:      ')}`,
    );
  if (shown.isWanted) {
    const { searchReport } = await import('./explorer/searched.ts');
    await shown.show(await searchReport({ runs, coverage, found, workers: flags.workers }));
  }
  return found.exit;
}

function namesIn(subject: Subject): readonly string[] {
  return [...modelOf(subject).properties.map(({ name }) => name), ...ASIDES];
}

async function runAll(
  list: readonly Subject[],
  flags: CheckFlags,
  keepsGraph: boolean,
): Promise<readonly Run[]> {
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
    now: () => performance.now() / MS,
    memory: () => process.memoryUsage.rss(),
  };
  let title = '';
  const { show, clear } = gauge(() => title);
  try {
    const runs: Run[] = [];
    for (const subject of list) {
      title = `${subject.rules}, ${subject.players} players`;
      const found = await run(subject, { ...options, onProgress: show });
      const done = withAsides(found, { ...options, isInterference: flags.interference === true });
      clear();
      if (flags.json) printJson(runLine(done));
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
