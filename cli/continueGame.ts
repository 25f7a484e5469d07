/** Going on with a journal on the command line: what `resume` and `fork` share. */

import type { Journal } from '../actors/engine/journal/reader.ts';
import { FileSink } from '../actors/engine/journal/sink.ts';
import { findSeatProblems } from '../actors/minds/openai/seats.ts';
import { realDisk } from '../actors/ports/disk.ts';
import { realProcess } from '../actors/ports/process.ts';
import {
  type Continuation,
  type ContinuationOptions,
  continueMatch,
  isOver,
  listOwnMinds,
} from '../actors/replay/continue.ts';
import type { MatchSeat } from '../machines/setup/match.ts';
import { createFailure, describeSystemError, EXIT, type ExitCode, Failure } from './exit.ts';
import type { ModelFlags } from './flags.ts';
import { damagedJournal, nameOf, openJournal } from './input.ts';
import { findBudgetProblems, pausedFailure, type ShownModels } from './models.ts';
import { cleanLines } from './output.ts';
import { listenForStop } from './stop.ts';

/** What came of going on with a journal. */
type ContinuedGame = Omit<Continuation, 'difference'> & { readonly journal: string };

/** A journal whose beginning can be played: whole, or torn at its end. */
export async function openPlayable(path: string): Promise<Journal> {
  const journal = await openJournal(path);
  const isTornOnly = journal.damages.every(({ code }) => code === 'journal/torn');
  if (!isTornOnly) throw damagedJournal(path, journal);
  return journal;
}

export function refuseOver(path: string, journal: Journal): void {
  if (!isOver(journal)) return;
  const text = `${nameOf(path)} is over: there is nothing left to play; "fork" plays on from an earlier moment`;
  throw createFailure(EXIT.usage, 'resume/over', text);
}

/** The lines of a file as they stand there, without a torn end. */
export function wholeLines(path: string, count: number): readonly string[] {
  return (realDisk.read(path) ?? '').split('\n').slice(0, count);
}

/** Cuts off what was torn, so that the next line begins on a line of its own. */
export function cutTorn(path: string, journal: Journal): void {
  const text = `${wholeLines(path, journal.lines.length).join('\n')}\n`;
  realDisk.truncate(path, Buffer.byteLength(text));
}

/** Who thinks beyond the record. */
type ContinuedMinds = Pick<ContinuationOptions, 'models' | 'successors' | 'isReal'> & {
  readonly thinking: ShownModels;
};

/** Plays a journal from its tape and goes on beyond it; new lines are written to `path`, where the old ones are. */
export async function continueGame(
  path: string,
  journal: Journal,
  { thinking, ...minds }: ContinuedMinds,
): Promise<ContinuedGame> {
  const sink = openSinkBehind(path);
  const match = continueMatch(journal, { sink, ...minds });
  if (match.type === 'unplayable') {
    const text = `${nameOf(path)} can't be played: ${match.text}`;
    throw createFailure(EXIT.damaged, 'journal/unplayable', text);
  }
  thinking.attach(match, match.recorder);
  listenForStop({ sink, isReal: true, words: 'It ends after this round or tick' })(match);
  const { difference, ...result } = await match.result;
  thinking.costLine.end();
  sink.close();
  await thinking.close();
  if (thinking.paused !== null) throw pausedFailure(thinking.paused, path);
  if (difference !== null) throw refuseDifferent(path, difference.line);
  return { journal: path, ...result };
}

/** Refuses to start programs because a journal names them: journals come from other people, too. */
export function refuseForeignPrograms(
  path: string,
  seats: readonly MatchSeat[],
  { runMinds = false }: ModelFlags,
): void {
  const named = listOwnMinds(seats).map(cleanLines);
  if (named.length === 0 || runMinds) return;
  const text = `${nameOf(path)} names minds that would be started or asked here (${named.join('; ')}): add --run-minds if you trust them`;
  throw createFailure(EXIT.usage, 'mind/not-trusted', text);
}

/** Refuses what can't be asked, before anything is written. */
export function refuseSeatProblems(seats: readonly MatchSeat[], flags: ModelFlags): void {
  const notes = [
    ...findSeatProblems(seats, realProcess.environment),
    ...findBudgetProblems(seats, flags),
  ];
  if (notes.length > 0) throw new Failure(EXIT.configuration, notes);
}

function openSinkBehind(path: string): FileSink {
  try {
    return new FileSink(path, true);
  } catch (error) {
    const text = `the journal can't be written to ${path}: ${describeSystemError(error)}`;
    throw createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
  }
}

/** The record is not what this program would have played: to go on would make a journal of two halves. */
function refuseDifferent(path: string, line: number): Error {
  const text = `${nameOf(path)} can't be continued: played again it differs at line ${line}; "replay" shows how`;
  return createFailure(EXIT.found, 'journal/differs', text);
}

/** The status with which a run ends that went on. */
export function exitOfContinued({ end }: ContinuedGame): ExitCode {
  return end === null ? EXIT.interrupted : EXIT.done;
}

export function describeContinued({ journal, recorded, played, end }: ContinuedGame): string {
  const lines = `${recorded} lines were there, ${played} were added`;
  return `${nameOf(journal)}: ${lines}; ${describeContinuedEnd(end)}`;
}

function describeContinuedEnd(end: ContinuedGame['end']): string {
  if (end === null) return 'it was interrupted again';
  if (end.type === 'game.closed') {
    return end.winner === null ? `no winner (${end.reason})` : `${end.winner} won (${end.reason})`;
  }
  if (end.type !== 'meeting.closed') return 'it is over';
  return end.ejected === null ? `the meeting ended (${end.outcome})` : `${end.ejected} was ejected`;
}
