import { isDeepStrictEqual } from 'node:util';

/**
 * A sentence such as "at leagues.0.slots: expected [1], found []"; null if both are equal. Bytes are compared in any
 * kind of array, and an undefined field equals a missing one.
 */
export function findFirstDifference(expected: unknown, found: unknown, path = ''): string | null {
  if (Object.is(expected, found)) return null;
  const [one, other] = [expected, found].map(flatten);
  if (isRecord(one) && isRecord(other) && Array.isArray(one) === Array.isArray(other)) {
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const inner = path === '' ? key : `${path}.${key}`;
      const difference = findFirstDifference(one[key], other[key], inner);
      if (difference !== null) return difference;
    }
    return null;
  }
  if (isDeepStrictEqual(one, other)) return null;
  return `${path === '' ? '' : `at ${path}: `}expected ${show(one)}, found ${show(other)}`;
}

function flatten(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Map) return Object.fromEntries(value);
  return value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 300);
}
