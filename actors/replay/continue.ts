/**
 * Continuation: goes on beyond the end of a journal. Recorded answers are reused. To resume is to go on with the same minds;
 * to fork is to go on from an earlier moment with others, or with other words.
 */

import type { Line } from '../../machines/journal/lines.ts';
import { fillMatch, meetingIn } from '../../machines/journal/opening.ts';
import { isOwn, isRemote, isSlow } from '../../machines/rules/mindKinds.ts';
import { mapSeats } from '../../machines/rules/seats.ts';
import type { LivingView } from '../../machines/rules/views.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import { isRecord } from '../../machines/text.ts';
import type { BySeat, Colour } from '../../machines/types.ts';
import { SimulatedClock } from '../engine/clock.ts';
import type { Journal } from '../engine/journal/reader.ts';
import type { Sink } from '../engine/journal/sink.ts';
import type { Believer } from '../minds/believer.ts';
import { createMind, type ModelMinds, readAnswerTimes } from '../minds/kinds.ts';
import {
  listSeats,
  type MindChoice,
  overrideSeats,
  type SeatOverrides,
} from '../minds/openai/seats.ts';
import type { Answer, Mind } from '../minds/port.ts';
import { wrapMind } from '../minds/wrap.ts';
import type { TimePort } from '../ports/ports.ts';
import { realTime } from '../ports/time.ts';
import { type Difference, startReplay } from './replay.ts';

export type ReplayMoment =
  | { readonly type: 'tick'; readonly meeting: number; readonly tick: number }
  | { readonly type: 'round'; readonly round: number };

/** Reads a tick of the first meeting ("12"), of another one ("2:12") or a round ("round:30"); null for anything else. */
export function parseMoment(text: string): ReplayMoment | null {
  const round = /^round:(\d+)$/.exec(text)?.[1];
  if (round !== undefined) return { type: 'round', round: Number(round) };
  const [, meeting = '1', tick] = /^(?:(\d+):)?(\d+)$/.exec(text) ?? [];
  if (tick === undefined || Number(meeting) < 1) return null;
  return { type: 'tick', meeting: Number(meeting) - 1, tick: Number(tick) };
}

export function isOver({ lines }: Journal): boolean {
  const end = meetingIn(lines[0]) === null ? 'game.closed' : 'meeting.closed';
  return lines.some(({ type }) => type === end);
}

/** The record up to a moment, which is not in it any more; null where there is no such moment. */
export function cutBefore(journal: Journal, moment: ReplayMoment): Journal | null {
  let meeting = -1;
  const at = journal.lines.findIndex((line) => {
    if (line.type === 'meeting.called') meeting += 1;
    if (moment.type === 'round') return line.type === 'round.closed' && line.round >= moment.round;
    return line.type === 'tick.closed' && meeting === moment.meeting && line.tick >= moment.tick;
  });
  if (at < 0) return null;
  const [lines, bodies] = [journal.lines.slice(0, at), journal.bodies.slice(0, at)];
  return { lines, bodies, damages: [], damageCount: 0, isTorn: false };
}

function reviseOnce(
  mind: Mind,
  change: (received: Readonly<Record<string, unknown>>, view: LivingView) => Answer,
): Mind {
  let isDone = false;
  return wrapMind(mind, (request, answer) => {
    if (isDone || !(request.kind === 'discussion' || request.kind === 'voting')) return answer;
    isDone = true;
    return change(answer.ok && isRecord(answer.received) ? answer.received : {}, request.view);
  });
}

const URGENT = 10;

export type MindChanges = {
  readonly others: BySeat<Mind>;
  readonly say: BySeat<string>;
  /** The player to whom all others leave the floor in that tick. */
  readonly floor?: Colour | null;
};

export function changeMinds(
  minds: BySeat<Mind>,
  { others, say, floor = null }: MindChanges,
): BySeat<Mind> {
  return mapSeats({ ...minds, ...others }, (mind, seat) => {
    const message = say[seat];
    if (message === undefined && (floor === null || seat === floor)) return mind;
    return reviseOnce(mind, (received, { calledOn }) => {
      if (message !== undefined)
        return { ok: true, received: { ...received, message, desire_to_speak: URGENT } };
      // Leaves the floor to another. Even an empty message of a player who is called on can win.
      if (calledOn)
        return { ok: false, code: 'fork/floor', text: 'the fork gives the floor to another' };
      return { ok: true, received: { ...received, message: '', desire_to_speak: 0 } };
    });
  });
}

