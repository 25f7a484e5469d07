/** Which sources are broken in every place, the tests that each mutant meets first, and the proofs that judge survivors. */
import type { ProofKind } from './smallProofs.ts';

type MutatedSource = {
  readonly path: string;
  /** Those that are most likely to notice come first. */
  readonly tests: readonly string[];
  /** None where no small proof has the file in it. */
  readonly proofs: ProofKind | 'none';
};

const RULE_TESTS = [
  'meeting',
  'votes',
  'table',
  'tick',
  'floor',
  'winner',
  'bidding',
  'ghostFloor',
  'views',
  'publicView',
  'record',
  'losses',
  'pads',
  'seats',
  'weights',
  'pressure',
  'mentions',
].map((name) => `tests/machines/rules/${name}.test.ts`);

const CHART_TESTS = [
  'meeting',
  'meetingSteps',
  'meetingOrder',
  'poll',
  'arbiter',
  'arbiterTick',
  'arbiterRelease',
  'player',
  'playerOnShip',
  'playerSteps',
  'gallery',
  'galleryTurn',
  'meetingSession',
  'game',
  'charts',
].map((name) => `tests/machines/charts/${name}.test.ts`);

/** Those that all mutants meet: a second in all. */
const ALL_TESTS = [
  ...RULE_TESTS,
  ...CHART_TESTS,
  'tests/machines/outgoing.test.ts',
  'tests/machines/outgoingMessages.test.ts',
];

/** These first, then all others. */
function first(names: readonly string[]): readonly string[] {
  const chosen = names.map((name) => `tests/machines/${name}.test.ts`);
  return [...new Set([...chosen, ...ALL_TESTS])];
}

function rule(name: string, ...tests: readonly string[]): MutatedSource {
  return { path: `machines/rules/${name}.ts`, tests: first(tests), proofs: 'meeting' };
}

function chart(
  name: string,
  proofs: MutatedSource['proofs'],
  ...tests: readonly string[]
): MutatedSource {
  return { path: `machines/charts/${name}.ts`, tests: first(tests), proofs };
}

export const MUTATED_SOURCES: readonly MutatedSource[] = [
  rule('meeting', 'rules/meeting', 'rules/votes', 'rules/table', 'rules/publicView'),
  rule('tick', 'rules/tick', 'rules/meeting', 'rules/votes', 'rules/pressure'),
  rule('floor', 'rules/floor', 'rules/bidding', 'rules/ghostFloor', 'rules/pressure'),
  chart('meeting', 'meeting', 'charts/meetingSteps', 'charts/meeting', 'charts/meetingOrder'),
  chart('arbiter', 'meeting', 'charts/arbiter', 'charts/arbiterTick'),
  chart('player', 'player', 'charts/player', 'charts/playerOnShip'),
  chart('meetingSession', 'none', 'charts/meetingSession'),
  rule('views', 'rules/publicView', 'rules/views'),
  rule('record', 'rules/losses', 'rules/record', 'rules/ship/meetings'),
  rule('pads', 'rules/pads'),
  rule('seats', 'rules/seats', 'rules/votes', 'rules/meeting'),
];
