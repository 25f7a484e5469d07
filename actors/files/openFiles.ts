/** Input from files, pipes, or standard input for "-", packed or not, up to a size that makes sense. */
import { dirname, isAbsolute, join } from 'node:path';
import type { Line } from '../../machines/journal/lines.ts';
import { engineIn, gameIn } from '../../machines/journal/opening.ts';
import { isOwn } from '../../machines/rules/mindKinds.ts';
import type { GameMatch, MatchSeat, MeetingMatch } from '../../machines/setup/match.ts';
import type { Note } from '../../machines/types.ts';
import { ENGINE } from '../../machines/versions.ts';
import type { FileReading } from '../engine/configFile.ts';
import type { Journal } from '../engine/journal/reader.ts';
import type { LeagueFile } from '../league/leagueFile.ts';
import {
  type FoundEntry,
  findFiles,
  findLastBreak,
  inspectPath,
  NO_FILE,
  readBytes,
  readStart,
  readText,
  readWriteTime,
  refuseNoFile,
  Unreadable,
} from '../ports/reading.ts';
import { realTime } from '../ports/time.ts';
import {
  createFailure,
  describeSystemError,
  EXIT,
  type ExitCode,
  Failure,
  nameOf,
  noteFile,
} from './failure.ts';

type Kind = {
  readonly name: string;
  readonly area: string;
  /** Bytes of its text, unpacked, and what to do about more. */
  readonly most: number;
  readonly advice?: string;
  readonly exit: ExitCode;
  readonly foreignCode: string;
};

const MEBIBYTE = 1024 * 1024;

/** The command that reads it says how long it may really be. `most` only keeps gigabytes out. */
function configuration(area: string, name = area, foreign = 'not-text'): Kind {
  const foreignCode = `${area}/${foreign}`;
  return { name, area, most: 4 * MEBIBYTE, exit: EXIT.configuration, foreignCode };
}

function written(area: string, name: string, most: number, foreign: string): Kind {
  return { name, area, most, exit: EXIT.damaged, foreignCode: `${area}/${foreign}` };
}

const JOURNAL = written('journal', 'journal', 400 * MEBIBYTE, 'not-a-journal');
const BUNDLE = written('bundle', 'bundle of "benchmark"', 16 * MEBIBYTE, 'not-a-bundle');
/** The journal of one game of a league. A long game of models has a twentieth. */
const GAME = { ...JOURNAL, most: 64 * MEBIBYTE };
const TEXTS = {
  match: configuration('match'),
  league: configuration('league'),
  persona: configuration('persona'),
  profile: configuration('profile'),
  environment: configuration('env', 'file of environment variables'),
  prices: configuration('prices', 'file of prices', 'not-valid'),
  why: written('why', 'result of "why"', 256 * MEBIBYTE, 'not-a-result'),
  bundle: BUNDLE,
  exam: written('exam', 'exam of "doctor"', 16 * MEBIBYTE, 'not-an-exam'),
  journal: GAME,
  /** In a folder of a league or a bundle. */
  game: GAME,
} as const satisfies Record<string, Kind>;

export const JOURNAL_WORDS = 'journal file, - for standard input; default: the latest one';

export function chooseJournal(path: string | undefined): string {
  if (path !== undefined) return path;
  const [latest] = findFiles('**/*.jsonl{,.gz,.zst}', FOLDER)
    .map((name) => `${FOLDER}/${name}`)
    .map((file) => ({ file, at: readWriteTime(file) ?? 0 }))
    .toSorted((one, other) => other.at - one.at);
  if (latest === undefined) {
    const text = `expected a journal, found none in ${FOLDER}/: name a file, or play a game with "glassbox run"`;
    throw createFailure(EXIT.noInput, 'input/no-journals', text);
  }
  noteFile(`The latest journal: ${latest.file}`);
  return latest.file;
}

const FOLDER = 'journals';

export { findFiles, findLastBreak, readStart };

export function findEntry(path: string): FoundEntry['type'] {
  return inspectPath(path).type;
}

export function refuseAbsent(path: string, wanted: string): void {
  const entry = inspectPath(path);
  if (entry.type !== 'nothing' && entry.type !== 'hidden') return;
  const why = entry.type === 'hidden' ? describeSystemError(entry.error) : 'no such file or folder';
  const text = `cannot read ${nameOf(path)}: ${why}; expected ${wanted}`;
  throw createFailure(EXIT.noInput, 'input/cannot-read', text);
}

export function sizeOf(path: string): number {
  const entry = inspectPath(path);
  return entry.type === 'file' ? entry.bytes : 0;
}

export function isThere(path: string): boolean {
  return !['nothing', 'hidden'].includes(findEntry(path));
}

