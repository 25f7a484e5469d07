/**
 * Opening: which kind of match the first line of a journal opens, whole or through a lens.
 *
 * It needs no schema, so that a page and a command that starts fast can do without one.
 */
import type { Line } from './lines.ts';

/** A first line, whole or through a lens. */
type MaybeOpening<M extends object> = { readonly type: Line['type']; readonly match?: M };

/** The game that a line opens; null where it opens none. */
export function gameIn<M extends object>(
  line: MaybeOpening<M> | undefined,
): Exclude<M, { readonly call: unknown }> | null {
  const match = line?.match;
  return match !== undefined && isGame(match) ? match : null;
}

/** The meeting on its own that a line opens; null where it opens none. */
export function meetingIn<M extends object>(
  line: MaybeOpening<M> | undefined,
): Extract<M, { readonly call: unknown }> | null {
  const match = line?.match;
  return match !== undefined && isMeeting(match) ? match : null;
}

/** A match that starts at the table has a call. */
function isMeeting<M extends object>(match: M): match is Extract<M, { readonly call: unknown }> {
  return 'call' in match;
}

function isGame<M extends object>(match: M): match is Exclude<M, { readonly call: unknown }> {
  return !isMeeting(match);
}

/** The version that began the journal of this first line; null where it does not say. It is in no hash. */
export function engineIn(line: Pick<Line, 'clock'> | undefined): string | null {
  const engine = line?.clock?.['engine'];
  return typeof engine === 'string' && VERSION.test(engine) ? engine : null;
}

/** Anything else was written by another program. */
const VERSION = /^[\w.+-]{1,100}$/;
