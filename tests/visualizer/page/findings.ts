import { check } from 'glass-box-checker';
import { defaultOptions } from '../../../machines/rules/options.ts';
import type { RuleSet } from '../../../machines/types.ts';
import {
  checkSeatPreference,
  checkSecret,
  type ExtraResult,
} from '../../../proofs/checks/extraChecks.ts';
import {
  createMeetingModel,
  listConfigurations,
  type MeetingConfiguration,
} from '../../../proofs/checks/meetingConfigurations.ts';
import { type CheckRun, checkConfiguration } from '../../../proofs/checks/meetingSearch.ts';
import { judgeRuns, mergeCoverage } from '../../../proofs/checks/outcome.ts';
import { statusOf } from '../../../proofs/checks/runCheck.ts';
import { createSearchReport } from '../../../proofs/report/createExplorerReport.ts';
import type { ExplorerReport } from '../../../proofs/report/explorerReport.ts';
import { planted } from '../../proofs/plants.ts';
import { tiesBySeat } from '../../proofs/plots.ts';
import { leaking, withBooks } from '../../proofs/room.ts';

const UNLIMITED = { states: 1_000_000, seconds: Number.POSITIVE_INFINITY };
const SEARCHING = { budget: UNLIMITED, now: () => performance.now() / 1000 };

const FLAGS = { ghosts: 0, faults: true, maxStates: 1_000_000, symmetry: true, given: [] } as const;

export function subject(rules: RuleSet, departures = 0): MeetingConfiguration {
  const [one] = listConfigurations(null, { ...FLAGS, departures, rules, players: [3] });
  if (one === undefined) throw new Error('there is one table of each kind');
  return one;
}

export function searched(about: MeetingConfiguration, isSymmetric = true): Promise<CheckRun> {
  return checkConfiguration(about, {
    only: null,
    keepsGraph: true,
    isSymmetric,
    ...SEARCHING,
    memory: () => 0,
    onProgress: null,
  });
}

export async function reported(runs: readonly CheckRun[]): Promise<ExplorerReport> {
  const coverage = mergeCoverage(runs);
  const found = judgeRuns(runs, coverage);
  return await createSearchReport({ runs, coverage, found, exit: statusOf(found) });
}

export function withAside(found: CheckRun, { verdict, aside }: ExtraResult): CheckRun {
  return { ...found, judged: [...found.judged, verdict], asides: [...found.asides, aside] };
}

/** Ties go to the first seat: two meetings with red and blue exchanged show it. */
export function unfair(found: CheckRun): ExtraResult {
  return checkSeatPreference(found.subject.setting.options.weights, SEARCHING, tiesBySeat);
}

/** Ghost chat counts towards the nudge: two meetings with different chats show it. */
export function loud(found: CheckRun): ExtraResult {
  const options = { ...defaultOptions(3), rules: found.subject.rules, tokenTarget: 100 };
  return checkSecret('ghosts-do-not-interfere', options, SEARCHING, (company) =>
    leaking(company, (_, { state: ensemble, observations: sights }) =>
      sights.some((sight) => JSON.stringify(sight).includes('red is the killer'))
        ? withBooks(ensemble, (floor) => ({ ...floor, tokens: floor.tokens + 100 }))
        : ensemble,
    ),
  );
}

export function mistaken(about: MeetingConfiguration, mistake: string): CheckRun {
  const model = { ...createMeetingModel(about), machine: planted(mistake) };
  const found = check(model, {
    isSymmetric: true,
    keepsGraph: true,
    ...SEARCHING,
  });
  const { results: judged } = found;
  const nothing = { asides: [], ballots: [], peakMemoryBytes: process.memoryUsage.rss() };
  return { subject: about, model, judged, search: found, ...nothing };
}

/** Two planted mistakes: one in a rule of the poll, one in the arbiter. */
export async function exhibited(): Promise<ExplorerReport> {
  const good = await searched(subject('house', 1));
  const bad = mistaken(subject('house', 1), 'void ballots are counted');
  const report = await reported([bad, withAside(good, unfair(good))]);
  const names = [
    { key: 'mistaken', name: 'A rule broken' },
    { key: 'unfair', name: 'A seat preferred' },
  ];
  return { ...report, runs: report.runs.map((one, index) => ({ ...one, ...names[index] })) };
}
