/** Facts and events out of the lines of a journal: what a line says, in the words of the engine. */
import { decodeBid } from '../../machines/journal/codec.ts';
import type { LineOf, LivingLine } from '../../machines/journal/lines.ts';
import type { ToMeeting } from '../../machines/messages.ts';
import type { Fact } from '../../machines/rules/facts.ts';
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import { SYSTEM, type TickDecision } from '../../machines/types.ts';
import { readReply } from '../../prompts/reply.ts';

/** What came from outside, as the event that it was; null for what followed from something else. */
export function eventOf(line: LivingLine): ToMeeting | null {
  if (line.type === 'tick.closed') return tickOf(line);
  if (line.type === 'seat.departed' && line.during !== null) {
    return { type: 'seat.left', seat: line.seat };
  }
  if (line.type === 'stop.asked') {
    const outcome = line.outcome === 'unconverged' ? 'unconverged' : 'interrupted';
    return { type: 'meeting.stopped', outcome };
  }
  return null;
}

/** A line as the fact that was told; null for the header. */
export function factOf(line: LivingLine, { call }: MeetingSetup): Fact | null {
  switch (line.type) {
    case 'journal.opened':
    case 'game.opened':
    case 'round.closed':
    case 'end.asked':
    case 'game.closed':
      return null;
    case 'meeting.called':
      return { type: line.type, call };
    case 'tick.closed':
      return tickOf(line);
    case 'pads.noted': {
      const { type, seat, main, meeting } = line;
      const pads = {
        ...(main === undefined ? {} : { main }),
        ...(meeting === undefined ? {} : { meeting }),
      };
      return { type, seat, pads };
    }
    default:
      return line;
  }
}

/** A closed tick. Scores are not judged: they are the arbiter's, whose lines `replay` compares. */
function tickOf(line: LineOf<'tick.closed'>): Extract<ToMeeting, { type: 'tick.closed' }> {
  const { type, tick, occasion, bids } = line;
  const isTalk = occasion === 'discussion' || occasion === 'voting';
  return {
    type,
    tick,
    occasion,
    bids: bids.map((bid) => decodeBid(bid, { readReply })),
    dice: {},
    decision: isTalk ? verdictOf(line) : null,
  };
}

function verdictOf({ floor, tie, said, hits, nudge }: LineOf<'tick.closed'>): TickDecision {
  const isPlayer = said !== null && said.speaker !== SYSTEM;
  return {
    scores: [],
    floor,
    tieBreak: tie,
    said: isPlayer ? { ...said, target: said.target ?? null } : null,
    hits,
    nudge,
  };
}
