/** Tallies: whole numbers for each player of a game, and the shares and means that follow from their sums. */
import { addCounters, type Counters, MICRODOLLARS } from '../../actors/stores/result.ts';
import type { Role } from '../../machines/types.ts';
import { sumCounts } from './accounts.ts';
import type { PlayerStats } from './statistics.ts';

/** The counters of a player, under the names that careers and leagues keep. */
export function tallyPlayer({ fate, votes, claims, tasks, ...player }: PlayerStats): Counters {
  const { account } = player;
  const isOut = fate === 'ejected';
  return {
    survived: Number(fate === 'alive'),
    killed: Number(fate === 'killed'),
    ejected: Number(isOut),
    left: Number(fate === 'left'),
    meetings: player.meetings,
    unheard: player.unheard,
    messages: player.messages,
    heard: player.heard,
    votes_impostor: votes.impostor,
    votes_crewmate: votes.crewmate,
    votes_skip: votes.skip,
    votes_missed: votes.missed,
    kills: player.kills,
    tasks_done: tasks.done,
    task_steps: tasks.steps,
    claims_true: claims.true,
    claims_false: claims.false,
    claims_open: claims.unverifiable,
    // Games with a false claim, and the games among them that ended with an ejection.
    lied: Number(claims.false > 0),
    lied_and_ejected: Number(claims.false > 0 && isOut),
    faults: player.faults,
    refused: player.refused,
    ...player.table,
    replies: account.replies,
    repairs: account.repairs,
    blank: account.blank,
    votes_invalid: sumCounts(account.invalidVotes),
    leaks: account.leaks,
    attempts: account.attempts,
    requests: account.requests,
    requests_failed: sumCounts(account.failures),
    requests_plainer: account.plainer,
    prompt_tokens: account.promptTokens,
    completion_tokens: account.completionTokens,
    microdollars: Math.round(MICRODOLLARS * account.dollars),
  };
}

/** The sum of some tallies; `games` counts them. */
export function sumTallies(tallies: readonly Counters[]): Counters {
  return tallies.reduce<Counters>(addCounters, { games: tallies.length });
}

const ON_IMPOSTORS: Formula = [['votes_impostor'], ['votes_impostor', 'votes_crewmate']];
const BALLOTS = ['votes_impostor', 'votes_crewmate', 'votes_skip'];

type Formula = readonly [over: readonly string[], under: readonly string[]];

const COMMON = {
  survival: [['survived'], ['games']],
  speaking_share: [['messages'], ['heard']],
  meetings_unheard: [['unheard'], ['meetings']],
  mean_bid: [['desire'], ['bids']],
  message_characters: [['characters'], ['spoken']],
  first_vote_tick: [['ballot_ticks'], ['ballots']],
  skip_share: [['votes_skip'], BALLOTS],
  bandwagon_share: [['bandwagon'], ['ballots']],
  votes_received_per_meeting: [['accused_by'], ['meetings']],
  persuasion: [['followed'], ['later_ballots']],
  false_claims: [['claims_false'], ['claims_false', 'claims_true']],
  ejected: [['ejected'], ['games']],
  ejected_after_a_lie: [['lied_and_ejected'], ['lied']],
  faults_per_game: [['faults'], ['games']],
  mended_replies: [['repairs'], ['replies']],
  refused_orders_per_game: [['refused'], ['games']],
  invalid_votes_per_game: [['votes_invalid'], ['games']],
  leaks_per_game: [['leaks'], ['games']],
  requests_per_game: [['requests'], ['games']],
  failed_requests: [['requests_failed'], ['requests']],
  tokens_per_game: [['prompt_tokens', 'completion_tokens'], ['games']],
  microdollars_per_game: [['microdollars'], ['games']],
} as const satisfies Readonly<Record<string, Formula>>;

export const FORMULAS = {
  crewmate: { vote_accuracy: ON_IMPOSTORS, tasks_per_game: [['tasks_done'], ['games']], ...COMMON },
  impostor: { bus_rate: ON_IMPOSTORS, kills_per_game: [['kills'], ['games']], ...COMMON },
} as const satisfies Readonly<Record<Role, Readonly<Record<string, Formula>>>>;

export function evaluateFormula([over, under]: Formula, counts: Counters) {
  const total = (names: readonly string[]) =>
    names.reduce((all, name) => all + (counts[name] ?? 0), 0);
  return { hits: total(over), cases: total(under) };
}
