/**
 * The tape: a mind that repeats recorded answers, one for each request.
 *
 * It takes its time like the mind it stands for, so that whatever came from outside between two ticks can be put back
 * where it was. A request that was never answered in the recording gets no answer: it was abandoned.
 */
import type { Answer, Mind, MindRequest, SlowMind } from './port.ts';

export type TapeOptions = {
  /** What was answered to a request; undefined where it never was. */
  readonly answerTo: (request: MindRequest) => Answer | undefined;
  /** Called when a request arrives; the answer is given when the promise is kept. */
  readonly cue: (request: MindRequest) => Promise<void>;
  /** Who goes on where the recording has ended; null before that, and where nobody does. */
  readonly successor: (request: MindRequest) => Mind | null;
};

const END: Answer = { ok: false, code: 'tape/end', text: 'the recording ends here' };

export function tapeMind({ answerTo, cue, successor }: TapeOptions): SlowMind {
  return {
    pace: 'in-time',
    answer: async (request, signal) => {
      const answer = answerTo(request);
      const next = answer === undefined ? successor(request) : null;
      if (next !== null) return next.answer(request, signal);
      await cue(request);
      return answer ?? aborted(signal);
    },
  };
}

function aborted(signal: AbortSignal): Promise<Answer> {
  if (signal.aborted) return Promise.resolve(END);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(END), { once: true });
  });
}
