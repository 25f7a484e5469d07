/**
 * Small meetings to be checked, and everything that may happen to one: ticks that close, players who leave, an operator
 * who stops the run. Which events are possible is listed here; what they do is decided by the statechart alone.
 *
 * Every list names all seats that are alike and never only the first, so the environment has the symmetry of the table.
 */
import type { ToMeeting } from '../../machines/messages.ts';
import {
  type MeetingSetup,
  QUIET,
  type Table,
  WITHOUT_GAME,
} from '../../machines/rules/meeting.ts';
import { defaultOptions, type MeetingOptions } from '../../machines/rules/options.ts';
import { dueAfter, isVotingOpen, LATE, LEFT, seatsStanding } from '../../machines/rules/tick.ts';
import {
  type Ballot,
  type Bid,
  type Call,
  COLOURS,
  type Colour,
  type PadUpdates,
  type Reply,
  type RequestKind,
  type TickDecision,
} from '../../machines/types.ts';

export type TableOptions = Partial<MeetingOptions> & { readonly players?: number };

/** Somebody alone would have nobody to vote for but themselves; of three, two can agree against one. */
const PLAYERS = 3;
/** Two faults in a row and a player is out: more make more states and nothing new. */
const PATIENCE = 2;

/** House: votes from the first tick, no clock, two faults and one is out. */
export function houseTable({ players = PLAYERS, ...options }: TableOptions = {}): MeetingSetup {
  return smallTable(players, { rules: 'house', patience: PATIENCE, ...options });
}

/** Classic: one tick of talk, two of voting. */
export function classicTable({ players = PLAYERS, ...options }: TableOptions = {}): MeetingSetup {
  return smallTable(players, {
    rules: 'classic',
    patience: PATIENCE,
    discussionTime: 5,
    votingTime: 10,
    ...options,
  });
}

/** Red is dead from the start, and calls the meeting all the same. */
export function deadCallerTable(wanted: TableOptions = {}): MeetingSetup {
  const setting = houseTable({ players: 4, ...wanted });
  return { ...setting, standings: { ...setting.standings, red: 'dead' } };
}

/** Red presses the emergency button, and nothing is in the way. */
export const BUTTON_CALL: Call = {
  by: 'red',
  kind: 'button',
  body: null,
  place: null,
  buttonsLeft: 1,
  cooldown: 0,
  crisis: null,
};

function smallTable(players: number, options: Partial<MeetingOptions>): MeetingSetup {
  return tableOfSeats(COLOURS.slice(0, players), [], { secondsPerTick: 5, ...options });
}

/** A table of crewmates, these living and those dead. */
export function tableOfSeats(
  living: readonly Colour[],
  dead: readonly Colour[],
  options: Partial<MeetingOptions>,
): MeetingSetup {
  const colours = COLOURS.filter((seat) => living.includes(seat) || dead.includes(seat));
  return {
    chance: { seed: 1, meeting: 0 },
    options: { ...defaultOptions(living.length), ...options },
    seats: colours.map((colour) => ({ colour, role: 'crewmate' })),
    call: BUTTON_CALL,
    circumstances: QUIET,
    ...WITHOUT_GAME,
    ...WITHOUT_GAME,
    standings: Object.fromEntries(
      colours.map((seat) => [seat, dead.includes(seat) ? 'dead' : 'living']),
    ),
  };
}

/** What minds may do in one tick. */
type TickEnvironment = {
  readonly faults: boolean;
  /** Players who may still go. */
  readonly spare: number;
};

type LivingRequest = Exclude<RequestKind, 'ghost'>;

/**
 * Every way in which an open tick may close.
 *
 * Ballots, faults and departures of several players are multiplied out. What is refused, or decides nothing at the
 * table, is tried by one player at a time while the others pass: votes that cannot count, bids of players who are gone,
 * words, and pages of the scratchpads. A rule that refuses such a bid only together with others is not found; this is
 * the one thing left out.
 */
