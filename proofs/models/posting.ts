/**
 * Postings: the charts that run, with effects that say what is to be sent instead of sending it.
 *
 * An effect is worked out by the functions that the actors use, at the same moment and from the same context; here it
 * is emitted, so that whoever steps the chart by hand finds it among the effects of the step.
 */
import { emit } from 'xstate';
import { arbiterMachine } from '../../machines/charts/arbiter.ts';
import { galleryMachine } from '../../machines/charts/gallery.ts';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import { playerMachine } from '../../machines/charts/player.ts';
import { handInAnswer, OUTGOING, type OutgoingMessage } from '../../machines/outgoing.ts';
import { type MindRequest, requestFor } from '../../machines/request.ts';
import type { Fact, GhostFact } from '../../machines/rules/facts.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type { Colour } from '../../machines/types.ts';

/** What a machine wants done. */
export type Posted =
  | { readonly type: 'letters'; readonly letters: readonly OutgoingMessage[] }
  | { readonly type: 'facts'; readonly facts: readonly Fact[]; readonly table: Table }
  | { readonly type: 'murmurs'; readonly facts: readonly GhostFact[] }
  | { readonly type: 'request'; readonly seat: Colour; readonly request: MindRequest | null };

const posted = (what: Posted): Posted => what;
const lettersPosted = (letters: readonly OutgoingMessage[]) => posted({ type: 'letters', letters });
const nothing = () => {};

/** An arbiter, the one that runs or one with a mistake, that says what it wants sent. */
export function arbiterPosting(machine: typeof arbiterMachine) {
  return machine.provide({
    actions: {
      requestBids: emit(({ context }) => lettersPosted(OUTGOING.arbiter.requestBids(context))),
      releaseMissing: emit(({ context, event }) =>
        lettersPosted(OUTGOING.arbiter.releaseMissing(context, event)),
      ),
      placeAbsence: emit(({ context, event }) =>
        lettersPosted(OUTGOING.arbiter.placeAbsence(context, event)),
      ),
      callTime: emit(({ context }) => lettersPosted(OUTGOING.arbiter.callTime(context))),
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
      place: emit(({ event }) => lettersPosted(handInAnswer(event))),
    },
  }),
  gallery: galleryMachine.provide({
    actions: {
      inviteGhosts: emit(({ context }) => lettersPosted(OUTGOING.gallery.inviteGhosts(context))),
      drawDice: emit(({ context }) => lettersPosted(OUTGOING.gallery.drawDice(context))),
      releaseMissing: emit(({ context }) =>
        lettersPosted(OUTGOING.gallery.releaseMissing(context)),
      ),
      tell: emit((_, { facts }) => posted({ type: 'murmurs', facts })),
    },
  }),
  meeting: meetingMachine.provide({
    actions: {
      tell: emit(({ context }, { facts }) => posted({ type: 'facts', facts, table: context })),
    },
  }),
} as const;
