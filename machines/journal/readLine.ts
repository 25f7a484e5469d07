import { isTooDeep } from '../text.ts';
import { type Line, lineSchema } from './lines.ts';

/** The value as a line, with omitted score terms filled in. Null if it is not a line or too deeply nested. */
export function readLine(value: unknown): Line | null {
  return isTooDeep(value) ? null : (lineSchema.safeParse(value).data ?? null);
}
