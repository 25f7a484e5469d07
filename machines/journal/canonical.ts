/**
 * Canonical JSON: one value, one text (RFC 8785). Keys are sorted by their UTF-16 code units, numbers and strings are
 * as ECMAScript writes them, and nothing stands between tokens.
 *
 * Two runs with the same facts write the same bytes, and a reader who checks a hash can rebuild them.
 */

import { isRecord } from '../text.ts';

/** The value of a JSON text; undefined for a text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The canonical text of a JSON value. A field that is undefined is left out, as `JSON.stringify` does. */
export function canonical(value: unknown): string {
  if (typeof value === 'string') return stringText(value);
  if (Array.isArray(value)) return listText(value);
  return isRecord(value) ? recordText(value) : (JSON.stringify(value) ?? 'null');
}

/** Characters that stand between quotes as they are; the engine knows the others. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** Characters: a longer text is quicker written by the engine than looked through here. */
const SHORT = 24;

/** A text between quotes, with whatever JSON wants escaped. */
export function stringText(text: string): string {
  return text.length <= SHORT && PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

function listText(list: readonly unknown[]): string {
  let text = '[';
  let comma = '';
  for (const item of list) {
    text += comma + canonical(item);
    comma = ',';
  }
  return `${text}]`;
}

function recordText(record: Readonly<Record<string, unknown>>): string {
  let text = '{';
  let comma = '';
  for (const name of sortedNames(record)) {
    const value = record[name];
    if (value === undefined) continue;
    text += comma + nameText(name) + canonical(value);
    comma = ',';
  }
  return `${text}}`;
}

/** Names as they were written before, with their colon: a journal has few. Those of foreign replies may be any. */
const written = new Map<string, string>();
const MOST_WRITTEN = 1000;

function nameText(name: string): string {
  const known = written.get(name);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(name)}:`;
  if (written.size < MOST_WRITTEN) written.set(name, text);
  return text;
}

/** Most records of the journal are written in order; sorting them again would cost more than looking. */
function sortedNames(record: object): readonly string[] {
  const names = Object.keys(record);
  let previous = '';
  for (const name of names) {
    if (name < previous) return names.sort();
    previous = name;
  }
  return names;
}
