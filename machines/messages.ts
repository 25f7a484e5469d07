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

export type ToMeeting =
  /** The arbiter closed a tick. Bids, dice and decision are data. */
  | ({ readonly type: 'tick.closed' } & ClosedTick)
  /** The engine counted the poll (ruling 39). */
  | { readonly type: 'poll.counted' }
  /** A player left the table of their own will. */
  | { readonly type: 'seat.left'; readonly seat: Colour }
  /** The operator or a budget ends the meeting after the open tick. */
  | { readonly type: 'meeting.stopped'; readonly outcome: 'interrupted' | 'unconverged' };

export type ToGame =
  /** All asked players have decided, or time was called. Orders and draws are data. */
  | {
      readonly type: 'orders.gathered';
      readonly round: number;
      readonly orders: readonly Order[];
      readonly draws: BySeat<number>;
    }
  /** All requests are out, and at least one player has not decided yet. */
  | { readonly type: 'orders.outstanding' }
  /** The operator or a budget ends the game. */
  | { readonly type: 'game.stopped'; readonly reason: 'interrupted' | 'unfinished' };

export type ToOrders =
  | { readonly type: 'orders.awaited'; readonly round: number; readonly seats: readonly Colour[] }
  | { readonly type: 'orders.requested'; readonly round: number }
  | { readonly type: 'order.placed'; readonly round: number; readonly order: Order }
  | { readonly type: 'time.called'; readonly round: number };

export type ToArbiter =
  | {
      readonly type: 'tick.opened';
      readonly table: PublicTable;
      /** The living, in the order of the seats. */
      readonly seats: readonly Colour[];
      readonly voted: readonly Colour[];
    }
  | { readonly type: 'tick.abandoned' }
  /** A player left the table. Their bid in the open tick is void. */
  | { readonly type: 'seat.vacated'; readonly seat: Colour }
  /** A bid came after its tick had closed. It is only noted. */
  | { readonly type: 'bid.late'; readonly tick: number; readonly bid: Bid }
  /** All requests are out, and at least one player has not answered yet. */
  | { readonly type: 'bids.outstanding' }
  /** All bids are in, or time was called. */
  | {
      readonly type: 'bids.gathered';
      readonly tick: number;
      readonly bids: readonly Bid[];
      readonly dice: BySeat<Die>;
    };

export type ToBids =
  | { readonly type: 'bids.awaited'; readonly tick: number; readonly seats: readonly Colour[] }
  | { readonly type: 'bids.requested'; readonly tick: number }
  | { readonly type: 'bid.placed'; readonly tick: number; readonly bid: Bid }
  | { readonly type: 'time.called'; readonly tick: number }
  | { readonly type: 'tick.abandoned' };

export type SightsOfRound = LivedRound & { readonly deeds?: readonly OwnDeed[] };

export type ToPlayer =
  /** `round` is the round in which the meeting was called. Sightings before it become the brief. */
  | { readonly type: 'meeting.opened'; readonly brief?: Brief; readonly round?: number }
  /** Sights on the ship since the last such message, oldest first. */
  | { readonly type: 'rounds.seen'; readonly rounds: readonly SightsOfRound[] }
  | {
      readonly type: 'order.requested';
      readonly round: number;
      readonly shown: Pick<ActionView, 'rules' | 'map' | 'options' | 'record'>;
      readonly scene: ShipScene;
      /** Null for the living. */
      readonly truth: ShipTruth | null;
    }
  | { readonly type: 'mind.decided'; readonly round: number; readonly order: Order }
  /** The round closed without this player. */
  | { readonly type: 'round.missed'; readonly round: number }
  | ({ readonly type: 'bid.requested'; readonly table: TableView } & SilenceCall)
  | {
      readonly type: 'mind.answered';
      /** The index counts ticks of the table or turns of the gallery. */
      readonly to: 'table' | 'gallery';
      readonly index: number;
      readonly bid: Bid;
    }
  /** The tick closed without this player, or was abandoned. */
  | { readonly type: 'tick.missed'; readonly tick: number }
  | { readonly type: 'vote.locked'; readonly ballot: Ballot }
  | { readonly type: 'vote.cleared'; readonly note: Note }
  | { readonly type: 'notice.given'; readonly note: Note }
  | {
      readonly type: 'scratchpads.consolidated';
      readonly main: string | null;
      readonly line: string | null;
    }
  | { readonly type: 'scratchpads.erased' }
  | { readonly type: 'seat.died' }
  | { readonly type: 'seat.departed' }
  | { readonly type: 'talk.invited'; readonly seen: Omit<GhostView, 'you'> }
  | { readonly type: 'turn.missed'; readonly turn: number };

export type ToGallery =
  /** A table event that ghosts may comment on. */
  | {
      readonly type: 'table.changed';
      readonly requestKind: RequestKind;
      readonly truth: Truth;
      readonly transcript: TableView['transcript'];
    }
  | { readonly type: 'ghost.joined'; readonly seat: Colour }
  | { readonly type: 'ghost.answered'; readonly turn: number; readonly bid: Bid }
  | { readonly type: 'time.called'; readonly turn: number }
  | { readonly type: 'turn.ended'; readonly dice: BySeat<Die> }
  | { readonly type: 'meeting.over' };

/** The body of an effect that the chart only names and an actor provides. */
export function unprovided(effect: string): never {
  throw new Error(`the effect ${effect} must be provided by an actor`);
}
