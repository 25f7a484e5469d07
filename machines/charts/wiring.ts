/** The charts of a match, joined, with effects in terms of what a host does. `outgoing.ts` says what they send. */
import type { AnyActorRef, CallbackActorLogic } from 'xstate';
import { MEETING, type ToArbiter, type ToBids, type ToOrders, type ToPlayer } from '../messages.ts';
import { OUTGOING, type OutgoingMessage } from '../outgoing.ts';
import type { Fact, GhostFact } from '../rules/facts.ts';
import type { MeetingChance, Table } from '../rules/meeting.ts';
import type { GameCourse, GameFact } from '../rules/ship/game.ts';
import { arbiterMachine } from './arbiter.ts';
import { galleryMachine } from './gallery.ts';
import { gameMachine, type OrdersInput } from './game.ts';
import { meetingMachine } from './meeting.ts';
import { meetingSessionMachine } from './meetingSession.ts';
import { type PlayerContext, playerMachine } from './player.ts';

type Acting = { readonly self: AnyActorRef; readonly system: AnyActorRef['system'] };
type ChartStep<Context, Event> = Acting & { readonly context: Context; readonly event: Event };
type PlayerEffect = (step: ChartStep<PlayerContext, ToPlayer>) => void;

export type ChartHost = {
  readonly bids: CallbackActorLogic<ToBids, { chance: MeetingChance }>;
  readonly orders: CallbackActorLogic<ToOrders, OrdersInput>;
  readonly consult: PlayerEffect;
  readonly cancelRequest: PlayerEffect;
  readonly submit: PlayerEffect;
  readonly send: (acting: Acting, messages: readonly OutgoingMessage[]) => void;
  /** These messages end the wait for those who are still thinking. */
  readonly callTime: (
    acting: Acting,
    where: 'living' | 'gallery',
    messages: readonly OutgoingMessage[],
  ) => void;
  readonly noteLate: (step: ChartStep<unknown, ToArbiter>) => void;
  readonly announceMeeting: (acting: Acting, facts: readonly Fact[], table: Table) => void;
  readonly announceGhosts: (acting: Acting, facts: readonly GhostFact[]) => void;
  readonly announceGame: (acting: Acting, facts: readonly GameFact[], course: GameCourse) => void;
};

export function wireCharts(host: ChartHost) {
  const { consult, cancelRequest, submit, noteLate } = host;
  const sending =
    <Context, Event>(messagesOf: (context: Context, event: Event) => readonly OutgoingMessage[]) =>
    (step: ChartStep<Context, Event>) =>
      host.send(step, messagesOf(step.context, step.event));
  const arbiter = arbiterMachine.provide({
    actors: { bids: host.bids },
    actions: {
      requestBids: sending(OUTGOING.arbiter.requestBids),
      releaseMissing: sending(OUTGOING.arbiter.releaseMissing),
      placeAbsence: sending(OUTGOING.arbiter.placeAbsence),
      callTime: (step) => host.callTime(step, 'living', OUTGOING.arbiter.callTime(step.context)),
      noteLate,
    },
  });
  const player = playerMachine.provide({
    actions: { consult, cancelRequest, submitBid: submit, submitOrder: submit },
  });
  const gallery = galleryMachine.provide({
    actions: {
      inviteGhosts: sending(OUTGOING.gallery.inviteGhosts),
      callTime: (step) => host.callTime(step, 'gallery', OUTGOING.gallery.callTime(step.context)),
      drawDice: sending(OUTGOING.gallery.drawDice),
      releaseMissing: sending(OUTGOING.gallery.releaseMissing),
      announceFacts: (step, { facts }) => host.announceGhosts(step, facts),
    },
  });
  const meeting = meetingMachine.provide({
    actors: { arbiter },
    actions: {
      announceFacts: (step, { facts }) => host.announceMeeting(step, facts, step.context),
    },
  });
  const meetingSession = meetingSessionMachine.provide({ actors: { meeting, player, gallery } });
  const game = gameMachine.provide({
    actors: { meetingSession, player, orders: host.orders },
    actions: {
      announceFacts: (step, { facts }) => host.announceGame(step, facts, step.context),
      requestOrders: sending(OUTGOING.game.requestOrders),
      callTime: (step) => host.callTime(step, 'living', OUTGOING.game.callTime(step.context)),
      releaseMissing: sending(OUTGOING.game.releaseMissing),
      stopMeeting: (step) => {
        // The meeting may be over, with only the ghosts still talking.
        const messages = OUTGOING.game.stopMeeting(step.context, step.event);
        if (step.system.get(MEETING) !== undefined) host.send(step, messages);
      },
    },
  });
  return { meetingSession, game } as const;
}
