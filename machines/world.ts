/**
 * The world of a meeting: everything that minds, chance and the operator may do to it next.
 *
 * It lists events; what they do is decided by the statechart alone. The bids of a tick, its dice and the verdict are
 * data of one event, so the list is the product of what each player may hand in. Limits that keep it finite are knobs
 * and are named where they matter.
 */
import type { ToMeeting } from './protocol.ts';
import { LEFT } from './rules/attendance.ts';
import { due } from './rules/pressure.ts';
import type { Table } from './rules/table.ts';
import { seatsThat } from './rules/votes.ts';
import {
  type Ballot,
  type Bid,
  COLOURS,
  type Colour,
  type Occasion,
  type PadUpdates,
  type Reply,
  type Verdict,
} from './types.ts';

export type Knobs = {
  /** Minds may fail. */
  readonly faults: boolean;
  /** Most players who may be gone in the end, whether they left or ran out of patience. */
  readonly departures: number;
  /** The operator may stop the run. */
  readonly stops: boolean;
};

/** Where a meeting is and what is on its table. */
export type Situation = { readonly at: string; readonly context: Table };

/** What may happen next at a meeting, timers apart. */
export function meetingWorld(knobs: Knobs): (situation: Situation) => readonly ToMeeting[] {
  const ticks = new Map<string, readonly ToMeeting[]>();
  return ({ at, context }) => {
    if (at === 'closed') return NOTHING;
    const occasion = occasionAt(at);
    const spare = knobs.departures - seatsThat(context.standings, 'departed').length;
    const leaving = spare > 0 ? departures(context) : NOTHING;
    const stopping = knobs.stops && context.outcome === null ? STOPS : NOTHING;
    if (occasion === null) return [...leaving, ...stopping];
    const key = keyOf(context, occasion, spare);
    let closings = ticks.get(key);
    if (closings === undefined) {
      closings = closedTicks(context, occasion, { ...knobs, departures: spare });
      ticks.set(key, closings);
    }
    return leaving.length + stopping.length === 0
      ? closings
      : [...closings, ...leaving, ...stopping];
  };
}

const NOTHING: readonly ToMeeting[] = [];
const STOPS: readonly ToMeeting[] = [
  { type: 'meeting.stopped', outcome: 'interrupted' },
  { type: 'meeting.stopped', outcome: 'unconverged' },
];

/** The occasion of the tick that is open; null where none is. */
export function occasionAt(at: string): Exclude<Occasion, 'ghost'> | null {
  if (at === 'discussion.bidding') return 'discussion';
  if (at === 'voting.polling.bidding') return 'voting';
  return at === 'reaction' || at === 'consolidation' ? at : null;
}

/** All that the list of closed ticks depends on. */
function keyOf(
  { standings, ballots, streaks, options, due: clock }: Table,
  occasion: Occasion,
  spare: number,
) {
  const seats = COLOURS.map((seat) => {
    if (standings[seat] === undefined) return '';
    const patience = options.patience - (streaks[seat] ?? 0);
    return `${standings[seat]?.[0]}${ballots[seat] === undefined ? '' : 'v'}${patience <= 1 ? '!' : ''}`;
  });
  return `${occasion} ${spare} ${clock} ${seats.join()}`;
}

function departures({ standings }: Table): readonly ToMeeting[] {
  return seatsThat(standings, 'living').map((seat) => ({ type: 'seat.left', seat }));
}

/** Each way in which the tick that is open may close. */
function closedTicks(
  table: Table,
  occasion: Exclude<Occasion, 'ghost'>,
  knobs: Knobs,
): readonly ToMeeting[] {
  const seats = seatsThat(table.standings, 'living');
  const hands = seats.map((seat) => handsOf(seat, table, occasion, knobs));
  const talks = occasion === 'discussion' || occasion === 'voting';
  const silent = talks ? SILENCE : null;
  const closings = product(hands, knobs.departures).flatMap((bids) =>
    (talks ? tickNumbers(table) : [0]).map((tick) => closing(tick, occasion, bids, silent)),
  );
  return talks ? [...closings, ...speeches(seats, table, occasion)] : closings;
}

/** Somebody speaks. Words decide nothing on the table, so they are heard where nobody votes. */
function speeches(seats: readonly Colour[], table: Table, occasion: Exclude<Occasion, 'ghost'>) {
  const bids = seats.map((seat) => said(seat, { message: 'where' }));
  return tickNumbers(table).flatMap((tick) =>
    seats.map((seat) =>
      closing(tick, occasion, bids, {
        ...SILENCE,
        floor: seat,
        said: { t: tick, speaker: seat, target: null, message: 'where' },
      }),
    ),
  );
}

/** What one player may hand in, and whether they are gone with it. */
type Hand = { readonly bid: Bid; readonly isGone: boolean };

function handsOf(
  seat: Colour,
  table: Table,
  occasion: Exclude<Occasion, 'ghost'>,
  knobs: Knobs,
): readonly Hand[] {
  const { options, streaks } = table;
  const isLastFault = (streaks[seat] ?? 0) + 1 >= options.patience;
  const talks = occasion === 'discussion' || occasion === 'voting';
  const hands: Hand[] = [{ bid: said(seat, {}), isGone: false }];
  if (!talks) hands.push({ bid: said(seat, { pads: PAGES }), isGone: false });
  else
    for (const vote of votesOf(seat, table))
      hands.push({ bid: said(seat, { vote }), isGone: false });
  // A fault while reacting or consolidating counts against nobody.
  if (knobs.faults && (!talks || !isLastFault || knobs.departures > 0)) {
    hands.push({ bid: failed(seat, 'mind/late'), isGone: talks && isLastFault });
  }
  if (talks && knobs.departures > 0) hands.push({ bid: failed(seat, LEFT), isGone: true });
  return hands;
}

/** Every vote that may count, and one of each kind that may not. */
function votesOf(seat: Colour, { standings, ballots, seats }: Table): readonly Ballot[] {
  const living = seatsThat(standings, 'living');
  const locked = ballots[seat];
  if (locked !== undefined) return [living.find((other) => other !== locked) ?? 'skip'];
  const gone = seats.find(({ colour }) => standings[colour] !== 'living')?.colour;
  return [...living, 'skip', ...(gone === undefined ? [] : [gone])];
}

/**
 * Numbers that the tick may have. Ticks are counted outside the meeting, which looks at what is due by the clock only:
 * so one number stands for each thing that may be due, and the world may let it come early or late but never go back.
 */
function tickNumbers({ options, due: now }: Table): readonly number[] {
  const found = new Map<string, number>();
  const last = latestMark(options);
  for (let tick = 0; tick <= last; tick++) {
    const next = due(options, tick + 1);
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

const SILENCE: Verdict = {
  scores: [],
  floor: null,
  tieBreak: null,
  said: null,
  hits: [],
  nudge: null,
};
const PAGES: PadUpdates = { main: 'kept', meeting: 'noted' };

function closing(
  tick: number,
  occasion: Occasion,
  bids: readonly Bid[],
  verdict: Verdict | null,
): ToMeeting {
  return { type: 'tick.closed', tick, occasion, bids, dice: {}, verdict };
}

function said(seat: Colour, reply: Partial<Reply>): Bid {
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
