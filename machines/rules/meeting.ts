/**
 * A meeting: its table, and what each event does to it. The call, the votes, attendance and the reveal belong to it.
 *
 * The rules of an event take a table and what happened, and return the part that changes with the facts to emit. The
 * statechart decides when each is called; nothing here waits, draws or looks at a clock. All of it stays bounded: who
 * said what, and the number of the tick, are in the arbiter's books (`floor.ts`).
 */
import {
  type Ballot,
  type BySeat,
  type Call,
  COLOURS,
  type Colour,
  type Note,
  type Outcome,
  type Role,
  type Seat,
  type Standing,
  type TickDecision,
} from '../types.ts';
import type { Arrival, ClosedTick, Closing, Fact, RevealedBallot, VoteCount } from './facts.ts';
import type { MeetingOptions } from './options.ts';
import { writeMechanicalLine } from './pads.ts';
import {
  type AnnouncedResult,
  type KnownShip,
  type MeetingRecord,
  type PublicRecord,
  startRecord,
  type WorldTruth,
} from './record.ts';
import { everySeat, seatsWith, withEntry } from './seats.ts';
import {
  type Ballots,
  type DueStep,
  dueAfter,
  padFacts,
  recordDeparture,
  type SeatPart,
  seatsStanding,
  settleTick,
  type TickState,
  takeBid,
} from './tick.ts';

/** What else is going on when a player calls. */
export type Circumstances = { readonly meetingRunning: boolean; readonly gameOver: boolean };

/** What a meeting outside a game knows of one. */
export const WITHOUT_GAME = { record: startRecord(null), ship: null, world: null } as const;

/** A meeting that is called on its own, outside a game. */
export const QUIET: Circumstances = { meetingRunning: false, gameOver: false };

/** Why a call is refused; null when the meeting may begin. */
export function callRefusal(
  call: Call,
  standings: BySeat<Standing>,
  circumstances: Circumstances,
): Note | null {
  const { by, kind } = call;
  if (circumstances.gameOver) return callNote('game-over', 'the game is over');
  if (circumstances.meetingRunning)
    return callNote('meeting-running', 'a meeting is running already');
  if (standings[by] !== 'living') return callNote('not-living', `${by} is not among the living`);
  return kind === 'body' ? bodyRefusal(call, standings) : buttonRefusal(call);
}

function bodyRefusal({ body }: Call, standings: BySeat<Standing>): Note | null {
  const standing = body === null ? undefined : standings[body];
  // A ghost may have left since; the body lies where it lay.
  if (standing === 'dead' || standing === 'departed') return null;
  return callNote('no-body', `the report must name a dead player, found ${body ?? 'nobody'}`);
}

/** Why the button does not work; null when it does. A crisis blocks the button and not the report; doors are no crisis. */
export function buttonRefusal({ by, buttonsLeft, cooldown, crisis }: Call): Note | null {
  if (buttonsLeft <= 0) return callNote('no-button', `${by} has no emergency meeting left`);
  if (cooldown > 0)
    return callNote('cooldown', `crewmates must wait ${cooldown} s before an emergency`);
  if (crisis !== null)
    return callNote('crisis', `the button does not work during a crisis (${crisis})`);
  return null;
}

/** Why a call is refused, for the one who called. */
export function callNote(code: string, text: string): Note {
  return { code: `call/${code}`, text };
}

/** The poll as it was closed. From here on no departure changes a ballot (ruling 20). */
export type Poll = {
  readonly ballots: Ballots;
  /** Voters whose ballot names somebody who left: revealed, but not counted. */
  readonly void: readonly Colour[];
  /** Living players without a ballot. */
  readonly missed: readonly Colour[];
  /** Nobody was left alive (ruling 22). */
  readonly deserted: boolean;
};

/** All living players have voted; true as well when nobody is left alive (rulings 4 and 22). */
export function hasEveryoneVoted(ballots: Ballots, standings: BySeat<Standing>): boolean {
  return everySeat(
    standings,
    (standing, seat) => standing !== 'living' || ballots[seat] !== undefined,
  );
}

/** Closes the poll: fixes which ballots stand, which are void and who missed. */
export function fixPoll(ballots: Ballots, standings: BySeat<Standing>): Poll {
  const living = seatsStanding(standings, 'living');
  return {
    ballots,
    void: seatsWith(ballots, (ballot) => isVoid(ballot, standings)),
    missed: living.filter((colour) => ballots[colour] === undefined),
    deserted: living.length === 0,
  };
}

