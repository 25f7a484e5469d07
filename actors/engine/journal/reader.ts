/**
 * The reader of journals. A line is intact if it fits the hash that the previous line of its channel states. Every line
 * is either kept or reported as damage. A damaged line passes on its hash, so an edit is reported once, at its line. No
 * hash covers the interleaving of the channels, or line breaks.
 */

import { CHANNELS, type Channel, type Line, lineSchema } from '../../../machines/journal/lines.ts';
import { findUnreadable } from '../../../machines/journal/opening.ts';
import { readLine } from '../../../machines/journal/readLine.ts';
import {
  DEEPEST,
  isRecord,
  isTooDeep,
  parseJson,
  readField,
  wordOf,
} from '../../../machines/text.ts';
import type { Note } from '../../../machines/types.ts';
import { PossibleGame } from './possible.ts';
import { chainHash, chainOrigin } from './recorder.ts';

/** A problem of a journal. `line` counts from 1; 0 is the whole file. */
export type Damage = Note & { readonly line: number };

/** Damages that are described. Further ones are only counted. */
export const MOST_DESCRIBED = 100;

export type Journal = {
  readonly lines: readonly Line[];
  /** The hashed text of each intact line. */
  readonly bodies: readonly string[];
  readonly damages: readonly Damage[];
  readonly damageCount: number;
  /** Whether the last line is truncated, which counts as damage. */
  readonly isTorn: boolean;
};

/** Whether a truncated last line is the only damage: the lines before it can be played. */
export function isPlayable({ damageCount, isTorn }: Journal): boolean {
  return damageCount === (isTorn ? 1 : 0);
}

export function readJournal(text: string): Journal {
  const reading = new JournalReading();
  reading.add(text);
  return reading.end();
}

/** Characters that a line may have: a line of a match with everything in it has less than a tenth. */
export const LONGEST_ROW = 16 * 1024 * 1024;

/** A journal begins within this many rows and characters. Mails or logs may precede it: such rows are reported. */
export const LATEST_ROW = 10_000;
export const LATEST_CHARACTER = 2 * LONGEST_ROW;

/** After more foreign rows, the rest of a file is not read. */
export const MOST_FOREIGN_ROWS = 1_000_000;

/** The text between two lines if an old editor replaced line feeds by carriage returns. */
const OLD_BREAK = '\r{"channel":"';

