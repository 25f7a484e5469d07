/** Running totals of a run of games. */
import type { JobOutcome, LostGame } from './gameJob.ts';

export type Tally = {
  played: number;
  readonly lost: LostGame[];
  readonly wins: { crew: number; impostors: number };
  readonly reasons: Map<string, number>;
  rounds: number;
  leastRounds: number;
  mostRounds: number;
  meetings: number;
};

export function newTally(): Tally {
  return {
    played: 0,
    lost: [],
    wins: { crew: 0, impostors: 0 },
    reasons: new Map(),
    rounds: 0,
    leastRounds: Number.POSITIVE_INFINITY,
    mostRounds: 0,
    meetings: 0,
  };
}

export function countOutcome(tally: Tally, outcome: JobOutcome): void {
  if (outcome.type === 'lost') {
    tally.lost.push(outcome);
    return;
  }
  const { winner, reason, rounds, meetings } = outcome;
  const how = winner === null ? reason : `${winner} ${reason}`;
  tally.played += 1;
  if (winner !== null) tally.wins[winner] += 1;
  tally.reasons.set(how, (tally.reasons.get(how) ?? 0) + 1);
  tally.rounds += rounds;
  tally.leastRounds = Math.min(tally.leastRounds, rounds);
  tally.mostRounds = Math.max(tally.mostRounds, rounds);
  tally.meetings += meetings;
}
