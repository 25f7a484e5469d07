/**
 * The tape: a mind that repeats recorded answers, one for each request.
 *
 * It takes its time like the mind it stands for, so that whatever came from outside between two ticks can be put back
 * where it was. A request that was never answered in the recording gets no answer: it was abandoned.
 */
import type { Answer, SlowMind } from './port.ts';

/** The recorded answers by the stamp of their request. */
export type Tape = ReadonlyMap<number, Answer>;

export function tapeMind(living: Tape, ghostly: Tape): SlowMind {
  return {
    pace: 'in-time',
    answer: (request, signal) => {
      const answer = (request.occasion === 'ghost' ? ghostly : living).get(request.stamp);
      if (answer !== undefined) return Promise.resolve(answer);
      return new Promise((resolve) => {
        const missing = { ok: false, code: 'tape/end', text: 'the recording ends here' } as const;
        signal.addEventListener('abort', () => resolve(missing), { once: true });
      });
    },
  };
}
