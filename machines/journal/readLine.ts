/** A value that was read from a journal, as a line: quickly where it is one, by the schema where it may not be. */
import { type Line, lineSchema } from './lines.ts';
import { compileGuard } from './schemaGuard.ts';

/** What minds reply is far from so deep; what is deeper overflows the stack of whatever walks it. */
export const DEEPEST = 1000;

/** Fields behind the hashed part of a line. */
const LAST = ['clock', 'hash'];

let isLine: ((value: unknown) => value is Line) | null = null;

/**
 * The line that a value is, with the terms of a score that were left out; null where it is none, or too deep. The value
 * may become the line, and is not to be used for anything else.
 */
export function readLine(value: unknown): Line | null {
  // Worked out when it is needed: most commands read no journal.
  isLine ??= compileGuard(lineSchema, LAST);
  // What the guard lets through is never too deep.
  if (isLine(value)) return value;
  return isTooDeep(value) ? null : (lineSchema.safeParse(value).data ?? null);
}

/** Whether a value is nested more deeply than a line may be. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === DEEPEST) return true;
  for (const inner of Object.values(value)) if (isTooDeep(inner, depth + 1)) return true;
  return false;
}