/** The minds of the operator's own that seats name, in words: programs that would be started, and addresses. */
export function listOwnMinds(seats: readonly MatchSeat[]): readonly string[] {
  return seats.filter(isOwn).map(({ colour, mind, command, url, module }) => {
    const what = typeof command === 'string' ? command : command?.join(' ');
    return `${colour}: ${mind} ${what ?? url ?? module ?? ''}`;
  });
}

export function seedOf({ lines }: Journal): number {
  const [header] = lines;
  return header?.type === 'match.opened' ? header.seed : 0;
}

/** The seat of a player with another mind in it; null where no player has that colour. */
export function replaceSeatMind(
  [header]: readonly Line[],
  player: Colour,
  { mind, ...choice }: MindChoice,
  overrides: SeatOverrides,
): MatchSeat | null {
  const seat = listSeats(header).find(({ colour }) => colour === player);
  if (seat === undefined) return null;
  const { mind: _mind, ...others } = overrides;
  const [own = seat] = isRemote({ mind }) ? overrideSeats([seat], others) : [seat];
  return { ...own, ...choice, mind };
}

export function createSuccessor(
  [header]: readonly Line[],
  seat: MatchSeat,
  seed: number,
  models: ModelMinds,
): Mind {
  const index = listSeats(header).findIndex(({ colour }) => colour === seat.colour);
  const match = header?.type === 'match.opened' ? fillMatch(header) : null;
  const times = readAnswerTimes(match);
  return createMind(seat, index, { seed, faultRate: match?.fault_rate ?? 0, models, times });
}

export function listSeatsWith({ lines }: Journal, overrides: SeatOverrides): readonly MatchSeat[] {
  return listSeats(lines[0]).map((seat, index) => overrideModelSeat(seat, overrides, index));
}

export function overrideModels(minds: ModelMinds, overrides: SeatOverrides): ModelMinds {
  return (seat, index, times) => minds(overrideModelSeat(seat, overrides, index), index, times);
}

function overrideModelSeat(seat: MatchSeat, overrides: SeatOverrides, index: number): MatchSeat {
  const [own = seat] = isRemote(seat) ? overrideSeats([seat], overrides, index) : [];
  return own;
}

/** The last time in a record, in milliseconds since its match began; 0 where the time was simulated. */
function lastStampMs({ lines }: Journal): number {
  const stamps = lines.map(({ clock }) => clock?.['ms']).filter((ms) => typeof ms === 'number');
  return stamps.reduce((last, ms) => Math.max(last, ms), 0);
}

/** Syncs a sink once all lines of a step are in it: paid answers must survive a power cut. */
function syncOncePerStep(sink: Sink): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      sink.sync();
    });
  };
}

export type ContinuationOptions = {
  readonly sink: Sink;
  readonly models: ModelMinds;
  readonly successors?: (minds: BySeat<Mind>) => BySeat<Mind>;
  readonly believers?: BySeat<Believer>;
  /** Whether a successor takes real time, which the header does not know of. */
  readonly isReal?: boolean;
  readonly onLine?: ((line: Line) => void) | undefined;
  readonly time?: TimePort;
};

export type Continuation = {
  /** Lines that were there, and lines that came. */
  readonly recorded: number;
  readonly played: number;
  /** The line that ends the match; null when it was interrupted. */
  readonly end: Line | null;
  readonly difference: Difference | null;
};

export function continueMatch(journal: Journal, options: ContinuationOptions) {
  const { sink, models, onLine, successors = (minds) => minds, believers = {} } = options;
  const { isReal = false, time = realTime } = options;
  let played = 0;
  let end: Line | null = null;
  const isTimed = isReal || listSeats(journal.lines[0]).some(isSlow);
  const startedMs = time.now() - lastStampMs(journal);
  const syncSoon = isTimed ? syncOncePerStep(sink) : () => {};
  const again = startReplay(journal, {
    clock: isTimed ? time : new SimulatedClock(),
    readClock: isTimed ? () => ({ ms: Math.round(time.now() - startedMs) }) : null,
    models,
    successors,
    believers,
    onLine: ({ line, text }, isNew) => {
      if (!isNew) return;
      played += 1;
      sink.write(`${text}\n`);
      syncSoon();
      onLine?.(line);
      if (line.type === 'game.closed' || line.type === 'meeting.closed') end = line;
    },
  });
  const result = again.result.then((): Continuation => {
    const verdict = again.verdict();
    const difference = verdict.type === 'different' ? verdict.difference : null;
    return { recorded: journal.lines.length, played, end, difference };
  });
  return { ...again, result };
}
