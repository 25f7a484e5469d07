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

export type CheckOutcome = {
  /** Violated properties that were not declared so. */
  readonly broken: readonly FoundVerdict[];
  /** Properties that were declared to fail but were proved. */
  readonly kept: readonly FoundVerdict[];
  readonly vacuous: readonly FoundVerdict[];
  readonly incomplete: readonly FoundVerdict[];
  /** Runs that broke the machine. */
  readonly crashed: readonly CheckRun[];
  /** Unreached parts of the chart without an excuse. */
  readonly unreached: readonly string[];
};

type FoundVerdict = { readonly run: CheckRun; readonly verdict: PropertyFinding };

export function judgeRuns(runs: readonly CheckRun[], coverage: ChartCoverage | null): CheckOutcome {
  const found = runs.flatMap((run) => run.judged.map((verdict) => ({ run, verdict })));
  const of = (type: PropertyFinding['verdict']['type']) =>
    found.filter(({ verdict }) => verdict.verdict.type === type && !isAsDeclared(verdict));
  return {
    broken: of('violated'),
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
  const unfailed = (guards?.neverFalse ?? []).filter((guarded) =>
    edges.every(({ edge }) => edge !== guarded),
  );
  const excused = (what: string) => describeNeed(what, subjects);
  return {
    states: { seen: first.states.all - states.length, all: first.states.all },
    transitions: { seen: first.transitions.all - edges.length, all: first.transitions.all },
    guards: guards === null ? null : { seen: guards.seen, all: guards.all },
    missing: [
      ...states.map((what) => ({ what, nearest: null, needs: excused(what) })),
      ...edges.map(({ edge, nearest }) => ({ what: edge, nearest, needs: excused(edge) })),
      ...unfailed.map((edge) => {
        const what = `${edge}${NEVER_FALSE}`;
        return { what, nearest: null, needs: excused(what) };
      }),
    ],
  };
}

const NEVER_FALSE = ': the guard never said no';

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

const BEFORE_PAUSES = /^(?:discussion|voting\.polling) ─/;

const TALK = /(?:^| )discussion\.(?:bidding|pausing)/;

const ALL_VOTED_IN_TALK = /^discussion\.\w+ ─always→.*everyoneVoted/;

/** Votes arrive with ticks. During or between ticks the poll is complete only when someone leaves. */
const ALL_VOTED_APART = /(?:bidding|pausing) ─always→.*everyoneVoted/;

/** Conditions under which parts of the chart can be reached. */
const NEEDS: readonly {
  readonly of: (what: string) => boolean;
  readonly isMet: (subject: MeetingConfiguration) => boolean;
  readonly says: string;
}[] = [
  {
    of: (what) =>
      what.startsWith('interrupt.checking ─always→ closed') ||
      what.endsWith(`[isCallLegal]${NEVER_FALSE}`),
    isMet: () => false,
    says: 'a call that breaks a rule: such a match is refused',
  },
  {
    of: (what) =>
      what.includes('meeting.stopped') ||
      what.includes('isStopped') ||
      what.includes('pausing ─always→ consolidation'),
    isMet: ({ knobs }) => knobs.stops,
    says: '--stops',
  },
  {
    of: (what) => what.includes('isUnconverged'),
    isMet: ({ knobs, setting }) => knobs.stops || setting.options.maxTicks !== null,
    says: '--stops or max_ticks',
  },
  {
    of: (what) =>
      what.includes('pausing') ||
      BEFORE_PAUSES.test(what) ||
      what.endsWith(`[hasNoBeat]${NEVER_FALSE}`),
    isMet: ({ setting }) => setting.options.beatMs > 0,
    says: 'beat_ms',
  },
  {
    of: (what) => what.endsWith('[hasNoBeat]'),
    isMet: ({ setting }) => setting.options.beatMs === 0,
    says: 'no beat_ms',
  },
  {
    of: (what) => what.includes('seat.left') || ALL_VOTED_APART.test(what),
    isMet: ({ knobs }) => knobs.departures > 0,
    says: '--departures',
  },
  {
    of: (what) => ALL_VOTED_IN_TALK.test(what),
    isMet: ({ rules, knobs, players }) => rules === 'house' || knobs.departures >= players,
    says: '--rules house or that all leave',
  },
  {
    of: (what) => what.includes('polling') || what.includes('ballotsAreDue'),
    isMet: isPolled,
    says: '--rules classic or vote_after',
  },
  {
    of: (what) => what.includes('timeIsUp'),
    isMet: ({ setting }) => setting.options.votingTime > 0,
    says: 'voting_time',
  },
  {
    of: (what) => TALK.test(what) || what.endsWith(`[ballotsAreDue]${NEVER_FALSE}`),
    isMet: ({ setting }) => askedAfter(setting.options) !== 0,
    says: 'discussion_time',
  },
];

function isPolled({ setting: { options } }: MeetingConfiguration): boolean {
  const after = askedAfter(options);
  return after !== null && (options.maxTicks === null || options.maxTicks > after);
}

/** The conditions that no subject meets together, or null if a subject meets all of them. */
function describeNeed(what: string, subjects: readonly MeetingConfiguration[]): string | null {
  const needs = NEEDS.filter(({ of }) => of(what));
  if (subjects.some((subject) => needs.every(({ isMet }) => isMet(subject)))) return null;
  const unmet = needs.filter(({ isMet }) => !subjects.some(isMet));
  return (unmet.length > 0 ? unmet : needs).map(({ says }) => says).join(' and ');
}
