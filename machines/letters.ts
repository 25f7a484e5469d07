/**
 * Letters: what the effects that the statecharts name send to whom.
 *
 * Worked out here and delivered elsewhere, so that the meeting that runs and the meeting that is checked send the same.
 */
import { type Books, invitations, tableView } from './charts/arbiter.ts';
import { type GalleryContext, ghostsSee } from './charts/gallery.ts';
import {
  BIDS,
  GALLERY,
  type PlayerId,
  playerId,
  type ToArbiter,
  type ToBids,
  type ToGallery,
  type ToPlayer,
} from './messages.ts';
import { LATE, LEFT } from './rules/attendance.ts';
import { roll } from './rules/dice.ts';
import type { Bid, Colour } from './types.ts';

export type Letter =
  | { readonly to: PlayerId; readonly message: ToPlayer }
  | { readonly to: typeof BIDS; readonly message: ToBids }
  | { readonly to: typeof GALLERY; readonly message: ToGallery };

export function toPlayer(seat: Colour, message: ToPlayer): Letter {
  return { to: playerId(seat), message };
}

/** Asks every invited player, and tells the bid stream whom to wait for. */
export function requests(books: Books): readonly Letter[] {
  const table = tableView(books);
  if (table === null) return [];
  const { tick } = table;
  const invited = invitations(books);
  const seats = invited.map(({ seat }) => seat);
  return [
    toBids({ type: 'bids.awaited', tick, seats }),
    ...invited.map(({ seat, calledOn }) =>
      toPlayer(seat, { type: 'bid.requested', table, calledOn }),
    ),
    toBids({ type: 'bids.requested', tick }),
  ];
}

/** To everybody who was asked and has not answered: the late ones of a closed tick, or all of an abandoned one. */
export function releases({ floor, opened }: Books, event: ToArbiter): readonly Letter[] {
  const missed = (seat: Colour) => toPlayer(seat, { type: 'tick.missed', tick: floor.tick });
  if (event.type === 'bids.gathered') {
    return event.bids
      .filter((bid) => bid.type === 'fault' && bid.code === LATE)
      .map(({ seat }) => missed(seat));
  }
  return [toBids({ type: 'tick.abandoned' }), ...(opened?.seats ?? []).map(missed)];
}

/** The fault of somebody who left; it replaces a bid that was handed in before. */
export function absence({ floor }: Books, event: ToArbiter): readonly Letter[] {
  if (event.type !== 'seat.vacated') return [];
  const { seat } = event;
  const bid: Bid = { type: 'fault', seat, code: LEFT, text: 'left the table' };
  return [toBids({ type: 'bid.placed', tick: floor.tick, bid })];
}

export function timeCall({ floor }: Books): readonly Letter[] {
  return [toBids({ type: 'time.called', tick: floor.tick })];
}

/** A bid on its way to where it was asked for. */
export function handedIn(to: 'table' | 'gallery', stamp: number, bid: Bid): Letter {
  if (to === 'table') return toBids({ type: 'bid.placed', tick: stamp, bid });
  return { to: GALLERY, message: { type: 'ghost.answered', turn: stamp, bid } };
}

export function talkInvitations(context: GalleryContext): readonly Letter[] {
  const seen = ghostsSee(context);
  if (seen === null) return [];
  return context.asked.map((ghost) => toPlayer(ghost, { type: 'talk.invited', seen }));
}

/** The dice of a turn of the gallery, from its own stream. */
export function galleryDice({ chance, turn, asked }: GalleryContext): ToGallery {
  return { type: 'turn.ended', dice: roll({ ...chance, stream: 'gallery', tick: turn }, asked) };
}

export function talkReleases({ asked, answers, turn }: GalleryContext): readonly Letter[] {
  return asked
    .filter((ghost) => answers[ghost] === undefined)
    .map((ghost) => toPlayer(ghost, { type: 'turn.missed', turn }));
}

function toBids(message: ToBids): Letter {
  return { to: BIDS, message };
}
