/**
 * The rules of a meeting: call, votes, attendance and reveal. A rule takes the table and an event, and returns the
 * changes and the facts to emit. The transcript and the tick number are in the arbiter's books (`floor.ts`).
 */
import { capitalize } from '../text.ts';
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
} from '../types.ts';
import type {
  Arrival,
  ClosedTick,
  Closing,
  Fact,
  RevealedBallot,
  TickDecision,
  VoteCount,
} from './facts.ts';
import type { MeetingOptions } from './options.ts';
import { writeMechanicalLine } from './pads.ts';
import {
  type AnnouncedResult,
  type DatedKill,
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

export type Circumstances = { readonly meetingRunning: boolean; readonly gameOver: boolean };

export const WITHOUT_GAME = {
  record: startRecord(null),
  ship: null,
  world: null,
  kills: [],
} as const;

export const QUIET: Circumstances = { meetingRunning: false, gameOver: false };

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
  // The reported ghost may have left since. The body is still there.
  if (standing === 'dead' || standing === 'departed') return null;
  return callNote('no-body', `the report must name a dead player, found ${body ?? 'nobody'}`);
}

/** A crisis blocks the button but not a report. Shut doors are no crisis. */
export function buttonRefusal({ by, buttonsLeft, cooldown, crisis }: Call): Note | null {
  if (buttonsLeft <= 0) return callNote('no-button', `${by} has no emergency meeting left`);
  if (cooldown > 0)
    return callNote('cooldown', `crewmates must wait ${cooldown} s before an emergency`);
  if (crisis !== null)
    return callNote('crisis', `the button does not work during a crisis (${crisis})`);
  return null;
}

export function callNote(code: string, text: string): Note {
  return { code: `call/${code}`, text };
}

/** The closed poll. No departure changes a ballot any more (ruling 20). */
export type Poll = {
  readonly ballots: Ballots;
  /** Voters whose ballot names a player who left: revealed, but not counted. */
  readonly void: readonly Colour[];
  readonly missed: readonly Colour[];
  /** Nobody was left alive (ruling 22). */
  readonly deserted: boolean;
};

/** Also true if nobody is left alive (rulings 4 and 22). */
export function hasEveryoneVoted(ballots: Ballots, standings: BySeat<Standing>): boolean {
  return everySeat(
    standings,
    (standing, seat) => standing !== 'living' || ballots[seat] !== undefined,
  );
}

export function fixPoll(ballots: Ballots, standings: BySeat<Standing>): Poll {
  const living = seatsStanding(standings, 'living');
  return {
    ballots,
    void: seatsWith(ballots, (ballot) => ballot !== 'skip' && standings[ballot] !== 'living'),
    missed: living.filter((colour) => ballots[colour] === undefined),
    deserted: living.length === 0,
  };
}

const CANDIDATES: readonly Ballot[] = [...COLOURS, 'skip'];

/** A unique plurality over skip and all others ejects. Otherwise nobody is ejected. */
export function countVotes(poll: Poll): VoteCount {
  const tally = new Map<Ballot, number>();
  for (const voter of revealOrder(poll)) {
    const ballot = poll.ballots[voter];
    if (ballot === undefined || poll.void.includes(voter)) continue;
    tally.set(ballot, (tally.get(ballot) ?? 0) + 1);
  }
  const counts: VoteCount['counts'][number][] = [];
  for (const candidate of CANDIDATES) {
    const votes = tally.get(candidate);
    if (votes !== undefined) counts.push({ candidate, votes });
  }
  const most = Math.max(0, ...counts.map(({ votes }) => votes));
  const leaders = counts.filter(({ votes }) => votes === most);
  const leader = leaders.length === 1 ? leaders[0]?.candidate : undefined;
  if (leader === undefined) return { counts, outcome: 'tie', ejected: null };
  if (leader === 'skip') return { counts, outcome: 'skipped', ejected: null };
  return { counts, outcome: 'ejected', ejected: leader };
}

function resultOf(poll: Poll) {
  const counted = countVotes(poll);
  return poll.deserted ? ({ ...counted, outcome: 'empty', ejected: null } as const) : counted;
}

export type RevealedRoles = {
  /** Null if nobody was ejected. */
  readonly role: Role | null;
  /** Impostors at the start of the game. */
  readonly impostors: number;
  /** Impostors still living after the ejection. */
  readonly remaining: number;
};

/** The voters in the order of the reveal, void ballots included. */
export function revealOrder(poll: Poll): readonly Colour[] {
  return seatsWith(poll.ballots, () => true);
}

/** Null after the last ballot. */
export function ballotAt(poll: Poll, index: number, anonymous: boolean): RevealedBallot | null {
  const voter = revealOrder(poll)[index];
  const ballot = voter === undefined ? undefined : poll.ballots[voter];
  if (voter === undefined || ballot === undefined) return null;
  return { voter: anonymous ? null : voter, ballot, void: poll.void.includes(voter) };
}

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
  const name = capitalize(ejected);
  if (!options.confirmEjects) return `${name} was ejected.`;
  const not = unmasked.role === 'impostor' ? '' : 'not ';
  const article = unmasked.impostors === 1 ? 'The' : 'An';
  return `${name} was ${not}${article} Impostor. ${countRemaining(unmasked.remaining)}`;
}

