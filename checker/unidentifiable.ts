/**
 * What has no exact identity, and where it stands: two different states taken for one would be a hole in a proof.
 *
 * This is the slow and wordy half of `identity.ts`: it is asked only when something must be refused.
 */

/** Puts a value of a class into JSON; undefined where it is none of this codec's. */
export type Codec = (value: object) => unknown;

/** Values may stand so deep within each other. */
export const DEEPEST = 500;

export class Unhashable extends Error {
  readonly code = 'model/unidentifiable';
  readonly path: string;
  readonly found: string;

  constructor(path: string, found: string) {
    super(
      `${path === '' ? 'the value' : path} is ${found}: it has no exact identity; give the model a codec for it, or keep it out of the context`,
    );
    this.path = path;
    this.found = found;
  }
}

/** The refusal of the first part of a value that must be refused. */
export function findUnhashable(value: unknown, codec: Codec | null): Unhashable {
  return searchUnhashable(value, '', [], codec) ?? new Unhashable('', 'something unknown');
}

function searchUnhashable(
  value: unknown,
  path: string,
  above: readonly object[],
  codec: Codec | null,
): Unhashable | null {
  if (typeof value !== 'object' || value === null) {
    const fault = describeFault(value);
    return fault === null ? null : new Unhashable(path, fault);
  }
  if (above.includes(value)) return new Unhashable(path, 'part of itself');
  if (above.length >= DEEPEST) return new Unhashable(path, `more than ${DEEPEST} levels deep`);
  const inside = [...above, value];
  if (!isPlain(value)) {
    const coded = codec?.(value);
    if (coded === undefined) return new Unhashable(path, `a ${nameClass(value)}`);
    return searchUnhashable(coded, path, inside, codec);
  }
  if (Object.getOwnPropertySymbols(value).length > 0) {
    return new Unhashable(path, 'an object with symbols for names');
  }
  for (const [name, part] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${name}]` : path === '' ? name : `.${name}`;
    const fault = searchUnhashable(part, path + step, inside, codec);
    if (fault !== null) return fault;
  }
  return null;
}

export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) return prototype === Array.prototype;
  return prototype === Object.prototype || prototype === null;
}

export function nameClass(value: object): string {
  const made: unknown = value.constructor;
  return typeof made === 'function' ? made.name : 'class without a name';
}

/** Why a value that is no object is refused; null when it is not. */
export function describeFault(value: unknown): string | null {
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  return Number.isNaN(value) ? 'NaN' : null;
}
