/**
 * The reader: takes a journal apart, checks every line, and loses nothing that is intact.
 *
 * A line is intact when it fits the hash that the line before it in its channel states. Every line of the file is
 * either kept or reported as a damage. A damaged line hands on its hash, so an edit is reported once, at its line, and not
 * again for all that follows. How the two channels are interleaved is in no hash, and neither are line breaks.
 */
import {
  CHANNELS,
  type Channel,
  EARLIER_HEADERS,
  FORMAT,
  type Line,
  lineSchema,
} from '../../../machines/journal/lines.ts';
import type { Note } from '../../../machines/types.ts';
import { chainHash, chainOrigin } from './recorder.ts';

/** What is wrong with a journal. `line` counts from 1; 0 is the whole file. */
export type Damage = Note & { readonly line: number };

export type Journal = {
  /** The intact lines, in the order of the file. */
  readonly lines: readonly Line[];
  /** The hashed text of each intact line. */
  readonly bodies: readonly string[];
  readonly damages: readonly Damage[];
};

/** Reads the text of a journal. */
export function readJournal(text: string): Journal {
  const rows = text.split('\n').map(stripRow);
  const isCut = rows.at(-1) !== '';
  if (!isCut) rows.pop();
  const [first] = rows;
  if (first === undefined) return refuse('empty', 'expected a journal, found an empty file', 0);
  const other = refuseOtherFormat(first);
  if (other !== null) return other;
  const journal = checkRows(rows, isCut);
  return journal.lines.length > 0 ? journal : (refuseHeader(first, isCut) ?? journal);
}

/** A row as it was written: editors may have put a mark in front of the file or changed its line breaks. */
function stripRow(row: string, index: number): string {
  const start = index === 0 && row.startsWith('\uFEFF') ? 1 : 0;
  return row.slice(start, row.endsWith('\r') ? -1 : undefined);
}

function refuse(code: string, text: string, line = 1): Journal {
  return { lines: [], bodies: [], damages: [{ code: `journal/${code}`, text, line }] };
}

/** The beginning of every journal: keys are in order, and a header has none before its channel. */
const BEGINNING = '{"channel":"living",';

/** Why a file without an intact line is no journal that can be read; null when its first line is a header like ours. */
function refuseHeader(row: string, isCut: boolean): Journal | null {
  const value = parseRow(row);
  if (isCut && value === undefined && (row.startsWith(BEGINNING) || BEGINNING.startsWith(row))) {
    return refuse(
      'torn',
      `this line breaks off after ${row.length} characters, and there is no whole line in the file`,
    );
  }
  if (!isHeader(value)) {
    return refuse(
      'not-a-journal',
      `expected the first line to be match.opened, found ${quote(row)}`,
    );
  }
  return null;
}

function isHeader(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && value['type'] === 'match.opened';
}

/** A journal that says it has another format is refused whole: its lines may mean something else than they seem to. */
function refuseOtherFormat(row: string): Journal | null {
  const value = parseRow(row);
  const type = isRecord(value) ? value['type'] : undefined;
  const earlier = EARLIER_HEADERS.find((one) => one === type);
  if (earlier !== undefined) {
    return refuse(
      'version',
      `this journal begins with ${earlier}, as journals did before their lines had other names: read it with the version that wrote it, or play the match again from its seed`,
    );
  }
  if (!isHeader(value)) return null;
  if (typeof value['format'] !== 'number' || value['format'] === FORMAT) return null;
  return refuse(
    'version',
    `this journal has format ${quote(String(value['format']))}, and this program reads format ${FORMAT}: use the version that wrote it`,
  );
}

/** How far a channel has come. */
type Track = {
  /** The hash of the last intact line, and the number of the line after it. */
  hash: string;
  seq: number;
  /** Hashes of damaged lines since, the latest first: the next intact line may follow one of them. */
  astray: readonly string[];
};
type Tracks = Readonly<Record<Channel, Track>>;

/** A line that is more than so many damaged lines away from the one that it follows is taken for damaged itself. */
const MOST_ASTRAY = 8;

function checkRows(rows: readonly string[], isCut: boolean): Journal {
  const lines: Line[] = [];
  const bodies: string[] = [];
  const damages: Damage[] = [];
  const tracks: Tracks = {
    living: { hash: chainOrigin('living'), seq: 0, astray: [] },
    ghosts: { hash: chainOrigin('ghosts'), seq: 0, astray: [] },
  };
  for (const [index, row] of rows.entries()) {
    const isTorn = isCut && index === rows.length - 1 && parseRow(row) === undefined;
    const found = isTorn ? tornRow(row, lines.length) : checkRow(row, tracks);
    if (found.type === 'line') {
      lines.push(found.line);
      bodies.push(found.body);
    } else damages.push({ ...found.note, line: index + 1 });
  }
  return { lines, bodies, damages };
}

