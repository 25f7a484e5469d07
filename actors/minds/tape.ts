/**
 * A recorded mind repeats recorded answers, one per request, at the pace of the recorded mind. A request without a
 * recorded answer gets none: it was abandoned. Recorded lateness is repeated; the recording's deadlines do not apply.
 */
import { type Answer, type Mind, type MindRequest, orAbort, type SlowMind } from './port.ts';

type TapeOptions = {
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
      const isGhost = request.kind === 'ghost';
      if (next !== null && !isGhost) return next.answer(request, signal, keepTime);
      if (answer !== undefined) keepTime();
      // A ghost who goes on waits too: the table, which does not wait for ghosts, may still be in the recording.
      await cue(request);
      const given = next?.answer(request, signal, keepTime) ?? answer;
      return given ?? orAbort(new Promise(() => {}), signal).then(() => END);
    },
  };
}
