/**
 * Folds a tick: the rule for one bid takes each living player's bid, and the chart settles the result. This searches
 * all combinations of bids for any number of players. The chart takes the whole tick as one event, and the checker
 * tests that it has the same effect as its bids in sequence.
 */
import type { EventDraft, EventEnds, FactoredEvent } from 'glass-box-checker';
import type { ToMeeting } from '../../machines/messages.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import { settleTick, takeBid, withStreak } from '../../machines/rules/tick.ts';
import type { Bid, Colour } from '../../machines/types.ts';
import { expectedDue } from './clock.ts';
import {
  closeTick,
  isTalk,
  type LivingRequest,
  leave,
  listIntrusions,
  listPossibleBids,
  listQuietReplies,
  listTickNumbers,
  livingOf,
  type PossibleBid,
  pass,
  repliersOf,
  requestKindAt,
  write,
} from './closings.ts';
import { rememberLast } from './rememberLast.ts';

export type TickDraft = EventDraft<Table, PossibleBid>;

export function foldTick(world: {
  readonly faults: boolean;
  readonly countSpare: (table: Table) => number;
}): FactoredEvent<Table, ToMeeting, PossibleBid> {
  const kindOf = ({ at }: TickDraft): LivingRequest => {
    const kind = requestKindAt(at);
    if (kind === null) throw new Error(`no tick is open at ${at}`);
    return kind;
  };
  const spareOf = (draft: TickDraft) =>
    world.countSpare(draft.context) - leaversOf(draft.kept).length;
  return {
    parts: ({ at, context }) => (requestKindAt(at) === null ? null : livingOf(context).length),
    choices: (draft, part) => {
      const kind = kindOf(draft);
      const seat = seatOf(draft, part);
      if (!isTalk(kind)) return listQuietReplies(seat, world.faults);
      const tick = { table: draft.context, requestKind: kind, faults: world.faults };
      return listPossibleBids(seat, { ...tick, spare: spareOf(draft) });
    },
    take: (draft, _, { bid, isGone }) => {
      const { context } = draft;
      const kind = kindOf(draft);
      if (!isTalk(kind)) return { context, kept: null };
      const part = takeBid(context, kind, bid);
      if (isGone || part === null || part.departs !== null) {
        // After a departure of any kind, only the ballot of a player counts.
        const streaks = withStreak(context.streaks, bid.seat, 0);
        return { context: { ...context, streaks }, kept: leave(bid.seat) };
      }
      const { ballots, standings, streaks } = settleTick(context, [part]).settled;
      return { context: { ...context, ballots, standings, streaks }, kept: null };
    },
    reads: (draft, part) => {
      const { ballots, streaks } = draft.context;
      const seat = seatOf(draft, part);
      return `${describeTable(draft)} ${Math.min(spareOf(draft), 1)} ${ballots[seat]} ${streaks[seat]}`;
    },
    next: chooseNext,
    alone: (draft, { bid }) => {
      const kind = kindOf(draft);
      const [first = 0] = isTalk(kind) ? listTickNumbers(draft.context).marks : [];
      return closeTick(first, kind, [bid], null);
    },
    settle: (draft) => {
      const kind = kindOf(draft);
      return isTalk(kind) ? listEnds(draft, kind) : listQuietEnds(draft, kind);
    },
    join: (end, choices) => {
      if (end.type !== 'tick.closed') return end;
      const { tick, requestKind, decision } = end;
      const bids = choices.map(({ bid }) => bid);
      const intruding = end.bids.filter(({ seat }) => bids.every((bid) => bid.seat !== seat));
      return closeTick(tick, requestKind, [...bids, ...intruding], decision?.floor ?? null);
    },
  };
}

/** The due part of the clock decides where a tick of talk leads. Floor and late bids are ignored. */
function listEnds(draft: TickDraft, kind: LivingRequest): EventEnds<ToMeeting> {
  const { context } = draft;
  const leaving = leaversOf(draft.kept);
  const { marks, others } = listTickNumbers(context);
  const [first = 0, ...later] = marks;
  const end = (bids: readonly Bid[], floor: Colour | null) =>
    closeTick(first, kind, [...leaving, ...bids], floor);
  const speakers = livingOf(context).filter(
    (seat) => context.streaks[seat] === undefined && leaving.every((bid) => bid.seat !== seat),
  );
  const silently = (tick: number) => closeTick(tick, kind, leaving, null);
  const due = expectedDue(context.options, first + 1);
  const isPlain = (tick: number) => expectedDue(context.options, tick + 1) === due;
  return {
    ends: [first, ...later, ...others.filter((tick) => !isPlain(tick))].map(silently),
    asides: {
      reads: `${describeTable(draft)} ${speakers.join()} ${leaving.map(({ seat }) => seat).join()}`,
      list: () => [
        ...speakers.map((seat) => end([pass(seat)], seat)),
        ...listIntrusions(context).flatMap((bids) =>
          [null, ...repliersOf(bids)].map((floor) => end(bids, floor)),
        ),
        ...others.filter(isPlain).map(silently),
      ],
    },
  };
}

/** Without a floor a tick has one plain end. The bids of departed players change nothing. */
function listQuietEnds(draft: TickDraft, kind: LivingRequest): EventEnds<ToMeeting> {
  const { context } = draft;
  return {
    ends: [closeTick(0, kind, [], null)],
    asides: {
      reads: describeTable(draft),
      list: () =>
        listIntrusions(context).map((bids) =>
          closeTick(0, kind, [...livingOf(context).map(write), ...bids], null),
        ),
    },
  };
}

/**
 * The next player to take: whoever has voted comes first, then whoever has more faults in a row. Players who have voted
 * have few choices left, so fewer drafts differ. The order depends on what players did, not on their seats.
 */
function chooseNext({ context, taken }: TickDraft, parts: number): number {
  const { ballots, streaks } = context;
  const living = livingOf(context);
  let best = -1;
  let most = Number.NEGATIVE_INFINITY;
  for (let part = 0; part < parts; part++) {
    const seat = living[part];
    if (seat === undefined || (taken & (1 << part)) !== 0) continue;
    const rank = (ballots[seat] === undefined ? 0 : VOTED) + (streaks[seat] ?? 0);
    if (rank <= most) continue;
    best = part;
    most = rank;
  }
  return best;
}

/** More than the faults in a row of any player. */
const VOTED = 1000;

/** All data of a table that a bid may read, except its player's own actions. */
function describeTable({ at, context: { seats, standings, due } }: TickDraft): string {
  return `${at} ${due} ${describeStandings(seats)(standings)}`;
}

const describeStandings = rememberLast((seats: Table['seats']) =>
  rememberLast((standings: Table['standings']) =>
    seats.map(({ colour }) => standings[colour]?.[0]).join(''),
  ),
);

function seatOf({ context }: TickDraft, part: number): Colour {
  const seat = livingOf(context)[part];
  if (seat === undefined) throw new Error(`nobody living has place ${part}`);
  return seat;
}

const leaversOf = rememberLast((kept: TickDraft['kept']): readonly Bid[] =>
  kept.flatMap((one) => (one === null ? [] : [one.bid])),
);
