/** The results of a check as JSON and as JUnit cases. docs/checking.md describes the JSON fields. */

import { type CheckResult, isAsDeclared } from 'glass-box-checker';
import { chooseResult, type ReportCase } from 'glass-box-checker/formats';
import { computeSilenceBound } from '../../machines/rules/weights.ts';
import type { JudgedJournal } from '../checks/conformance.ts';
import type {
  CheckRun,
  MeetingEvent,
  PropertyFinding,
  ShownStep,
} from '../checks/meetingSearch.ts';
import type { ChartCoverage } from '../checks/outcome.ts';
import { listCounterexamples, listSteps, renderCounterexample } from '../traces/counterexample.ts';
import { describeScope } from './scope.ts';

const FORMAT = 1;

export function createRunLine(run: CheckRun): object {
  return { type: 'check.run', v: FORMAT, ...encodeRun(run) };
}

export function createResultLine(
  runs: readonly CheckRun[],
  coverage: ChartCoverage | null,
  exit: number,
  traces: readonly string[],
): object {
  const [trace = null, beside = null] = traces;
  return {
    type: 'check.result',
    v: FORMAT,
    exit,
    runs: runs.map(encodeRun),
    coverage,
    scope: describeScope(runs),
    trace,
    beside,
  };
}

function encodeRun(run: CheckRun): object {
  const { subject, searches, ballots, peakMemoryBytes } = run;
  const { rules, players, ghosts, knobs, setting } = subject;
  const told = new Map(
    listCounterexamples(run).map((example) => [example.verdict.name, listSteps(example)]),
  );
  const { ticks, arithmetic } = computeSilenceBound(setting.options.weights, players);
  const [first] = searches;
  return {
    rules,
    players,
    knobs: { ...knobs, ghosts, patience: setting.options.patience },
    engine: first?.engine ?? null,
    symmetry: first?.isSymmetric === true ? (run.model.symmetry?.name ?? null) : null,
    states: first?.states ?? 0,
    transitions: first?.transitions ?? 0,
    statesPerSecond: first === undefined ? 0 : computeRate(first),
    peakMemoryBytes,
    searches: searches.map(encodeSearch),
    asides: run.asides,
    properties: run.judged.map((verdict) => encodeFinding(verdict, told.get(verdict.name))),
    coverage: first?.coverage ?? null,
    ballots,
    bound: { ticks: Number.isFinite(ticks) ? ticks : null, arithmetic },
  };
}

function encodeSearch(search: CheckResult<MeetingEvent>): object {
  const { engine, slow, states, transitions, depth, frontier, ended, parts } = search;
  return {
    ...{ engine, slow, symmetric: search.isSymmetric },
    ...{ states, transitions, depth, frontier, ended, parts },
    broken: search.broken?.message ?? null,
    seconds: search.seconds,
    statesPerSecond: computeRate(search),
    bytes: search.bytes,
    asked: search.results.map(({ name }) => name),
  };
}

function computeRate({ states, seconds }: CheckResult<MeetingEvent>): number {
  return seconds > 0 ? Math.round(states / seconds) : 0;
}

function encodeFinding(judged: PropertyFinding, told: readonly ShownStep[] | undefined): object {
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

export function listCases(
  runs: readonly CheckRun[],
  coverage: ChartCoverage | null,
): readonly ReportCase[] {
  // If only the arbiter was checked, the meeting's chart has no coverage.
  const isSearched = runs.some(({ searches }) => searches.length > 0);
  return [...runs.flatMap(listRunCases), ...(isSearched ? [createCoverageCase(coverage)] : [])];
}

function listRunCases(run: CheckRun): readonly ReportCase[] {
  const told = new Map(
    listCounterexamples(run).map((example) => [
      example.verdict.name,
      renderCounterexample(example).join('\n'),
    ]),
  );
  return run.judged.map((verdict) => ({
    suite: run.model.name,
    name: verdict.name,
    sentence: verdict.sentence,
    result: chooseResult(verdict),
    text: 'why' in verdict.verdict ? verdict.verdict.why : (told.get(verdict.name) ?? ''),
  }));
}

function createCoverageCase(coverage: ChartCoverage | null): ReportCase {
  const open = (coverage?.missing ?? []).filter(({ needs }) => needs === null);
  return {
    suite: 'coverage',
    name: 'chart-is-reached',
    sentence: 'Every state and every transition that these worlds allow is reached.',
    result: coverage === null ? 'incomplete' : open.length > 0 ? 'broken' : 'kept',
    text: coverage === null ? 'no search was closed' : open.map(({ what }) => what).join('\n'),
  };
}

export function listJournalCases(history: JudgedJournal): readonly ReportCase[] {
  return history.judged
    .filter(({ applied }) => applied > 0)
    .map(({ name, sentence, finding }) => ({
      suite: history.path,
      name,
      sentence,
      result: finding === null ? 'kept' : 'broken',
      text: finding === null ? '' : `line ${finding.line}: ${finding.text}`,
    }));
}
