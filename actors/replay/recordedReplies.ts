import type { BidFields, Line, LineOf, OrderFields } from '../../machines/journal/lines.ts';
import type { BeliefQuestion } from '../../machines/rules/beliefs.ts';
import { type BySeat, COLOURS, type Colour } from '../../machines/types.ts';
import type { Believer, StatedBelief } from '../minds/believer.ts';
import {
  type Answer,
  type LightMind,
  type Mind,
  type MindRequest,
  orAbort,
  type SlowMind,
} from '../minds/port.ts';

/** An answer, and the line that has it, counted from 0. */
export type TapedAnswer = { readonly answer: Answer; readonly line: number };

/** Answers by seat and moment. Ticks and turns are counted within a meeting, rounds within a game. */
export type Recording = Readonly<
  Record<'living' | 'ghosts' | 'ship', ReadonlyMap<string, TapedAnswer>>
>;

export type ReplyCues = {
  readonly meeting: () => number;
  /** Called when a request arrives; a recorded answer is given when the promise resolves. */
  readonly cue: (request: MindRequest) => Promise<void>;
  /** Called with each request that has a recorded answer, and with the line of the answer, from 0. */
  readonly onAsked?: ((request: MindRequest, line: number) => void) | undefined;
  readonly isOver: (request: MindRequest) => boolean;
  readonly successors: BySeat<Mind>;
  readonly anew?: BySeat<LightMind>;
  /** Whether answers come without a cue, if the successor of the seat answers at once too. */
  readonly isAtOnce?: boolean;
};

export function recordedReplies(lines: readonly Line[], stage: ReplyCues): BySeat<Mind> {
  const recording = readRecording(lines);
  const minds: Partial<Record<Colour, Mind>> = {};
  for (const seat of COLOURS) {
    const answerTo = (request: MindRequest) => {
      const recorded = findRecorded(recording, seat, request, stage.meeting());
      if (recorded !== undefined) stage.onAsked?.(request, recorded.line);
      return recorded && (stage.anew?.[seat]?.answer(request) ?? recorded.answer);
    };
    const next = stage.successors[seat];
    if (stage.isAtOnce === true && next?.pace === 'at-once') {
      minds[seat] = {
        ...next,
        answer: (request: MindRequest) => answerTo(request) ?? next.answer(request),
      };
      continue;
    }
    minds[seat] = createTapeMind(answerTo, stage, next);
  }
  return minds;
}

/** A seat's answer to a request in a meeting, counted from 0; undefined if it gave none. */
export function findRecorded(
  { living, ghosts, ship }: Recording,
  seat: Colour,
  { kind, index }: MindRequest,
  meeting: number,
): TapedAnswer | undefined {
  if (kind === 'action') return ship.get(`${seat} ${index}`);
  return (kind === 'ghost' ? ghosts : living).get(`${seat} ${meeting} ${index}`);
}

export function readRecording(lines: readonly Line[]): Recording {
  const living = new Map<string, TapedAnswer>();
  const ghosts = new Map<string, TapedAnswer>();
  const ship = new Map<string, TapedAnswer>();
  let called = 0;
  for (const [at, line] of lines.entries()) {
    if (line.type === 'meeting.called') called += 1;
    const meeting = Math.max(0, called - 1);
    if (line.type === 'tick.closed' || line.type === 'turn.closed') {
      const [answers, index] =
        line.type === 'tick.closed' ? [living, line.tick] : [ghosts, line.turn];
      for (const bid of line.bids)
        answers.set(`${bid.seat} ${meeting} ${index}`, { answer: answerOf(bid), line: at });
    }
    if (line.type === 'round.closed') {
      for (const order of line.orders)
        ship.set(`${order.seat} ${line.round}`, { answer: answerOf(order), line: at });
    }
  }
  return { living, ghosts, ship };
}

/** A believer for each seat that repeats the recorded beliefs. `successors` answer the others. */
export function recordedBelievers(
  lines: readonly Line[],
  successors: BySeat<Believer>,
): BySeat<Believer> {
  const recorded = new Map<string, StatedBelief>();
  for (const line of lines) {
    if (line.type !== 'belief.stated') continue;
    const { fault, text = '', probabilities, received = { probabilities } } = line;
    const answer: Answer =
      fault === undefined || line.received !== undefined
        ? { ok: true, received }
        : { ok: false, code: fault, text };
    recorded.set(beliefKey(line.seat, line), { source: line.source, answer });
  }
  const find = (seat: Colour, question: BeliefQuestion) => recorded.get(beliefKey(seat, question));
  const believers: Partial<Record<Colour, Believer>> = {};
  for (const seat of COLOURS) {
    const next = successors[seat];
    believers[seat] =
      next?.pace === 'in-time'
        ? {
            ...next,
            believe: async (question, signal) =>
              find(seat, question) ?? (await next.believe(question, signal)),
          }
        : {
            pace: 'at-once',
            believe: (question) => find(seat, question) ?? next?.believe(question) ?? null,
          };
  }
  return believers;
}

function beliefKey(
  seat: Colour,
  { meeting, moment, tick }: LineOf<'belief.stated'> | BeliefQuestion,
): string {
  return `${seat} ${meeting} ${moment} ${tick ?? ''}`;
}

/** The answer that was given. A fault with something received is read again, and fails again in the same way. */
function answerOf({ fault, text, received }: BidFields | OrderFields): Answer {
  if (received !== undefined) return { ok: true, received };
  if (fault === undefined) return { ok: true, received: {} };
  return { ok: false, code: fault, text: text ?? '' };
}

const END: Answer = { ok: false, code: 'tape/end', text: 'the recording ends here' };

/**
 * Repeats recorded answers and recorded lateness. A request without a recorded answer gets none: it was abandoned. The
 * recording's deadlines do not apply. The successor continues where the recording has ended.
 */
function createTapeMind(
  answerTo: (request: MindRequest) => Answer | undefined,
  { cue, isOver }: ReplyCues,
  successor: Mind | undefined,
): SlowMind {
  return {
    pace: 'in-time',
    answer: async (request, signal, keepTime) => {
      const answer = answerTo(request);
      const next = answer === undefined && isOver(request) ? successor : undefined;
      if (next !== undefined && request.kind !== 'ghost')
        return next.answer(request, signal, keepTime);
      if (answer !== undefined) keepTime();
      // A ghost who goes on waits too: the table, which does not wait for ghosts, may still be in the recording.
      await cue(request);
      const given = next?.answer(request, signal, keepTime) ?? answer;
      return given ?? orAbort(new Promise(() => {}), signal).then(() => END);
    },
  };
}
