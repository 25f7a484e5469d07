/** Facts of a game: what its statechart tells as it happens. Meetings tell their own (`../facts.ts`). */
import type { BySeat, Deed, Place } from '../../types.ts';
import type { RoundEvent } from './events.ts';
import type { Order } from './order.ts';
import type { Sight } from './sight.ts';
import type { Ending } from './victory.ts';

export type GameFact =
  | {
      readonly type: 'round.closed';
      readonly round: number;
      readonly orders: readonly Order[];
      readonly events: readonly RoundEvent[];
      /** Places that each player entered, in order. */
      readonly paths: BySeat<readonly Place[]>;
      /** What each of those in the open was doing at the end. */
      readonly deeds: BySeat<Deed>;
      readonly seen: BySeat<readonly Sight[]>;
    }
  /** Somebody outside asked for the end: an input of the run, so it is told. */
  | { readonly type: 'end.asked'; readonly reason: 'interrupted' | 'unfinished' }
  | ({ readonly type: 'game.closed' } & Ending);
