/** Going on with a journal on the command line: what `resume` and `fork` share. */

import type { AheadFile } from '../actors/engine/journal/aheadFile.ts';
import type { Journal } from '../actors/engine/journal/reader.ts';
import { FileSink } from '../actors/engine/journal/sink.ts';
import {
  createFailure,
  EXIT,
  type Failure,
  nameOf,
  writeOrRefuse,
} from '../actors/files/failure.ts';
import {
  describeEngine,
  findEntry,
  findLastBreak,
  openPlayable,
  readStart,
  sizeOf,
} from '../actors/files/openFiles.ts';
import { type HumanSeats, NOBODY } from '../actors/minds/human/seats.ts';
import { listSeats } from '../actors/minds/openai/seats.ts';
import { realDisk } from '../actors/ports/disk.ts';
import {
  type Continuation,
  type ContinuationOptions,
  continueMatch,
  isOver,
  listOwnMinds,
} from '../actors/replay/continue.ts';
import type { Line } from '../machines/journal/lines.ts';
import { isPerson } from '../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../machines/setup/match.ts';
import { capitalize } from '../machines/text.ts';
import type { LiveFlag, ModelFlags } from './flags.ts';
import type { LivePage } from './live.ts';
import { limitOf, pausedFailure, printCost, type ShownModels } from './models.ts';
import { cleanLines, isOutputClosed, print, printJson } from './output.ts';
import { printNextSteps, STOPPED, showWriting } from './showMatch.ts';
import { listenForStop } from './stop.ts';
import { commandLine } from './usage.ts';

export type ContinueFlags = ModelFlags & {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly live?: LiveFlag;
};

type ContinuedGame = Omit<Continuation, 'difference'> & { readonly journal: string };

export function refuseOver(path: string, journal: Journal): void {
  if (!isOver(journal)) return;
  const text = `${nameOf(path)} is over: nothing is left to play. To play on from an earlier moment, use "fork"`;
  throw createFailure(EXIT.usage, 'resume/over', text);
}

/** A journal that is a plain file: new lines can be written behind those that are there. */
export async function openResumable(path: string): Promise<Journal> {
  const isPipe = path === '-' || findEntry(path) === 'pipe';
  if (isPipe) throw refusePacked(path, 'it is a pipe');
  const { journal, rows } = await openPlayable(path);
  const [first = ''] = rows;
  const text = readStart(path, Buffer.byteLength(first) + MARK_BYTES) ?? '';
  const start = text.replace('\uFEFF', '');
  const isPlain = start.startsWith(first) && /^\r?(?:\n|$)/.test(start.slice(first.length));
  if (!isPlain) throw refusePacked(path, 'it is packed, in UTF-16, or has other line breaks');
  return journal;
}

function refusePacked(path: string, found: string): Failure {
  const text = `${nameOf(path)}: expected a plain file to continue in, but ${found}: write its text to a file first`;
  return createFailure(EXIT.usage, 'resume/no-plain-file', text);
}

/** A mark in front of the first line, and the break behind it. */
const MARK_BYTES = 5;

/** Cuts off a torn line, so that the next one begins on a new line. */
export function cutTorn(path: string, { isTorn }: Journal): void {
  writeOrRefuse(path, 'the journal', () => {
    const whole = findLastBreak(path);
    if (isTorn) realDisk.truncate(path, whole);
    else if (whole < sizeOf(path)) {
      // The last line is whole, and only its break was torn off.
      const file = realDisk.open(path, 'append');
      file.write('\n');
      file.close();
    }
  });
}

type ContinuedMinds = Omit<ContinuationOptions, 'sink' | 'onLine'> & {
  readonly thinking: ShownModels;
  /** Where their answers are written ahead of the journal; null where it is no plain file. */
  readonly ahead: AheadFile | null;
  readonly isShown: boolean;
  /** The people who play on, and their page; without them their players have left. */
  readonly company?: HumanSeats;
  readonly host?: LivePage | null;
};

