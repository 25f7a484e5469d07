/** Ticks: their clock, their votes, faults and departures. The chart decides what follows from them. */
import type {
  Ballot,
  Bid,
  BySeat,
  Colour,
  Note,
  PadUpdates,
  RequestKind,
  RuleSet,
  Standing,
} from '../types.ts';
import type { Departure, Fact } from './facts.ts';
import type { MeetingOptions } from './options.ts';
import { seatsWith, withEntry } from './seats.ts';

export type DueStep = 'talk' | 'ballots' | 'time-up' | 'stop';

/** `house`: only the limits of the operator. `classic`: ballots after the discussion time, then the timed count. */
export function dueAfter(options: MeetingOptions, passed: number): DueStep {
  if (options.maxTicks !== null && passed >= options.maxTicks) return 'stop';
  const opening = ballotsAskedAfter(options);
  if (opening === null || passed < opening) return 'talk';
  const voting = inTicks(options.votingTime, options);
  return options.votingTime > 0 && passed >= opening + voting ? 'time-up' : 'ballots';
}

/** Null if ballots are never asked for. */
export function ballotsAskedAfter(options: MeetingOptions): number | null {
  if (options.voteAfter !== null) return options.voteAfter;
  return options.rules === 'classic' ? inTicks(options.discussionTime, options) : null;
}

/** `classic` locks no vote before the voting phase (ruling 39). */
export function isVotingOpen(options: MeetingOptions, requestKind: RequestKind): boolean {
  return requestKind === 'voting' || options.rules === 'house';
}

function inTicks(seconds: number, options: MeetingOptions): number {
  return Math.ceil(seconds / options.secondsPerTick);
}

/** Ticks after which votes count and the poll closes. Null if nothing closes it. */
export function voteTicks(options: MeetingOptions) {
  const asked = ballotsAskedAfter(options);
  const openAfter = options.rules === 'house' ? 0 : (asked ?? 0);
  const voting = inTicks(options.votingTime, options);
  const isTimed = asked !== null && options.votingTime > 0;
  return { openAfter, closeAfter: isTimed ? asked + voting : null };
}

export type Ballots = BySeat<Ballot>;

export function seatsStanding(standings: BySeat<Standing>, standing: Standing): readonly Colour[] {
  return seatsWith(standings, (own) => own === standing);
}

/** Null if the vote is legal. A vote for oneself is (ruling 16), one for the dead is not (15). */
export function voteRefusal(
  vote: Ballot,
  voter: Colour,
  ballots: Ballots,
  standings: BySeat<Standing>,
): Note | null {
  const own = ballots[voter];
  if (own !== undefined)
    return { code: 'vote/locked', text: `your vote for ${own} is locked and cannot change` };
  if (vote === 'skip' || standings[vote] === 'living') return null;
  const living = seatsStanding(standings, 'living').join(', ');
  return {
    code: 'vote/not-living',
    text: `your vote for ${vote} does not count: ${vote} is not among the living (${living})`,
  };
}

/* A fault is silence for one tick. After `patience` faults in a row the player is disconnected for good (ruling 2). */

/** The fault of a player who left. It disconnects at once, whatever the patience. */
export const LEFT = 'seat/left';

export const LATE = 'mind/late';

/** Faults in a row. A seat without an entry has none. */
export type Streaks = BySeat<number>;

type TablePresence = { readonly standings: BySeat<Standing>; readonly ballots: Ballots };

/** The codes of faults in an outage begin so: they do not count against the player (ruling 54). */
export const OUTAGE = 'outage/';

export function nextStreak(streak: number | undefined, fault: string | null): number {
  if (fault === null) return 0;
  return (streak ?? 0) + (fault.startsWith(OUTAGE) ? 0 : 1);
}

/** No entry is 0, so that equal states have equal values. */
export function withStreak(streaks: Streaks, seat: Colour, streak: number): Streaks {
  if (streak > 0) return withEntry(streaks, seat, streak);
  if (streaks[seat] === undefined) return streaks;
  const { [seat]: _ended, ...others } = streaks;
  return others;
}

/**
 * The table after a departure. In `house` a locked ballot stays, and ballots for the leaver become void in the poll
 * (rulings 19 and 20). In `classic` the leaver's ballot is removed and ballots for the leaver are cleared, so that
 * their voters may vote again. `cleared` names those voters. A closed poll keeps its own copy.
 */
