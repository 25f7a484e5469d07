/** Words that several rows of the table have in common. */
import { type Asked, modeOf } from './asked.ts';
import { json } from './sent.ts';

export const INVALID = { type: 'invalid_request_error', param: null, code: null };

export function inMode(...modes: readonly string[]): (asked: Asked) => boolean {
  return (asked) => modes.includes(modeOf(asked));
}

/** An error as the Gemini-compatible endpoint sends it: in a list. */
export function gemini(status: number, message: string) {
  return json(status, [
    {
      error: {
        code: status,
        message,
        status: status === 503 ? 'UNAVAILABLE' : 'INVALID_ARGUMENT',
      },
    },
  ]);
}
