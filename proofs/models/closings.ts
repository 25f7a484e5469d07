/**
 * Lists every way to close an open tick: each player's bid, the floor and the tick number. The bids of all seats are
 * combined, which detects a rule that fails only if several things happen at once. Each list treats equal seats
 * equally, so the environment has the table's symmetry. No rule under test is called.
 */
import type { ToMeeting } from '../../machines/messages.ts';
import type { TickDecision } from '../../machines/rules/facts.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type { MeetingOptions } from '../../machines/rules/options.ts';
import { LATE, LEFT, OUTAGE } from '../../machines/rules/tick.ts';
import {
  type Ballot,
  type Bid,
  COLOURS,
  type Colour,
  type PadUpdates,
  type Reply,
  type RequestKind,
} from '../../machines/types.ts';
import { expectedDue, lastMark, listMarks } from './clock.ts';
import { rememberLast, rememberParts } from './rememberLast.ts';

/**
 * The combinations of bids. `all`: every combination. `folded`: everything, bid by bid. `some`:
 * effective votes, faults and departures of all players, any bids of two players while the others
 * pass, and each floor while the others act alike.
 */
export type Combinations = 'all' | 'some' | 'folded';

/** A tick that waits for bids. `faults`: minds may fail. `spare`: how many more players may leave. */
export type OpenTick = {
  readonly table: Table;
  readonly requestKind: LivingRequest;
  readonly faults: boolean;
  readonly spare: number;
};

export const pass = (seat: Colour) => replyOf(seat, {});
const fail = (seat: Colour) => faultOf(seat, LATE);

export type LivingRequest = Exclude<RequestKind, 'ghost'>;

export function requestKindAt(at: string): LivingRequest | null {
  if (at === 'discussion.bidding') return 'discussion';
  if (at === 'voting.polling.bidding') return 'voting';
  return at === 'reaction' || at === 'consolidation' ? at : null;
}

export function isTalk(requestKind: RequestKind): boolean {
  return requestKind === 'discussion' || requestKind === 'voting';
}

export function listClosings(tick: OpenTick, combinations: Combinations): readonly ToMeeting[] {
  const { table, requestKind } = tick;
  if (isTalk(requestKind)) return listTalkClosings(tick, combinations);
  const late = listIntrusions(table).map((bids) => [...livingOf(table).map(write), ...bids]);
  return [...listQuietBids(tick, combinations), ...late].map((bids) =>
    closeTick(0, requestKind, bids, null),
  );
}

function listTalkClosings(open: OpenTick, combinations: Combinations): readonly ToMeeting[] {
  const { table, requestKind } = open;
  const { marks, others: rest } = listTickNumbers(table);
  const close = (tick: number, { bids, floor = null }: TickClosing) =>
    closeTick(tick, requestKind, bids, floor);
  const [plain, others] = combinations === 'all' ? [combineAll(open), []] : combineSome(open);
  const [first = 0, ...later] = marks;
  return [
    ...[...plain, ...others].map((closing) => close(first, closing)),
    // The clock ignores the floor and refused votes.
    ...later.flatMap((tick) => plain.map((closing) => close(tick, closing))),
    ...rest.map((tick) => close(tick, { bids: livingOf(table).map(pass) })),
  ];
}

/** The bids, and who has the floor. */
type TickClosing = { readonly bids: readonly Bid[]; readonly floor?: Colour | null };

/** Every combination of the living players' bids, with every floor and every intrusion of departed players. */
function combineAll(tick: OpenTick): readonly TickClosing[] {
  const hands = livingOf(tick.table).map((seat) => listPossibleBids(seat, tick));
  const intrusions = [[], ...listIntrusions(tick.table)];
  return combine(hands, tick.spare).flatMap((handed) =>
    intrusions.flatMap((intruding) => {
      const bids = [...handed, ...intruding];
      return [null, ...repliersOf(bids)].map((floor) => ({ bids, floor }));
    }),
  );
}

