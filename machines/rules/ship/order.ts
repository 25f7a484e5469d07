/** Orders: what a player handed in for a round. */
import type { Colour, Note, PadUpdates } from '../../types.ts';
import type { Intent } from './intent.ts';

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
