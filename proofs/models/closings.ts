/**
 * Every way in which an open tick may close: what each player hands in, who has the floor, and the number of the tick.
 *
 * What players may hand in is multiplied out over all seats, so that a rule which goes wrong only where several things
 * happen at once is found. Each list names all seats that are alike and never only the first, so the environment has the
 * symmetry of the table. Nothing here calls a rule that is judged.
 */
import type { ToMeeting } from '../../machines/messages.ts';
import type { TickDecision } from '../../machines/rules/facts.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type { MeetingOptions } from '../../machines/rules/options.ts';
import { LATE, LEFT } from '../../machines/rules/tick.ts';
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
import { rememberLast } from './rememberLast.ts';

/**
 * What is multiplied out. `all`: everything, combination by combination. `folded`: everything, bid by bid. `some`: votes
 * that count, faults and departures of all players, and whatever any two players may hand in while the others pass; of
 * the floor, that the others all do the same.
 */
export type Combinations = 'all' | 'some' | 'folded';

/** What one mind may do. */
type BidLiberties = {
  readonly faults: boolean;
  /** Players who may still go. */
  readonly spare: number;
};

/** What minds may do in one tick. */
type TickEnvironment = BidLiberties & { readonly combinations: Combinations };

export const pass = (seat: Colour) => replyOf(seat, {});
const fail = (seat: Colour) => faultOf(seat, LATE);

export type LivingRequest = Exclude<RequestKind, 'ghost'>;

/** Every way in which a tick may close, each once. */
export function listClosings(
  table: Table,
  requestKind: LivingRequest,
  liberties: TickEnvironment,
): readonly ToMeeting[] {
  if (requestKind === 'discussion' || requestKind === 'voting') {
    return listTalkClosings(table, requestKind, liberties);
  }
  const late = combineIntrusions(goneOf(table))
    .filter(({ length }) => length > 0)
    .map((bids) => [...livingOf(table).map(write), ...bids]);
  return [...listQuietBids(table, liberties), ...late].map((bids) =>
    closeSilently(0, requestKind, bids),
  );
}

function listTalkClosings(
  table: Table,
  requestKind: 'discussion' | 'voting',
  liberties: TickEnvironment,
): readonly ToMeeting[] {
  const { marks, others } = listTickNumbers(table);
  const close = (tick: number, { bids, floor }: TickClosing) =>
    closeTick(tick, requestKind, bids, floor);
  const passes = livingOf(table).map(pass);
  const closings =
    liberties.combinations === 'all'
      ? combineAll(table, requestKind, liberties)
      : combineSome(table, requestKind, liberties);
  const [first = 0, ...later] = marks;
  return [
    ...closings.map((closing) => close(first, closing)),
    // What falls due does not look at the floor, nor at what is refused.
    ...later.flatMap((tick) =>
      closings
        .filter(({ isPlain }) => isPlain || liberties.combinations === 'all')
        .map((closing) => close(tick, closing)),
    ),
    ...others.map((tick) => close(tick, { bids: passes, floor: null, isPlain: true })),
  ];
}

/** What is handed in and who has the floor. Plain: only what may count at the table, and nobody has the floor. */
type TickClosing = {
  readonly bids: readonly Bid[];
  readonly floor: Colour | null;
  readonly isPlain: boolean;
};

/** Everything that the living may hand in, with every floor, and with whatever comes of those who are gone. */
function combineAll(
  table: Table,
  requestKind: RequestKind,
  liberties: TickEnvironment,
): readonly TickClosing[] {
  const hands = livingOf(table).map((seat) =>
    listPossibleBids(seat, table, requestKind, liberties),
  );
  const intrusions = combineIntrusions(goneOf(table));
  return combine(hands, liberties.spare).flatMap((handed) =>
    intrusions.flatMap((intruding) => {
      const bids = [...handed, ...intruding];
      const floors = bids.flatMap(({ type, seat }) => (type === 'reply' ? [seat] : []));
      return [null, ...floors].map((floor) => ({ bids, floor, isPlain: false }));
    }),
  );
}

function combineSome(
  table: Table,
  requestKind: RequestKind,
  liberties: TickEnvironment,
): readonly TickClosing[] {
  const hands = livingOf(table).map((seat) => ({
    seat,
    counting: listBids(seat, table, requestKind, liberties),
    idle: listIdleBids(seat, table, requestKind),
  }));
  const plain = combine(
    hands.map(({ counting }) => counting),
    liberties.spare,
  );
  return [
    ...plain.map((bids) => ({ bids, floor: null, isPlain: true })),
    ...listSpeeches(hands),
    ...listIdleness(hands, liberties.spare),
    ...listLateBids(table),
  ];
}