/** The plain ones, with only effective bids and without a floor, and the others. */
function combineSome(
  tick: OpenTick,
): readonly [plain: readonly TickClosing[], others: readonly TickClosing[]] {
  const { table, spare } = tick;
  const hands = livingOf(table).map((seat): Hand => {
    return { seat, counting: listBids(seat, tick), idle: listIdleBids(seat, tick) };
  });
  const counting = hands.map((hand) => hand.counting);
  return [
    combine(counting, spare).map((bids) => ({ bids })),
    [...listSpeeches(hands), ...listIdleness(hands, spare), ...listLateBids(table)],
  ];
}

type Hand = {
  readonly seat: Colour;
  readonly counting: readonly PossibleBid[];
  readonly idle: readonly PossibleBid[];
};

/** One player has the floor with any vote or page. The others all pass, all skip or all fail. */
function listSpeeches(hands: readonly Hand[]): readonly TickClosing[] {
  const crowds = [pass, (seat: Colour) => replyOf(seat, { vote: 'skip' }), fail];
  return hands.flatMap((speaker) => {
    const others = hands.filter((hand) => hand !== speaker);
    const can = ({ seat, counting }: Hand, crowd: (seat: Colour) => Bid) => {
      const wanted = JSON.stringify(crowd(seat));
      return counting.some(({ bid, isGone }) => !isGone && JSON.stringify(bid) === wanted);
    };
    const crowdsOf =
      others.length === 0
        ? [pass]
        : crowds.filter((crowd) => others.every((hand) => can(hand, crowd)));
    const bids = [...speaker.counting, ...speaker.idle].map(({ bid }) => bid);
    return bids.flatMap((bid) =>
      (bid.type === 'reply' ? crowdsOf : []).map((crowd) => ({
        bids: hands.map(({ seat }) => (seat === speaker.seat ? bid : crowd(seat))),
        floor: speaker.seat,
      })),
    );
  });
}

/** One player makes an ineffective bid, alone or with any bid of one other player. The rest pass. */
function listIdleness(hands: readonly Hand[], spare: number): readonly TickClosing[] {
  const besides = (bids: readonly Bid[]): TickClosing => ({
    bids: hands.map(({ seat }) => bids.find((bid) => bid.seat === seat) ?? pass(seat)),
  });
  const pairs = hands.flatMap((one, index) =>
    hands
      .slice(index + 1)
      .flatMap((other) => [
        ...combine([one.idle, other.counting.slice(1)], spare),
        ...combine([one.counting.slice(1), other.idle], spare),
        ...combine([one.idle, other.idle], spare),
      ]),
  );
  return [...hands.flatMap(({ idle }) => idle.map(({ bid }) => [bid])), ...pairs].map(besides);
}

function listLateBids(table: Table): readonly TickClosing[] {
  const passes = livingOf(table).map(pass);
  return goneOf(table).flatMap((seat) =>
    INTRUSIONS.flatMap((intrusion) => {
      const bid = intrusion(seat);
      const bids = [...passes, bid];
      return [null, ...repliersOf([bid])].map((floor) => ({ bids, floor }));
    }),
  );
}

export type PossibleBid = { readonly bid: Bid; readonly isGone: boolean };

export function leave(seat: Colour): PossibleBid {
  return { bid: faultOf(seat, LEFT), isGone: true };
}

const staying = (bid: Bid): PossibleBid => ({ bid, isGone: false });

export function listPossibleBids(seat: Colour, tick: OpenTick): readonly PossibleBid[] {
  return [...listBids(seat, tick), ...listIdleBids(seat, tick)];
}

