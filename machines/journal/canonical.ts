/** Canonical JSON (RFC 8785): keys sorted by UTF-16 code units. Readers rebuild a line's bytes to check its hash. */

import { isRecord, sortNames } from '../text.ts';

/** Without undefined fields. */
export function canonical(value: unknown): string {
  const sorted = sortFields(value);
  return sorted === UNSORTABLE ? writeSorted(value) : (JSON.stringify(sorted) ?? 'null');
}

const UNSORTABLE = Symbol('unsortable');

/** A copy that `JSON.stringify`, which is faster than `writeSorted`, writes sorted. Objects list names like "10" first. */
function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(sortFields);
    return items.includes(UNSORTABLE) ? UNSORTABLE : items;
  }
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const name of sortNames(Object.keys(value))) {
    const inner = sortFields(value[name]);
    if (inner === UNSORTABLE || !SORTABLE.test(name)) return UNSORTABLE;
    copy[name] = inner;
  }
  return copy;
}

/** Neither an index nor `__proto__`. */
const SORTABLE = /^[a-z]/i;

function writeSorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeSorted).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const fields = sortNames(Object.keys(value)).flatMap((name) => {
    const inner = value[name];
    return inner === undefined ? [] : [`${JSON.stringify(name)}:${writeSorted(inner)}`];
  });
  return `{${fields.join()}}`;
}