function tickOutcomes(
  table: Table,
  requestKind: LivingRequest,
  liberties: TickEnvironment,
): readonly ToMeeting[] {
  if (requestKind === 'discussion' || requestKind === 'voting') {
    return talkOutcomes(table, requestKind, liberties);
  }
  return quietOutcomes(table, liberties.faults).map((bids) => ({
    ...closeSilently(0, requestKind, bids),
    decision: null,
  }));
}

function talkOutcomes(
  table: Table,
  requestKind: 'discussion' | 'voting',
  liberties: TickEnvironment,
): readonly ToMeeting[] {
  const numbers = listTickNumbers(table);
  const first = numbers[0] ?? 0;
  const hands = seatsStanding(table.standings, 'living').map((seat) =>
    possibleBids(seat, table, requestKind, liberties),
  );
  return [
    ...combineBids(hands, liberties.spare).flatMap((bids) =>
      numbers.map((tick) => closeSilently(tick, requestKind, bids)),
    ),
    ...listSpeeches(table, first, requestKind),
    ...listRefusedVotes(table, requestKind).map((bids) => closeSilently(first, requestKind, bids)),
    ...listIntrusions(table, first, requestKind),
  ];
}

/** What one player may hand in, and whether they are gone with it. */
type PossibleBid = { readonly bid: Bid; readonly isGone: boolean };

function possibleBids(
  seat: Colour,
  { options, streaks, ballots, standings }: Table,
  requestKind: RequestKind,
  { faults, spare }: TickEnvironment,
): readonly PossibleBid[] {
  const isLastFault = (streaks[seat] ?? 0) + 1 >= options.patience;
  const hands: PossibleBid[] = [{ bid: replyOf(seat, {}), isGone: false }];
  if (ballots[seat] === undefined && isVotingOpen(options, requestKind)) {
    for (const vote of [...seatsStanding(standings, 'living'), 'skip'] as const) {
      hands.push({ bid: replyOf(seat, { vote }), isGone: false });
    }
  }
  if (faults && (!isLastFault || spare > 0)) {
    hands.push({ bid: faultOf(seat, LATE), isGone: isLastFault });
  }
  if (spare > 0) hands.push({ bid: faultOf(seat, LEFT), isGone: true });
  return hands;
}

/** Everybody asks for the floor and one of them has it; the one may vote in the same breath. */
function listSpeeches(
  table: Table,
  tick: number,
  requestKind: LivingRequest,
): readonly ToMeeting[] {
  const seats = seatsStanding(table.standings, 'living');
  const speech = (speaker: Colour, vote: Ballot | null) =>
    closeTick(
      tick,
      requestKind,
      seats.map((seat) => replyOf(seat, { message: WORDS, vote: seat === speaker ? vote : null })),
      giveFloor(speaker, tick),
    );
  const open = isVotingOpen(table.options, requestKind);
  return seats.flatMap((seat) =>
    open && table.ballots[seat] === undefined
      ? [speech(seat, null), speech(seat, 'skip')]
      : [speech(seat, null)],
  );
}

/** One player casts a vote that cannot count: a second one, one for somebody who is gone, or one too early. */
function listRefusedVotes(table: Table, requestKind: LivingRequest): readonly (readonly Bid[])[] {
  const { standings, ballots, options } = table;
  const seats = seatsStanding(standings, 'living');
  const gone = table.seats.map(({ colour }) => colour).filter((seat) => !seats.includes(seat));
  const isOpen = isVotingOpen(options, requestKind);
  const votesOf = (seat: Colour): readonly Ballot[] => {
    if (ballots[seat] !== undefined) return ['skip', seat, ...gone];
    return isOpen ? gone : [...seats, 'skip', ...gone];
  };
  return seats.flatMap((seat) => votesOf(seat).map((vote) => oneDiffers(seats, seat, { vote })));
}

