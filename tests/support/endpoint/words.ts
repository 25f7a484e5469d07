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
      error: { code: status, message, status: status === 503 ? 'UNAVAILABLE' : 'INVALID_ARGUMENT' },
    },
  ]);
}

/** A whole answer that votes, as a table of five would have it. */
export const WHOLE = {
  internal_thought: 'Blue was at the body',
  desire_to_speak: 7,
  message: 'Blue, where were you?',
  target: 'blue',
  vote_action: 'blue',
  scratchpad_updates: { meeting_scratch: 'Blue vague' },
};
export const WHOLE_TEXT = JSON.stringify(WHOLE);

/** An answer without a vote. */
export const GOOD = {
  internal_thought: 'Red is deflecting',
  desire_to_speak: 7,
  message: 'Red, where were you?',
  target: 'red',
  vote_action: null,
  scratchpad_updates: { meeting_scratch: 'Red vague' },
};
export const GOOD_TEXT = JSON.stringify(GOOD);
