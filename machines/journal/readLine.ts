import { type Line, lineSchema } from './lines.ts';

/** Levels of nesting in a line. Replies have far fewer. More could overflow the stack of a recursive function. */
export const DEEPEST = 1000;

/** The value as a line, with omitted score terms filled in. Null if it is not a line or too deeply nested. */
export function readLine(value: unknown): Line | null {
  return isTooDeep(value) ? null : (lineSchema.safeParse(value).data ?? null);
}

export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === DEEPEST) return true;
  for (const inner of Object.values(value)) if (isTooDeep(inner, depth + 1)) return true;
  return false;
}