/** What a living player may hand in: what may count, passing first, and what can't. */
type Hand = {
  readonly seat: Colour;
  readonly counting: readonly PossibleBid[];
  readonly idle: readonly PossibleBid[];
};

/** One has the floor, whatever they vote or write; the others all pass, all skip or all fail. */
function listSpeeches(hands: readonly Hand[]): readonly TickClosing[] {
  const crowds = [pass, (seat: Colour) => replyOf(seat, { vote: 'skip' }), fail];
  return hands.flatMap((speaker) => {
    const others = hands.filter((hand) => hand !== speaker);
    const possible = crowds.filter((crowd) =>
      others.every(({ seat, counting }) =>
        counting.some(({ bid, isGone }) => !isGone && isSameBid(bid, crowd(seat))),
      ),
    );
    const replies = [...speaker.counting, ...speaker.idle].filter(
      ({ bid }) => bid.type === 'reply',
    );
    const crowdsOf = others.length === 0 ? [pass] : possible;
    return replies.flatMap(({ bid }) =>
      crowdsOf.map((crowd) => ({
        bids: hands.map(({ seat }) => (seat === speaker.seat ? bid : crowd(seat))),
        floor: speaker.seat,
        isPlain: false,
      })),
    );
  });
}

/** One hands in what can't count, alone or beside whatever one other player hands in; the rest pass. */
function listIdleness(hands: readonly Hand[], spare: number): readonly TickClosing[] {
  const besides = (bids: readonly Bid[]): TickClosing => ({
    bids: hands.map(({ seat }) => bids.find((bid) => bid.seat === seat) ?? pass(seat)),
    floor: null,
    isPlain: false,
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

/** The living pass, and a bid comes of one who is gone. */
function listLateBids(table: Table): readonly TickClosing[] {
  const passes = livingOf(table).map(pass);
  return goneOf(table).flatMap((seat) =>
    INTRUSIONS.flatMap((intrusion) => {
      const bid = intrusion(seat);
      const floors = bid.type === 'reply' ? [null, seat] : [null];
      return floors.map((floor) => ({ bids: [...passes, bid], floor, isPlain: false }));
    }),
  );
}

function isSameBid(one: Bid, other: Bid): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What one player may hand in, and whether they are gone with it. */
export type PossibleBid = { readonly bid: Bid; readonly isGone: boolean };

/** A player gets up and leaves. */
export function leave(seat: Colour): PossibleBid {
  return { bid: faultOf(seat, LEFT), isGone: true };
}

const staying = (bid: Bid): PossibleBid => ({ bid, isGone: false });

/** Everything that a living player may hand in, passing first. */
export function listPossibleBids(
  seat: Colour,
  table: Table,
  requestKind: RequestKind,
  liberties: BidLiberties,
): readonly PossibleBid[] {
  return [
    ...listBids(seat, table, requestKind, liberties),
    ...listIdleBids(seat, table, requestKind),
  ];
}

/** What may count: to pass, a vote, a fault, to leave. */
function listBids(
  seat: Colour,
  table: Table,
  requestKind: RequestKind,
  { faults, spare }: BidLiberties,
): readonly PossibleBid[] {
  const { options, streaks, ballots } = table;
  const isLastFault = (streaks[seat] ?? 0) + 1 >= options.patience;
  const bids: PossibleBid[] = [staying(pass(seat))];
  if (ballots[seat] === undefined && areVotesTaken(table, requestKind)) {
    for (const vote of [...livingOf(table), 'skip'] as const) {
      bids.push(staying(replyOf(seat, { vote })));
    }
  }
  if (faults && (!isLastFault || spare > 0)) {
    bids.push({ bid: faultOf(seat, LATE), isGone: isLastFault });
  }
  if (spare > 0) bids.push(leave(seat));
  return bids;
}

/** What changes nothing at the table: pages, and votes that can't count: a second one, one for a player who is gone, one too early. */
function listIdleBids(
  seat: Colour,
  table: Table,
  requestKind: RequestKind,
): readonly PossibleBid[] {
  const gone = goneOf(table);
  const isTaken = table.ballots[seat] === undefined && areVotesTaken(table, requestKind);
  const refused: readonly Ballot[] = isTaken ? gone : ['skip', seat, ...gone];
  return [
    staying(replyOf(seat, { pads: PAGES })),
    ...refused.map((vote) => staying(replyOf(seat, { vote }))),
  ];
}

/** A player who is gone hands in a vote, or fails: the bid was under way when they left. */
const INTRUSIONS = [(seat: Colour) => replyOf(seat, { vote: 'skip' }), fail];

/** What comes of those who are gone: nothing, something of one of them, or the same of all. */
export function combineIntrusions(gone: readonly Colour[]): readonly (readonly Bid[])[] {
  const single = gone.flatMap((seat) => INTRUSIONS.map((intrusion) => [intrusion(seat)]));
  const together = gone.length < 2 ? [] : INTRUSIONS.map((intrusion) => gone.map(intrusion));
  return [[], ...single, ...together];
}

/** Whether a vote counts in such a tick: in house at any time, in classic once ballots are asked for. */
function areVotesTaken({ options }: Table, requestKind: RequestKind): boolean {
  return options.rules === 'house' || requestKind === 'voting';
}

export const write = (seat: Colour) => replyOf(seat, { pads: PAGES });
/** A vote and a word where neither is asked for, and one page that is emptied. */
const voteAloud = (seat: Colour) =>
  replyOf(seat, { message: WORDS, vote: 'skip', pads: { main: '' } });

/** What one player may hand in where nobody has the floor. */
export function listQuietReplies(seat: Colour, faults: boolean): readonly PossibleBid[] {
  return [pass, write, voteAloud, ...(faults ? [fail] : [])].map((kind) => staying(kind(seat)));
}

/** Ticks without a floor: what is read of a reply are its pages, whatever else stands in it. */
function listQuietBids(
  table: Table,
  { faults, combinations }: TickEnvironment,
): readonly (readonly Bid[])[] {
  const seats = livingOf(table);
  const kinds = [pass, write, voteAloud, ...(faults ? [fail] : [])];
  if (seats.length === 0) return [[]];
  if (combinations === 'all') {
    return [
      [],
      ...combine(
        seats.map((seat) => listQuietReplies(seat, faults)),
        0,
      ),
    ];
  }
  const butOne = (all: (seat: Colour) => Bid, other: (seat: Colour) => Bid) =>
    seats.map((one) => seats.map((seat) => (seat === one ? other(seat) : all(seat))));
  const alike = kinds.map((kind) => seats.map(kind));
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
 * Numbers that the tick may have. Ticks are counted outside the meeting, which looks only at what is due by the clock: so
 * one number, a mark, stands for each thing that may be due, and the world may let it come early or late but never go
 * back. The first mark is the one that leaves the clock as it is, where there is one. The other numbers come when all pass.
 */
export function listTickNumbers({ options, due: now }: Table) {
  const found = new Map<Table['due'], number>();
  const ticks = listTicksOfClock(options);
  for (const tick of ticks) {
    const next = expectedDue(options, tick + 1);
    if (!found.has(next)) found.set(next, tick);
  }
  const order = [...found.keys()];
  const isAhead = (due: Table['due']) => order.indexOf(due) >= order.indexOf(now);
  const marks = [...found].filter(([due]) => isAhead(due)).map(([, tick]) => tick);
  const others = ticks.filter(
    (tick) => !marks.includes(tick) && isAhead(expectedDue(options, tick + 1)),
  );
  return { marks, others };
}

/** The ticks of a clock that runs out soon, and of a long one those about which something falls due. */
const listTicksOfClock = rememberLast((options: MeetingOptions): readonly number[] => {
  const last = lastMark(options);
  if (last <= MOST_TICKS) return Array.from({ length: last + 1 }, (_, tick) => tick);
  const near = listMarks(options).flatMap((mark) => [mark - 2, mark - 1, mark, mark + 1]);
  const ticks = [0, 1, ...near, last - 1, last].filter((tick) => tick >= 0 && tick <= last);
  return [...new Set(ticks)].toSorted((one, other) => one - other);
});

/** With the times of the lobby a clock has at most so many. */
const MOST_TICKS = 50;

/** All combinations in which at most so many are gone. */
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

export function livingOf({ seats, standings }: Table): readonly Colour[] {
  return livingAmong(seats)(standings);
}

const livingAmong = rememberLast((seats: Table['seats']) =>
  rememberLast((standings: Table['standings']) =>
    seats.map(({ colour }) => colour).filter((seat) => standings[seat] === 'living'),
  ),
);

export function goneOf({ seats, standings }: Table): readonly Colour[] {
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

/** A tick of talk in which nobody has the floor. */
export function closeSilently(tick: number, requestKind: RequestKind, bids: readonly Bid[]) {
  return closeTick(tick, requestKind, bids, null);
}

/** A tick, its bids in the order of the seats; who has the floor has asked for it. */
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
  const isTalk = requestKind === 'discussion' || requestKind === 'voting';
  const hits = said === null ? [] : HITS;
  const decision = isTalk ? { ...SILENCE, floor, said, hits } : null;
  return { type: 'tick.closed', tick, requestKind, bids, dice: {}, decision };
}

export function replyOf(seat: Colour, reply: Partial<Reply>): Bid {
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
