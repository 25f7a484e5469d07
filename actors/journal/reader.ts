/**
 * The reader: takes a journal apart, checks every line, and loses nothing that is intact.
 *
 * A line is checked against the hash that the line before it states, so one edited line is reported as itself and not
 * as everything after it.
 */
import { canonical } from '../../machines/canonical.ts';
import { CHANNELS, type Channel, FORMAT, type Line, lineSchema } from '../../machines/journal.ts';
import type { Note } from '../../machines/types.ts';
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
  const rows = text.split('\n');
  const isTorn = rows.at(-1) !== '';
  if (!isTorn) rows.pop();
  if (rows.length === 0) {
    return refused('empty', 'expected a journal, found an empty file');
  }
  const header = refusal(rows[0] ?? '', isTorn && rows.length === 1);
  return header ?? checked(rows, isTorn);
}

function refused(code: string, text: string, line = 0): Journal {
  return { lines: [], bodies: [], damages: [{ code: `journal/${code}`, text, line }] };
}

/** Why the file is not taken for a journal at all; null when its first line is a header of this format. */
function refusal(row: string, isTorn: boolean): Journal | null {
  const value = parsed(row);
  if (value === undefined && isTorn) {
    return refused(
      'torn',
      `line 1 breaks off after ${row.length} characters; there is no whole line in this file`,
      1,
    );
  }
  if (!isRecord(value) || value['type'] !== 'journal.opened') {
    return refused(
      'not-a-journal',
      'expected the first line to be a journal.opened, found something else',
      1,
    );
  }
  if (value['v'] === FORMAT) return null;
  return refused(
    'version',
    `this journal has format ${String(value['v'])}, and this program reads format ${FORMAT}: use the version that wrote it`,
    1,
  );
}

function checked(rows: readonly string[], isTorn: boolean): Journal {
  const lines: Line[] = [];
  const bodies: string[] = [];
  const damages: Damage[] = [];
  const heads = new Map(CHANNELS.map((channel) => [channel, { hash: origin(channel), seq: 0 }]));
  for (const [index, row] of rows.entries()) {
    const last = isTorn && index === rows.length - 1;
    const checkedRow = checkRow(row, heads);
    if (checkedRow.type === 'line') {
      lines.push(checkedRow.line);
      bodies.push(checkedRow.body);
    } else damages.push({ ...(last ? torn(row, index) : checkedRow.note), line: index + 1 });
  }
  return { lines, bodies, damages };
}

function torn(row: string, before: number): Note {
  return {
    code: 'journal/torn',
    text: `line ${before + 1} breaks off after ${row.length} characters; the ${before} lines before it are kept`,
  };
}

type Heads = ReadonlyMap<Channel, { hash: string; seq: number }>;
type Checked =
  | { readonly type: 'line'; readonly line: Line; readonly body: string }
  | { readonly type: 'damage'; readonly note: Note };

function checkRow(row: string, heads: Heads): Checked {
  const value = parsed(row);
  const shape = lineSchema.safeParse(value);
  if (value === undefined) return damage('line', `is no JSON: ${row.slice(0, 60)}`);
  if (!shape.success) {
    const issue = shape.error.issues[0];
    return damage('line', `is no line of a journal: ${issue?.path.join('.')} ${issue?.message}`);
  }
  const line = shape.data;
  const head = heads.get(line.channel);
  if (head === undefined) return damage('line', `belongs to no channel: ${line.channel}`);
  const body = bodyText(row, line);
  const expected = { hash: head.hash, seq: head.seq };
  head.hash = line.hash;
  head.seq = line.seq + 1;
  if (line.seq !== expected.seq) {
    return damage(
      'gap',
      `is number ${line.seq} of the channel ${line.channel}, expected number ${expected.seq}: lines are missing or out of place`,
    );
  }
  if (body === null || chained(expected.hash, body) !== line.hash) {
    return damage('edited', 'does not fit its hash: it was edited after it was written');
  }
  return { type: 'line', line, body };
}

function damage(code: string, text: string): Checked {
  return { type: 'damage', note: { code: `journal/${code}`, text: `this line ${text}` } };
}

/** The hashed part of a line: what is left of the text without `clock` and `hash`; null when they are not at its end. */
function bodyText(row: string, line: Line): string | null {
  const clock = line.clock === undefined ? '' : `,"clock":${canonical(line.clock)}`;
  const end = `${clock},"hash":"${line.hash}"}`;
  return row.endsWith(end) ? `${row.slice(0, -end.length)}}` : null;
}

function parsed(row: string): unknown {
  try {
    return JSON.parse(row);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
