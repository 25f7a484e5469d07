/**
 * Orders: an intent that a player pursues until it is done or something happens, so that minds are asked seldom. A kill
 * or a sabotage ends with its round.
 */
import type { Bid, Colour, Note, PadUpdates, Place, Room, System } from '../../types.ts';
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
  /** Stands still for `rounds` or until something happens. */
  | { readonly type: 'wait'; readonly rounds: number }
  | { readonly type: 'go'; readonly to: Place }
  /** Goes where that player was last seen to go, for `rounds`, while they are in sight, until both are in one place. */
  | { readonly type: 'follow'; readonly whom: Colour; readonly rounds: number }
  /** Walks to the next step of an own task and does it. */
  | { readonly type: 'task'; readonly task: TaskId }
  /** Looks the same, but does no work. */
  | { readonly type: 'fake'; readonly task: TaskId }
  | { readonly type: 'kill'; readonly whom: Colour }
  /** Climbs into this vent, or crawls to it from inside. */
  | { readonly type: 'vent'; readonly to: number }
  | { readonly type: 'surface' }
  | { readonly type: 'sabotage'; readonly system: System }
  | { readonly type: 'shut'; readonly room: Room }
  /** Walks to a console of the sabotaged system and holds it. */
  | { readonly type: 'fix'; readonly at: Room }
  | { readonly type: 'report'; readonly body: Colour }
  | { readonly type: 'button' }
  /** Walks to the cameras or the Admin table and watches for `rounds` or until something happens. */
  | { readonly type: 'watch'; readonly what: 'cameras' | 'admin'; readonly rounds: number };

export type IntentType = Intent['type'];

/** The longest wait, watch or follow in rounds: a minute. */
export const LONGEST_WAIT = 24;

/** A parsed reply of the action phase. `intent` is null if the player continues. */
export type Decision = {
  readonly thought: string;
  readonly intent: Intent | null;
  readonly pads: PadUpdates;
  readonly notes: readonly Note[];
};

/** `received` is the raw reply of the mind. */
export type Order =
  | {
      readonly type: 'order';
      readonly seat: Colour;
      readonly received: unknown;
      readonly decision: Decision;
    }
  | Extract<Bid, { readonly type: 'fault' }>;