/** Whether the file holds a store already. Refuses a file that is none, before anything is written. */
export function isStoreFile(path: string): boolean {
  const entry = inspectPath(path);
  if (entry.type === 'nothing') return false;
  if (entry.type === 'file') {
    const start = readStart(path, STORE_START.length);
    if (start === '' || start === STORE_START) return true;
  }
  const why = entry.type === 'hidden' ? describeSystemError(entry.error) : NO_FILE[entry.type];
  const text = `cannot open ${nameOf(path)} as a store: ${why ?? 'it is no SQLite database'}`;
  throw createFailure(EXIT.noInput, 'store/no-store', text);
}

const STORE_START = 'SQLite format 3\0';

export async function openMatch(path: string): Promise<GameMatch | MeetingMatch> {
  const { readMatch } = await import('../engine/configFile.ts');
  const match = await openConfig('match', path, readMatch);
  return 'call' in match ? placeSeats(match, path) : placeSeats(match, path);
}

export async function openMeeting(path: string): Promise<MeetingMatch> {
  const { readMeeting } = await import('../engine/configFile.ts');
  return placeSeats(await openConfig('match', path, readMeeting), path);
}

export async function openGame(path: string): Promise<GameMatch> {
  const { readGame } = await import('../engine/configFile.ts');
  return placeSeats(await openConfig('match', path, readGame), path);
}

async function openConfig<T>(
  kind: keyof typeof TEXTS,
  path: string,
  read: (text: string) => FileReading<T>,
): Promise<T> {
  const reading = read(await openText(path, kind));
  if (reading.ok) return reading.value;
  throw refuseFile(path, reading.notes);
}

