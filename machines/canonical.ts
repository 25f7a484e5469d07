/**
 * Canonical JSON: one value, one text. Keys are sorted, numbers and strings are as ECMAScript writes them (RFC 8785).
 *
 * Two runs that tell the same facts write the same bytes, and whoever wants to check a hash can rebuild them.
 */

/** The canonical text of a JSON value. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** The same value with every object's keys in order; the very same object where they are in order already. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? sortedList(value) : sortedRecord(value);
}

function sortedList(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | null = null;
  for (const [index, item] of list.entries()) {
    const done = sorted(item);
    if (done === item) continue;
    copy ??= [...list];
    copy[index] = done;
  }
  return copy ?? list;
}

function sortedRecord(record: object): object {
  const pairs = Object.entries(record);
  let previous = '';
  let same = true;
  for (const pair of pairs) {
    const done = sorted(pair[1]);
    if (done !== pair[1] || pair[0] < previous) same = false;
    pair[1] = done;
    previous = pair[0];
  }
  if (same) return record;
  pairs.sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(pairs);
}
