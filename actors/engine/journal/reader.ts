/**
 * The reader: takes a journal apart, checks every line, and loses nothing that is intact.
 *
 * A line is intact when it fits the hash that the line before it in its channel states. Every line of the file is
 * either kept or told as a damage. A damaged line hands on its hash, so an edit is told once, at its line, and not
 * again for all that follows. How the two channels are interleaved is in no hash, and neither are line breaks.
 */
import {
  CHANNELS,
  type Channel,
  FORMAT,
  type Line,
  lineSchema,
} from '../../../machines/journal/lines.ts';
import type { Note } from '../../../machines/types.ts';
import { chained, origin } from './chain.ts';

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
  const rows = text.split('\n').map(bare);
  const isCut = rows.at(-1) !== '';
  if (!isCut) rows.pop();
  const [first] = rows;
  if (first === undefined) return refused('empty', 'expected a journal, found an empty file', 0);
  const other = otherFormat(first);
  if (other !== null) return other;
  const journal = checked(rows, isCut);
  return journal.lines.length > 0 ? journal : (refusal(first, isCut) ?? journal);
}

/** A row as it was written: editors may have put a mark in front of the file or changed its line breaks. */
function bare(row: string, index: number): string {
  const start = index === 0 && row.startsWith('\uFEFF') ? 1 : 0;
  return row.slice(start, row.endsWith('\r') ? -1 : undefined);
}

function refused(code: string, text: string, line = 1): Journal {
  return { lines: [], bodies: [], damages: [{ code: `journal/${code}`, text, line }] };
}

/** The beginning of every journal: keys are in order, and a header has none before its channel. */
const BEGINNING = '{"channel":"living",';

/** Why a file without an intact line is no journal that can be read; null when its first line is a header like ours. */
function refusal(row: string, isCut: boolean): Journal | null {
  const value = parsed(row);
  if (isCut && value === undefined && (row.startsWith(BEGINNING) || BEGINNING.startsWith(row))) {
    return refused(
      'torn',
      `this line breaks off after ${row.length} characters, and there is no whole line in the file`,
    );
  }
  if (!isHeader(value)) {
    return refused(
      'not-a-journal',
      `expected the first line to be a journal.opened or a game.opened, found ${excerpt(row)}`,
    );
  }
  return null;
}

function isHeader(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && HEADERS.some((type) => type === value['type']);
}

/** What the first line of a journal may be: of a meeting on its own, or of a whole game. */
const HEADERS = ['journal.opened', 'game.opened'] as const;

/** A journal that says it has another format is refused whole: its lines may mean something else than they seem to. */
function otherFormat(row: string): Journal | null {
  const value = parsed(row);
  if (!isHeader(value)) return null;
  if (typeof value['v'] !== 'number' || value['v'] === FORMAT) return null;
  return refused(
    'version',
    `this journal has format ${excerpt(String(value['v']))}, and this program reads format ${FORMAT}: use the version that wrote it`,
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

function checked(rows: readonly string[], isCut: boolean): Journal {
  const lines: Line[] = [];
  const bodies: string[] = [];
  const damages: Damage[] = [];
  const tracks: Tracks = {
    living: { hash: origin('living'), seq: 0, astray: [] },
    ghosts: { hash: origin('ghosts'), seq: 0, astray: [] },
  };
  for (const [index, row] of rows.entries()) {
    const isTorn = isCut && index === rows.length - 1 && parsed(row) === undefined;
    const found = isTorn ? torn(row, lines.length) : examined(row, tracks);
    if (found.type === 'line') {
      lines.push(found.line);
      bodies.push(found.body);
    } else damages.push({ ...found.note, line: index + 1 });
  }
  return { lines, bodies, damages };
}

type Found =
  | { readonly type: 'line'; readonly line: Line; readonly body: string }
  | { readonly type: 'damage'; readonly note: Note };

function damage(code: string, text: string): Found {
  return { type: 'damage', note: { code: `journal/${code}`, text } };
}

function torn(row: string, kept: number): Found {
  return damage(
    'torn',
    `this line breaks off after ${row.length} characters; the ${kept} intact lines before it are kept`,
  );
}

function examined(row: string, tracks: Tracks): Found {
  const value = parsed(row);
  const shape = lineSchema.safeParse(value);
  if (!shape.success) {
    for (const channel of CHANNELS) handOn(tracks[channel], statedHash(row));
    return damage('line', `this line ${whatItIs(row, value, shape.error.issues[0])}`);
  }
  const line = shape.data;
  const track = tracks[line.channel];
  const body = bodyText(row, line);
  if (body !== null && follows(line, body, track)) {
    track.hash = line.hash;
    track.seq = line.seq + 1;
    return { type: 'line', line, body };
  }
  const rightful = body === null ? [] : [chained(track.hash, body)];
  handOn(track, [line.hash, ...rightful]);
  return misfit(line, track);
}

/** Whether a line follows the last intact one of its channel, or a damaged one since. */
function follows(line: Line, body: string, { hash, seq, astray }: Track): boolean {
  if (line.seq === seq && chained(hash, body) === line.hash) return true;
  return line.seq >= seq && astray.some((stray) => chained(stray, body) === line.hash);
}

function handOn(track: Track, hashes: readonly string[]): void {
  track.astray = [...hashes, ...track.astray].slice(0, MOST_ASTRAY);
}

function misfit({ seq, channel }: Line, expected: Track): Found {
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

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

/** What stands where a line should be. */
function whatItIs(row: string, value: unknown, issue: Issue | undefined): string {
  if (row.trim() === '') return 'is empty';
  if (value === undefined) return `is no JSON: ${excerpt(row)}`;
  if (!isRecord(value)) return `is no line of a journal: ${excerpt(row)}`;
  const where = issue?.path.join('.') ?? '';
  if (where === 'type') {
    return `has a type that is not known here: ${excerpt(String(value['type']))}`;
  }
  return `is no line of a journal: ${where === '' ? '' : `${where}: `}${issue?.message ?? ''}`;
}

/** The hash at the end of a line that can't be read otherwise. */
function statedHash(row: string): readonly string[] {
  return /([0-9a-f]{64})\W{0,3}$/.exec(row)?.slice(1) ?? [];
}

const CLOCK = ',"clock":';

/** The hashed part of a line: its text without `clock` and `hash`; null when they are not at its end. */
function bodyText(row: string, { hash, clock }: Line): string | null {
  const end = `,"hash":"${hash}"}`;
  if (!row.endsWith(end)) return null;
  const text = row.slice(0, -end.length);
  if (clock === undefined) return `${text}}`;
  // A reply may hold a `clock` of its own. The one of the line is the one that reaches to its end.
  for (let at = text.indexOf(CLOCK); at >= 0; at = text.indexOf(CLOCK, at + 1)) {
    if (parsed(text.slice(at + CLOCK.length)) !== undefined) return `${text.slice(0, at)}}`;
  }
  return null;
}

/** Characters of a foreign text that are quoted. */
const QUOTED = 60;

function excerpt(text: string): string {
  return JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);
}

function parsed(row: string): unknown {
  try {
    return JSON.parse(row);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
