/**
 * The arbiter opens a tick, waits until all bids are in or time is up, and grants the floor. The changes of a tick stay
 * pending until the meeting opens the next one, because an abandoned tick has not happened.
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
import {
  callSilent,
  closeFloorTick,
  EMPTY_FLOOR,
  type Floor,
  NOT_CALLED,
  passTick,
  type SilenceCall,
} from '../rules/floor.ts';
import type { MeetingChance } from '../rules/meeting.ts';
import type { MeetingOptions } from '../rules/options.ts';
import type { TableView } from '../rules/views.ts';
import type { Colour } from '../types.ts';

export type ArbiterInput = {
  readonly chance: MeetingChance;
  readonly options: MeetingOptions;
  /** Everybody at the table, dead players too: a message can mention them. */
  readonly seated: readonly Colour[];
};

export type ArbiterBooks = ArbiterInput & {
  readonly floor: Floor;
  /** The books after the last closed tick, until the meeting goes on. */
  readonly pending: Floor | null;
  /** Null between ticks. */
  readonly opened: Extract<ToArbiter, { type: 'tick.opened' }> | null;
};

export type Invitation = { readonly seat: Colour } & SilenceCall;

export function tableView(books: ArbiterBooks): TableView | null {
  if (books.opened === null) return null;
  const { tick, transcript } = books.floor;
  return { ...books.opened.table, tick, transcript };
}

export function invitations(books: ArbiterBooks): readonly Invitation[] {
  const seats = books.opened?.seats ?? [];
  return seats.map((seat) => ({
    seat,
    ...(isTalkOpen(books) ? callSilent(books.floor, seat, books.options.weights) : NOT_CALLED),
  }));
}

function isTalkOpen(books: ArbiterBooks): boolean {
  const requestKind = books.opened?.table.requestKind;
  return requestKind === 'discussion' || requestKind === 'voting';
}

function judgeTick(
  books: ArbiterBooks,
  { tick, bids, dice }: Extract<ToArbiter, { type: 'bids.gathered' }>,
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
  types: { context: {} as ArbiterBooks, events: {} as ToArbiter, input: {} as ArbiterInput },
  actors: {
    /** Gathers the bids of a tick. In production it is an RxJS stream. */
    bids: fromCallback<ToBids, { chance: MeetingChance }>(() => unprovided('arbiter.bids')),
  },
  delays: { deadline: ({ context }) => context.options.deadlineMs },
});

const gathering = {
  'bids.gathered': {
    guard: 'isOpenTick',
    target: 'idle',
    actions: ['judgeTick', 'releaseMissing'],
    description: 'All bids are in or time was called. The highest priority speaks.',
  },
  'seat.vacated': {
    actions: 'placeAbsence',
    description: 'A player left. Their bid in this tick is void.',
  },
  'tick.abandoned': {
    target: 'idle',
    actions: ['releaseMissing', 'abandonTick'],
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
      openTick: base.assign(({ context, event }) =>
        event.type === 'tick.opened'
          ? { floor: context.pending ?? context.floor, pending: null, opened: event }
          : {},
      ),
      abandonTick: base.assign(({ context }) => ({
        floor: passTick(context.floor),
        pending: null,
        opened: null,
      })),
      judgeTick: base.enqueueActions(({ context, event, enqueue, self }) => {
        if (event.type !== 'bids.gathered') return;
        const { pending, tick } = judgeTick(context, event);
        enqueue.assign({ pending });
        const closing: ToMeeting = { ...tick, type: 'tick.closed' };
        if (self._parent !== undefined) enqueue.sendTo(self._parent, closing);
      }),
      requestBids: () => unprovided('arbiter.requestBids'),
      releaseMissing: () => unprovided('arbiter.releaseMissing'),
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
    on: {
      'bid.late': { actions: 'noteLate', description: 'The bid came after its tick had closed.' },
    },
    initial: 'idle',
    states: {
      idle: {
        description: 'No tick is open.',
        on: {
          'tick.opened': {
            target: 'asking',
            actions: 'openTick',
            description: 'The changes of the last tick become final.',
          },
          'seat.vacated': { description: 'No tick waits for this player.' },
          'tick.abandoned': {
            actions: ['releaseMissing', 'abandonTick'],
            description: 'The changes of the last tick are dropped.',
          },
        },
      },
      asking: {
        description: 'All living players are asked at once.',
        entry: 'requestBids',
        on: {
          ...gathering,
          'bids.outstanding': {
            target: 'waiting',
            description: 'At least one player is still thinking.',
          },
        },
      },
      waiting: {
        description: 'Some bids are missing.',
        after: {
          deadline: { actions: 'callTime', description: 'Players who have not answered are late.' },
        },
        on: gathering,
      },
    },
  });
