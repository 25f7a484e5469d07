/**
 * Canonical JSON: one value, one text (RFC 8785). Keys are sorted by their UTF-16 code units, numbers and strings are
 * as ECMAScript writes them, and nothing stands between tokens.
 *
 * Two runs that tell the same facts write the same bytes, and whoever wants to check a hash can rebuild them.
 */

/** Names of this shape stand between quotes as they are. */
const PLAIN_NAME = /^[a-z_]+$/;

/** The canonical text of a JSON value. A field that is undefined is left out, as `JSON.stringify` does. */
export function canonical(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return listText(value);
  return isRecord(value) ? recordText(value) : (JSON.stringify(value) ?? 'null');
}

function listText(list: readonly unknown[]): string {
  let text = '';
  for (const item of list) text += text === '' ? canonical(item) : `,${canonical(item)}`;
  return `[${text}]`;
}

function recordText(record: Readonly<Record<string, unknown>>): string {
  let text = '';
  for (const name of sortedNames(record)) {
    const value = record[name];
    if (value === undefined) continue;
    if (text !== '') text += ',';
    text += PLAIN_NAME.test(name) ? `"${name}":` : `${JSON.stringify(name)}:`;
    text += canonical(value);
  }
  return `{${text}}`;
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
