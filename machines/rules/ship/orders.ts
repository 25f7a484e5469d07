/** Orders: an intent that a player pursues until it is done or something happens, so that minds are asked seldom. */
import type { Bid, ByType, Colour, Note, PadUpdates, Place, Room, System } from '../../types.ts';
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

export type Intent = ByType<{
  /** Stands still for `rounds` or until something happens. */
  wait: { rounds: number };
  go: { to: Place };
  /** Goes where that player was last seen to go, for `rounds`, while they are in sight, until both are in one place. */
  follow: { whom: Colour; rounds: number };
  /** Walks to the next step of an own task and does it. */
  task: { task: TaskId };
  /** Looks the same, but does no work. */
  fake: { task: TaskId };
  kill: { whom: Colour };
  /** Climbs into this vent, or crawls to it from inside. */
  vent: { to: number };
  surface: object;
  sabotage: { system: System };
  shut: { room: Room };
  /** Walks to a console of the sabotaged system and holds it. */
  fix: { at: Room };
  report: { body: Colour };
  button: object;
  /** Walks to the cameras or the Admin table and watches for `rounds` or until something happens. */
  watch: { what: 'cameras' | 'admin'; rounds: number };
}>;

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
  | ByType<{ order: { seat: Colour; received: unknown; decision: Decision } }>
  | Extract<Bid, { readonly type: 'fault' }>;
