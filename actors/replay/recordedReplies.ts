/** Tapes out of a journal: what each mind answered, meeting by meeting and round by round. */
import type { BidFields, Line, OrderFields } from '../../machines/journal/lines.ts';
import { type BySeat, COLOURS, type Colour } from '../../machines/types.ts';
import type { Answer, Mind, MindRequest } from '../minds/port.ts';
import { createTapeMind } from '../minds/tape.ts';

/** Answers by seat and moment. Ticks and turns are counted within a meeting, rounds within a game. */
type Recording = Readonly<Record<'living' | 'ghosts' | 'ship', Map<string, Answer>>>;

/** Where the tapes are played. */
export type ReplyCues = {
  /** The meeting that is on, from 0. */
  readonly meeting: () => number;
  /** Kept when the answer may be given. */
  readonly cue: (request: MindRequest) => Promise<void>;
  /** Whether the recording has nothing more to say when this is asked. */
  readonly isOver: (request: MindRequest) => boolean;
  /** Who goes on then. */
  readonly successors: BySeat<Mind>;
};

/** A mind for each seat that repeats what the lines say. */
export function recordedReplies(lines: readonly Line[], stage: ReplyCues): BySeat<Mind> {
  const recording = readAnswers(lines);
  const minds: Partial<Record<Colour, Mind>> = {};
  for (const seat of COLOURS) {
    minds[seat] = createTapeMind({
      answerTo: (request) => findAnswer(recording, seat, request, stage.meeting()),
      cue: stage.cue,
      successor: (request) => (stage.isOver(request) ? (stage.successors[seat] ?? null) : null),
    });
  }
  return minds;
}

function findAnswer(
  { living, ghosts, ship }: Recording,
  seat: Colour,
  { kind, index }: MindRequest,
  meeting: number,
): Answer | undefined {
  if (kind === 'action') return ship.get(`${seat} ${index}`);
  return (kind === 'ghost' ? ghosts : living).get(`${seat} ${meeting} ${index}`);
}

function readAnswers(lines: readonly Line[]): Recording {
  const recording: Recording = { living: new Map(), ghosts: new Map(), ship: new Map() };
  let called = 0;
  for (const line of lines) {
    if (line.type === 'meeting.called') called += 1;
    const meeting = Math.max(0, called - 1);
    if (line.type === 'tick.closed') {
      for (const bid of line.bids) {
        recording.living.set(`${bid.seat} ${meeting} ${line.tick}`, answerOf(bid));
      }
    }
    if (line.type === 'turn.closed') {
      for (const bid of line.bids) {
        recording.ghosts.set(`${bid.seat} ${meeting} ${line.turn}`, answerOf(bid));
      }
    }
    if (line.type === 'round.closed') {
      for (const order of line.orders) {
        recording.ship.set(`${order.seat} ${line.round}`, answerOf(order));
      }
    }
  }
  return recording;
}

/** The answer that was given. A fault with something received is read again, and fails again in the same way. */
function answerOf({ fault, text, received }: BidFields | OrderFields): Answer {
  if (received !== undefined) return { ok: true, received };
  if (fault === undefined) return { ok: true, received: {} };
  return { ok: false, code: fault, text: text ?? '' };
}