function placeSeats<M extends { readonly seats: readonly MindPlace[] }>(match: M, path: string): M {
  return { ...match, seats: placeMinds(match.seats, path) };
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

export async function openLeague(path: string): Promise<LeagueFile> {
  const { readLeague, readPersona } = await import('../league/leagueFile.ts');
  const league = await openConfig('league', path, readLeague);
  const personas: LeagueFile['personas'] = [];
  for (const { file, ...entry } of league.personas) {
    const at = join(dirname(path), file ?? '');
    const own = file === undefined ? {} : await openConfig('persona', at, readPersona);
    personas.push({ ...own, ...entry });
  }
  return { ...league, personas: placeMinds(personas, path) };
}

export function refuseFile(path: string, notes: Failure['notes']): Failure {
  const placed = notes.map(({ code, text }) => ({ code, text: `${nameOf(path)}: ${text}` }));
  return new Failure(EXIT.configuration, placed);
}

export function refuseUnlisted(folder: string, error: unknown): Failure {
  const text = `cannot read the folder ${nameOf(folder)}: ${describeSystemError(error)}`;
  return createFailure(EXIT.noInput, 'input/cannot-read', text);
}

export async function openBundleFile(path: string): Promise<Uint8Array> {
  const kind = { ...BUNDLE, name: 'file of a bundle', most: LARGEST_TABLE };
  const parts: Uint8Array[] = [];
  try {
    for await (const part of readBytes(path, kind.most)) parts.push(part);
  } catch (error) {
    throw refuseUnreadable(path, kind, error);
  }
  return Buffer.concat(parts);
}

/** Bytes: the tables of a thousand games have a tenth. */
const LARGEST_TABLE = 2048 * MEBIBYTE;

type JournalWishes = Partial<Pick<Kind, 'most' | 'advice'>>;

/** A journal, with its damages; refused when not a line of it can be used. */
export async function openJournal(path: string, wishes: JournalWishes = {}): Promise<Journal> {
  return (await openJournalRows(path, wishes, false)).journal;
}

type JournalWithRows = { readonly journal: Journal; readonly rows: readonly string[] };

async function openJournalRows(
  path: string,
  wishes: JournalWishes = {},
  keepsRows = true,
): Promise<JournalWithRows> {
  const { JournalReading } = await import('../engine/journal/reader.ts');
  const reading = new JournalReading({ keepsRows });
  const kind = { ...JOURNAL, ...wishes };
  let damage: Note | null = null;
  try {
    for await (const part of readParts(path, kind)) if (!reading.add(part)) break;
  } catch (error) {
    if (!(error instanceof Unreadable) || error.reason !== 'packing')
      throw refuseUnreadable(path, kind, error);
    damage = { code: 'journal/packing', text: `${error.message}; the lines before it are kept` };
  }
  const journal = reading.end(damage);
  if (journal.lines.length === 0) throw damagedJournal(path, journal);
  return { journal, rows: reading.rows };
}

/** A journal whose beginning can be played, whole or torn at its end, and its lines as they were written. */
export async function openPlayable(path: string): Promise<JournalWithRows> {
  const opened = await openJournalRows(path);
  const { isPlayable } = await import('../engine/journal/reader.ts');
  if (!isPlayable(opened.journal)) throw damagedJournal(path, opened.journal);
  return opened;
}

export function damagedJournal(path: string, { damages, damageCount }: Journal): Failure {
  const notes = damages.map(({ code, text, line }) => {
    const where = line === 0 ? nameOf(path) : `${nameOf(path)}, line ${line}`;
    return { code, text: `${where}: ${text}` };
  });
  return new Failure(EXIT.damaged, notes, damageCount - notes.length);
}

export function tellWhatIsMissing(path: string, journal: Journal): void {
  if (journal.damageCount > 0) throw damagedJournal(path, journal);
  const isGame = journal.lines.some((line) => gameIn(line) !== null);
  const end = isGame ? 'game.closed' : 'meeting.closed';
  if (journal.lines.some(({ type }) => type === end)) return;
  noteFile(`The journal ends in mid-${isGame ? 'game' : 'meeting'}: ${nameOf(path)}`);
}

export function seatedIn(lines: readonly Line[]): readonly string[] | null {
  const header = lines.find((line) => line.type === 'match.opened');
  return header?.match.seats.map(({ colour }) => colour) ?? null;
}

/** Found beside other files, where a pipe can only be a trap. */
const BESIDE: readonly (keyof typeof TEXTS)[] = ['why', 'bundle', 'persona', 'game'];

export async function openText(path: string, kind: keyof typeof TEXTS): Promise<string> {
  const parts: string[] = [];
  try {
    if (BESIDE.includes(kind)) refuseNoFile(inspectPath(path));
    for await (const part of readParts(path, TEXTS[kind])) parts.push(part);
  } catch (error) {
    throw refuseUnreadable(path, TEXTS[kind], error);
  }
  const text = parts.join('');
  // Old editors end lines with a carriage return alone.
  return text.includes('\n') ? text : text.replaceAll('\r', '\n');
}

const SILENCE_MS = 1000;

/** The text at a path, unpacked and decoded, part by part. All that is read from outside comes through here. */
async function* readParts(path: string, { name, most }: Kind): AsyncGenerator<string> {
  const isStandard = path === '-';
  if (isStandard && process.stdin.isTTY) noteFile(`Reading a ${name} from the terminal:`);
  // A file is there already, however long a busy machine takes to read it.
  const isAwaited = isStandard || findEntry(path) !== 'file';
  const wait = realTime.setTimeout(() => {
    if (!isAwaited) return;
    noteFile(`Waiting for a ${name} from ${nameOf(path)}: Ctrl-C ends it.`);
  }, SILENCE_MS);
  using _cleared = { [Symbol.dispose]: () => realTime.clearTimeout(wait) };
  const bytes = isStandard ? process.stdin : readBytes(path, most);
  for await (const part of readText(bytes, most)) {
    realTime.clearTimeout(wait);
    yield part;
  }
}

function refuseUnreadable(path: string, { name, area, ...kind }: Kind, error: unknown): Failure {
  const place = nameOf(path);
  if (!(error instanceof Unreadable) || error.reason === 'cannot-open') {
    const why = error instanceof Unreadable && error.message !== '' ? error.message : null;
    const cause = error instanceof Unreadable ? error.cause : error;
    const text = `cannot read ${place}: ${why ?? describeSystemError(cause)}; expected a ${name}`;
    return createFailure(EXIT.noInput, 'input/cannot-read', text);
  }
  if (error.reason === 'too-long') {
    const { most, advice = `is this a ${name}?` } = kind;
    const text = `${place}: expected at most ${most / MEBIBYTE} MB of text, found more: ${advice}`;
    return createFailure(kind.exit, `${area}/too-long`, text);
  }
  const text = `${place}: expected a ${name}, found that ${error.message}`;
  const code = error.reason === 'packing' ? `${area}/packing` : kind.foreignCode;
  return createFailure(kind.exit, code, text);
}

/** Characters that the header of a journal fits into. */
const HEADER_LENGTH = MEBIBYTE;

/** Whether a file begins like a journal, packed or not; a pipe, which can be read once, does not say. */
export async function beginsLikeJournal(path: string): Promise<boolean> {
  if (findEntry(path) !== 'file') return false;
  let start = '';
  try {
    for await (const part of readParts(path, JOURNAL)) {
      start += part;
      if (start.includes('\n') || start.length > HEADER_LENGTH) break;
    }
  } catch {
    return false;
  }
  const [header = ''] = start.split(/[\r\n]/, 1);
  return header.includes('"type":"match.opened"');
}

/** A sentence, without a full stop: the version that played a journal, and this one. */
export function describeEngine([header]: readonly Line[]): string {
  const engine = engineIn(header);
  if (engine === null) return `It does not say which version played it; this is ${ENGINE}`;
  return engine === ENGINE
    ? `This version (${ENGINE}) says that it played it: the journal or the program was changed since`
    : `It was played by ${engine}, and this is ${ENGINE}`;
}
