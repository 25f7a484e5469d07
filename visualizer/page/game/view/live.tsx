/** Live: how the connection stands, whether the table is waited for, and the way to the next game. */
import { useEffect } from 'preact/hooks';
import { length, lens, lensName, live, step } from '../state/session.ts';
import { TableWaits } from './waiting.tsx';

const STATES = {
  connecting: 'connecting…',
  on: '● live',
  cut: 'cut off, trying again…',
  over: 'it is over',
  next: 'it is over',
} as const;

/** Milliseconds in which one sees how it ended. */
const NEXT_MS = 8000;

/** The next game has the same address. Where nobody answers any more, what one has seen stays. */
async function toNext(): Promise<void> {
  try {
    await fetch('.', { method: 'HEAD' });
  } catch {
    live.value = 'over';
    return;
  }
  history.replaceState(null, '', `#lens=${lensName(lens.value)}`);
  location.reload();
}

export function Live() {
  const isNext = live.value === 'next';
  const isAtEnd = step.value >= length.value - 1;
  useEffect(() => {
    if (!isNext || !isAtEnd) return;
    const timer = setTimeout(() => void toNext(), NEXT_MS);
    return () => clearTimeout(timer);
  }, [isNext, isAtEnd]);
  if (live.value === null) return null;
  return (
    <>
      <TableWaits />
      <span class="live" data-state={live.value} role="status">
        {STATES[live.value]}
      </span>
      {isNext ? (
        <button type="button" class="next" onClick={() => void toNext()}>
          To the next game ▸
        </button>
      ) : null}
    </>
  );
}
