import type { Lens } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import type { MeetingPromise } from '../../machines/rules/promises.ts';
import { ARRIVALS } from './moves.ts';

/** Hands on the promises that a lens may show to the lines where they have changed. */
export function carryPromises(lens: Lens) {
  let current: readonly MeetingPromise[] = [];
  let shown = '[]';
  return (
    { type }: Pick<Line, 'type'>,
    promises: readonly MeetingPromise[] | undefined,
    isShown: boolean,
  ): readonly MeetingPromise[] | undefined => {
    current = promises ?? current;
    const isHeld = lens.type !== 'glass' && ARRIVALS.includes(type);
    if (!isShown || isHeld) return undefined;
    const seen = current.filter((promise) => isSeen(promise, lens));
    const text = JSON.stringify(seen);
    if (text === shown) return undefined;
    shown = text;
    return seen;
  };
}

/** Waits for the floor depend on the weights, which only the glass shows. Others know the ballots that were turned. */
function isSeen(promise: MeetingPromise, lens: Lens): boolean {
  if (lens.type === 'glass') return true;
  return promise.type === 'ejection' ? promise.from === 'turned' : promise.type !== 'floor';
}
