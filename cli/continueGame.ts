/** Going on with a journal: the recorded part is played from its tape, and what comes after it is written behind. */
import { readFileSync, truncateSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { realClock, SimulatedClock } from '../actors/engine/clock.ts';
import type { Journal } from '../actors/engine/journal/reader.ts';
import { FileSink } from '../actors/engine/journal/sink.ts';
import { createMind, type ModelMinds } from '../actors/minds/kinds.ts';
import { findSeatProblems, listSeats } from '../actors/minds/openai/seats.ts';
import type { Mind } from '../actors/minds/port.ts';
import { isOver } from '../actors/replay/continue.ts';
import { startReplay } from '../actors/replay/replay.ts';
import type { Line } from '../machines/journal/lines.ts';
import { isRemote, type MindKind } from '../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../machines/setup/match.ts';
import type { BySeat, Colour } from '../machines/types.ts';
import { createFailure, describeSystemError, EXIT, type ExitCode, Failure } from './exit.ts';
import { type MatchModels, pausedFailure } from './gameModels.ts';
import { damagedJournal, nameOf, openJournal } from './input.ts';
import type { ModelFlags } from './modelFlags.ts';
import { applyModelFlags, findBudgetProblems, hasModels } from './modelSeats.ts';
import { listenForStop } from './stop.ts';

/** What is told of a run that went on. */
type ContinueFlags = {
  readonly journal: string;
  /** Lines that were there, and lines that came. */
  readonly recorded: number;
  readonly played: number;
  /** The line that ends it; null when it was interrupted. */
  readonly end: Line | null;
};

/** A journal whose beginning can be played: whole, or torn at its end. */
export async function openPlayable(path: string): Promise<Journal> {
  const journal = await openJournal(path);
  const isTornOnly = journal.damages.every(({ code }) => code === 'journal/torn');
  if (!isTornOnly) throw damagedJournal(path, journal);
  return journal;
}

/** The seed that a journal was played with. */
export function seedOf({ lines }: Journal): number {
  const [header] = lines;
  return header?.type === 'match.opened' ? header.seed : 0;
}

export function refuseOver(path: string, journal: Journal): void {
  if (!isOver(journal)) return;
  const text = `${nameOf(path)} is over: there is nothing left to play; "fork" plays on from an earlier moment`;
  throw createFailure(EXIT.usage, 'resume/over', text);
}

/** The lines of a file as they stand there, without a torn end. */
export function wholeLines(path: string, count: number): readonly string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, count);
}

/** Cuts off what was torn, so that the next line begins on a line of its own. */
export function cutTorn(path: string, journal: Journal): void {
  const text = `${wholeLines(path, journal.lines.length).join('\n')}\n`;
  truncateSync(path, Buffer.byteLength(text));
}

/** Who thinks beyond the record. */
type Continuation = {
  readonly thinking: MatchModels;
  /** Makes the minds of the seats that models think for. */
  readonly models: ModelMinds;
  /** Whether somebody thinks who takes real time, and the header does not know of. */
  readonly isReal?: boolean;
};

/** Plays a journal from its tape and goes on beyond it; new lines are written to `path`, where the old ones are. */
export async function continueGame(
  path: string,
  journal: Journal,
  successors: (minds: BySeat<Mind>) => BySeat<Mind>,
  { thinking, models, isReal = false }: Continuation,
): Promise<ContinueFlags> {
  const sink = sinkBehind(path);
  const clock = isReal || needsTime(journal) ? realClock : new SimulatedClock();
  let played = 0;
  let end: Line | null = null;
  const staged = startReplay(journal, {
    clock,
    sleep: (ms) => (clock instanceof SimulatedClock ? clock.sleep(ms) : wait(ms)),
    models,
    successors,
    onLine: ({ line, text }, isNew) => {
      if (!isNew) return;
      played += 1;
      sink.write(`${text}\n`);
      if (line.type === 'game.closed' || line.type === 'meeting.closed') end = line;
    },
  });
  if (staged.type === 'unplayable') {
    throw createFailure(
      EXIT.damaged,
      'journal/unplayable',
      `${nameOf(path)} can't be played: ${staged.text}`,
    );
  }
  thinking.attach({ pause: staged.pause, end: staged.end }, staged.recorder);
  const isHeld = listenForStop({ sink, isReal: true, words: 'It ends after this round or tick' });
  isHeld(staged);
  await staged.result;
  thinking.costLine.end();
  sink.close();
  if (thinking.paused !== null) throw pausedFailure(thinking.paused, path);
  const verdict = staged.verdict();
  if (verdict.type === 'different') throw strayed(path, verdict.difference.line);
  return { journal: path, recorded: journal.lines.length, played, end };
}