export async function continueGame(
  path: string,
  journal: Journal,
  { thinking, ahead, isShown, company = NOBODY, host = null, ...minds }: ContinuedMinds,
): Promise<ContinuedGame> {
  const sink = writeOrRefuse(path, 'the journal', () => new FileSink(path, true));
  const board = showWriting({
    thinking,
    isInTerminal: isShown,
    host,
    hasPeople: listSeats(journal.lines[0]).some(isPerson),
  });
  const onLine = (line: Line) => {
    board?.noteLine(line);
    host?.broadcast.add(line);
  };
  const match = continueMatch(journal, {
    sink,
    onLine,
    ...minds,
    models: company.minds(minds.models),
    isReal: minds.isReal === true || company.seats.length > 0,
    ...(host === null
      ? {}
      : { successors: (all) => host.startGame(path, minds.successors?.(all) ?? all) }),
  });
  thinking.attach(match, match.recorder);
  listenForStop({ sink, isReal: true, words: STOPPED })({ stop: () => match.pause() });
  const { difference, ...result } = await match.result.finally(() => company.close());
  thinking.costLine.end();
  sink.close();
  await thinking.close();
  if (result.end !== null) ahead?.remove();
  if (thinking.paused !== null) throw await pausedFailure(thinking, thinking.paused, path);
  // To go on would make a journal of two halves.
  if (difference !== null) {
    const text = `${nameOf(path)} cannot be continued: the replay differs at line ${difference.line}. To see how, run: ${commandLine('verify', path)}. ${describeEngine(journal.lines)}`;
    throw createFailure(EXIT.found, 'journal/differs', text);
  }
  return { journal: path, ...result };
}

/** Refuses to start programs because a journal names them: journals come from other people, too. */
export function refuseForeignMinds(
  path: string,
  seats: readonly MatchSeat[],
  { runMinds = false }: ModelFlags,
): void {
  const named = listOwnMinds(seats).map(cleanLines);
  if (named.length === 0 || runMinds) return;
  const text = `${nameOf(path)} names programs or addresses of minds (${named.join('; ')}): to start them, add --run-minds`;
  throw createFailure(EXIT.usage, 'mind/not-trusted', text);
}

export async function concludeContinued(
  onward: ContinuedGame,
  { json = false, quiet = false }: ContinueFlags,
  { type, thinking, host, outcomes = {}, comparison = null }: ContinuedReport,
): Promise<void> {
  const { journal, recorded, played, end } = onward;
  const told = { ...limitOf(thinking), ...outcomes };
  if (json) printJson({ v: 1, type, ...onward, end: end?.type ?? null, ...told });
  else {
    const lines = `${recorded} lines were there, ${played} were added`;
    print(cleanLines(`${nameOf(journal)}: ${lines}; ${describeContinuedEnd(end)}`));
    if (comparison !== null) print(comparison);
  }
  if (!json && !quiet) {
    await printCost(thinking, journal);
    printNextSteps(journal, end !== null);
  }
  process.exitCode = end === null ? EXIT.interrupted : EXIT.done;
  if (!isOutputClosed()) await host?.waitForEnd(end === null);
}

type ContinuedReport = {
  readonly type: 'resumed' | 'forked';
  readonly thinking: ShownModels;
  readonly host: LivePage | null;
  readonly outcomes?: object | null;
  readonly comparison?: string | null;
};

function describeContinuedEnd(end: ContinuedGame['end']): string {
  if (end === null) return 'it was interrupted again';
  if (end.type === 'game.closed')
    return end.winner === null ? `no winner (${end.reason})` : `${end.winner} won (${end.reason})`;
  if (end.type !== 'meeting.closed') return 'it is over';
  return end.ejected === null
    ? `the meeting ended (${end.outcome})`
    : `${capitalize(end.ejected)} was ejected`;
}
