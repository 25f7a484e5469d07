/** Who is being waited for, live: beside each seat where the lens knows, and of the table as a whole. */
import type { Colour } from '../../../../machines/types.ts';
import { tableWaits, thinkingFor, troubleOf } from '../state/news.ts';

/** Seconds in which nobody wonders yet. */
const SOON = 1;

export function Thinking({ seat }: { readonly seat: Colour }) {
  const seconds = thinkingFor(seat);
  const trouble = troubleOf(seat);
  return (
    <>
      {trouble === '' ? null : (
        <span class="failed" title={`A request to the model failed: ${trouble}`}>
          ✕ {trouble.replace(/^.*\//, '')}
        </span>
      )}
      {seconds === null || seconds < SOON ? null : (
        <span class="thinking" title="Is being waited for">
          thinking {seconds} s
        </span>
      )}
    </>
  );
}

export function TableWaits() {
  const seconds = tableWaits();
  if (seconds === null || seconds < SOON) return null;
  return <span class="thinking">the table thinks · {seconds} s</span>;
}
