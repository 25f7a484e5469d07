/** Input: files that are read, or standard input for "-", up to a size that makes sense. */

import { dirname, isAbsolute, join } from 'node:path';
import { clearLine, createInterface, cursorTo } from 'node:readline';
import type { Journal } from '../actors/engine/journal/reader.ts';
import type { Character, LeagueFile } from '../actors/league/leagueFile.ts';
import { realDisk } from '../actors/ports/disk.ts';
import { realProcess } from '../actors/ports/process.ts';
import type { Line } from '../machines/journal/lines.ts';
import { gameIn } from '../machines/journal/projection.ts';
import { isOwn } from '../machines/rules/mindKinds.ts';
import type { GameMatch, MatchSeat, MeetingMatch } from '../machines/setup/match.ts';
import type { TypingTerminal } from '../visualizer/terminal/seat.ts';
import { createFailure, describeSystemError, EXIT, type ExitCode, Failure } from './exit.ts';
import { cleanLines, printNote } from './output.ts';

/** What a file is read as. */
type Kind = {
  readonly name: string;
  /** Bytes. */
  readonly most: number;
  readonly tooLong: { readonly exit: ExitCode; readonly code: string };
};

/** Whoever reads it says how long it may really be; this is so that nobody waits for gigabytes. */
const MATCH: Kind = {
  name: 'match',
  most: 4 * 1024 * 1024,
  tooLong: { exit: EXIT.configuration, code: 'match/too-long' },
};
const LEAGUE: Kind = {
  ...MATCH,
  name: 'league',
  tooLong: { exit: EXIT.configuration, code: 'league/too-long' },
};
const PERSONA: Kind = {
  ...MATCH,
  name: 'persona',
  tooLong: { exit: EXIT.configuration, code: 'persona/too-long' },
};
/** More can't be held in one string. */
const JOURNAL: Kind = {
  name: 'journal',
  most: 400 * 1024 * 1024,
  tooLong: { exit: EXIT.damaged, code: 'journal/too-long' },
};

/** What a path is called in a sentence. */
export function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path;
}

export async function openMeeting(path: string): Promise<MeetingMatch> {
  const { readMeeting } = await import('../actors/engine/configFile.ts');
  const reading = readMeeting(await textOf(path, MATCH));
  if (reading.ok) return { ...reading.match, seats: placeMinds(reading.match.seats, path) };
  throw refuseFile(path, reading.notes);
}

type MindPlace = Pick<MatchSeat, 'mind' | 'folder'>;

/** The seats or personas of a file, whose own minds are looked for beside that file. */
function placeMinds<S extends MindPlace>(seats: readonly S[], path: string): S[] {
  return seats.map((seat) => {
    if (!isOwn(seat)) return seat;
    const { folder = '.' } = seat;
    return { ...seat, folder: isAbsolute(folder) ? folder : join(dirname(path), folder) };
  });
}

export async function openGame(path: string): Promise<GameMatch> {
  const { readGame } = await import('../actors/engine/configFile.ts');
  const reading = readGame(await textOf(path, MATCH));
  if (reading.ok) return { ...reading.match, seats: placeMinds(reading.match.seats, path) };
  throw refuseFile(path, reading.notes);
}

export async function openLeague(path: string): Promise<LeagueFile> {
  const { readLeague } = await import('../actors/league/leagueFile.ts');
  const reading = readLeague(await textOf(path, LEAGUE));
  if (!reading.ok) throw refuseFile(path, reading.notes);
  const personas: LeagueFile['personas'] = [];
  for (const { file, ...entry } of reading.league.personas) {
    const own = file === undefined ? {} : await openPersona(join(dirname(path), file));
    personas.push({ ...own, ...entry });
  }
  return { ...reading.league, personas: placeMinds(personas, path) };
}

async function openPersona(path: string): Promise<Character> {
  const { readPersona } = await import('../actors/league/leagueFile.ts');
  const reading = readPersona(await textOf(path, PERSONA));
  if (reading.ok) return reading.persona;
  throw refuseFile(path, reading.notes);
}

/** A match or a league that can't be played. */
export function refuseFile(path: string, notes: Failure['notes']): Failure {
  const placed = notes.map(({ code, text }) => ({ code, text: `${nameOf(path)}: ${text}` }));
  return new Failure(EXIT.configuration, placed);
}

/** A journal, with its damages; refused when not a line of it can be used. */
export async function openJournal(path: string): Promise<Journal> {
  const { readJournal } = await import('../actors/engine/journal/reader.ts');
  const journal = readJournal(await textOf(path, JOURNAL));
  if (journal.lines.length === 0) throw damagedJournal(path, journal);
  return journal;
}

/** What is damaged, line by line. */
export function damagedJournal(path: string, { damages }: Journal): Failure {
  const notes = damages.map(({ code, text, line }) => {
    const where = line === 0 ? nameOf(path) : `${nameOf(path)}, line ${line}`;
    return { code, text: `${where}: ${text}` };
  });
  return new Failure(EXIT.damaged, notes);
}

/** Tells what a journal lacks, after all that is intact has been shown. */
export function tellWhatIsMissing(path: string, journal: Journal): void {
  if (journal.damages.length > 0) throw damagedJournal(path, journal);
  const isGame = journal.lines.some((line) => gameIn(line) !== null);
  const end = isGame ? 'game.closed' : 'meeting.closed';
  if (journal.lines.some(({ type }) => type === end)) return;
  printNote(cleanLines(`The journal ends in mid-${isGame ? 'game' : 'meeting'}: ${nameOf(path)}`));
}

/** The colours at the table, as far as the journal tells. */
export function seatedIn(lines: readonly Line[]): readonly string[] | null {
  for (const line of lines) {
    if (line.type === 'match.opened') return line.match.seats.map(({ colour }) => colour);
  }
  return null;
}

async function textOf(path: string, kind: Kind): Promise<string> {
  const isStandard = path === '-';
  if (isStandard && process.stdin.isTTY) printNote(`Reading a ${kind.name} from the terminal:`);
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of isStandard ? process.stdin : realDisk.stream(path)) {
      parts.push(part);
      size += part.length;
      if (size > kind.most) break;
    }
  } catch (error) {
    throw createFailure(
      EXIT.noInput,
      'input/cannot-read',
      `expected a ${kind.name} at ${nameOf(path)}, found that ${describeSystemError(error)}`,
    );
  }
  if (size > kind.most) {
    const { exit, code } = kind.tooLong;
    const text = `${nameOf(path)}: expected at most ${kind.most} bytes, found more: is this a ${kind.name}?`;
    throw createFailure(exit, code, text);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** This terminal, for somebody who plays in it: typed on standard input, shown on standard error. */
export function openTerminal(): TypingTerminal {
  const isTerminal = process.stdin.isTTY === true;
  const lines = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: isTerminal,
  });
  return {
    isTerminal,
    open: ({ onLine, onEnd }) => {
      lines.on('line', onLine);
      // Ctrl-C does what it does anywhere.
      lines.on('SIGINT', () => realProcess.raise('SIGINT'));
      lines.on('close', onEnd);
    },
    setPrompt: (words) => lines.setPrompt(words),
    prompt: (keepsTyped = false) => lines.prompt(keepsTyped),
    clearLine: () => {
      cursorTo(process.stderr, 0);
      clearLine(process.stderr, 0);
    },
    print: printNote,
    close: () => lines.close(),
  };
}
