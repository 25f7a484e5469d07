/** The result for programs: every run with its counts and verdicts. docs/checking.md tells what the fields mean. */
import { type CheckResult, isAsDeclared } from 'glass-box-checker';
import { boundOf } from './bound.ts';
import { counterexamples, steps } from './counterexample.ts';
import type { Covered } from './coverage.ts';
import type { Outcome } from './outcome.ts';
import type { MeetingEvent, Run, Verdict } from './run.ts';
import type { Step } from './shown.ts';

/** The format that is written. */
const FORMAT = 1;

export function runLine(run: Run): object {
  return { type: 'check.run', v: FORMAT, ...runFields(run) };
}

export function resultLine(
  runs: readonly Run[],
  coverage: Covered | null,
  { exit }: Outcome,
  traces: readonly string[],
): object {
  return {
    type: 'check.result',
    v: FORMAT,
    exit,
    runs: runs.map(runFields),
    coverage,
    trace: traces[0] ?? null,
    beside: traces[1] ?? null,
  };
}

function runFields(run: Run): object {
  const { subject, searches, ballots, peakMemoryBytes } = run;
  const { rules, players, ghosts, knobs, setting } = subject;
  const told = new Map(
    counterexamples(run).map((example) => [example.verdict.name, steps(example)]),
  );
  const { ticks, arithmetic } = boundOf(subject);
  const [first] = searches;
  return {
    rules,
    players,
    knobs: { ...knobs, ghosts, patience: setting.options.patience },
    engine: first?.engine ?? null,
    symmetry: first?.isSymmetric === true ? (run.model.symmetry?.name ?? null) : null,
    states: first?.states ?? 0,
    transitions: first?.transitions ?? 0,
    statesPerSecond: first === undefined ? 0 : rateOf(first),
    peakMemoryBytes,
    searches: searches.map(searchFields),
    asides: run.asides,
    promises: run.judged.map((verdict) => promiseFields(verdict, told.get(verdict.name))),
    coverage: first?.coverage ?? null,
    ballots,
    bound: { ticks: Number.isFinite(ticks) ? ticks : null, arithmetic },
  };
}

function searchFields(search: CheckResult<MeetingEvent>): object {
  const { engine, slow, isSymmetric, states, transitions, depth, frontier, ended, seconds } =
    search;
  return {
    engine,
    slow,
    symmetric: isSymmetric,
    states,
    transitions,
    depth,
    frontier,
    ended,
    broken: search.broken?.message ?? null,
    seconds,
    statesPerSecond: rateOf(search),
    asked: search.results.map(({ name }) => name),
  };
}

function rateOf({ states, seconds }: CheckResult<MeetingEvent>): number {
  return seconds > 0 ? Math.round(states / seconds) : 0;
}

function promiseFields(judged: Verdict, told: readonly Step[] | undefined): object {
  const { name, sentence, kind, expected, verdict } = judged;
  return {
    name,
    sentence,
    kind,
    expected,
    verdict: verdict.type,
    asDeclared: isAsDeclared(judged),
    why: 'why' in verdict ? verdict.why : null,
    antecedents: verdict.type === 'proved' ? verdict.antecedents : null,
    counterexample:
      verdict.type === 'violated'
        ? { steps: told ?? [], loop: verdict.trace.loop, excludedBy: verdict.trace.excludedBy }
        : null,
  };
}
