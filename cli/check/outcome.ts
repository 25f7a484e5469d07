/** The outcome of a check: what was found, and the exit status that says it. */
import { isAsDeclared } from 'glass-box-checker';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Covered } from './coverage.ts';
import type { Run, Verdict } from './run.ts';

export type Outcome = {
  /** Promises that were broken and are not declared to be. */
  readonly broken: readonly Found[];
  /** Promises that were declared to fail and were proved. */
  readonly kept: readonly Found[];
  readonly vacuous: readonly Found[];
  readonly incomplete: readonly Found[];
  /** Runs in which the machine itself broke. */
  readonly crashed: readonly Run[];
  /** Parts of the chart that were never reached without an excuse. */
  readonly unreached: readonly string[];
  readonly exit: ExitCode;
};

type Found = { readonly run: Run; readonly verdict: Verdict };

export function outcome(runs: readonly Run[], coverage: Covered | null): Outcome {
  const found = runs.flatMap((run) => run.judged.map((verdict) => ({ run, verdict })));
  const of = (type: Verdict['verdict']['type']) =>
    found.filter(({ verdict }) => verdict.verdict.type === type && !isAsDeclared(verdict));
  const findings = {
    broken: of('violated'),
    kept: of('proved'),
    vacuous: of('vacuous'),
    incomplete: of('incomplete'),
    crashed: runs.filter(({ searches }) => searches.some((search) => search.broken !== null)),
    unreached: (coverage?.missing ?? [])
      .filter(({ needs }) => needs === null)
      .map(({ what }) => what),
  };
  return { ...findings, exit: exitOf(findings) };
}

function exitOf(found: Omit<Outcome, 'exit'>): ExitCode {
  const { broken, kept, crashed, vacuous, unreached, incomplete } = found;
  if (broken.length > 0 || kept.length > 0 || crashed.length > 0) return EXIT.found;
  if (vacuous.length > 0 || unreached.length > 0) return EXIT.gate;
  return incomplete.length > 0 ? EXIT.incomplete : EXIT.done;
}
