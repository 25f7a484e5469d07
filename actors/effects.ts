/**
 * The effects that the statecharts name: production machines with everything provided, made once per process.
 */
import type { ActionArgs } from 'xstate';
import { arbiterMachine, type Books, invitations, tableView } from '../machines/arbiter.ts';
import { type GalleryContext, galleryMachine, ghostsSee } from '../machines/gallery.ts';
import { meetingMachine } from '../machines/meeting.ts';
import { playerMachine } from '../machines/player.ts';
import {
  BIDS,
  playerId,
  type ToArbiter,
  type ToBids,
  type ToGallery,
  type ToPlayer,
} from '../machines/protocol.ts';
import { LATE, LEFT } from '../machines/rules/attendance.ts';
import { roll } from '../machines/rules/dice.ts';
import { sittingMachine } from '../machines/sitting.ts';
import type { Bid, Colour } from '../machines/types.ts';
import { bidsLogic } from './bids.ts';
import { consult, dismiss, place } from './consult.ts';
import { actorOf, type System, sessionOf } from './session.ts';

type ArbiterArgs = ActionArgs<Books, ToArbiter, ToArbiter>;
type GalleryArgs = ActionArgs<GalleryContext, ToGallery, ToGallery>;

function tellPlayer(system: System, seat: Colour, message: ToPlayer): void {
  actorOf(system, playerId(seat)).send(message);
}

function tellBids(system: System, message: ToBids): void {
  actorOf(system, BIDS).send(message);
}

function requestBids({ context, system }: ArbiterArgs): void {
  const table = tableView(context);
  if (table === null) return;
  const invited = invitations(context);
  tellBids(system, {
    type: 'bids.awaited',
    tick: table.tick,
    seats: invited.map(({ seat }) => seat),
  });
  for (const { seat, calledOn } of invited) {
    tellPlayer(system, seat, { type: 'bid.requested', table, calledOn });
  }
  tellBids(system, { type: 'bids.requested', tick: table.tick });
}

/** Everybody who was asked and has not answered: the late ones of a closed tick, or all of an abandoned one. */
function releaseMissing({ context, event, system }: ArbiterArgs): void {
  const { tick } = context.floor;
  if (event.type === 'bids.gathered') {
    for (const bid of event.bids) {
      if (bid.type === 'fault' && bid.code === LATE) {
        tellPlayer(system, bid.seat, { type: 'tick.missed', tick });
      }
    }
    return;
  }
  tellBids(system, { type: 'tick.abandoned' });
  for (const seat of context.opened?.seats ?? []) {
    tellPlayer(system, seat, { type: 'tick.missed', tick });
  }
}

function placeAbsence({ context, event, system }: ArbiterArgs): void {
  if (event.type !== 'seat.vacated') return;
  const { seat } = event;
  const bid: Bid = { type: 'fault', seat, code: LEFT, text: 'left the table' };
  tellBids(system, { type: 'bid.placed', tick: context.floor.tick, bid });
}

function callTime({ context, system }: ArbiterArgs): void {
  tellBids(system, { type: 'time.called', tick: context.floor.tick });
}

function noteLate({ event, system }: ArbiterArgs): void {
  if (event.type === 'bid.late') sessionOf(system).late(event.tick, event.bid);
}

function inviteGhosts({ context, system }: GalleryArgs): void {
  const seen = ghostsSee(context);
  if (seen === null) return;
  for (const ghost of context.asked) tellPlayer(system, ghost, { type: 'talk.invited', seen });
}

function drawDice({ context, self, system }: GalleryArgs): void {
  const moment = { ...sessionOf(system).chance, stream: 'gallery' as const, tick: context.turn };
  self.send({ type: 'turn.ended', dice: roll(moment, context.asked) });
}

function releaseGhosts({ context, system }: GalleryArgs): void {
  for (const ghost of context.asked) {
    if (context.answers[ghost] !== undefined) continue;
    tellPlayer(system, ghost, { type: 'turn.missed', turn: context.turn });
  }
}

const arbiter = arbiterMachine.provide({
  actors: { bids: bidsLogic },
  actions: { requestBids, releaseMissing, placeAbsence, callTime, noteLate },
});

const player = playerMachine.provide({ actions: { consult, place, dismiss } });

const gallery = galleryMachine.provide({
  actions: {
    inviteGhosts,
    drawDice,
    releaseMissing: releaseGhosts,
    tell: ({ system }, { facts }) => sessionOf(system).murmured(facts),
  },
});

const meeting = meetingMachine.provide({
  actors: { arbiter },
  actions: { tell: ({ context, system }, { facts }) => sessionOf(system).told(facts, context) },
});

/** The machines that run: the very charts of `machines/`, with their effects. */
export const production = {
  meeting,
  sitting: sittingMachine.provide({ actors: { meeting, player, gallery } }),
} as const;
