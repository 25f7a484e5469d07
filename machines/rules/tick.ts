/**
 * The tick: what the bids of one closed tick do to ballots and attendance.
 *
 * All bids of a tick are one moment, so each is judged by the table as it was when the tick closed: votes are locked
 * first, then faults are counted and the patience with them runs out.
 */
import type { Ballot, Bid, BySeat, Colour, Die, Occasion, Standing, Verdict } from '../types.ts';
import {
  departed,
  isOutOfPatience,
  LEFT,
  type Streaks,
  streakAfter,
  withStreak,
} from './attendance.ts';
import type { Fact } from './facts.ts';
import type { MeetingOptions } from './options.ts';
import { ballotsOpen } from './pressure.ts';
import { type Ballots, voteRefusal } from './votes.ts';

/** A tick as the arbiter closed it: everything that chance, minds and the arbiter decided is data here. */
export type ClosedTick = {
  readonly tick: number;
  readonly occasion: Occasion;
  readonly bids: readonly Bid[];
  readonly dice: BySeat<Die>;
  readonly verdict: Verdict | null;
};

/** The part of a table that a tick can change, and the options that say how. */
export type Present = {
  readonly options: MeetingOptions;
  readonly standings: BySeat<Standing>;
  readonly ballots: Ballots;
  readonly streaks: Streaks;
};

/** Locks the votes of a tick. All are cast at the same moment, so each is judged by the table as it was. */
export function withVotes(
  table: Present,
  occasion: Occasion,
  bids: readonly Bid[],
  facts: Fact[],
): Present {
  const open = ballotsOpen(table.options, occasion);
  let locked: Partial<Record<Colour, Ballot>> | null = null;
  for (const bid of bids) {
    if (bid.type !== 'reply' || bid.reply.vote === null) continue;
    const { vote } = bid.reply;
    const note = open
      ? voteRefusal(vote, bid.seat, table.ballots, table.standings)
      : { code: 'vote/closed', text: 'votes are not open yet: your vote was not counted' };
    if (note === null) {
      locked ??= { ...table.ballots };
      locked[bid.seat] = vote;
      facts.push({ type: 'vote.locked', seat: bid.seat, ballot: vote });
    } else facts.push({ type: 'vote.refused', seat: bid.seat, vote, note });
  }
  if (locked === null) return table;
  const { options, standings, streaks } = table;
  return { options, standings, ballots: locked, streaks };
}

export function withFaults(table: Present, bids: readonly Bid[], facts: Fact[]): Present {
  let present = table;
  for (const bid of bids) {
    const before = present.streaks[bid.seat];
    const streak = streakAfter(before, bid.type === 'fault');
    if (streak === (before ?? 0)) continue;
    const { options, standings, ballots, streaks } = present;
    present = { options, standings, ballots, streaks: withStreak(streaks, bid.seat, streak) };
    if (bid.type !== 'fault') continue;
    const leaver = { seat: bid.seat, during: null };
    facts.push({ type: 'seat.faulted', seat: bid.seat, code: bid.code, streak });
    if (bid.code === LEFT) present = withDeparture(present, { ...leaver, reason: 'left' }, facts);
    else if (isOutOfPatience(streak, table.options.patience)) {
      present = withDeparture(present, { ...leaver, reason: 'faults' }, facts);
    }
  }
  return present;
}

export function withDeparture(
  table: Present,
  leaving: Omit<Extract<Fact, { type: 'seat.departed' }>, 'type'>,
  facts: Fact[],
): Present {
  facts.push({ type: 'seat.departed', ...leaving });
  const { seat } = leaving;
  const { standings, ballots, cleared } = departed(table, seat, table.options.rules);
  for (const voter of cleared) facts.push({ type: 'vote.cleared', seat: voter, leaver: seat });
  const streaks = withStreak(table.streaks, seat, 0);
  return { options: table.options, standings, ballots, streaks };
}

export function notedPads(bids: readonly Bid[]): readonly Fact[] {
  const facts: Fact[] = [];
  for (const bid of bids) {
    if (bid.type !== 'reply') continue;
    const { pads } = bid.reply;
    if (pads.main === undefined && pads.meeting === undefined) continue;
    facts.push({ type: 'pads.noted', seat: bid.seat, pads });
  }
  return facts;
}
