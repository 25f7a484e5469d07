/** Events of a round: what happened on the ship, in the order in which it was resolved. */
import type { Colour, Note, Place, Room } from '../../types.ts';
import type { Departure } from '../facts.ts';
import type { Intent } from './intent.ts';
import type { System } from './map.ts';
import type { TaskId } from './tasks.ts';

/** How a vent was used: climbed into, crawled through, climbed out of. */
export const VENTINGS = ['in', 'through', 'out'] as const;
export type Venting = (typeof VENTINGS)[number];

export type RoundEvent =
  | {
      readonly type: 'intent.refused';
      readonly seat: Colour;
      readonly intent: Intent;
      readonly note: Note;
    }
  | {
      readonly type: 'seat.faulted';
      readonly seat: Colour;
      readonly code: string;
      readonly streak: number;
    }
  | { readonly type: 'seat.departed'; readonly seat: Colour; readonly reason: Departure }
  | {
      readonly type: 'player.killed';
      readonly by: Colour;
      readonly victim: Colour;
      readonly place: Place;
    }
  | {
      readonly type: 'vent.used';
      readonly seat: Colour;
      readonly how: Venting;
      readonly vent: number;
      readonly place: Place;
    }
  | { readonly type: 'sabotage.begun'; readonly by: Colour; readonly system: System }
  | { readonly type: 'sabotage.mended'; readonly by: readonly Colour[]; readonly system: System }
  | { readonly type: 'keypad.entered'; readonly seat: Colour; readonly at: Room }
  | { readonly type: 'doors.shut'; readonly by: Colour; readonly room: Room }
  | { readonly type: 'doors.opened'; readonly room: Room }
  | {
      readonly type: 'task.stepped';
      readonly seat: Colour;
      readonly task: TaskId;
      /** Steps of it that are done now. */
      readonly steps: number;
      readonly done: boolean;
    };

export type RoundEventType = RoundEvent['type'];