/** Effective bids: a pass, a vote, a fault or a departure. */
function listBids(seat: Colour, tick: OpenTick): readonly PossibleBid[] {
  const { table, faults, spare } = tick;
  const isLastFault = (table.streaks[seat] ?? 0) + 1 >= table.options.patience;
  const votes = isVoteTaken(seat, tick) ? ([...livingOf(table), 'skip'] as const) : [];
  return [
    staying(pass(seat)),
    ...votes.map((vote) => staying(replyOf(seat, { vote }))),
    ...(faults && (!isLastFault || spare > 0) ? [{ bid: fail(seat), isGone: isLastFault }] : []),
    // Faults are counted for each player, so faults of an outage are tried in a meeting of one.
    ...(faults && table.seats.length === 1 ? [staying(faultOf(seat, `${OUTAGE}late`))] : []),
    ...(spare > 0 ? [leave(seat)] : []),
  ];
}

/** Ineffective bids: pages, and votes that do not count (a second one, one for a departed player, or an early one). */
function listIdleBids(seat: Colour, tick: OpenTick): readonly PossibleBid[] {
  const gone = goneOf(tick.table);
  const refused: readonly Ballot[] = isVoteTaken(seat, tick) ? gone : ['skip', seat, ...gone];
  return [
    staying(replyOf(seat, { pads: PAGES })),
    ...refused.map((vote) => staying(replyOf(seat, { vote }))),
  ];
}

/** Whether a player's vote counts: the first one, in house always and in classic once ballots are requested. */
function isVoteTaken(seat: Colour, { table, requestKind }: OpenTick): boolean {
  const isOpen = table.options.rules === 'house' || requestKind === 'voting';
  return isOpen && table.ballots[seat] === undefined;
}

/** A departed player's bid was in flight and contains a vote or a fault. */
const INTRUSIONS = [(seat: Colour) => replyOf(seat, { vote: 'skip' }), fail];

export function repliersOf(bids: readonly Bid[]): readonly Colour[] {
  return bids.flatMap(({ type, seat }) => (type === 'reply' ? [seat] : []));
}

/** The bids of departed players: one of one of them, or the same of all. */
export function listIntrusions(table: Table): readonly (readonly Bid[])[] {
  const gone = goneOf(table);
  const single = gone.flatMap((seat) => INTRUSIONS.map((intrusion) => [intrusion(seat)]));
  const together = gone.length < 2 ? [] : INTRUSIONS.map((intrusion) => gone.map(intrusion));
  return [...single, ...together];
}

export const write = (seat: Colour) => replyOf(seat, { pads: PAGES });
/** A vote and a message in a tick that ignores both, and an emptied page. */
const voteAloud = (seat: Colour) =>
  replyOf(seat, { message: WORDS, vote: 'skip', pads: { main: '' } });

const quietKinds = (faults: boolean) => [pass, write, voteAloud, ...(faults ? [fail] : [])];

export function listQuietReplies(seat: Colour, faults: boolean): readonly PossibleBid[] {
  return quietKinds(faults).map((kind) => staying(kind(seat)));
}

/** In a tick without a floor only the pages of a reply count. */
function listQuietBids(
  { table, faults }: OpenTick,
  combinations: Combinations,
): readonly (readonly Bid[])[] {
  const seats = livingOf(table);
  if (seats.length === 0) return [[]];
  if (combinations === 'all') {
    const hands = seats.map((seat) => listQuietReplies(seat, faults));
    return [[], ...combine(hands, 0)];
  }
  const butOne = (all: (seat: Colour) => Bid, other: (seat: Colour) => Bid) =>
    seats.map((one) => seats.map((seat) => (seat === one ? other(seat) : all(seat))));
  const alike = quietKinds(faults).map((kind) => seats.map(kind));
  if (seats.length === 1) return [[], ...alike];
  return [
    [],
    ...alike,
    ...butOne(pass, write),
    ...butOne(pass, voteAloud),
    ...(faults ? [...butOne(write, fail), ...butOne(fail, write)] : []),
  ];
}

/**
 * The possible numbers of the tick. Ticks are counted outside the meeting, which only reads the due part of the clock.
 * So one number, a mark, represents each possible due part. The world may reach it early or late but never go back. The
 * first mark leaves the clock unchanged, if possible. The other numbers occur only if all pass.
 */
