/**
 * Orders: what a player sets out to do, and goes on doing until it is done or something happens.
 *
 * A mind is asked seldom; between two answers the engine walks, works and waits for the player as they said. One that
 * takes a moment only (a kill, a sabotage) is over with the round.
 */
import type { Colour, Note, PadUpdates, Place, Room, System } from '../../types.ts';
import type { TaskId } from './tasks.ts';

export const INTENTS = [
  'wait',
  'go',
  'follow',
  'task',
  'fake',
  'kill',
  'vent',
  'surface',
  'sabotage',
  'shut',
  'fix',
  'report',
  'button',
  'watch',
] as const;

export type Intent =
  /** Stands still for `rounds`, or until something happens. */
  | { readonly type: 'wait'; readonly rounds: number }
  | { readonly type: 'go'; readonly to: Place }
  /** Goes where that player was last seen to go: for `rounds`, while they are in sight, until both stand together. */
  | { readonly type: 'follow'; readonly whom: Colour; readonly rounds: number }
  /** Walks to the next step of an own task and does it. */
  | { readonly type: 'task'; readonly task: TaskId }
  /** The same walk and the same pose, and nothing comes of it. */
  | { readonly type: 'fake'; readonly task: TaskId }
  | { readonly type: 'kill'; readonly whom: Colour }
  /** Climbs into the vent of this number, or crawls to it when inside. */
  | { readonly type: 'vent'; readonly to: number }
  /** Climbs out. */
  | { readonly type: 'surface' }
  | { readonly type: 'sabotage'; readonly system: System }
  /** Shuts the doors of a room. */
  | { readonly type: 'shut'; readonly room: Room }
  /** Walks to a console of what is broken and holds it. */
  | { readonly type: 'fix'; readonly at: Room }
  | { readonly type: 'report'; readonly body: Colour }
  /** Walks to the button and presses it. */
  | { readonly type: 'button' }
  /** Walks to the cameras or the Admin table and looks for `rounds`, or until something happens. */
  | { readonly type: 'watch'; readonly what: 'cameras' | 'admin'; readonly rounds: number };

export type IntentType = Intent['type'];

/** Longest time for which one can wait, watch or follow, in rounds: a minute. */
export const LONGEST_WAIT = 24;

/* Orders: what a player handed in for a round. */

/** What was read from a reply of the action phase; `intent` is null to go on with what one does. */
export type Decision = {
  readonly thought: string;
  readonly intent: Intent | null;
  readonly pads: PadUpdates;
  readonly notes: readonly Note[];
};

/**
 * `received` is the reply as the mind gave it, before anything was read from it; a fault keeps it too when something
 * arrived.
 */
export type Order =
  | {
      readonly type: 'order';
      readonly seat: Colour;
      readonly received: unknown;
      readonly decision: Decision;
    }
  | {
      readonly type: 'fault';
      readonly seat: Colour;
      readonly code: string;
      readonly text: string;
      readonly received?: unknown;
    };
