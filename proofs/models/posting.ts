/**
 * Postings: the charts that run, with effects that say what is to be sent instead of sending it.
 *
 * An effect is worked out by the functions that the actors use, at the same moment and from the same context; here it
 * is emitted, so that whoever steps the chart by hand finds it among the effects of the step.
 */
import { type EventObject, emit } from 'xstate';
import { arbiterMachine } from '../../machines/charts/arbiter.ts';
import { galleryMachine } from '../../machines/charts/gallery.ts';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import { playerMachine } from '../../machines/charts/player.ts';
import {
  absenceBid,
  bidMessage,
  bidReleases,
  bidRequests,
  galleryDice,
  type MeetingMessage,
  talkInvitations,
  talkReleases,
  timeCall,
} from '../../machines/outgoing.ts';
import { type MindRequest, requestFor } from '../../machines/request.ts';
import type { Fact, GhostFact } from '../../machines/rules/facts.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type { Colour } from '../../machines/types.ts';

/** What a machine wants done. */
export type Posted =
  | { readonly type: 'letters'; readonly letters: readonly MeetingMessage[] }
  | { readonly type: 'dice'; readonly event: EventObject }
  | { readonly type: 'facts'; readonly facts: readonly Fact[]; readonly table: Table }
  | { readonly type: 'murmurs'; readonly facts: readonly GhostFact[] }
  | { readonly type: 'request'; readonly seat: Colour; readonly request: MindRequest | null };

const posted = (what: Posted): Posted => what;
const lettersPosted = (letters: readonly MeetingMessage[]) => posted({ type: 'letters', letters });
const nothing = () => {};

/** An arbiter, the one that runs or one with a mistake, that says what it wants sent. */
export function arbiterPosting(machine: typeof arbiterMachine) {
  return machine.provide({
    actions: {
      requestBids: emit(({ context }) => lettersPosted(bidRequests(context))),
      releaseMissing: emit(({ context, event }) => lettersPosted(bidReleases(context, event))),
      placeAbsence: emit(({ context, event }) => lettersPosted(absenceBid(context, event))),
      callTime: emit(({ context }) => lettersPosted(timeCall(context))),
      noteLate: nothing,
    },
  });
}

export const posting = {
  arbiter: arbiterPosting(arbiterMachine),
  player: playerMachine.provide({
    actions: {
      consult: emit(({ context, event }) =>
        posted({ type: 'request', seat: context.colour, request: requestFor(context, event) }),
      ),
      dismiss: nothing,
      place: emit(({ event }) =>
        lettersPosted(
          event.type === 'mind.answered' ? [bidMessage(event.to, event.stamp, event.bid)] : [],
        ),
      ),
    },
  }),
  gallery: galleryMachine.provide({
    actions: {
      inviteGhosts: emit(({ context }) => lettersPosted(talkInvitations(context))),
      drawDice: emit(({ context }) => posted({ type: 'dice', event: galleryDice(context) })),
      releaseMissing: emit(({ context }) => lettersPosted(talkReleases(context))),
      tell: emit((_, { facts }) => posted({ type: 'murmurs', facts })),
    },
  }),
  meeting: meetingMachine.provide({
    actions: {
      tell: emit(({ context }, { facts }) => posted({ type: 'facts', facts, table: context })),
    },
  }),
} as const;
