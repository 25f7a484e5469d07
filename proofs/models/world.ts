/**
 * The world of a meeting: everything that minds, chance and the operator may do to it next.
 *
 * It lists events; what they do is decided by the statechart alone. How an open tick may close is in `closings.ts`;
 * here is what comes from outside: players who leave, the operator who stops, and a tick that was given up and closes
 * all the same. Every list names all seats that are alike and never only the first, so the world has the symmetry of
 * the table.
 */

import type { ToMeeting } from '../../machines/messages.ts';
import { seatsStanding, type Table } from '../../machines/rules/meeting.ts';
import { COLOURS, type RequestKind } from '../../machines/types.ts';
import { closedTicks, said, sayingNothing } from './closings.ts';

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
    const spare = knobs.departures - seatsStanding(context.standings, 'departed').length;
    const outside = [
      ...(knobs.departures > 0 ? departures(context, spare) : NOTHING),
      ...(knobs.stops ? STOPS : NOTHING),
    ];
    if (at === 'voting.counting') return [...outside, abandoned(context)];
    const occasion = occasionAt(at);
    if (occasion === null) return outside;
    const key = keyOf(context, occasion, spare);
    let closings = ticks.get(key);
    if (closings === undefined) {
      closings = closedTicks(context, occasion, { faults: knobs.faults, spare });
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
function occasionAt(at: string): Exclude<RequestKind, 'ghost'> | null {
  if (at === 'discussion.bidding') return 'discussion';
  if (at === 'voting.polling.bidding') return 'voting';
  return at === 'reaction' || at === 'consolidation' ? at : null;
}

/** All that the list of closed ticks depends on. */
function keyOf(
  { standings, ballots, streaks, options, due: clock }: Table,
  occasion: RequestKind,
  spare: number,
) {
  const seats = COLOURS.map((seat) => {
    const standing = standings[seat];
    if (standing !== 'living') return standing === undefined ? '' : 'x';
    const patience = options.patience - (streaks[seat] ?? 0);
    return `l${ballots[seat] === undefined ? '' : 'v'}${patience <= 1 ? '!' : ''}`;
  });
  return `${occasion} ${spare} ${clock} ${seats.join()}`;
}

/** Somebody leaves; whoever is gone may say so once more. */
function departures({ standings, seats }: Table, spare: number): readonly ToMeeting[] {
  return seats
    .filter(({ colour }) => spare > 0 || standings[colour] !== 'living')
    .map(({ colour }) => ({ type: 'seat.left', seat: colour }));
}

/** The tick that was given up when the poll was closed comes in late, with everybody's vote for skip. */
function abandoned({ seats }: Table): ToMeeting {
  const bids = seats.map(({ colour }) => said(colour, { vote: 'skip' }));
  return sayingNothing(0, 'discussion', bids);
}