/** Counts a poll: the unique plurality over skip and everybody else is ejected, otherwise nobody is. */
export function countVotes(poll: Poll): VoteCount {
  const candidates: readonly Ballot[] = [...COLOURS, 'skip'];
  const counts = candidates
    .map((candidate) => ({ candidate, votes: votesFor(candidate, poll) }))
    .filter(({ votes }) => votes > 0);
  const most = Math.max(0, ...counts.map(({ votes }) => votes));
  const leaders = counts.filter(({ votes }) => votes === most);
  const leader = leaders.length === 1 ? leaders[0]?.candidate : undefined;
  if (leader === undefined) return { counts, outcome: 'tie', ejected: null };
  if (leader === 'skip') return { counts, outcome: 'skipped', ejected: null };
  return { counts, outcome: 'ejected', ejected: leader };
}

function votesFor(candidate: Ballot, poll: Poll): number {
  const voters = seatsWith(poll.ballots, (ballot) => ballot === candidate);
  return voters.filter((voter) => !poll.void.includes(voter)).length;
}

function isVoid(ballot: Ballot, standings: BySeat<Standing>): boolean {
  return ballot !== 'skip' && standings[ballot] !== 'living';
}

/** What a closed poll comes to: what the count says, or `empty` where nobody was left. */
function resultOf(poll: Poll) {
  const { counts, outcome, ejected } = countVotes(poll);
  return poll.deserted
    ? ({ counts, outcome: 'empty', ejected: null } as const)
    : { counts, outcome, ejected };
}

/** Who is who, as far as the sentence needs it. */
export type RevealedRoles = {
  /** The role of the ejected; null when nobody was. */
  readonly role: Role | null;
  /** Impostors at the start of the game. */
  readonly impostors: number;
  /** Impostors still living after the ejection. */
  readonly remaining: number;
};

/** The voters whose ballots are turned, in order: every standing ballot once, void ones included. */
export function revealOrder(poll: Poll): readonly Colour[] {
  return seatsWith(poll.ballots, () => true);
}

/** The ballot turned at step `index` of the reveal; null when all have been. */
export function ballotAt(poll: Poll, index: number, anonymous: boolean): RevealedBallot | null {
  const voter = revealOrder(poll)[index];
  const ballot = voter === undefined ? undefined : poll.ballots[voter];
  if (voter === undefined || ballot === undefined) return null;
  return { voter: anonymous ? null : voter, ballot, void: poll.void.includes(voter) };
}

/** What the screen says when the last ballot is turned. */
export function writeResult(
  result: Pick<AnnouncedResult, 'outcome' | 'ejected'>,
  unmasked: RevealedRoles,
  options: Pick<MeetingOptions, 'confirmEjects'>,
): string {
  const { outcome, ejected } = result;
  if (ejected === null) {
    const how = `No one was ejected. (${outcome === 'skipped' ? 'Skipped' : 'Tie'})`;
    return options.confirmEjects ? `${how} ${countRemaining(unmasked.remaining)}` : how;
  }
  const name = ejected.charAt(0).toUpperCase() + ejected.slice(1);
  if (!options.confirmEjects) return `${name} was ejected.`;
  const not = unmasked.role === 'impostor' ? '' : 'not ';
  const article = unmasked.impostors === 1 ? 'The' : 'An';
  return `${name} was ${not}${article} Impostor. ${countRemaining(unmasked.remaining)}`;
}

function countRemaining(impostors: number): string {
  return impostors === 1 ? '1 Impostor remains.' : `${impostors} Impostors remain.`;
}

export type Table = TickState & {
  /** What the dice of this meeting are a value of. */
  readonly chance: MeetingChance;
  readonly seats: readonly Seat[];
  readonly call: Call;
  readonly circumstances: Circumstances;
  /** What the clock of the meeting asks for. */
  readonly due: DueStep;
  /** The poll as it was closed; null while votes may still come. */
  readonly poll: Poll | null;
  /** Ballots turned so far. */
  readonly revealed: number;
  readonly outcome: Outcome | null;
  readonly ejected: Colour | null;
  /** Impostors still living when the result was announced; null before. */
  readonly remaining: number | null;
  /** What everybody knew of the game when the meeting was called. */
  readonly record: PublicRecord;
  /** The ship that everybody knows; null for a meeting without one. */
  readonly ship: KnownShip | null;
  /** What is so on the ship, for ghosts; null for a meeting without one. */
  readonly world: WorldTruth | null;
};

export type MeetingChance = { readonly seed: number; readonly meeting: number };

/** What changes on the table, and what is told about it. */
export type MeetingStep = { readonly changes: Partial<Table>; readonly facts: readonly Fact[] };

export type MeetingSetup = Pick<
  Table,
  | 'chance'
  | 'options'
  | 'seats'
  | 'call'
  | 'circumstances'
  | 'standings'
  | 'record'
  | 'ship'
  | 'world'
>;

