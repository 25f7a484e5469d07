/**
 * Canonical JSON (RFC 8785): one value has one text. Keys are sorted by their UTF-16 code units, and there is no white
 * space between tokens. Two runs with the same facts write the same bytes, and a reader who checks a hash can rebuild them.
 */

import { isRecord } from '../text.ts';

/** The value of a JSON text; undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The canonical text of a JSON value. A field that is undefined is left out, as `JSON.stringify` does. Sorting the keys
 * of an object would not do: it lists keys such as "10" first, and by number.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  let fields = '';
  for (const name of Object.keys(value).sort()) {
    const inner = value[name];
    if (inner === undefined) continue;
    fields += `${fields === '' ? '' : ','}${JSON.stringify(name)}:${canonical(inner)}`;
  }
  return `{${fields}}`;
}
