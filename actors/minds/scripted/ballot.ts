/**
 * The ballot: when a player is sure enough to vote, and for whom.
 *
 * Everybody waits for some ticks; then the suspicion that is needed falls with every tick, with every "wrap it up" and
 * with every vote of others, until it is below nothing. So a meeting ends without any limit.
 */
import type { Ballot } from '../../../machines/types.ts';
import { fraction } from './chance.ts';
import { isShielded, type Situation } from './situation.ts';

/** Ticks of patience for each player at the table beyond four. */
const PATIENCE_PER_PLAYER = 0.8;
/** Points by which the needed suspicion falls: for a tick, for a nudge, and when all others have voted. */
const FALL_PER_TICK = 4;
const FALL_PER_NUDGE = 12;
const FALL_BY_VOTES = 34;
/** Suspicion below which nobody is voted out: the player skips. */
const LEAST_HEAT = 10;
/** Being sure beyond this, a player does not wait for the rest, once everybody had a word. */
const CERTAIN = 95;
const CERTAIN_TICKS = 3;
/** The last tick that a player can resist voting in, past their patience. */
const STUBBORN_TICKS = 14;
/** Patience differs by up to so many ticks from meeting to meeting. */
const WHIM_TICKS = 4;
const PATIENCE_LANE = 102;

/** The vote of this tick; null to go on talking. */
export function ballot(at: Situation): Ballot | null {
  const { you, table } = at.view;
  if (!table.votesOpen || you.ballot !== null) return null;
  const top = at.judged.find(({ seat }) => !isShielded(at, seat));
  const found = top?.heat ?? 0;
  if (found >= CERTAIN && table.tick >= CERTAIN_TICKS + at.traits.patience / 4)
    return top?.seat ?? null;
  const waited = table.tick - patience(at);
  if (waited < 0) return null;
  const needed =
    at.traits.resolve -
    waited * FALL_PER_TICK -
    at.record.nudges * FALL_PER_NUDGE -
    FALL_BY_VOTES * votedShare(at);
  if (top !== undefined && found >= Math.max(needed, LEAST_HEAT)) return top.seat;
  return needed < LEAST_HEAT || waited >= STUBBORN_TICKS ? 'skip' : null;
}

function patience(at: Situation): number {
  const seats = at.rivals.length + 1;
  const whim = fraction(at.settledChance, PATIENCE_LANE) * WHIM_TICKS;
  return at.traits.patience + (seats - 4) * PATIENCE_PER_PLAYER + whim - WHIM_TICKS / 2;
}

function votedShare(at: Situation): number {
  const living = at.view.table.seats.filter(
    ({ standing, colour }) => standing === 'living' && colour !== at.me,
  );
  return living.length === 0 ? 1 : living.filter(({ voted }) => voted).length / living.length;
}
