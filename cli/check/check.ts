/** A check from its flags to its exit status. */
import { EXIT, type Exit, failure, failureOf } from '../failure.ts';
import { openScenario } from '../input.ts';
import { command } from '../invocation.ts';
import { createJournal, refuseForeign } from '../journal-file.ts';
import { aside, print, printJson } from '../output.ts';
import { casesOf } from './cases.ts';
import { type Counterexample, counterexamples } from './counterexample.ts';
import { covered } from './coverage.ts';
import type { CheckFlags } from './flags.ts';
import { checkJournals } from './journals.ts';
import { outcome } from './outcome.ts';
import { gauge } from './progress.ts';
import { refuseUnasked } from './promised.ts';
import { report } from './report.ts';
import { openReports } from './reports.ts';
import { resultLine, runLine } from './result.ts';
import { modelOf, type Run, run } from './run.ts';
import { type Subject, subjects } from './subject.ts';

/** Checks a scenario or a plain table, or journals; returns the exit status. */
export async function runCheck(path: string | null, flags: CheckFlags): Promise<Exit> {
  refuseContradictions(path, flags);
  if (flags.trace !== undefined) refuseForeign(flags.trace, '--trace');
  const writeReports = openReports(flags);
  if (flags.journal !== undefined) {
    return checkJournals(flags.journal, flags, writeReports);
  }
  const scenario = path === null ? null : { path, scenario: await openScenario(path) };
  const list = subjects(scenario, flags);
  refuseUnasked(flags.property ?? [], list.flatMap(namesIn));
  const runs = runAll(list, flags);
  const coverage = covered(runs);
  const found = outcome(runs, coverage);
  writeReports(casesOf(runs, coverage));
  if (!flags.json) print(report(runs, coverage, found).join('\n'));
  const trace = flags.trace === undefined ? null : await writeTrace(flags.trace, runs);
  if (flags.json) printJson(resultLine(runs, coverage, found, trace));
  else if (trace !== null) aside(`\nWatch it: ${command('watch', trace)}`);
  return found.exit;
}

function refuseContradictions(path: string | null, flags: CheckFlags): void {
  if (flags.journal !== undefined && path !== null) {
    const text = `a scenario and --journal: expected one of them, found ${JSON.stringify(path)} too`;
    throw failure(EXIT.usage, 'check/scenario-and-journal', text);
  }
  if (flags.journal !== undefined && flags.trace !== undefined) {
    const text = '--trace writes what a search finds, and --journal makes none';
    throw failure(EXIT.usage, 'check/trace-of-journal', text);
  }
  if (path !== null && flags.ghosts > 0) {
    const text = '--ghosts: a scenario says itself who is dead';
    throw failure(EXIT.usage, 'check/ghosts-of-scenario', text);
  }
}

function namesIn(subject: Subject): readonly string[] {
  return modelOf(subject).promises.map(({ name }) => name);
}

function runAll(list: readonly Subject[], flags: CheckFlags): readonly Run[] {
  const options = {
    only: flags.property ?? null,
    isSymmetric: flags.symmetry,
    budget: { states: flags.maxStates, seconds: flags.maxSeconds ?? Number.POSITIVE_INFINITY },
    now: () => performance.now() / MS,
  };
  let title = '';
  const { show, clear } = gauge(() => title);
  try {
    return list.map((subject) => {
      title = `${subject.rules}, ${subject.players} players`;
      const done = run(subject, { ...options, onProgress: show });
      clear();
      if (flags.json) printJson(runLine(done));
      return done;
    });
  } catch (error) {
    throw unusable(error);
  }
}

const MS = 1000;

/** What the checker refuses has a code of its own; all else is a mistake of this program. */
function unusable(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!(error instanceof Error) || !code.startsWith('model/')) return failureOf(error);
  return failure(EXIT.unusable, code, `this meeting can't be checked: ${error.message}`);
}

/** Writes what is most wrong; returns where, or null when there is nothing to write. */
async function writeTrace(path: string, runs: readonly Run[]): Promise<string | null> {
  const all = runs.flatMap(counterexamples).filter(({ verdict }) => verdict.kind !== 'sometimes');
  const worst: Counterexample | undefined =
    all.find(({ verdict }) => verdict.expected !== 'violated') ?? all[0];
  if (worst === undefined) {
    aside(`No promise was broken: nothing is written to ${path}`);
    return null;
  }
  const { recordOf } = await import('./record.ts');
  const text = await recordOf(worst);
  const { sink } = createJournal(path);
  sink.write(text);
  sink.close();
  if (sink.failure !== null) {
    const reason = `the journal can't be written to ${path}: ${sink.failure}`;
    throw failure(EXIT.cannotWrite, 'output/cannot-write', reason);
  }
  return path;
}
