/**
 * Judges a check: which verdicts count against it, and which parts of the chart no run reached. An
 * unreached part is excused if it needs an option that no world had, and the report names the
 * option. Any other unreached part counts against the check.
 */
import { type CoverageReport, isAsDeclared } from 'glass-box-checker';
import { askedAfter } from '../models/clock.ts';
import type { ExplorerCoverage } from '../report/explorerReport.ts';
import type { MeetingConfiguration } from './meetingConfigurations.ts';
import type { CheckRun, PropertyFinding } from './meetingSearch.ts';

export type CheckOutcome = ReturnType<typeof judgeRuns>;

export function judgeRuns(runs: readonly CheckRun[], coverage: ChartCoverage | null) {
  const found = runs.flatMap((run) => run.judged.map((verdict) => ({ run, verdict })));
  const of = (type: PropertyFinding['verdict']['type']) =>
    found.filter(({ verdict }) => verdict.verdict.type === type && !isAsDeclared(verdict));
  return {
    broken: of('violated'),
    /** Properties that were declared to fail but were proved. */
    kept: of('proved'),
    vacuous: of('vacuous'),
    incomplete: of('incomplete'),
    crashed: runs.filter(({ search }) => search !== null && search.broken !== null),
    unreached: (coverage?.missing ?? [])
      .filter(({ needs }) => needs === null)
      .map(({ what }) => what),
  };
}

export type ChartCoverage = Omit<ExplorerCoverage, 'taken' | 'passed' | 'failed'>;

/** Merges the coverage of all runs. Null unless every search is complete. */
export function mergeCoverage(runs: readonly CheckRun[]): ChartCoverage | null {
  const searched = runs.filter(({ search }) => search !== null);
  const reports = searched.flatMap(({ search }) => search?.coverage ?? []);
  const [first] = reports;
  if (first === undefined || searched.some(({ search }) => search?.ended !== null)) return null;
  const subjects = searched.map(({ subject }) => subject);
  const states = first.unreached.filter((leaf) =>
    reports.every(({ unreached }) => unreached.includes(leaf)),
  );
  const edges = first.untaken.filter(({ edge }) =>
    reports.every(({ untaken }) => untaken.some((other) => other.edge === edge)),
  );
  const guards = mergeGuards(reports);
  const unfailed = (guards?.neverFalse ?? [])
    .filter((guarded) => edges.every(({ edge }) => edge !== guarded))
    .map((edge) => `${edge}: the guard never said no`);
  const excused = (what: string) => describeNeed(what, subjects);
  return {
    states: { seen: first.states.all - states.length, all: first.states.all },
    transitions: { seen: first.transitions.all - edges.length, all: first.transitions.all },
    guards: guards === null ? null : { seen: guards.seen, all: guards.all },
    missing: [
      ...states.map((what) => ({ what, nearest: null, needs: excused(what) })),
      ...edges.map(({ edge, nearest }) => ({ what: edge, nearest, needs: excused(edge) })),
      ...unfailed.map((what) => ({ what, nearest: null, needs: excused(what) })),
    ],
  };
}

function mergeGuards(reports: readonly CoverageReport[]) {
  const all = reports.flatMap(({ guards }) => guards ?? []);
  const [first] = all;
  if (first === undefined || all.length < reports.length) return null;
  const never = (list: 'neverTrue' | 'neverFalse') => {
    const [some = [], ...others] = all.map((one) => [...one[list], ...one.unasked]);
    return some.filter((edge) => others.every((other) => other.includes(edge)));
  };
  const [neverTrue, neverFalse] = [never('neverTrue'), never('neverFalse')];
  return { seen: first.all - neverTrue.length - neverFalse.length, all: first.all, neverFalse };
}

type ChartNeed = {
  readonly of: RegExp;
  readonly isMet: (subject: MeetingConfiguration) => boolean;
};

const NEEDS: Readonly<Record<string, ChartNeed>> = {
  'a call that breaks a rule: such a match is refused': {
    of: /^interrupt\.checking ─always→ closed|\[isCallLegal\]: the guard never said no$/,
    isMet: () => false,
  },
  '--stops': {
    of: /meeting\.stopped|isStopped|pausing ─always→ consolidation/,
    isMet: ({ knobs }) => knobs.stops,
  },
  '--stops or max_ticks': {
    of: /isUnconverged/,
    isMet: ({ knobs, setting }) => knobs.stops || setting.options.maxTicks !== null,
  },
  beat_ms: {
    of: /pausing|^(?:discussion|voting\.polling) ─|\[hasNoBeat\]: the guard never said no$/,
    isMet: ({ setting }) => setting.options.beatMs > 0,
  },
  'no beat_ms': {
    of: /\[hasNoBeat\]$/,
    isMet: ({ setting }) => setting.options.beatMs === 0,
  },
  '--departures': {
    // Votes arrive with ticks. During or between ticks the poll is complete only when someone leaves.
    of: /seat\.left|(?:bidding|pausing) ─always→.*everyoneVoted/,
    isMet: ({ knobs }) => knobs.departures > 0,
  },
  '--rules house or that all leave': {
    of: /^discussion\.\w+ ─always→.*everyoneVoted/,
    isMet: ({ rules, knobs, players }) => rules === 'house' || knobs.departures >= players,
  },
  '--rules classic or vote_after': {
    of: /polling|ballotsAreDue/,
    isMet: ({ setting: { options } }) => {
      const after = askedAfter(options);
      return after !== null && (options.maxTicks === null || options.maxTicks > after);
    },
  },
  voting_time: {
    of: /timeIsUp/,
    isMet: ({ setting }) => setting.options.votingTime > 0,
  },
  discussion_time: {
    of: /(?:^| )discussion\.(?:bidding|pausing)|\[ballotsAreDue\]: the guard never said no$/,
    isMet: ({ setting }) => askedAfter(setting.options) !== 0,
  },
};

/** The conditions that no subject meets together, or null if a subject meets all of them. */
function describeNeed(what: string, subjects: readonly MeetingConfiguration[]): string | null {
  const needs = Object.entries(NEEDS).filter(([, { of }]) => of.test(what));
  if (subjects.some((subject) => needs.every(([, { isMet }]) => isMet(subject)))) return null;
  const unmet = needs.filter(([, { isMet }]) => !subjects.some(isMet));
  return (unmet.length > 0 ? unmet : needs).map(([says]) => says).join(' and ');
}