/** Somebody who is gone hands in a vote and has the floor, or fails: their bid was under way when they left. */
function listIntrusions(
  table: Table,
  tick: number,
  requestKind: LivingRequest,
): readonly ToMeeting[] {
  const seats = seatsStanding(table.standings, 'living');
  const passes = seats.map((seat) => replyOf(seat, {}));
  const gone = table.seats.map(({ colour }) => colour).filter((seat) => !seats.includes(seat));
  return gone.flatMap((seat) => [
    closeTick(
      tick,
      requestKind,
      [...passes, replyOf(seat, { message: WORDS, vote: 'skip' })],
      giveFloor(seat, tick),
    ),
    closeSilently(tick, requestKind, [...passes, faultOf(seat, LATE)]),
  ]);
}

/** Ticks without a floor: everybody does the same, or one player does something else, or no bid came at all. */
function quietOutcomes(table: Table, faults: boolean): readonly (readonly Bid[])[] {
  const seats = seatsStanding(table.standings, 'living');
  const pass = (seat: Colour) => replyOf(seat, {});
  const write = (seat: Colour) => replyOf(seat, { pads: PAGES });
  const fail = (seat: Colour) => faultOf(seat, LATE);
  const butOne = (all: (seat: Colour) => Bid, other: (seat: Colour) => Bid) =>
    seats.map((one) => seats.map((seat) => (seat === one ? other(seat) : all(seat))));
  if (seats.length === 0) return [[]];
  return [
    [],
    ...(faults ? [pass, write, fail] : [pass, write]).map((kind) => seats.map(kind)),
    ...butOne(pass, write),
    ...(faults ? [...butOne(write, fail), ...butOne(fail, write)] : []),
  ];
}

/**
 * Numbers that the tick may have. Ticks are counted outside the meeting, which looks at what is dueAfter by the clock only:
 * so one number stands for each thing that may be dueAfter, and the world may let it come early or late but never go back.
 * The first number is the one that leaves the clock as it is, where there is one.
 */
function listTickNumbers({ options, due: now }: Table): readonly number[] {
  const found = new Map<string, number>();
  const last = latestMark(options);
  for (let tick = 0; tick <= last; tick++) {
    const next = dueAfter(options, tick + 1);
    if (!found.has(next)) found.set(next, tick);
  }
  const order = [...found.keys()];
  return [...found]
    .filter(([next]) => order.indexOf(next) >= order.indexOf(now))
    .map(([, tick]) => tick);
}

/** A tick after which nothing new falls dueAfter. */
function latestMark({
  discussionTime,
  votingTime,
  secondsPerTick,
  voteAfter,
  maxTicks,
}: Table['options']): number {
  const clock = Math.ceil((discussionTime + votingTime) / secondsPerTick);
  return clock + (voteAfter ?? 0) + (maxTicks ?? 0) + 1;
}

/** All combinations in which at most so many are gone. */
function combineBids(
  hands: readonly (readonly PossibleBid[])[],
  mostGone: number,
): readonly (readonly Bid[])[] {
  const [first, ...rest] = hands;
  if (first === undefined) return [[]];
  return first.flatMap(({ bid, isGone }) =>
    isGone && mostGone === 0
      ? []
      : combineBids(rest, mostGone - Number(isGone)).map((others) => [bid, ...others]),
  );
}

function oneDiffers(seats: readonly Colour[], one: Colour, reply: Partial<Reply>): readonly Bid[] {
  return seats.map((seat) => replyOf(seat, seat === one ? reply : {}));
}

const SILENCE: TickDecision = {
  scores: [],
  floor: null,
  tieBreak: null,
  said: null,
  hits: [],
  nudge: null,
};
const WORDS = 'where';
const PAGES: PadUpdates = { main: 'kept', meeting: 'noted' };

function giveFloor(speaker: Colour, t: number): TickDecision {
  return { ...SILENCE, floor: speaker, said: { tick: t, speaker, target: null, message: WORDS } };
}

/** A tick of talk in which nobody has the floor. */
function closeSilently(tick: number, requestKind: RequestKind, bids: readonly Bid[]) {
  return closeTick(tick, requestKind, bids, SILENCE);
}

