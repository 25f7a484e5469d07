/**
 * Continuation: goes on with a meeting or a game beyond the end of its journal, with the same past.
 *
 * What was answered is on the tape and is not asked for again; whoever is asked anything new thinks anew. To resume
 * is to go on with the same minds; to fork is to go on from an earlier moment with others, or with other words.
 */

import type { Line } from '../../machines/journal/lines.ts';
import { meetingIn } from '../../machines/journal/projection.ts';
import type { BySeat, Colour } from '../../machines/types.ts';
import type { Journal } from '../engine/journal/reader.ts';
import type { Answer, Mind, MindRequest, SlowMind } from '../minds/port.ts';

/** A moment of a record: the tick of a meeting (both from 0), or a round. */
export type ReplayMoment =
  | { readonly type: 'tick'; readonly meeting: number; readonly tick: number }
  | { readonly type: 'round'; readonly round: number };

/** Whether a record goes to its end; there is nothing to go on with then. */
export function isOver({ lines }: Journal): boolean {
  return lines.some(({ type }) => type === 'game.closed') || isMeetingOver(lines);
}

function isMeetingOver(lines: readonly Line[]): boolean {
  return meetingIn(lines[0]) !== null && lines.some(({ type }) => type === 'meeting.closed');
}

/** The record up to a moment, which is not in it any more; null where there is no such moment. */
export function cutBefore(journal: Journal, moment: ReplayMoment): Journal | null {
  let meeting = -1;
  const at = journal.lines.findIndex((line) => {
    if (line.type === 'meeting.called') meeting += 1;
    if (moment.type === 'round') {
      return line.type === 'round.closed' && line.round >= moment.round;
    }
    return line.type === 'tick.closed' && meeting === moment.meeting && line.tick >= moment.tick;
  });
  if (at < 0) return null;
  return {
    lines: journal.lines.slice(0, at),
    bodies: journal.bodies.slice(0, at),
    damages: [],
  };
}

/** A mind that says one thing in its next turn at the table, and is itself again afterwards. */
export function sayOnce(mind: Mind, message: string): SlowMind {
  let isSaid = false;
  return {
    pace: 'in-time',
    answer: async (request, signal) => {
      const answer = await mind.answer(request, signal);
      if (isSaid || !isTalk(request)) return answer;
      isSaid = true;
      return withMessage(answer, message);
    },
  };
}

function isTalk({ kind }: MindRequest): boolean {
  return kind === 'discussion' || kind === 'voting';
}

/** The most urgent wish to speak: what is put into somebody's mouth should be heard. */
const URGENT = 10;

function withMessage(answer: Answer, message: string): Answer {
  const received = answer.ok && isRecord(answer.received) ? answer.received : {};
  return { ok: true, received: { ...received, message, desire_to_speak: URGENT } };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The minds with one of them replaced. */
export function replaceMind(minds: BySeat<Mind>, seat: Colour, mind: Mind): BySeat<Mind> {
  return { ...minds, [seat]: mind };
}
