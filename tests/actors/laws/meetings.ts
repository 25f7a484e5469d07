/**
 * Meetings for the laws: a match is held from a seed, in simulated time, and handed back as its journal.
 */

import { SimulatedClock } from '../../../actors/engine/clock.ts';
import type { ChartEngine } from '../../../actors/engine/effects.ts';
import type { RecordedLine } from '../../../actors/engine/journal/recorder.ts';
import {
  type MeetingResult,
  type RunningMeeting,
  startMatch,
} from '../../../actors/engine/match.ts';
import type { Answer, LightMind, Mind, MindRequest, SlowMind } from '../../../actors/minds/port.ts';
import type { Channel, Line } from '../../../machines/journal/lines.ts';
import { mapSeats } from '../../../machines/rules/seats.ts';
import {
  type MeetingMatch,
  type MeetingMatchInput,
  meetingMatchSchema,
} from '../../../machines/setup/match.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import type { WireReply } from '../../../prompts/reply.ts';
import { readyMatch, recordLines } from '../../support/matches.ts';

export type Staging = {
  readonly clock: SimulatedClock;
  /** Another mind for a seat; the one that was cast is given. */
  readonly recast: (mind: Mind, seat: Colour) => Mind;
  /** Called with the meeting when it has begun: from here somebody may leave or stop the run. */
  readonly begun: (held: RunningMeeting) => void;
  readonly onLine: (line: RecordedLine) => void;
  readonly engine: ChartEngine;
};

export type Meeting = { readonly result: MeetingResult; readonly written: readonly RecordedLine[] };

export async function meet(
  match: MeetingMatch,
  seed: number,
  { recast, begun, onLine, clock = new SimulatedClock(), engine }: Partial<Staging> = {},
): Promise<Meeting> {
  const ready = readyMatch(match, seed);
  const { recorder, written } = recordLines(ready, onLine);
  const minds = recast === undefined ? ready.minds : mapSeats(ready.minds, recast);
  const stepped = engine === undefined ? {} : { engine };
  const held = startMatch({ ...ready, minds, clock, recorder, ...stepped });
  begun?.(held);
  return { result: await held.result, written };
}

export function textOf({ written }: Meeting): string {
  return written.map(({ text }) => `${text}\n`).join('');
}

export const linesOf = ({ written }: Meeting): Line[] => written.map(({ line }) => line);

export function bytesOf({ written }: Meeting, channel: Channel): string {
  const lines = written.filter((line) => line.channel === channel);
  return lines.map(({ body, text }) => `${body} ${text.slice(-HASH_LENGTH)}\n`).join('');
}

export function aMind(answer: (request: MindRequest) => Partial<WireReply>): LightMind {
  return {
    pace: 'at-once',
    answer: (request) => ({ ok: true, received: aReply(answer(request)) }),
  };
}

export function aReply(reply: Partial<WireReply> = {}): WireReply {
  return {
    internal_thought: '',
    desire_to_speak: 0,
    message: '',
    target: null,
    vote_action: null,
    scratchpad_updates: {},
    ...reply,
  };
}

export const FAULT: Answer = { ok: false, code: 'mind/silent', text: 'nothing came' };
export const LEAVE: Answer = { ok: false, code: 'seat/left', text: 'got up and left' };

export type Script = (seat: Colour, request: MindRequest) => Partial<WireReply> | Answer | null;

export function following(script: Script): Staging['recast'] {
  return (mind, seat) => ({
    pace: 'at-once',
    answer: (request) => {
      const wanted = script(seat, request);
      if (wanted === null) return mind.pace === 'at-once' ? mind.answer(request) : FAULT;
      return 'ok' in wanted ? wanted : { ok: true, received: aReply(wanted) };
    },
  });
}

export function slowly(
  mind: Mind,
  clock: SimulatedClock,
  ms: (request: MindRequest) => number,
): SlowMind {
  return {
    pace: 'in-time',
    answer: async (request, signal, keepTime) => {
      const answer = mind.answer(request, signal, keepTime);
      const wait = ms(request);
      if (wait > 0) await clock.sleep(wait);
      return answer;
    },
  };
}

/** A SHA-256 in hexadecimal, and `"}` after it. */
const HASH_LENGTH = 66;

/** A table: first the living, then the dead. Every third seat is an impostor, up to a limit. */
export function aTable(
  { living, dead = 0 }: { readonly living: number; readonly dead?: number },
  more: Partial<MeetingMatchInput> = {},
): MeetingMatch {
  const seats = COLOURS.slice(0, living + dead);
  const impostors = seats.length < 7 ? 1 : seats.length < 9 ? 2 : 3;
  const body = seats[living];
  return meetingMatchSchema.parse({
    name: `a table of ${living}`,
    call: { by: seats[0], report: body, place: body === undefined ? undefined : 'Electrical' },
    seats: seats.map((colour, index) => ({
      colour,
      role: index % 2 === 1 && index < impostors * 2 ? 'impostor' : 'crewmate',
      dead: index >= living,
    })),
    ...more,
  });
}
