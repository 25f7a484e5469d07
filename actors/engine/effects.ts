/** The effects that the statecharts name. `machines/outgoing.ts` says which messages they send. */
import { compile } from 'glass-box-checker/compile';
import { arbiterMachine } from '../../machines/charts/arbiter.ts';
import { galleryMachine } from '../../machines/charts/gallery.ts';
import { gameMachine } from '../../machines/charts/game.ts';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import { meetingSessionMachine } from '../../machines/charts/meetingSession.ts';
import { playerMachine } from '../../machines/charts/player.ts';
import { GALLERY } from '../../machines/messages.ts';
import { OUTGOING, type OutgoingMessage } from '../../machines/outgoing.ts';
import { bidsLogic } from './bids.ts';
import { cancelRequest, consult, submit } from './consult.ts';
import { ordersLogic } from './orders.ts';
import { type ActorSystem, contextOf, send, sendIfThere } from './runContext.ts';

type EffectArgs<Context, Event> = {
  readonly context: Context;
  readonly event: Event;
  readonly system: ActorSystem;
};

function sending<Context, Event>(
  messagesOf: (context: Context, event: Event) => readonly OutgoingMessage[],
) {
  return ({ context, event, system }: EffectArgs<Context, Event>) =>
    send(system, messagesOf(context, event));
}

/** An effect that calls time for the living: at the table, or in a round. */
function callingTime<Context>(messagesOf: (context: Context) => readonly OutgoingMessage[]) {
  return ({ context, system }: EffectArgs<Context, unknown>) => {
    const messages = messagesOf(context);
    contextOf(system).callTime('living', () => sendIfThere(system, messages));
  };
}

const arbiter = arbiterMachine.provide({
  actors: { bids: bidsLogic },
  actions: {
    requestBids: sending(OUTGOING.arbiter.requestBids),
    releaseMissing: sending(OUTGOING.arbiter.releaseMissing),
    placeAbsence: sending(OUTGOING.arbiter.placeAbsence),
    callTime: callingTime(OUTGOING.arbiter.callTime),
    noteLate: ({ event, system }) => {
      if (event.type === 'bid.late') contextOf(system).noteLateBid(event.tick, event.bid);
    },
  },
});

const player = playerMachine.provide({
  actions: { cancelRequest, consult, submitBid: submit, submitOrder: submit },
});

const gallery = galleryMachine.provide({
  actions: {
    inviteGhosts: sending(OUTGOING.gallery.inviteGhosts),
    callTime: ({ context: { turn }, system }) => {
      const message = { type: 'time.called', turn } as const;
      contextOf(system).callTime('gallery', () => sendIfThere(system, [{ to: GALLERY, message }]));
    },
    drawDice: sending(OUTGOING.gallery.drawDice),
    releaseMissing: sending(OUTGOING.gallery.releaseMissing),
    announceFacts: ({ system }, { facts }) => contextOf(system).emitGhostFacts(facts),
  },
});

const meeting = meetingMachine.provide({
  actors: { arbiter },
  actions: {
    announceFacts: ({ context, system }, { facts }) =>
      contextOf(system).emitMeetingFacts(facts, context),
  },
});

const meetingSession = meetingSessionMachine.provide({ actors: { meeting, player, gallery } });

const game = gameMachine.provide({
  actors: { meetingSession, player, orders: ordersLogic },
  actions: {
    announceFacts: ({ context, system }, { facts }) =>
      contextOf(system).emitGameFacts(facts, context),
    requestOrders: sending(OUTGOING.game.requestOrders),
    callTime: callingTime(OUTGOING.game.callTime),
    releaseMissing: sending(OUTGOING.game.releaseMissing),
    stopMeeting: ({ context, event, system }) => {
      sendIfThere(system, OUTGOING.game.stopMeeting(context, event));
    },
  },
});

const production = { meetingSession, game } as const;

/**
 * The engine that steps the charts: XState's own, or the compiled plans used for checking. Both write the same journals
 * to the byte.
 */
export type ChartEngine = 'compiled' | 'xstate';

export function machinesFor(engine: ChartEngine): typeof production {
  if (engine === 'xstate') return production;
  return { meetingSession: compile(meetingSession), game: compile(game) };
}
