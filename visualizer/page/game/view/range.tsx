/** The range on the timeline: what is marked, and the key that marks it. */

import { Icon } from '../../frame/icon.tsx';
import { begun, markRange, nextMark, range } from '../state/range.ts';
import { step } from '../state/session.ts';

/** The range that is marked, and the beginning of one that is being made. */
export function Marked({ last }: { readonly last: number }) {
  const { from, to } = range.value ?? { from: begun.value ?? 0, to: step.value };
  if (range.value === null && begun.value === null) return null;
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  return (
    <span
      class="range"
      style={`left: ${((left / last) * 100).toFixed(3)}%; width: ${(((right - left) / last) * 100).toFixed(3)}%`}
    />
  );
}

export function MarkKey() {
  return (
    <button
      type="button"
      class="mark"
      aria-label={nextMark()}
      title={`${nextMark()} (R)`}
      aria-pressed={range.value !== null || begun.value !== null}
      onClick={markRange}
    >
      <Icon name="range" />
    </button>
  );
}