/** Refuses what can't be asked, before anything is written. */
export function refuseLacks(seats: readonly MatchSeat[], flags: ModelFlags): void {
  const notes = [...findSeatProblems(seats, process.env), ...findBudgetProblems(seats, flags)];
  if (notes.length > 0) throw new Failure(EXIT.configuration, notes);
}

/** The seats of a journal, those of models as the flags have them. */
export function seatsWith({ lines }: Journal, flags: ModelFlags): readonly MatchSeat[] {
  return listSeats(lines[0]).flatMap((seat) => asked([seat], flags));
}

/** Minds of models that are asked as the flags say, whatever the header says. */
export function modelsWith(thinking: MatchModels, flags: ModelFlags): ModelMinds {
  const minds = thinking.minds;
  return (seat, index) => {
    const [own = seat] = asked([seat], flags);
    return minds(own, index);
  };
}

function asked(seats: readonly MatchSeat[], flags: ModelFlags): readonly MatchSeat[] {
  return hasModels(seats) ? applyModelFlags(seats, flags) : seats;
}

function sinkBehind(path: string): FileSink {
  try {
    return new FileSink(path, true);
  } catch (error) {
    const text = `the journal can't be written to ${path}: ${describeSystemError(error)}`;
    throw createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
  }
}

/** Whether somebody thinks who takes real time. */
function needsTime({ lines }: Journal): boolean {
  return hasModels(listSeats(lines[0]));
}

/** The record is not what this program would have played: to go on would make a journal of two halves. */
function strayed(path: string, line: number): Error {
  const text = `${nameOf(path)} can't be gone on with: played again it differs at line ${line}; "replay" shows how`;
  return createFailure(EXIT.found, 'journal/differs', text);
}

/** The status with which a run ends that went on. */
export function exitOf({ end }: ContinueFlags): ExitCode {
  return end === null ? EXIT.interrupted : EXIT.done;
}

/* The successor: who thinks for a player from a moment of a journal on. */

/** The seat of a player with another mind in it; null where nobody has that colour. */
export function replaceSeatMind(
  [header]: readonly Line[],
  player: Colour,
  mind: MindKind,
  flags: ModelFlags,
): MatchSeat | null {
  const seat = listSeats(header).find(({ colour }) => colour === player);
  if (seat === undefined) return null;
  const [own = seat] = isRemote({ mind }) ? applyModelFlags([seat], flags) : [seat];
  return { ...own, mind };
}

/** The mind in such a seat, with the habits and the seed that the journal was played with. */
export function createSuccessor(
  [header]: readonly Line[],
  seat: MatchSeat,
  seed: number,
  thinking: MatchModels,
): Mind {
  const index = listSeats(header).findIndex(({ colour }) => colour === seat.colour);
  const faultRate = header?.type === 'match.opened' ? header.match.fault_rate : 0;
  return createMind(seat, index, { seed, faultRate, models: thinking.minds });
}

/* What came of going on, in a sentence. */

export function sentenceOf({ journal, recorded, played, end }: ContinueFlags): string {
  const lines = `${recorded} lines were there, ${played} came behind them`;
  return `${nameOf(journal)}: ${lines}; ${endOf(end)}`;
}

function endOf(end: ContinueFlags['end']): string {
  if (end === null) return 'it was interrupted again';
  if (end.type === 'game.closed') {
    return end.winner === null ? `no winner (${end.reason})` : `${end.winner} won (${end.reason})`;
  }
  if (end.type !== 'meeting.closed') return 'it is over';
  return end.ejected === null ? `the meeting ended (${end.outcome})` : `${end.ejected} was ejected`;
}
