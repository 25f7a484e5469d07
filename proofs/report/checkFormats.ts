/** The results of a check as JSON and as JUnit cases. docs/checking.md describes the JSON fields. */

import { type CheckResult, isAsDeclared } from 'glass-box-checker';
import { createCase, createFaultCase, type ReportCase } from 'glass-box-checker/formats';
import { computeSilenceBound } from '../../machines/rules/weights.ts';
import type { JudgedJournal } from '../checks/conformance.ts';
import type { CheckRun, MeetingEvent, PropertyFinding } from '../checks/meetingSearch.ts';
import type { ChartCoverage } from '../checks/outcome.ts';
import { listSteps, renderCounterexample, renderCrash } from '../traces/counterexample.ts';
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
  const { subject, search, ballots, peakMemoryBytes } = run;
  const { rules, players, ghosts, knobs, setting } = subject;
  const { ticks, arithmetic } = computeSilenceBound(setting.options.weights, players);
  return {
    rules,
    players,
    knobs: { ...knobs, ghosts, patience: setting.options.patience },
    engine: search?.engine ?? null,
    symmetry: search?.isSymmetric === true ? (run.model.symmetry?.name ?? null) : null,
    states: search?.states ?? 0,
    transitions: search?.transitions ?? 0,
    statesPerSecond: search === null ? 0 : computeRate(search),
    peakMemoryBytes,
    searches: search === null ? [] : [encodeSearch(search)],
    asides: run.asides,
    properties: run.judged.map((judged) => encodeFinding(run, judged)),
    coverage: search?.coverage ?? null,
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

function encodeFinding(run: CheckRun, judged: PropertyFinding): object {
  const { name, sentence, kind, expected, verdict } = judged;
  const trace = verdict.type === 'violated' ? verdict.trace : null;
  return {
    ...{ name, sentence, kind, expected },
    verdict: verdict.type,
    asDeclared: isAsDeclared(judged),
    why: 'why' in verdict ? verdict.why : null,
    antecedents: verdict.type === 'proved' ? verdict.antecedents : null,
    counterexample: trace && {
      steps: listSteps({ run, verdict: judged, trace }),
      ...{ loop: trace.loop, excludedBy: trace.excludedBy },
    },
  };
}

export function listCases(
  runs: readonly CheckRun[],
  coverage: ChartCoverage | null,
): readonly ReportCase[] {
  // If only the arbiter was checked, the meeting's chart has no coverage.
  const isSearched = runs.some(({ search }) => search !== null);
  return [...runs.flatMap(listRunCases), ...(isSearched ? [createCoverageCase(coverage)] : [])];
}

function listRunCases(run: CheckRun): readonly ReportCase[] {
  const suite = run.model.name;
  const broken = run.search?.broken ?? null;
  const cases = run.judged.map((judged) => {
    const { verdict } = judged;
    if (verdict.type !== 'violated')
      return createCase(suite, judged, 'why' in verdict ? verdict.why : '');
    const told = renderCounterexample({ run, verdict: judged, trace: verdict.trace });
    return createCase(suite, judged, told.join('\n'));
  });
  if (broken === null) return cases;
  const text = renderCrash(run).slice(1).join('\n');
  return [createFaultCase(suite, broken.code, text), ...cases];
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