export function layTable(setting: MeetingSetup): Table {
  return {
    ...setting,
    streaks: {},
    ballots: {},
    due: dueAfter(setting.options, 0),
    poll: null,
    revealed: 0,
    outcome: null,
    ejected: null,
    remaining: null,
  };
}

export function livingSeats(table: Table): readonly Colour[] {
  return seatsStanding(table.standings, 'living');
}

export function seatsWithBallot(table: Table): readonly Colour[] {
  return table.seats
    .map(({ colour }) => colour)
    .filter((seat) => table.ballots[seat] !== undefined);
}

export function isCallLegal(table: Table): boolean {
  return callRefusal(table.call, table.standings, table.circumstances) === null;
}

export function isPollComplete(table: Table): boolean {
  return hasEveryoneVoted(table.ballots, table.standings);
}

export function announceCall(table: Table): MeetingStep {
  return { changes: {}, facts: [{ type: 'meeting.called', call: table.call }] };
}

export function refuseCall(table: Table): MeetingStep {
  const note = callRefusal(table.call, table.standings, table.circumstances);
  const facts: readonly Fact[] = note === null ? [] : [{ type: 'meeting.refused', note }];
  return { changes: { outcome: 'refused' }, facts };
}

/** A tick of talk: every bid is taken by itself, then the tick is settled. */
export function closeTick(table: Table, closed: ClosedTick): MeetingStep {
  const parts: SeatPart[] = [];
  for (const bid of closed.bids) {
    const part = takeBid(table, closed.requestKind, bid);
    if (part !== null) parts.push(part);
  }
  const { settled, facts } = settleTick(table, parts);
  const { ballots, standings, streaks } = settled;
  return {
    changes: { ballots, standings, streaks, due: dueAfter(table.options, closed.tick + 1) },
    facts: [
      { ...closed, type: 'tick.closed', decision: withoutLeaver(table, closed.decision) },
      ...facts,
    ],
  };
}

/** Whether a player is at the table who could leave it. */
export function isLiving(table: Table, seat: Colour): boolean {
  return table.standings[seat] === 'living';
}

/** A player left while votes may still come. */
export function leaveTable(table: Table, seat: Colour, during: Arrival): MeetingStep {
  const facts: Fact[] = [];
  const leaving = { seat, reason: 'left', during } as const;
  const { standings, ballots, streaks } = recordDeparture(table, leaving, facts);
  return { changes: { standings, ballots, streaks }, facts };
}

/** A player left once the poll is closed, or will never be: no ballot changes any more (ruling 20). */
export function leaveAfterPoll(table: Table, seat: Colour, during: Arrival): MeetingStep {
  return {
    changes: { standings: withEntry(table.standings, seat, 'departed') },
    facts: [{ type: 'seat.departed', seat, reason: 'left', during }],
  };
}

export function closePoll(table: Table): MeetingStep {
  const poll = fixPoll(table.ballots, table.standings);
  const reason: Closing = isPollComplete(table) ? 'everyone-voted' : 'time-up';
  return {
    // From here on faults count against nobody.
    changes: { poll, streaks: {} },
    facts: [{ type: 'poll.closed', reason, missed: poll.missed, void: poll.void }],
  };
}

export function countPoll(table: Table): MeetingStep {
  if (table.poll === null) return { changes: {}, facts: [] };
  const { counts, outcome, ejected } = resultOf(table.poll);
  return {
    changes: { outcome, ejected },
    facts: [{ type: 'poll.counted', counts, outcome, ejected }],
  };
}

export function isEveryBallotTurned(table: Table): boolean {
  return table.poll === null || ballotAt(table.poll, table.revealed, false) === null;
}

export function turnBallot(table: Table): MeetingStep {
  const { poll, revealed, options } = table;
  const known = poll === null ? null : ballotAt(poll, revealed, false);
  const shown = poll === null ? null : ballotAt(poll, revealed, options.anonymousVotes);
  if (shown === null || known === null || known.voter === null) return { changes: {}, facts: [] };
  return {
    changes: { revealed: revealed + 1 },
    facts: [{ type: 'ballot.revealed', index: revealed, by: known.voter, ...shown }],
  };
}

export function announceResult(table: Table): MeetingStep {
  const ejected = table.ejected;
  const standings =
    ejected === null || table.standings[ejected] !== 'living'
      ? table.standings
      : withEntry(table.standings, ejected, 'dead');
  const outcome = table.outcome ?? 'tie';
  const roles = revealRoles(table, standings);
  const spoken = writeResult({ outcome, ejected }, roles, table.options);
  return {
    changes: { standings, remaining: roles.remaining },
    facts: [{ type: 'verdict.announced', sentence: spoken, outcome, ejected }],
  };
}

/** Whether the verdict has been announced: from then on nothing takes it back. */
function isAnnounced({ remaining }: Table): boolean {
  return remaining !== null;
}

