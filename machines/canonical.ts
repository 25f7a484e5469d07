/**
 * Canonical JSON: one value, one text (RFC 8785). Keys are sorted by their UTF-16 code units, numbers and strings are
 * as ECMAScript writes them, and nothing stands between tokens.
 *
 * Two runs that tell the same facts write the same bytes, and whoever wants to check a hash can rebuild them.
 */

/** The canonical text of a JSON value. A field that is undefined is left out, as `JSON.stringify` does. */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return Array.isArray(value) ? listText(value) : recordText(value);
}

function listText(list: readonly unknown[]): string {
  let text = '';
  for (const item of list) text += `${text === '' ? '' : ','}${canonical(item)}`;
  return `[${text}]`;
}

function recordText(record: object): string {
  const fields = Object.entries(record);
  if (!isSorted(fields)) fields.sort(([one], [other]) => (one < other ? -1 : 1));
  let text = '';
  for (const [key, value] of fields) {
    if (value === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonical(value)}`;
  }
  return `{${text}}`;
}

/** Most records of the journal are written in order; sorting them again would cost more than looking. */
function isSorted(fields: readonly (readonly [string, unknown])[]): boolean {
  let previous = '';
  for (const [key] of fields) {
    if (key < previous) return false;
    previous = key;
  }
  return true;
}
