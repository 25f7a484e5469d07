/**
 * Attendance: faults in a row, disconnection, and what a departure does to the ballots.
 *
 * A fault is silence for that tick and never ends a meeting. After `patience` faults in a row the player is
 * disconnected for the rest of the game, as in Among Us (ruling 2).
 */
import type { Ballot, BySeat, Colour, RuleSet, Standing } from '../types.ts';
import { seatsWith, withEntry } from './seats.ts';
import type { Ballots } from './votes.ts';

/** The fault of a player who got up and left: it disconnects at once, whatever the patience. */
export const LEFT = 'seat/left';
/** The fault of a player whose reply did not come in time. */
export const LATE = 'mind/late';

/** Faults in a row of each seat; a seat without an entry has none. */
export type Streaks = BySeat<number>;

/** Who is here and what is locked: all that a departure touches. */
export type Presence = { readonly standings: BySeat<Standing>; readonly ballots: Ballots };

/** The streak after one more bid: a fault adds one, anything else ends it. */
export function streakAfter(streak: number | undefined, faulted: boolean): number {
  return faulted ? (streak ?? 0) + 1 : 0;
}

/** The streaks with the one of a seat. Nobody has a streak of 0: one state of affairs has one form. */
export function withStreak(streaks: Streaks, seat: Colour, streak: number): Streaks {
  if (streak > 0) return withEntry(streaks, seat, streak);
  if (streaks[seat] === undefined) return streaks;
  const { [seat]: _ended, ...others } = streaks;
  return others;
}

export function isOutOfPatience(streak: number, patience: number): boolean {
  return streak >= patience;
}

/**
 * The table after a player left. In `house` a locked ballot stands, and ballots for the leaver are void later
 * (rulings 19 and 20). In `classic` the leaver's ballot goes and ballots for the leaver are cleared, so that their
 * voters may vote again. `cleared` names those voters. A closed poll has its own copy and is not touched.
 */
export function departed(
  presence: Presence,
  leaver: Colour,
  rules: RuleSet,
): Presence & { readonly cleared: readonly Colour[] } {
  const standings = withEntry(presence.standings, leaver, 'departed');
  if (rules === 'house') return { standings, ballots: presence.ballots, cleared: [] };
  const ballots: Partial<Record<Colour, Ballot>> = {};
  const cleared: Colour[] = [];
  for (const voter of seatsWith(presence.ballots, () => true)) {
    const ballot = presence.ballots[voter];
    if (ballot === undefined || voter === leaver) continue;
    if (ballot === leaver) cleared.push(voter);
    else ballots[voter] = ballot;
  }
  return { standings, ballots, cleared };
}
