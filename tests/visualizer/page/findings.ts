/** Findings: reports of real checks for the page that explores them, also of mistakes that are planted. */

import { check } from 'glass-box-checker';
import { evenHanded } from '../../../cli/check/arbiter.ts';
import type { Asked } from '../../../cli/check/asked.ts';
import { covered } from '../../../cli/check/coverage.ts';
import { searchReport } from '../../../cli/check/explorer/searched.ts';
import { outcome } from '../../../cli/check/outcome.ts';
import { Places } from '../../../cli/check/places.ts';
import { modelOf, type Run, run } from '../../../cli/check/run.ts';
import { secretKept } from '../../../cli/check/secrets.ts';
import { type Subject, subjects } from '../../../cli/check/subject.ts';
import { defaultOptions } from '../../../machines/rules/options.ts';
import type { RuleSet } from '../../../machines/types.ts';
import type { Report } from '../../../visualizer/page/explorer/report.ts';
import { planted } from '../../proofs/plants.ts';
import { tiesBySeat } from '../../proofs/plots.ts';
import { leaking, withBooks } from '../../proofs/room.ts';

const UNLIMITED = { states: 1_000_000, seconds: Number.POSITIVE_INFINITY };
const SEARCHING = { budget: UNLIMITED, now: () => performance.now() / 1000 };

const FLAGS = {
  ghosts: 0,
  departures: 1,
  faults: true,
  maxStates: 1_000_000,
  workers: 1,
  symmetry: true,
  given: [],
} as const;

export function subject(rules: RuleSet, players = 3): Subject {
  const [one] = subjects(null, { ...FLAGS, rules, players: [players] });
  if (one === undefined) throw new Error('there is one table of each kind');
  return one;
}

export function searched(about: Subject, isSymmetric = true): Promise<Run> {
  return run(about, {
    only: null,
    keepsGraph: true,
    isSymmetric,
    workers: 1,
    ...SEARCHING,
    memory: () => 0,
    onProgress: null,
  });
}

export async function reported(runs: readonly Run[]): Promise<Report> {
  const coverage = covered(runs);
  return await searchReport({ runs, coverage, found: outcome(runs, coverage), workers: 1 });
}

/** A run beside which something was asked. */
export function withAside(found: Run, { verdict, aside }: Asked): Run {
  return { ...found, judged: [...found.judged, verdict], asides: [...found.asides, aside] };
}

/** Of equal totals the first seat has the floor: two meetings in which red and blue are exchanged tell it. */
export function unfair(found: Run): Asked {
  return evenHanded(found.subject.setting.options.weights, SEARCHING, tiesBySeat);
}

/** The chat of ghosts counts for the nudge: two meetings that differ in what a ghost says tell it. */
export function loud(found: Run): Asked {
  const options = { ...defaultOptions(3), rules: found.subject.rules, tokenTarget: 100 };
  return secretKept('ghosts-do-not-interfere', options, SEARCHING, (company) =>
    leaking(company, (_, { ensemble, sights }) =>
      sights.some((sight) => JSON.stringify(sight).includes('red is the killer'))
        ? withBooks(ensemble, (floor) => ({ ...floor, tokens: floor.tokens + 100 }))
        : ensemble,
    ),
  );
}

/** The meeting with a mistake in one rule, searched as any other. */
export function mistaken(about: Subject, mistake: string): Run {
  const places = new Places();
  const model = { ...modelOf(about), machine: planted(mistake) };
  const found = check(model, {
    isSymmetric: true,
    keepsGraph: true,
    ...SEARCHING,
    onState: ({ at }, number) => places.note(at, number),
  });
  const { results: judged } = found;
  const nothing = { asides: [], ballots: [], peakMemoryBytes: process.memoryUsage.rss() };
  return { subject: about, model, judged, searches: [found], places, ...nothing };
}

/** Two mistakes to look at: a rule of the poll, and an arbiter to whom seats are not alike. */
export async function exhibited(): Promise<Report> {
  const good = await searched(subject('house'));
  const bad = mistaken(subject('house'), 'void ballots are counted');
  const report = await reported([bad, withAside(good, unfair(good))]);
  const names = [
    { key: 'mistaken', name: 'A rule broken' },
    { key: 'unfair', name: 'A seat preferred' },
  ];
  return { ...report, runs: report.runs.map((one, index) => ({ ...one, ...names[index] })) };
}