type CheckedRow =
  | { readonly type: 'line'; readonly line: Line; readonly body: string }
  | { readonly type: 'damage'; readonly note: Note };

function damage(code: string, text: string): CheckedRow {
  return { type: 'damage', note: { code: `journal/${code}`, text } };
}

function tornRow(row: string, kept: number): CheckedRow {
  return damage(
    'torn',
    `this line breaks off after ${row.length} characters; the ${kept} intact lines before it are kept`,
  );
}

function checkRow(row: string, tracks: Tracks): CheckedRow {
  const value = parseRow(row);
  const shape = lineSchema.safeParse(value);
  if (!shape.success) {
    for (const channel of CHANNELS) handOn(tracks[channel], findStatedHash(row));
    return damage('line', `this line ${describeRow(row, value, shape.error.issues[0])}`);
  }
  const line = shape.data;
  const track = tracks[line.channel];
  const body = cutBody(row, line);
  if (body !== null && follows(line, body, track)) {
    track.hash = line.hash;
    track.seq = line.seq + 1;
    return { type: 'line', line, body };
  }
  const rightful = body === null ? [] : [chainHash(track.hash, body)];
  handOn(track, [line.hash, ...rightful]);
  return describeMisfit(line, track);
}

/** Whether a line follows the last intact one of its channel, or a damaged one since. */
function follows(line: Line, body: string, { hash, seq, astray }: Track): boolean {
  if (line.seq === seq && chainHash(hash, body) === line.hash) return true;
  return line.seq >= seq && astray.some((stray) => chainHash(stray, body) === line.hash);
}

function handOn(track: Track, hashes: readonly string[]): void {
  track.astray = [...hashes, ...track.astray].slice(0, MOST_ASTRAY);
}

function describeMisfit({ seq, channel }: Line, expected: Track): CheckedRow {
  if (seq === expected.seq) {
    return damage('edited', 'this line does not fit its hash: it was edited after it was written');
  }
  const number = `this line is number ${seq} of the channel ${channel}, expected number ${expected.seq}`;
  return damage(
    'gap',
    seq < expected.seq
      ? `${number}: it is there twice or out of place`
      : `${number}: lines before it are missing or unreadable, so it can't be checked`,
  );
}

type SchemaIssue = { readonly path: readonly PropertyKey[]; readonly message: string };

/** What stands where a line should be. */
function describeRow(row: string, value: unknown, issue: SchemaIssue | undefined): string {
  if (row.trim() === '') return 'is empty';
  if (value === undefined) return `is no JSON: ${quote(row)}`;
  if (!isRecord(value)) return `is no line of a journal: ${quote(row)}`;
  const where = issue?.path.join('.') ?? '';
  if (where === 'type') {
    return `has a type that is not known here: ${quote(String(value['type']))}`;
  }
  return `is no line of a journal: ${where === '' ? '' : `${where}: `}${issue?.message ?? ''}`;
}

/** The hash at the end of a line that can't be read otherwise. */
function findStatedHash(row: string): readonly string[] {
  return /([0-9a-f]{64})\W{0,3}$/.exec(row)?.slice(1) ?? [];
}

const CLOCK = ',"clock":';

/** The hashed part of a line: its text without `clock` and `hash`; null when they are not at its end. */
function cutBody(row: string, { hash, clock }: Line): string | null {
  const end = `,"hash":"${hash}"}`;
  if (!row.endsWith(end)) return null;
  const text = row.slice(0, -end.length);
  if (clock === undefined) return `${text}}`;
  // A reply may hold a `clock` of its own. The one of the line is the one that reaches to its end.
  for (let at = text.indexOf(CLOCK); at >= 0; at = text.indexOf(CLOCK, at + 1)) {
    if (parseRow(text.slice(at + CLOCK.length)) !== undefined) return `${text.slice(0, at)}}`;
  }
  return null;
}

/** Characters of a foreign text that are quoted. */
const QUOTED = 60;

function quote(text: string): string {
  return JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);
}

function parseRow(row: string): unknown {
  try {
    return JSON.parse(row);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
