/** Canonical JSON (RFC 8785): keys sorted by UTF-16 code units. Readers rebuild a line's bytes to check its hash. */

import { isRecord, sortNames } from '../text.ts';

/** Without undefined fields. Objects list keys such as "10" first, so sorting the keys of a copy would not do. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) {
    let items = '';
    for (const item of value) items += `${items === '' ? '' : ','}${canonical(item)}`;
    return `[${items}]`;
  }
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  let fields = '';
  for (const name of sortNames(Object.keys(value))) {
    const inner = value[name];
    if (inner === undefined) continue;
    fields += `${fields === '' ? '' : ','}${JSON.stringify(name)}:${canonical(inner)}`;
  }
  return `{${fields}}`;
}
