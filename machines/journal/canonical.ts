/**
 * Canonical JSON (RFC 8785): each value has one text, with keys sorted by UTF-16 code units and no white space. A reader
 * rebuilds the bytes of a line to check its hash.
 */

import { isRecord } from '../text.ts';

/**
 * The canonical text of a JSON value, without undefined fields. Objects list keys such as "10" first, so sorting the
 * keys of a copy would not do.
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
