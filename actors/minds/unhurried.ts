/** A mind for games that people watch: on the ship it decides only when they have read what has happened. */
import type { Mind, SlowMind } from './port.ts';

/** `rest` is kept when the next round may be played; it never breaks. */
export function unhurried(mind: Mind, rest: () => Promise<void>): SlowMind {
  return {
    pace: 'in-time',
    answer: async (request, signal) => {
      if (request.occasion === 'action') await rest();
      return mind.answer(request, signal);
    },
  };
}
