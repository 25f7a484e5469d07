/**
 * The arbiter: opens a tick, waits until all bids are in or time is up, and grants the floor to one.
 *
 * It keeps the books of the floor (who spoke when, the transcript); everything random reaches it as data of an event.
 * What a tick did to the books is pending until the meeting opens the next one: a tick that the meeting abandoned has
 * not happened.
 */
import { fromCallback, setup } from 'xstate';
import {
  BIDS,
  MOST_ITERATIONS,
  type ToArbiter,
  type ToBids,
  type ToMeeting,
  unprovided,
} from '../messages.ts';
import type { ClosedTick } from '../rules/facts.ts';
import { closeFloorTick, EMPTY_FLOOR, type Floor, isCalledOn, passTick } from '../rules/floor.ts';
import type { MeetingChance } from '../rules/meeting.ts';
import type { MeetingOptions } from '../rules/options.ts';
import type { TableView } from '../rules/views.ts';
import type { Colour } from '../types.ts';

export type ArbiterInput = {
  readonly chance: MeetingChance;
  readonly options: MeetingOptions;
  /** Everybody at the table, living or not: a name can be mentioned after its player died. */
  readonly seated: readonly Colour[];
};

export type ArbiterBooks = ArbiterInput & {
  readonly floor: Floor;
  /** The books after the tick that closed last, until the meeting goes on. */
  readonly pending: Floor | null;
  /** The tick that is open; null between ticks. */
  readonly opened: Extract<ToArbiter, { type: 'tick.opened' }> | null;
};

/** What a player is asked in the tick that is open. */
export type Invitation = { readonly seat: Colour; readonly calledOn: boolean };

/** What everybody is shown in the tick that is open. */
export function tableView(books: ArbiterBooks): TableView | null {
  if (books.opened === null) return null;
  const { tick, transcript } = books.floor;
  return { ...books.opened.table, tick, transcript };
}

export function invitations(books: ArbiterBooks): readonly Invitation[] {
  const seats = books.opened?.seats ?? [];
  return seats.map((seat) => ({
    seat,
    calledOn: isTalkOpen(books) && isCalledOn(books.floor, seat, books.options.weights),
  }));
}

function isTalkOpen(books: ArbiterBooks): boolean {
  const requestKind = books.opened?.table.requestKind;
  return requestKind === 'discussion' || requestKind === 'voting';
}

type BidsGathered = Extract<ToArbiter, { type: 'bids.gathered' }>;

/** The books and the closed tick that follow from the bids. */
function judgeTick(
  books: ArbiterBooks,
  { tick, bids, dice }: BidsGathered,
): { pending: Floor; tick: ClosedTick } {
  const requestKind = books.opened?.table.requestKind ?? 'discussion';
  const closing = { tick, requestKind, bids, dice };
  if (!isTalkOpen(books))
    return { pending: passTick(books.floor), tick: { ...closing, decision: null } };
  const voted = books.opened?.voted ?? [];
  const gathered = { bids, dice, seated: books.seated, voted };
  const { floor, verdict } = closeFloorTick(books.floor, gathered, books.options);
  return { pending: floor, tick: { ...closing, decision: verdict } };
}

const base = setup({
  types: {
    context: {} as ArbiterBooks,
    events: {} as ToArbiter,
    input: {} as ArbiterInput,
  },
  actors: {
    /** Gathers the bids of a tick; an RxJS stream in production. */
    bids: fromCallback<ToBids, { chance: MeetingChance }>(() => unprovided('arbiter.bids')),
  },
  delays: { deadline: ({ context }) => context.options.deadlineMs },
});

/** How a tick ends that is open. */
const gathering = {
  'bids.gathered': {
    guard: 'isOpenTick',
    target: 'idle',
    actions: ['judge', 'releaseMissing'],
    description: 'All bids are in, or time was called: the highest priority speaks.',
  },
  'seat.vacated': {
    actions: 'placeAbsence',
    description: 'Somebody left: the bid they may have handed in is void.',
  },
  'tick.abandoned': {
    target: 'idle',
    actions: ['releaseMissing', 'abandon'],
    description: 'The meeting goes on without this tick.',
  },
} as const;

export const arbiterMachine = base
  .extend({
    guards: {
      isOpenTick: ({ context, event }) =>
        event.type === 'bids.gathered' && event.tick === context.floor.tick,
    },
    actions: {
      open: base.assign(({ context, event }) =>
        event.type === 'tick.opened'
          ? { floor: context.pending ?? context.floor, pending: null, opened: event }
          : {},
      ),
      abandon: base.assign(({ context }) => ({
        floor: passTick(context.floor),
        pending: null,
        opened: null,
      })),
      judge: base.enqueueActions(({ context, event, enqueue, self }) => {
        if (event.type !== 'bids.gathered') return;
        const { pending, tick } = judgeTick(context, event);
        enqueue.assign({ pending });
        const closing: ToMeeting = { ...tick, type: 'tick.closed' };
        if (self._parent !== undefined) enqueue.sendTo(self._parent, closing);
      }),
      /** Asks every invited player, and tells the bid stream whom to wait for. */
      requestBids: () => unprovided('arbiter.requestBids'),
      /** Tells players who are still thinking that the tick goes on without them. */
      releaseMissing: () => unprovided('arbiter.releaseMissing'),
      /** Hands in the fault of somebody who left; it replaces a bid that was handed in before. */
      placeAbsence: () => unprovided('arbiter.placeAbsence'),
      callTime: () => unprovided('arbiter.callTime'),
      noteLate: () => unprovided('arbiter.noteLate'),
    },
  })
  .createMachine({
    id: 'arbiter',
    description: 'Collects the bids of a tick and grants the floor to one player.',
    context: ({ input }) => ({ ...input, floor: EMPTY_FLOOR, pending: null, opened: null }),
    options: { maxIterations: MOST_ITERATIONS },
    invoke: {
      src: 'bids',
      id: BIDS,
      systemId: BIDS,
      input: ({ context }) => ({ chance: context.chance }),
    },
    on: { 'bid.late': { actions: 'noteLate', description: 'Too late: discarded by its tick.' } },
    initial: 'idle',
    states: {
      idle: {
        description: 'No tick is open.',
        on: {
          'tick.opened': {
            target: 'asking',
            actions: 'open',
            description: 'The books of the last tick are kept.',
          },
          'seat.vacated': { description: 'Nobody waits for them.' },
          'tick.abandoned': {
            actions: ['releaseMissing', 'abandon'],
            description: 'The last tick has not happened.',
          },
        },
      },
      asking: {
        description: 'All living players are asked at once.',
        entry: 'requestBids',
        on: {
          ...gathering,
          'bids.outstanding': { target: 'waiting', description: 'Somebody takes their time.' },
        },
      },
      waiting: {
        description: 'Some bids are still out.',
        after: {
          deadline: { actions: 'callTime', description: 'Whoever has not answered is late.' },
        },
        on: gathering,
      },
    },
  });
