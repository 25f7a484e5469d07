/** Reads a value as a line of a journal. */
import { type Line, lineSchema } from './lines.ts';

/** Levels of nesting that a line may have. Replies have far fewer; more would overflow the stack of a recursive function. */
export const DEEPEST = 1000;

/** The line that a value is, with the score terms that it leaves out; null for a value that is no line, or too deep. */
export function readLine(value: unknown): Line | null {
  return isTooDeep(value) ? null : (lineSchema.safeParse(value).data ?? null);
}

/** Whether a value is nested more deeply than a line may be. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === DEEPEST) return true;
  for (const inner of Object.values(value)) if (isTooDeep(inner, depth + 1)) return true;
  return false;
}
