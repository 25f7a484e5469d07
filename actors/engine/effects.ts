/**
 * The effects that the statecharts name: production machines with everything provided, made once per process.
 */
import type { ActionArgs } from 'xstate';
import { type ArbiterBooks, arbiterMachine } from '../../machines/charts/arbiter.ts';
import { type GalleryContext, galleryMachine } from '../../machines/charts/gallery.ts';
import { type GameContext, gameMachine, meetingStop } from '../../machines/charts/game.ts';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import { meetingSessionMachine } from '../../machines/charts/meetingSession.ts';
import { playerMachine } from '../../machines/charts/player.ts';
import { MEETING, type ToArbiter, type ToGallery, type ToGame } from '../../machines/messages.ts';
import {
  absenceBid,
  bidReleases,
  bidRequests,
  galleryDice,
  type MeetingMessage,
  type OutgoingMessage,
  orderRequests,
  roundReleases,
  roundTimeCall,
  talkInvitations,
  talkReleases,
  timeCall,
} from '../../machines/outgoing.ts';
import { bidsLogic } from './bids.ts';
import { consult, dismiss, place } from './consult.ts';
import { ordersLogic } from './orders.ts';
import { deliver } from './router.ts';
import { actorOf, isThere, sessionOf } from './session.ts';

type ArbiterArgs = ActionArgs<ArbiterBooks, ToArbiter, ToArbiter>;
type GalleryArgs = ActionArgs<GalleryContext, ToGallery, ToGallery>;

/** An effect of the arbiter that sends letters. */
function posting(letters: (books: ArbiterBooks, event: ToArbiter) => readonly MeetingMessage[]) {
  return ({ context, event, system }: ArbiterArgs) => deliver(system, letters(context, event));
}

function postingToGhosts(letters: (context: GalleryContext) => readonly MeetingMessage[]) {
  return ({ context, system }: GalleryArgs) => deliver(system, letters(context));
}

function noteLate({ event, system }: ArbiterArgs): void {
  if (event.type === 'bid.late') sessionOf(system).late(event.tick, event.bid);
}

const arbiter = arbiterMachine.provide({
  actors: { bids: bidsLogic },
  actions: {
    requestBids: posting(bidRequests),
    releaseMissing: posting(bidReleases),
    placeAbsence: posting(absenceBid),
    callTime: posting(timeCall),
    noteLate,
  },
});

const player = playerMachine.provide({
  actions: { consult, place, hand: place, dismiss },
});

const gallery = galleryMachine.provide({
  actions: {
    inviteGhosts: postingToGhosts(talkInvitations),
    drawDice: ({ context, self }) => self.send(galleryDice(context)),
    releaseMissing: postingToGhosts(talkReleases),
    tell: ({ system }, { facts }) => sessionOf(system).murmured(facts),
  },
});

const meeting = meetingMachine.provide({
  actors: { arbiter },
  actions: { tell: ({ context, system }, { facts }) => sessionOf(system).told(facts, context) },
});

const sitting = meetingSessionMachine.provide({ actors: { meeting, player, gallery } });

type GameArgs = ActionArgs<GameContext, ToGame, ToGame>;

/** An effect of the game that sends letters. */
function posted(letters: (context: GameContext, event: ToGame) => readonly OutgoingMessage[]) {
  return ({ context, event, system }: GameArgs) => deliver(system, letters(context, event));
}

const game = gameMachine.provide({
  actors: { sitting, player, orders: ordersLogic },
  actions: {
    tell: ({ context, system }, { facts }) => sessionOf(system).played(facts, context),
    requestOrders: posted(orderRequests),
    callTime: posted(roundTimeCall),
    releaseMissing: posted((_, event) => roundReleases(event)),
    stopMeeting: ({ event, system }) => {
      const stop = meetingStop(event);
      if (stop !== null && isThere(system, MEETING)) actorOf(system, MEETING).send(stop);
    },
  },
});

/** The machines that run: the very charts of `machines/`, with their effects. */
export const production = { meeting, sitting, game } as const;
