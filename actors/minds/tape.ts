/**
 * A tape repeats recorded answers, one for each request.
 *
 * It takes its time like the mind whose answers it has, so that messages from outside between two ticks can be put back
 * where they were. A request that was never answered in the recording gets no answer: it was abandoned. What is recorded
 * is answered whatever the time, that a player was late too: the deadlines of the recording are over.
 */
import type { Answer, Mind, MindRequest, SlowMind } from './port.ts';

export type TapeOptions = {
  /** What was answered to a request; undefined where it never was. */
  readonly answerTo: (request: MindRequest) => Answer | undefined;
  /** Called when a request arrives; the answer is given when the promise resolves. */
  readonly cue: (request: MindRequest) => Promise<void>;
  /** The mind that continues where the recording has ended; null before that, and where none does. */
  readonly successor: (request: MindRequest) => Mind | null;
};

const END: Answer = { ok: false, code: 'tape/end', text: 'the recording ends here' };

export function createTapeMind({ answerTo, cue, successor }: TapeOptions): SlowMind {
  return {
    pace: 'in-time',
    answer: async (request, signal, keepTime) => {
      const answer = answerTo(request);
      const next = answer === undefined ? successor(request) : null;
      if (next !== null) return next.answer(request, signal, keepTime);
      if (answer !== undefined) keepTime();
      await cue(request);
      return answer ?? waitForAbort(signal);
    },
  };
}

function waitForAbort(signal: AbortSignal): Promise<Answer> {
  if (signal.aborted) return Promise.resolve(END);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(END), { once: true });
  });
}
