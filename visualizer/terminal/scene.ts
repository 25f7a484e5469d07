/** What a line is printed with: the state of the journal after it, and the names of the players. */
import type { Projection, ShipState } from '../../machines/journal/projection.ts';
import type { Names } from './seats.ts';

export type Scene = { readonly state: Projection; readonly names: Names };
/** The state of a game. */
export type ShipProjection = Projection & { readonly ship: ShipState };
