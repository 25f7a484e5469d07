/** Every message between the actors of a match, and the names by which they find each other. */

import type { ClosedTick } from './rules/facts.ts';
import type { SilenceCall } from './rules/floor.ts';
import type { LivedRound, OwnDeed } from './rules/record.ts';
import type { Order } from './rules/ship/orders.ts';
import type { ActionView, ShipScene } from './rules/ship/views.ts';
import type { GhostView, PublicTable, ShipTruth, TableView, Truth } from './rules/views.ts';
import {
  type Ballot,
  type Bid,
  type Brief,
  type BySeat,
  type ByType,
  COLOURS,
  type Colour,
  type Die,
  type Note,
  type RequestKind,
} from './types.ts';

export const ARBITER = 'arbiter';
export const BIDS = 'bids';
export const GALLERY = 'gallery';
export const MEETING = 'meeting';
export const MEETING_SESSION = 'meetingSession';
export const ORDERS = 'orders';
export type PlayerId = `player:${Colour}`;
/** Every message looks up a player's id, and a prepared text is found faster than a new one. */
const PLAYER_IDS: ReadonlyMap<Colour, PlayerId> = new Map(
  COLOURS.map((colour) => [colour, `player:${colour}`]),
);
export const playerId = (colour: Colour): PlayerId => PLAYER_IDS.get(colour) ?? `player:${colour}`;

/** A longer chain of eventless transitions and raised events is a mistake in a chart. */
export const MOST_ITERATIONS = 1000;

export type ToMeeting = ByType<{
  'tick.closed': ClosedTick;
  /** The engine counted the poll (ruling 39). */
  'poll.counted': object;
  'seat.left': { seat: Colour };
  /** The operator or a budget ends the meeting after the open tick. */
  'meeting.stopped': { outcome: 'interrupted' | 'unconverged' };
}>;

export type ToGame = ByType<{
  /** All asked players have decided, or time was called. Orders and draws are data. */
  'orders.gathered': { round: number; orders: readonly Order[]; draws: BySeat<number> };
  /** All requests are out, and at least one player has not decided yet. */
  'orders.outstanding': object;
  'game.stopped': { reason: 'interrupted' | 'unfinished' };
}>;

export type ToOrders = ByType<{
  'orders.awaited': { round: number; seats: readonly Colour[] };
  'orders.requested': { round: number };
  'order.placed': { round: number; order: Order };
  'time.called': { round: number };
}>;

export type ToArbiter = ByType<{
  /** `seats` are the living, in the order of the seats. */
  'tick.opened': { table: PublicTable; seats: readonly Colour[]; voted: readonly Colour[] };
  'tick.abandoned': object;
  /** A player left the table. Their bid in the open tick is void. */
  'seat.vacated': { seat: Colour };
  /** A bid came after its tick had closed. It is only noted. */
  'bid.late': { tick: number; bid: Bid };
  /** All requests are out, and at least one player has not answered yet. */
  'bids.outstanding': object;
  /** All bids are in, or time was called. */
  'bids.gathered': { tick: number; bids: readonly Bid[]; dice: BySeat<Die> };
}>;

export type ToBids = ByType<{
  'bids.awaited': { tick: number; seats: readonly Colour[] };
  'bids.requested': { tick: number };
  'bid.placed': { tick: number; bid: Bid };
  'time.called': { tick: number };
  'tick.abandoned': object;
}>;

export type SightsOfRound = LivedRound & { readonly deeds?: readonly OwnDeed[] };

export type ToPlayer = ByType<{
  /** The meeting was called in `round`. Sightings before it become the brief. */
  'meeting.opened': { brief?: Brief; round?: number };
  /** Sights on the ship since the last such message, oldest first. */
  'rounds.seen': { rounds: readonly SightsOfRound[] };
  /** `truth` is null for the living. */
  'order.requested': {
    round: number;
    shown: Pick<ActionView, 'rules' | 'map' | 'options' | 'record'>;
    scene: ShipScene;
    truth: ShipTruth | null;
  };
  'mind.decided': { round: number; order: Order };
  'round.missed': { round: number };
  'bid.requested': { table: TableView } & SilenceCall;
  /** The index counts ticks of the table or turns of the gallery. */
  'mind.answered': { to: 'table' | 'gallery'; index: number; bid: Bid };
  /** The tick closed without this player, or was abandoned. */
  'tick.missed': { tick: number };
  'vote.locked': { ballot: Ballot };
  'vote.cleared': { note: Note };
  'notice.given': { note: Note };
  'scratchpads.consolidated': { main: string | null; line: string | null };
  'scratchpads.erased': object;
  'seat.died': object;
  'seat.departed': object;
  'talk.invited': { seen: Omit<GhostView, 'you'> };
  'turn.missed': { turn: number };
}>;

export type ToGallery = ByType<{
  /** A table event that ghosts may comment on. */
  'table.changed': { requestKind: RequestKind; truth: Truth; transcript: TableView['transcript'] };
  'ghost.joined': { seat: Colour };
  'ghost.answered': { turn: number; bid: Bid };
  'time.called': { turn: number };
  'turn.ended': { dice: BySeat<Die> };
  'meeting.over': object;
}>;

/** The body of an effect that the chart only names and an actor provides. */
export function unprovided(effect: string): never {
  throw new Error(`the effect ${effect} must be provided by an actor`);
}