function countRemaining(impostors: number): string {
  return impostors === 1 ? '1 Impostor remains.' : `${impostors} Impostors remain.`;
}

export type MeetingChance = { readonly seed: number; readonly meeting: number };

export type MeetingSetup = Pick<TickState, 'options' | 'standings'> & {
  readonly chance: MeetingChance;
  readonly seats: readonly Seat[];
  readonly call: Call;
  readonly circumstances: Circumstances;
  readonly record: PublicRecord;
  /** The ship as everybody knows it. Null for a meeting without one, as is `world`. */
  readonly ship: KnownShip | null;
  /** For ghosts. */
  readonly world: WorldTruth | null;
  /** The kills before a meeting on its own, for ghosts. In a game `world` has them. */
  readonly kills: readonly DatedKill[];
};

export type Table = MeetingSetup &
  TickState & {
    readonly due: DueStep;
    /** Null while votes may still come. */
    readonly poll: Poll | null;
    readonly revealed: number;
    readonly outcome: Outcome | null;
    readonly ejected: Colour | null;
    /** In a game, the players who left through faults. */
    readonly faulted: readonly Colour[];
    /** Impostors still living when the result was announced. Null before. */
    readonly remaining: number | null;
  };

export type MeetingStep = { readonly changes: Partial<Table>; readonly facts: readonly Fact[] };

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
    faulted: [],
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

export function closeTick(table: Table, closed: ClosedTick): MeetingStep {
  const parts: SeatPart[] = [];
  for (const bid of closed.bids) {
    const part = takeBid(table, closed.requestKind, bid);
    if (part !== null) parts.push(part);
  }
  const { settled, facts } = settleTick(table, parts);
  const { ballots, standings, streaks } = settled;
  // Only a game asks who left through faults.
  const gone = table.world === null ? [] : parts.filter(({ departs }) => departs === 'faults');
  return {
    changes: {
      ballots,
      standings,
      streaks,
      faulted: [...table.faulted, ...gone.map(({ seat }) => seat)],
      due: dueAfter(table.options, closed.tick + 1),
    },
    facts: [
      { ...closed, type: 'tick.closed', decision: withoutLeaver(table, closed.decision) },
      ...facts,
    ],
  };
}

export function isLiving(table: Table, seat: Colour): boolean {
  return table.standings[seat] === 'living';
}

export function leaveTable(table: Table, seat: Colour, during: Arrival): MeetingStep {
  const facts: Fact[] = [];
  const leaving = { seat, reason: 'left', during } as const;
  const { standings, ballots, streaks } = recordDeparture(table, leaving, facts);
  return { changes: { standings, ballots, streaks }, facts };
}

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
    // From now on nobody is disconnected for faults.
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

function isAnnounced({ remaining }: Table): boolean {
  return remaining !== null;
}

export function isResultPublic({ poll, outcome, revealed }: Table): boolean {
  return poll !== null && outcome !== null && revealed >= revealOrder(poll).length;
}

/** The result on the screen under these options. A stopped meeting shows as much as had been announced. */
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

/** Each player keeps their own text or the engine's line. Nothing can make this fail (ruling 27). */
export function consolidate(table: Table, closed: ClosedTick): MeetingStep {
  const { ballots, ejected } = table;
  const outcome = table.outcome ?? 'unconverged';
  const facts: Fact[] = [{ ...closed, type: 'tick.closed' }];
  for (const seat of livingSeats(table)) {
    const bid = closed.bids.find((candidate) => candidate.seat === seat);
    const main = bid?.type === 'reply' ? (bid.reply.pads.main ?? null) : null;
    const line = main === null ? writeMechanicalLine(ballots[seat], outcome, ejected) : null;
    facts.push({ type: 'scratchpads.consolidated', seat, main, line });
  }
  return { changes: {}, facts };
}

export function erasePads(_table: Table): MeetingStep {
  return { changes: {}, facts: [{ type: 'scratchpads.erased' }] };
}

/** The operator or a budget ends the meeting. A budget never overrides the operator, and nothing revokes a verdict. */
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

/** A limit of the operator was reached. No ballots are counted and no vote is invented (ruling 1). */
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

/** A player who left during the tick has not spoken. */
function withoutLeaver(table: Table, verdict: TickDecision | null): TickDecision | null {
  if (verdict === null || verdict.floor === null) return verdict;
  if (table.standings[verdict.floor] === 'living') return verdict;
  return { ...verdict, floor: null, tieBreak: null, said: null, hits: [] };
}

function revealRoles(table: Table, standings: BySeat<Standing>) {
  const impostors = table.seats.filter(({ role }) => role === 'impostor');
  return {
    role: table.seats.find(({ colour }) => colour === table.ejected)?.role ?? null,
    impostors: impostors.length,
    remaining: impostors.filter(({ colour }) => standings[colour] === 'living').length,
  };
}