/** The result is public once every ballot has been turned. */
export function isResultPublic({ poll, outcome, revealed }: Table): boolean {
  return poll !== null && outcome !== null && revealed >= revealOrder(poll).length;
}

/**
 * The result as the screen shows it under these options. A meeting that was stopped shows as much as had been announced:
 * the verdict of the poll, or else the ballots without a sentence.
 */
export function announcedResult(
  table: Table,
  options: Pick<MeetingOptions, 'anonymousVotes' | 'confirmEjects'>,
): AnnouncedResult {
  const { poll, remaining, seats } = table;
  const order = poll === null ? [] : revealOrder(poll);
  const ballots = order.flatMap((_, index) =>
    poll === null ? [] : (ballotAt(poll, index, options.anonymousVotes) ?? []),
  );
  const { outcome, ejected } = poll !== null && isAnnounced(table) ? resultOf(poll) : table;
  const role = seats.find(({ colour }) => colour === ejected)?.role ?? null;
  const impostors = seats.filter((seat) => seat.role === 'impostor').length;
  const result = { outcome: outcome ?? 'unconverged', ejected } as const;
  return {
    ...result,
    role: options.confirmEjects ? role : null,
    remaining: options.confirmEjects ? remaining : null,
    ballots,
    sentence:
      remaining === null ? null : writeResult(result, { role, impostors, remaining }, options),
  };
}

/** What the record keeps of the meeting. */
export function toMeetingRecord(table: Table): MeetingRecord {
  const { by, kind, body, place } = table.call;
  return {
    call: { by, kind, body, place },
    result: isResultPublic(table) ? announcedResult(table, table.options) : null,
  };
}

/** The reaction tick: scratchpads only, no message and no vote (ruling 26). */
export function noteReactions(_table: Table, closed: ClosedTick): MeetingStep {
  return { changes: {}, facts: [{ ...closed, type: 'tick.closed' }, ...padFacts(closed.bids)] };
}

/** The consolidation tick: each player's own text or the engine's line; nothing can make it fail (ruling 27). */
export function consolidate(table: Table, closed: ClosedTick): MeetingStep {
  const facts: Fact[] = [{ ...closed, type: 'tick.closed' }];
  for (const seat of livingSeats(table)) {
    const bid = closed.bids.find((candidate) => candidate.seat === seat);
    const main = bid?.type === 'reply' ? (bid.reply.pads.main ?? null) : null;
    const line = main === null ? mechanicalLineFor(table, seat) : null;
    facts.push({ type: 'scratchpads.consolidated', seat, main, line });
  }
  return { changes: {}, facts };
}

export function erasePads(_table: Table): MeetingStep {
  return { changes: {}, facts: [{ type: 'scratchpads.erased' }] };
}

/**
 * The operator or a budget asked for the end. What the operator has asked for no budget takes back; a verdict that was
 * announced nothing does: its player is dead, and everybody has heard it.
 */
export function requestStop(
  table: Table,
  outcome: 'unconverged' | 'interrupted',
  during: Arrival,
): MeetingStep {
  const stands = table.outcome === 'interrupted' ? table.outcome : outcome;
  return {
    changes: { outcome: stands, ejected: isAnnounced(table) ? table.ejected : null },
    facts: [{ type: 'stop.requested', outcome, during }],
  };
}

/** A limit that the operator set was reached: nothing is counted and no vote is invented (ruling 1). */
export function stopUnconverged(_table: Table): MeetingStep {
  return { changes: { outcome: 'unconverged', ejected: null }, facts: [] };
}

export function closeMeeting(table: Table): MeetingStep {
  const { outcome, ejected } = table;
  return {
    changes: {},
    facts: [{ type: 'meeting.closed', outcome: outcome ?? 'unconverged', ejected }],
  };
}

/** A player who left while the tick was open has not spoken. */
function withoutLeaver(table: Table, verdict: TickDecision | null): TickDecision | null {
  if (verdict === null || verdict.floor === null) return verdict;
  if (table.standings[verdict.floor] === 'living') return verdict;
  return { ...verdict, floor: null, tieBreak: null, said: null, hits: [] };
}

function mechanicalLineFor(table: Table, seat: Colour): string {
  return writeMechanicalLine(table.ballots[seat], table.outcome ?? 'unconverged', table.ejected);
}

function revealRoles(table: Table, standings: BySeat<Standing>) {
  const impostors = table.seats.filter(({ role }) => role === 'impostor');
  return {
    role: table.seats.find(({ colour }) => colour === table.ejected)?.role ?? null,
    impostors: impostors.length,
    remaining: impostors.filter(({ colour }) => standings[colour] === 'living').length,
  };
}
