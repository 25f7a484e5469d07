/** Which sources are broken in every place, the tests that each mutant meets first, and the proofs that judge survivors. */
import type { ProofKind } from './smallProofs.ts';

type MutatedSource = {
  readonly path: string;
  /** Those that are most likely to notice come first. */
  readonly tests: readonly string[];
  readonly proofs: ProofKind;
};

const RULE_TESTS = [
  'meeting',
  'votes',
  'table',
  'tick',
  'floor',
  'bidding',
  'ghostFloor',
  'views',
  'record',
  'pads',
  'seats',
  'weights',
  'pressure',
  'mentions',
].map((name) => `tests/machines/rules/${name}.test.ts`);

const CHART_TESTS = [
  'meeting',
  'poll',
  'arbiter',
  'player',
  'gallery',
  'meetingSession',
  'game',
  'charts',
].map((name) => `tests/machines/charts/${name}.test.ts`);

/** Those that all mutants meet: a second in all. */
const ALL_TESTS = [...RULE_TESTS, ...CHART_TESTS, 'tests/machines/outgoing.test.ts'];

/** These first, then all others. */
function first(names: readonly string[]): readonly string[] {
  const chosen = names.map((name) => `tests/machines/${name}.test.ts`);
  return [...new Set([...chosen, ...ALL_TESTS])];
}

function rule(name: string, ...tests: readonly string[]): MutatedSource {
  return { path: `machines/rules/${name}.ts`, tests: first(tests), proofs: 'meeting' };
}

export const MUTATED_SOURCES: readonly MutatedSource[] = [
  rule('meeting', 'rules/meeting', 'rules/votes'),
  rule('pads', 'rules/pads'),
  rule('seats', 'rules/seats', 'rules/votes', 'rules/meeting'),
];