function closeTick(
  tick: number,
  requestKind: RequestKind,
  bids: readonly Bid[],
  decision: TickDecision,
): Extract<ToMeeting, { type: 'tick.closed' }> {
  return { type: 'tick.closed', tick, requestKind, bids, dice: {}, decision };
}

function replyOf(seat: Colour, reply: Partial<Reply>): Bid {
  return { type: 'reply', seat, received: null, reply: { ...NOTHING_SAID, ...reply } };
}

function faultOf(seat: Colour, code: string): Bid {
  return { type: 'fault', seat, code, text: '' };
}

const NOTHING_SAID: Reply = {
  thought: '',
  desire: 0,
  message: '',
  target: null,
  vote: null,
  pads: {},
  notes: [],
};

export type Environment = {
  /** Minds may fail. */
  readonly faults: boolean;
  /** Most players who may be gone in the end, whether they left or ran out of patience. */
  readonly departures: number;
  /** The operator may stop the run. */
  readonly stops: boolean;
};

/** Where a meeting is and what is on its table. */
type MeetingPosition = { readonly at: string; readonly context: Table };

/** What may happen next at a meeting, timers apart. */
export function meetingEvents(
  environment: Environment,
): (situation: MeetingPosition) => readonly ToMeeting[] {
  const ticks = new Map<string, readonly ToMeeting[]>();
  return ({ at, context }) => {
    if (at === 'closed') return NOTHING;
    const spare = environment.departures - seatsStanding(context.standings, 'departed').length;
    const outside = [
      ...(environment.departures > 0 ? listDepartures(context, spare) : NOTHING),
      ...(environment.stops ? STOPS : NOTHING),
    ];
    if (at === 'voting.counting') return [...outside, lateTick(context)];
    const requestKind = requestKindAt(at);
    if (requestKind === null) return outside;
    const key = keyOf(context, requestKind, spare);
    let closings = ticks.get(key);
    if (closings === undefined) {
      closings = tickOutcomes(context, requestKind, { faults: environment.faults, spare });
      ticks.set(key, closings);
    }
    return outside.length === 0 ? closings : [...closings, ...outside];
  };
}

const NOTHING: readonly ToMeeting[] = [];
const STOPS: readonly ToMeeting[] = [
  { type: 'meeting.stopped', outcome: 'interrupted' },
  { type: 'meeting.stopped', outcome: 'unconverged' },
];

/** The occasion of the tick that is open; null where none is. */
function requestKindAt(at: string): Exclude<RequestKind, 'ghost'> | null {
  if (at === 'discussion.bidding') return 'discussion';
  if (at === 'voting.polling.bidding') return 'voting';
  return at === 'reaction' || at === 'consolidation' ? at : null;
}

/** All that the list of closed ticks depends on. */
function keyOf(
  { standings, ballots, streaks, options, due: clock }: Table,
  requestKind: RequestKind,
  spare: number,
) {
  const seats = COLOURS.map((seat) => {
    const standing = standings[seat];
    if (standing !== 'living') return standing === undefined ? '' : 'x';
    const patience = options.patience - (streaks[seat] ?? 0);
    return `l${ballots[seat] === undefined ? '' : 'v'}${patience <= 1 ? '!' : ''}`;
  });
  return `${requestKind} ${spare} ${clock} ${seats.join()}`;
}

/** Somebody leaves; whoever is gone may say so once more. */
function listDepartures({ standings, seats }: Table, spare: number): readonly ToMeeting[] {
  return seats
    .filter(({ colour }) => spare > 0 || standings[colour] !== 'living')
    .map(({ colour }) => ({ type: 'seat.left', seat: colour }));
}

/** The tick that was given up when the poll was closed comes in late, with everybody's vote for skip. */
function lateTick({ seats }: Table): ToMeeting {
  const bids = seats.map(({ colour }) => replyOf(colour, { vote: 'skip' }));
  return closeSilently(0, 'discussion', bids);
}
