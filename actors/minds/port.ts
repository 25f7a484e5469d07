/**
 * The port of a mind: a function from a request to an answer that never throws or hangs. A failure is a value, and the
 * signal says that nobody waits any more. A mind that needs no time answers at once. Others are waited for until the
 * deadline of the match. A mind that calls `keepTime` takes over the deadline: it is waited for until it answers, and
 * reports lateness itself. A language model does so, because a request that waits for its turn has not been sent.
 */
import type { MindRequest } from '../../machines/request.ts';
import { LATE } from '../../machines/rules/tick.ts';

export type { MindRequest };

/**
 * `received` is the reply as given: an object with the fields of the design, or text that should contain one. A failure
 * has a stable code such as `mind/silent`.
 */
export type Answer =
  | { readonly ok: true; readonly received: unknown }
  | { readonly ok: false; readonly code: string; readonly text: string };

export const TOO_LATE = { ok: false, code: LATE, text: 'no answer before the deadline' } as const;

/** The signal's reason when time was up. Any other reason is not the mind's concern. */
export const TIME_UP = 'time is up';

export const ABORTED = Symbol('aborted');

/** The value of a promise, or `ABORTED` once nobody waits any more. */
export function orAbort<T>(
  promise: T | Promise<T>,
  signal: AbortSignal,
): Promise<T | typeof ABORTED> {
  if (signal.aborted) return Promise.resolve(ABORTED);
  const { promise: aborted, resolve } = Promise.withResolvers<typeof ABORTED>();
  const abort = () => resolve(ABORTED);
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/** The minds that a library's user writes get more than the request (`observation.ts`). */
export type LightMind<R = MindRequest> = { readonly pace: 'at-once'; answer(request: R): Answer };

export type SlowMind<R = MindRequest> = {
  readonly pace: 'in-time';
  answer(request: R, signal: AbortSignal, keepTime: () => void): Promise<Answer>;
};

export type TimedMind = {
  readonly pace: 'in-time';
  answer(request: MindRequest, signal: AbortSignal): Promise<Answer>;
};

export type Mind = LightMind | SlowMind;
