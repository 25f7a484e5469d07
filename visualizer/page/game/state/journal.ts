/** Reads a journal from text and counts damaged rows. The command line verifies hashes. */

import type { SeenLine } from '../../../../machines/journal/lens.ts';
import type { Line } from '../../../../machines/journal/lines.ts';
import { findUnreadable } from '../../../../machines/journal/opening.ts';
import { capitalize, parseJson, readField } from '../../../../machines/text.ts';
import type { MovesAlone, Stepped } from '../../../charts/moves.ts';

export type ReadJournal<L extends SeenLine | Line = Line> =
  | { readonly ok: true; readonly lines: readonly (L & Stepped)[]; readonly damaged: number }
  | { readonly ok: false; readonly sentence: string };

export const LONGEST_JOURNAL_BYTES = 64 * 1024 * 1024;

export function describeTooLong(bytes: number): string {
  const megabytes = Math.round(bytes / 1024 / 1024);
  return `This file has ${megabytes} MB, and the page shows journals of up to ${LONGEST_JOURNAL_BYTES / 1024 / 1024} MB. The command "report --stats" counts longer ones.`;
}

/** Rows that are longer are no blanks, and need not be looked through for one. */
const LONGEST_BLANK = 100;

export function readJournalText<L extends SeenLine | Line = Line>(text: string): ReadJournal<L> {
  const rows = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .filter((row) => row.length > LONGEST_BLANK || row.trim() !== '');
  const [first] = rows;
  if (first === undefined) return { ok: false, sentence: 'This file is empty.' };
  const header = parseJson(first);
  const why = findUnreadable(header);
  if (why !== null) return { ok: false, sentence: `${capitalize(why.text)}.` };
  if (readField(header, 'type') !== 'match.opened')
    return { ok: false, sentence: 'This is not a journal: a journal begins with match.opened.' };
  const lines = rows.flatMap((row) => parseLine<L>(row) ?? []);
  return { ok: true, lines, damaged: rows.length - lines.length };
}

/** A row as a line, or null. The fields of a line are trusted. */
export function parseLine<L extends SeenLine | Line>(row: string): (L & Stepped) | null {
  const value = parseJson(row);
  return isLine(value) ? (value as L & Stepped) : null;
}

/** A row between lines, which only a running match sends. */
export function parseMoves(row: string): MovesAlone | null {
  const value = parseJson(row);
  return readField(value, 'type') === 'moves' ? (value as MovesAlone) : null; // from our own server
}

function isLine(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const isNamed = 'type' in value && typeof value.type === 'string';
  return isNamed && 'channel' in value && 'seq' in value && typeof value.seq === 'number';
}
