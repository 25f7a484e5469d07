/** Reasons: why somebody is suspected, each with the facts that are needed to say it. */
import type { Colour, Room, Sighting } from '../../../machines/types.ts';

export type Reason =
  /** Own eyes: a vent or a kill. */
  | {
      readonly type: 'witnessed';
      readonly deed: 'vent' | 'kill';
      readonly place: Room;
      readonly ago: number;
    }
  /** Own eyes: somebody where the body lay. */
  | { readonly type: 'near'; readonly place: Room; readonly ago: number }
  /** Their story against an own sighting. */
  | { readonly type: 'clash'; readonly said: Room; readonly seen: Sighting }
  /** They claim a room in which the player was, without them. */
  | { readonly type: 'absent'; readonly place: Room }
  /** They said about `about` what the player knows to be false; `about` may be the player. */
  | { readonly type: 'falsehood'; readonly about: Colour }
  | { readonly type: 'told'; readonly by: Colour }
  | { readonly type: 'placed'; readonly by: Colour; readonly place: Room }
  /** Their story against what `by` saw. */
  | {
      readonly type: 'contradicted';
      readonly by: Colour;
      readonly said: Room;
      readonly place: Room;
    }
  | { readonly type: 'named'; readonly by: Colour }
  /** They have told nobody where they were. */
  | { readonly type: 'mute' }
  | { readonly type: 'hunch' };
