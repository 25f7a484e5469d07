/**
 * The port of a mind: whoever decides what a player says.
 *
 * A mind is a function from a request to an answer. It never throws and never hangs: a failure is a value, and the
 * signal tells it that nobody waits any more. A mind that needs no time answers at once; only slow minds are waited
 * for, until the deadline of the match. A mind that calls `keepTime` takes the deadline over: it is waited for until it
 * has answered, and answers by itself that it is late. A language model does, since a request that waits for its turn has
 * not been sent. Every kind of mind gets the same request and runs under the same player statechart.
 */
import type { MindRequest } from '../../machines/request.ts';

export type { MindRequest };

/**
 * What came back. `received` is the reply as given: an object with the fields of the design, or text that should
 * contain one. A failure has a stable code such as `mind/silent`.
 */
export type Answer =
  | { readonly ok: true; readonly received: unknown }
  | { readonly ok: false; readonly code: string; readonly text: string };

/** Why nobody waits any more, as the reason of the signal: time was up. Any other reason is none of the mind's. */
export const TIME_UP = 'time is up';

export type LightMind = {
  readonly pace: 'at-once';
  answer(request: MindRequest): Answer;
};

export type SlowMind = {
  readonly pace: 'in-time';
  answer(request: MindRequest, signal: AbortSignal, keepTime: () => void): Promise<Answer>;
};

/** A slow mind that leaves the time to the match. */
export type TimedMind = {
  readonly pace: 'in-time';
  answer(request: MindRequest, signal: AbortSignal): Promise<Answer>;
};

export type Mind = LightMind | SlowMind;