export const listTickNumbers = rememberParts(
  { options: true, due: true },
  ({ options, due: now }: Pick<Table, 'options' | 'due'>) => {
    const ticks = Map.groupBy(listTicksOfClock(options), (tick) => expectedDue(options, tick + 1));
    const passed = [...ticks.keys()].indexOf(now);
    const ahead = [...ticks.values()].slice(Math.max(0, passed));
    return {
      marks: ahead.flatMap((same) => same.slice(0, 1)),
      others: ahead.flatMap((same) => same.slice(1)),
    };
  },
);

/** All ticks of a short clock. For a long clock, the ticks around each change. */
const listTicksOfClock = rememberLast((options: MeetingOptions): readonly number[] => {
  const last = lastMark(options);
  if (last <= MOST_TICKS) return Array.from({ length: last + 1 }, (_, tick) => tick);
  const near = listMarks(options).flatMap((mark) => [mark - 2, mark - 1, mark, mark + 1]);
  const ticks = [0, 1, ...near, last - 1, last].filter((tick) => tick >= 0 && tick <= last);
  return [...new Set(ticks)].toSorted((one, other) => one - other);
});

/** The greatest number of ticks with the lobby's times. */
const MOST_TICKS = 50;

function combine(
  hands: readonly (readonly PossibleBid[])[],
  mostGone: number,
): readonly (readonly Bid[])[] {
  const [first, ...rest] = hands;
  if (first === undefined) return [[]];
  return first.flatMap(({ bid, isGone }) =>
    isGone && mostGone <= 0
      ? []
      : combine(rest, mostGone - Number(isGone)).map((others) => [bid, ...others]),
  );
}

/** Every list with one choice from each of these. */
export function combineChoices<T>(choices: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return choices.reduce<readonly (readonly T[])[]>(
    (rows, options) => rows.flatMap((row) => options.map((option) => [...row, option])),
    [[]],
  );
}

export function livingOf({ seats, standings }: Table): readonly Colour[] {
  return livingAmong(seats)(standings);
}

const livingAmong = rememberLast((seats: Table['seats']) =>
  rememberLast((standings: Table['standings']) =>
    seats.map(({ colour }) => colour).filter((seat) => standings[seat] === 'living'),
  ),
);

function goneOf({ seats, standings }: Table): readonly Colour[] {
  return seats.map(({ colour }) => colour).filter((seat) => standings[seat] !== 'living');
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
const HITS: TickDecision['hits'] = [
  { seat: 'red', kind: 'mention', word: 'red', reason: 'whole word in the message' },
];
const PAGES: PadUpdates = { main: 'kept', meeting: 'noted' };

/** A closed tick with its bids in seat order. The speaker has asked for the floor. */
export function closeTick(
  tick: number,
  requestKind: RequestKind,
  handed: readonly Bid[],
  floor: Colour | null,
): Extract<ToMeeting, { type: 'tick.closed' }> {
  const said = floor === null ? null : { tick, speaker: floor, target: null, message: WORDS };
  const inOrder = handed.toSorted(
    (one, other) => COLOURS.indexOf(one.seat) - COLOURS.indexOf(other.seat),
  );
  const bids = inOrder.map((bid) =>
    bid.seat === floor && bid.type === 'reply'
      ? { ...bid, reply: { ...bid.reply, message: WORDS } }
      : bid,
  );
  const hits = said === null ? [] : HITS;
  const decision = isTalk(requestKind) ? { ...SILENCE, floor, said, hits } : null;
  return { type: 'tick.closed', tick, requestKind, bids, dice: {}, decision };
}

export function replyOf(seat: Colour, reply: Partial<Reply>): Bid {
  return { type: 'reply', seat, received: null, reply: { ...NOTHING_SAID, ...reply } };
}

export function faultOf(seat: Colour, code: string, text = ''): Bid {
  return { type: 'fault', seat, code, text };
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