export function removePlayer(
  presence: TablePresence,
  leaver: Colour,
  rules: RuleSet,
): TablePresence & { readonly cleared: readonly Colour[] } {
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

/* All bids of a tick are simultaneous: each is judged by the table as it was at the opening, then all are settled. */

export type TickState = {
  readonly options: MeetingOptions;
  readonly standings: BySeat<Standing>;
  readonly ballots: Ballots;
  readonly streaks: Streaks;
};

export type SeatPart = {
  readonly seat: Colour;
  /** The locked ballot. Null if the bid locks none. */
  readonly locks: Ballot | null;
  /** Faults in a row, including this bid. */
  readonly streak: number;
  /** Why this bid removes the player. Null if it does not. */
  readonly departs: Departure | null;
  readonly voted: Fact | null;
  readonly faulted: Fact | null;
  readonly wrote: Fact | null;
};

/** Null if the seat is not living. Of others it reads only who is living, so the order of bids does not matter. */
export function takeBid(opened: TickState, requestKind: RequestKind, bid: Bid): SeatPart | null {
  const { seat } = bid;
  if (opened.standings[seat] !== 'living') return null;
  const streak = nextStreak(opened.streaks[seat], bid.type === 'fault' ? bid.code : null);
  if (bid.type === 'fault') {
    const faulted = { type: 'seat.faulted', seat, code: bid.code, streak } as const;
    const departs = departureBy(bid.code, streak, opened.options.patience);
    return { seat, locks: null, streak, departs, voted: null, faulted, wrote: null };
  }
  const { vote, pads } = bid.reply;
  const voted = vote === null ? null : judgeVote(opened, requestKind, seat, vote);
  return {
    seat,
    locks: voted?.type === 'vote.locked' ? voted.ballot : null,
    streak,
    departs: null,
    voted,
    faulted: null,
    wrote: padFact(seat, pads),
  };
}

export function departureBy(code: string, streak: number, patience: number): Departure | null {
  if (code === LEFT) return 'left';
  return streak >= patience ? 'faults' : null;
}

function judgeVote(
  { options, ballots, standings }: TickState,
  requestKind: RequestKind,
  seat: Colour,
  vote: Ballot,
) {
  const note = isVotingOpen(options, requestKind)
    ? voteRefusal(vote, seat, ballots, standings)
    : { code: 'vote/closed', text: 'votes are not open yet: your vote was not counted' };
  return note === null
    ? ({ type: 'vote.locked', seat, ballot: vote } as const)
    : ({ type: 'vote.refused', seat, vote, note } as const);
}

/** Locks votes first, then counts faults and lets players depart in the order of the bids. Facts have that order. */
export function settleTick(
  opened: TickState,
  parts: readonly SeatPart[],
): { readonly settled: TickState; readonly facts: readonly Fact[] } {
  const facts: Fact[] = [];
  let settled: TickState = lockBallots(opened, parts);
  for (const { voted } of parts) if (voted !== null) facts.push(voted);
  for (const { seat, streak, departs, faulted } of parts) {
    const streaks = withStreak(settled.streaks, seat, streak);
    if (streaks !== settled.streaks) settled = { ...settled, streaks };
    if (faulted !== null) facts.push(faulted);
    if (departs === null) continue;
    settled = recordDeparture(settled, { seat, reason: departs, during: null }, facts);
  }
  for (const { wrote } of parts) if (wrote !== null) facts.push(wrote);
  return { settled, facts };
}

function lockBallots(opened: TickState, parts: readonly SeatPart[]): TickState {
  let locked: Partial<Record<Colour, Ballot>> | null = null;
  for (const { seat, locks } of parts) {
    if (locks === null) continue;
    locked ??= { ...opened.ballots };
    locked[seat] = locks;
  }
  if (locked === null) return opened;
  const { options, standings, streaks } = opened;
  return { options, standings, ballots: locked, streaks };
}

export function recordDeparture(
  table: TickState,
  leaving: Omit<Extract<Fact, { type: 'seat.departed' }>, 'type'>,
  facts: Fact[],
): TickState {
  facts.push({ type: 'seat.departed', ...leaving });
  const { seat } = leaving;
  const { standings, ballots, cleared } = removePlayer(table, seat, table.options.rules);
  for (const voter of cleared) facts.push({ type: 'vote.cleared', seat: voter, leaver: seat });
  const streaks = withStreak(table.streaks, seat, 0);
  return { options: table.options, standings, ballots, streaks };
}

export function padFacts(bids: readonly Bid[]): readonly Fact[] {
  return bids.flatMap((bid) =>
    bid.type === 'reply' ? (padFact(bid.seat, bid.reply.pads) ?? []) : [],
  );
}

function padFact(seat: Colour, pads: PadUpdates): Fact | null {
  const isEmpty = pads.main === undefined && pads.meeting === undefined;
  return isEmpty ? null : { type: 'scratchpads.updated', seat, pads };
}
