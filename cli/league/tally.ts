/** The tally of a game: what is counted of every seat, in whole numbers under the names by which careers keep them. */
import type { Prices } from '../../actors/minds/openai/prices.ts';
import type { Counters } from '../../actors/stores/result.ts';
import { type Account, sumCounts } from '../../analysis/accounts.ts';
import { countGame, type PlayerStats } from '../../analysis/statistics.ts';
import type { Line } from '../../machines/journal/lines.ts';
import type { BySeat, Colour } from '../../machines/types.ts';
import { pricingFor } from '../stats.ts';
import { behaviourIn } from './behaviour.ts';

/** Counts the lines of a whole game. What is 0 is left out. */
export function tallyOf(lines: readonly Line[], prices: Prices = {}): BySeat<Counters> {
  const stats = countGame(lines, pricingFor(lines, prices));
  const behaviour = behaviourIn(lines);
  const tallies: Partial<Record<Colour, Counters>> = {};
  for (const player of stats?.players ?? []) {
    const all = {
      ...counted(player),
      ...behaviour.get(player.seat),
      ...reliability(player.account),
    };
    tallies[player.seat] = Object.fromEntries(
      Object.entries(all).filter(([, count]) => count !== 0),
    );
  }
  return tallies;
}

function counted({ fate, votes, claims, tasks, ...player }: PlayerStats): Counters {
  const isOut = fate === 'ejected';
  return {
    survived: fate === 'alive' ? 1 : 0,
    killed: fate === 'killed' ? 1 : 0,
    ejected: isOut ? 1 : 0,
    left: fate === 'left' ? 1 : 0,
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
    /** Games with a false claim, and those of them that ended with an ejection. */
    lied: claims.false > 0 ? 1 : 0,
    lied_and_ejected: claims.false > 0 && isOut ? 1 : 0,
    faults: player.faults,
    refused: player.refused,
  };
}

/** Of a dollar: tallies are whole numbers. */
export const MICRO = 1e6;

/** What is no matter of skill. */
function reliability(account: Account): Counters {
  return {
    replies: account.replies,
    repairs: account.repairs,
    blank: account.blank,
    votes_invalid: sumCounts(account.invalidVotes),
    leaks: account.leaks,
    attempts: account.attempts,
    requests: account.requests,
    requests_failed: sumCounts(account.troubles),
    requests_plainer: account.plainer,
    prompt_tokens: account.promptTokens,
    completion_tokens: account.completionTokens,
    microdollars: Math.round(MICRO * account.dollars),
  };
}
