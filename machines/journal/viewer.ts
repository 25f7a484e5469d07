/** The viewer: through whose eyes a lens looks. */
import type { Colour } from '../types.ts';

/** A seat, or null for anybody's eyes at the table. The dead of a line are those whom it kills, too. */
export type Viewer = { readonly seat: Colour | null; readonly isDead: boolean };

/** Only these fields of something. */
export function pick<T extends object, K extends keyof T>(
  from: T,
  keys: readonly K[],
): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {};
  for (const key of keys) if (key in from) picked[key] = from[key];
  return picked;
}