/** Reads a journal in parts. It keeps only intact lines, and soon gives up a text that is no journal. */
export class JournalReading {
  readonly #lines: Line[] = [];
  readonly #bodies: string[] = [];
  readonly #rows: string[] | null;
  readonly #damages: Damage[] = [];
  readonly #tracks: Tracks = {
    living: { hash: chainOrigin('living'), seq: 0, astray: [] },
    ghosts: { hash: chainOrigin('ghosts'), seq: 0, astray: [] },
    beliefs: { hash: chainOrigin('beliefs'), seq: 0, astray: [] },
  };
  readonly #game = new PossibleGame();
  #damageCount = 0;
  #isTorn = false;
  /** A line was impossible. The rest would be told as if it were possible, so it is left out. */
  #isImpossible = false;
  /** The current row, as far as it is kept, and the number of characters read. */
  #row = '';
  #rowLength = 0;
  #rowCount = 0;
  #first = '';
  /** The end of the text read so far, until the line break is known. */
  #tail = '';
  #break: string | null = null;
  #refusal: Journal | null = null;
  /** Progress: whether any row was valid, the characters read, and rows since the last valid one. */
  #hasBegun = false;
  #characters = 0;
  #foreignRows = 0;
  #isLeft = false;

  constructor({ keepsRows = false } = {}) {
    this.#rows = keepsRows ? [] : null;
  }

  /** The intact lines as they were written, without their line breaks. */
  get rows(): readonly string[] {
    return this.#rows ?? [];
  }

  /** Returns false when the rest of the text can't matter. */
  add(text: string): boolean {
    const isStart = this.#rowCount === 0 && this.#rowLength === 0;
    const part = this.#decideBreak(isStart && text.startsWith('\uFEFF') ? text.slice(1) : text);
    for (let at = 0; at < part.length && this.#isReading; ) {
      const end = part.indexOf(this.#break ?? '\n', at);
      this.#extend(part.slice(at, end < 0 ? undefined : end));
      if (end < 0) break;
      this.#endRow(false);
      at = end + 1;
    }
    return this.#isReading;
  }

  get #isReading(): boolean {
    return this.#refusal === null && !this.#isLeft;
  }

  /** Finds out what ends a line; returns the part that is to be read with it. */
  #decideBreak(part: string): string {
    if (this.#break !== null) return part;
    // Earlier text is not searched again: it may be long, and come in small parts.
    const seen = this.#tail + part;
    this.#tail = seen.slice(-OLD_BREAK.length);
    this.#break = findBreak(seen);
    if (this.#break !== '\r') return part;
    const all = this.#row + part;
    this.#row = '';
    this.#rowLength = 0;
    return all;
  }

  end(damage: Note | null = null): Journal {
    if (this.#rowLength > 0) this.#endRow(true);
    if (this.#refusal !== null) return this.#refusal;
    if (damage !== null) this.#report(damage);
    if (this.#rowCount === 0 && damage === null)
      return refuse({ code: 'journal/empty', text: 'expected a journal, found an empty file' }, 0);
    const journal = {
      lines: this.#lines,
      bodies: this.#bodies,
      damages: this.#damages,
      damageCount: this.#damageCount,
      isTorn: this.#isTorn,
    };
    if (this.#lines.length > 0 || damage !== null) return journal;
    return refuseHeader(this.#first, this.#rowCount === 1 && this.#isTorn) ?? journal;
  }

  #extend(piece: string): void {
    this.#rowLength += piece.length;
    this.#characters += piece.length;
    if (!this.#hasBegun && this.#characters > LATEST_CHARACTER) {
      const first = this.#rowCount === 0 ? this.#row + piece.slice(0, QUOTED + 1) : this.#first;
      this.#refusal = refuseForeign(first, `the first ${LATEST_CHARACTER} characters`);
      return;
    }
    if (this.#rowLength <= LONGEST_ROW) this.#row += piece;
    else this.#row = this.#row.slice(0, QUOTED + 1) + (this.#row + piece).slice(-STATED);
  }

  #endRow(isCut: boolean): void {
    const row = this.#row.endsWith('\r') ? this.#row.slice(0, -1) : this.#row;
    const length = this.#rowLength;
    this.#row = '';
    this.#rowLength = 0;
    this.#rowCount += 1;
    if (this.#rowCount === 1) {
      this.#first = row;
      // With another format or unknown rules, its lines may mean something else than they seem to.
      const unreadable = findUnreadable(parseJson(row));
      if (unreadable !== null) {
        this.#refusal = refuse(unreadable);
        return;
      }
    }
    if (length > LONGEST_ROW) this.#leaveOutLong(row, length);
    else this.#checkRow(row, isCut);
    if (!this.#hasBegun && this.#rowCount >= LATEST_ROW) {
      this.#refusal = refuseForeign(this.#first, `the first ${LATEST_ROW} lines`);
    } else if (this.#foreignRows > MOST_FOREIGN_ROWS) {
      this.#leaveRest();
    }
  }

  #leaveRest(): void {
    this.#isLeft = true;
    this.#damageCount += 1;
    const text = `more than ${MOST_FOREIGN_ROWS} lines up to this one are nothing of a journal, and what follows is not read`;
    // Always added: it says how much of the file the damages cover.
    this.#damages.push({ code: 'journal/foreign', text, line: this.#rowCount });
  }

  #noteKind(isForeign: boolean): void {
    this.#foreignRows = isForeign ? this.#foreignRows + 1 : 0;
    if (!isForeign) this.#hasBegun = true;
  }

  #leaveOutLong(row: string, length: number): void {
    const hashes = findStatedHash(row);
    this.#noteKind(hashes.length === 0);
    for (const channel of CHANNELS) handOn(this.#tracks[channel], hashes);
    const text = `expected a line of at most ${LONGEST_ROW} characters, found one of ${length}: ${quote(row)}`;
    this.#report({ code: 'journal/line', text });
  }

  #checkRow(row: string, isCut: boolean): void {
    const isDescribed = this.#damages.length < MOST_DESCRIBED;
    const torn = `this line breaks off after ${row.length} characters; the ${this.#lines.length} intact lines before it are kept`;
    const found =
      isCut && parseJson(row) === undefined
        ? damage('torn', torn)
        : checkRow(row, this.#tracks, isDescribed);
    this.#noteKind(found.isForeign);
    if (found.type === 'damage') {
      this.#isTorn = found.note?.code === TORN;
      this.#report(found.note);
      return;
    }
    if (this.#isImpossible) return;
    // After a damage nobody knows where the game was.
    const impossible = this.#damageCount > 0 ? null : this.#game.check(found.line);
    if (impossible !== null) {
      this.#isImpossible = true;
      const text = `no game produces this line: ${impossible}`;
      if (this.#lines.length === 0) this.#refusal = refuse({ code: IMPOSSIBLE, text });
      else this.#report({ code: IMPOSSIBLE, text });
      return;
    }
    this.#lines.push(found.line);
    this.#bodies.push(found.body);
    this.#rows?.push(row);
  }

  #report(note: Note | null): void {
    this.#damageCount += 1;
    if (note !== null && this.#damages.length < MOST_DESCRIBED)
      this.#damages.push({ ...note, line: this.#rowCount });
  }
}

/** What ends a line; null while the text does not say. */
function findBreak(text: string): string | null {
  const feed = text.indexOf('\n');
  const old = text.indexOf(OLD_BREAK);
  if (old >= 0 && (feed < 0 || old < feed)) return '\r';
  return feed >= 0 ? '\n' : null;
}

function refuse(note: Note, line = 1): Journal {
  return { lines: [], bodies: [], damages: [{ ...note, line }], damageCount: 1, isTorn: false };
}

/** The beginning of every journal: keys are in order, and a header has none before its channel. */
const BEGINNING = '{"channel":"living",';

/** The reason why a file without an intact line is no readable journal. Null if its first line is a header. */
function refuseHeader(row: string, isCut: boolean): Journal | null {
  const value = parseJson(row);
  if (isCut && value === undefined && (row.startsWith(BEGINNING) || BEGINNING.startsWith(row))) {
    const text = `this line breaks off after ${row.length} characters, and there is no whole line in the file`;
    return refuse({ code: TORN, text });
  }
  return readField(value, 'type') === 'match.opened' ? null : refuseForeign(row);
}

function refuseForeign(row: string, where?: string): Journal {
  const more = where === undefined ? '' : `, and nothing of a journal in ${where}`;
  const text = `expected the first line to be match.opened, found ${quote(row)}${more}`;
  return refuse({ code: 'journal/not-a-journal', text });
}

type Track = {
  /** The hash of the last intact line, and the number of the line after it. */
  hash: string;
  seq: number;
  /** Hashes of damaged lines since, the latest first: the next intact line may follow one of them. */
  astray: readonly string[];
};
type Tracks = Readonly<Record<Channel, Track>>;

/** A line this many damaged lines after its predecessor counts as damaged itself. */
const MOST_ASTRAY = 8;

const TORN = 'journal/torn';
const IMPOSSIBLE = 'journal/impossible';

/** `isForeign`: the row shows no sign of ever having been a line of a journal. */
type CheckedRow = { readonly isForeign: boolean } & (
  | { readonly type: 'line'; readonly line: Line; readonly body: string }
  /** Null if enough damages were described, and this one is only counted. */
  | { readonly type: 'damage'; readonly note: Note | null }
);

function damage(code: string, text: string): CheckedRow {
  return { type: 'damage', isForeign: false, note: { code: `journal/${code}`, text } };
}

function checkRow(row: string, tracks: Tracks, isDescribed: boolean): CheckedRow {
  // There may be millions of rows that are blank, or anything else.
  const mayBeLine = row.length >= SHORTEST && /^\s*\{/.test(row);
  const value = mayBeLine ? parseJson(row) : undefined;
  const isNearly = isNearlyLine(value);
  const line = isNearly ? readLine(value) : null;
  if (line === null) {
    const hashes = findStatedHash(row);
    for (const channel of CHANNELS) handOn(tracks[channel], hashes);
    const isForeign = hashes.length === 0 && !isNearly;
    if (!isDescribed) return { type: 'damage', note: null, isForeign };
    return { ...describeNoLine(row), isForeign };
  }
  const track = tracks[line.channel];
  const body = cutBody(row, line);
  if (body !== null && follows(line, body, track)) {
    track.hash = line.hash;
    track.seq = line.seq + 1;
    return { type: 'line', line, body, isForeign: false };
  }
  const rightful = body === null ? [] : [chainHash(track.hash, body)];
  handOn(track, [line.hash, ...rightful]);
  return describeMisfit(line, track);
}

/** Characters. Every line of a journal is longer. */
const SHORTEST = 40;

/** Whether a value has what every line has: the whole schema takes its time. */
function isNearlyLine(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { channel, seq, hash } = value;
  return typeof channel === 'string' && typeof seq === 'number' && typeof hash === 'string';
}

function describeNoLine(row: string): CheckedRow {
  const value = parseJson(row);
  if (isTooDeep(value))
    return damage('line', `this line is nested more than ${DEEPEST} deep: ${quote(row)}`);
  const issue = findInnermost(lineSchema.safeParse(value).error?.issues[0]);
  return damage('line', `this line ${describeRow(row, value, issue)}`);
}

function follows(line: Line, body: string, { hash, seq, astray }: Track): boolean {
  if (line.seq === seq && chainHash(hash, body) === line.hash) return true;
  return line.seq >= seq && astray.some((stray) => chainHash(stray, body) === line.hash);
}

function handOn(track: Track, hashes: readonly string[]): void {
  if (hashes.length === 0) return;
  track.astray = [...hashes, ...track.astray].slice(0, MOST_ASTRAY);
}

function describeMisfit({ seq, channel }: Line, expected: Track): CheckedRow {
  if (seq === expected.seq)
    return damage('edited', 'this line does not fit its hash: it was edited after it was written');
  const why =
    seq < expected.seq
      ? 'it is there twice or out of place'
      : "lines before it are missing or unreadable, so it can't be checked";
  const number = `this line is number ${seq} of the channel ${channel}, expected number ${expected.seq}`;
  return damage('gap', `${number}: ${why}`);
}

type SchemaIssue = {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Problems of a value by each of several schemas. */
  readonly errors?: readonly (readonly SchemaIssue[])[];
};

function findInnermost(issue: SchemaIssue | undefined): SchemaIssue | undefined {
  const [best = []] = (issue?.errors ?? []).toSorted((one, other) => one.length - other.length);
  const [first] = best;
  if (issue === undefined || first === undefined) return issue;
  const inner = findInnermost(first) ?? first;
  return { ...inner, path: [...issue.path, ...inner.path] };
}

function describeRow(row: string, value: unknown, issue: SchemaIssue | undefined): string {
  if (row.trim() === '') return 'is empty';
  if (value === undefined) return `is no JSON: ${quote(row)}`;
  if (!isRecord(value)) return `is no line of a journal: ${quote(row)}`;
  const where = issue?.path.join('.') ?? '';
  if (where === 'type') return `has a type that is not known here: ${quote(wordOf(value['type']))}`;
  return `is no line of a journal: ${where === '' ? '' : `${where}: `}${issue?.message ?? ''}`;
}

function findStatedHash(row: string): readonly string[] {
  return /([0-9a-f]{64})\W{0,3}$/.exec(row.slice(-STATED))?.slice(1) ?? [];
}

const STATED = 67;

const CLOCK = ',"clock":';

/** The hashed part of a line: its text without `clock` and `hash`; null if they are not at its end. */
function cutBody(row: string, { hash, clock }: Line): string | null {
  const end = `,"hash":"${hash}"}`;
  if (!row.endsWith(end)) return null;
  const text = row.slice(0, -end.length);
  if (clock === undefined) return `${text}}`;
  // A reply may hold a `clock` of its own. The one of the line is the one that reaches to its end.
  let at = text.lastIndexOf(CLOCK);
  for (let tries = 0; at >= 0 && tries < MOST_CLOCKS; tries += 1) {
    if (parseJson(text.slice(at + CLOCK.length)) !== undefined) return `${text.slice(0, at)}}`;
    at = at === 0 ? -1 : text.lastIndexOf(CLOCK, at - 1);
  }
  return null;
}

/** Keys of that name in the clock of a line; there are none unless a program has put them there. */
const MOST_CLOCKS = 100;

const QUOTED = 60;

function quote(text: string): string {
  return JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);
}
