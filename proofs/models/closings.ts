/**
 * Closings: every way in which an open tick may close.
 *
 * What players may hand in at the same time is multiplied out where it matters together: ballots, faults and
 * departures. What is refused, or decides nothing at the table, is tried by one player at a time while the others
 * pass: votes that cannot count, bids of those who are gone, words, and pages of the scratchpads. A rule that refuses
 * such a bid only in some company would be found in that company or not at all; this is the one thing left out.
 */
import type { ToMeeting } from '../../machines/messages.ts';
import {
  dueAfter,
  isVotingOpen,
  LATE,
  LEFT,
  seatsStanding,
  type Table,
} from '../../machines/rules/meeting.ts';
import type {
  Ballot,
  Bid,
  Colour,
  PadUpdates,
  Reply,
  RequestKind,
  TickDecision,
} from '../../machines/types.ts';

/** What minds may do in one tick. */
export type Liberties = {
  readonly faults: boolean;
  /** Players who may still go. */
  readonly spare: number;
};

type Living = Exclude<RequestKind, 'ghost'>;

export function closedTicks(
  table: Table,
  occasion: Living,
  liberties: Liberties,
): readonly ToMeeting[] {
  if (occasion === 'discussion' || occasion === 'voting') {
    return closedTalks(table, occasion, liberties);
  }
  return notedTicks(table, liberties.faults).map((bids) => ({
    ...sayingNothing(0, occasion, bids),
    decision: null,
  }));
}

function closedTalks(
  table: Table,
  occasion: 'discussion' | 'voting',
  liberties: Liberties,
): readonly ToMeeting[] {
  const numbers = tickNumbers(table);
  const first = numbers[0] ?? 0;
  const hands = seatsStanding(table.standings, 'living').map((seat) =>
    handsOf(seat, table, occasion, liberties),
  );
  return [
    ...product(hands, liberties.spare).flatMap((bids) =>
      numbers.map((tick) => sayingNothing(tick, occasion, bids)),
    ),
    ...speeches(table, first, occasion),
    ...refusedVotes(table, occasion).map((bids) => sayingNothing(first, occasion, bids)),
    ...intrusions(table, first, occasion),
  ];
}

/** What one player may hand in, and whether they are gone with it. */
type Hand = { readonly bid: Bid; readonly isGone: boolean };

function handsOf(
  seat: Colour,
  { options, streaks, ballots, standings }: Table,
  occasion: RequestKind,
  { faults, spare }: Liberties,
): readonly Hand[] {
  const isLastFault = (streaks[seat] ?? 0) + 1 >= options.patience;
  const hands: Hand[] = [{ bid: said(seat, {}), isGone: false }];
  if (ballots[seat] === undefined && isVotingOpen(options, occasion)) {
    for (const vote of [...seatsStanding(standings, 'living'), 'skip'] as const) {
      hands.push({ bid: said(seat, { vote }), isGone: false });
    }
  }
  if (faults && (!isLastFault || spare > 0)) {
    hands.push({ bid: failed(seat, LATE), isGone: isLastFault });
  }
  if (spare > 0) hands.push({ bid: failed(seat, LEFT), isGone: true });
  return hands;
}

/** Everybody asks for the floor and one of them has it; the one may vote in the same breath. */
function speeches(table: Table, tick: number, occasion: Living): readonly ToMeeting[] {
  const seats = seatsStanding(table.standings, 'living');
  const speech = (speaker: Colour, vote: Ballot | null) =>
    closing(
      tick,
      occasion,
      seats.map((seat) => said(seat, { message: WORDS, vote: seat === speaker ? vote : null })),
      floorOf(speaker, tick),
    );
  const open = isVotingOpen(table.options, occasion);
  return seats.flatMap((seat) =>
    open && table.ballots[seat] === undefined
      ? [speech(seat, null), speech(seat, 'skip')]
      : [speech(seat, null)],
  );
}

/** One player casts a vote that cannot count: a second one, one for somebody who is gone, or one too early. */
function refusedVotes(table: Table, occasion: Living): readonly (readonly Bid[])[] {
  const { standings, ballots, options } = table;
  const seats = seatsStanding(standings, 'living');
  const gone = table.seats.map(({ colour }) => colour).filter((seat) => !seats.includes(seat));
  const isOpen = isVotingOpen(options, occasion);
  const votesOf = (seat: Colour): readonly Ballot[] => {
    if (ballots[seat] !== undefined) return ['skip', seat, ...gone];
    return isOpen ? gone : [...seats, 'skip', ...gone];
  };
  return seats.flatMap((seat) => votesOf(seat).map((vote) => oneDiffers(seats, seat, { vote })));
}

/** Somebody who is gone hands in a vote and has the floor, or fails: their bid was under way when they left. */
function intrusions(table: Table, tick: number, occasion: Living): readonly ToMeeting[] {
  const seats = seatsStanding(table.standings, 'living');
  const passes = seats.map((seat) => said(seat, {}));
  const gone = table.seats.map(({ colour }) => colour).filter((seat) => !seats.includes(seat));
  return gone.flatMap((seat) => [
    closing(
      tick,
      occasion,
      [...passes, said(seat, { message: WORDS, vote: 'skip' })],
      floorOf(seat, tick),
    ),
    sayingNothing(tick, occasion, [...passes, failed(seat, LATE)]),
  ]);
}

/** Ticks without a floor: everybody does the same, or one player does something else, or no bid came at all. */
function notedTicks(table: Table, faults: boolean): readonly (readonly Bid[])[] {
  const seats = seatsStanding(table.standings, 'living');
  const pass = (seat: Colour) => said(seat, {});
  const write = (seat: Colour) => said(seat, { pads: PAGES });
  const fail = (seat: Colour) => failed(seat, LATE);
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
 * Numbers that the tick may have. Ticks are counted outside the meeting, which looks at what is due by the clock only:
 * so one number stands for each thing that may be due, and the world may let it come early or late but never go back.
 * The first number is the one that leaves the clock as it is, where there is one.
 */
function tickNumbers({ options, due: now }: Table): readonly number[] {
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

/** A tick after which nothing new falls due. */
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
function product(
  hands: readonly (readonly Hand[])[],
  mostGone: number,
): readonly (readonly Bid[])[] {
  const [first, ...rest] = hands;
  if (first === undefined) return [[]];
  return first.flatMap(({ bid, isGone }) =>
    isGone && mostGone === 0
      ? []
      : product(rest, mostGone - Number(isGone)).map((others) => [bid, ...others]),
  );
}

function oneDiffers(seats: readonly Colour[], one: Colour, reply: Partial<Reply>): readonly Bid[] {
  return seats.map((seat) => said(seat, seat === one ? reply : {}));
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

function floorOf(speaker: Colour, t: number): TickDecision {
  return { ...SILENCE, floor: speaker, said: { t, speaker, target: null, message: WORDS } };
}

/** A tick of talk in which nobody has the floor. */
export function sayingNothing(tick: number, occasion: RequestKind, bids: readonly Bid[]) {
  return closing(tick, occasion, bids, SILENCE);
}

function closing(
  tick: number,
  occasion: RequestKind,
  bids: readonly Bid[],
  verdict: TickDecision,
): Extract<ToMeeting, { type: 'tick.closed' }> {
  return { type: 'tick.closed', tick, occasion, bids, dice: {}, decision: verdict };
}

export function said(seat: Colour, reply: Partial<Reply>): Bid {
  return { type: 'reply', seat, received: null, reply: { ...NOTHING_SAID, ...reply } };
}

function failed(seat: Colour, code: string): Bid {
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
