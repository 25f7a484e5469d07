/** The top of the page: which league, how far it is, and the few things that concern the whole page. */

import { nextTheme, theme } from '../state/look.ts';
import { Icon } from '../view/icon.tsx';
import { address, board, isCut, league, notice, progress } from './state.ts';
import { lasting, whole } from './words.ts';

export function Top() {
  const name = league.value?.standings.league ?? '';
  return (
    <header class="bar">
      <svg class="cube" viewBox="0 0 34 34" aria-hidden="true">
        <path
          d="M17 3 30 10.5V24L17 31.5 4 24V10.5Z"
          fill="none"
          stroke="var(--beam)"
          stroke-width="1.6"
        />
        <path
          d="M4 10.5 17 18l13-7.5M17 18v13.5"
          fill="none"
          stroke="var(--beam)"
          stroke-width="1"
          opacity=".7"
        />
        <circle cx="17" cy="14.5" r="3.4" fill="var(--amber)" />
      </svg>
      <h1>
        <span class="league">The Glass Box League</span>
        {address.value.persona === null ? name : <a href={board.value}>{name}</a>}
      </h1>
      <p class="now">
        <How />
      </p>
      <Live />
      <div class="tools">
        <button
          type="button"
          onClick={() => void copyLink()}
          title="Copy a link to what is shown"
          aria-label="Copy a link to what is shown"
        >
          <Icon name="link" />
        </button>
        <button
          type="button"
          onClick={nextTheme}
          title={`Theme: ${theme.value}`}
          aria-label={`Theme: ${theme.value}`}
        >
          <Icon name="theme" />
        </button>
      </div>
    </header>
  );
}

function How() {
  const standings = league.value?.standings;
  if (standings === undefined) return null;
  const done = progress.value?.done ?? standings.games;
  const { of } = standings;
  if (done >= of) return <>{whole(of)} games, all played</>;
  const { rate = null, secondsLeft = null } = progress.value ?? {};
  const pace = rate === null ? '' : `, ${speed(rate)}`;
  const left = secondsLeft === null ? '' : `, ${lasting(secondsLeft)} left`;
  return (
    <>
      {whole(done)} of {whole(of)} games{pace}
      {left}
    </>
  );
}

const SECONDS_PER_MINUTE = 60;

function speed(rate: number): string {
  if (rate >= 1) return `${rate.toFixed(1)} a second`;
  return `${(rate * SECONDS_PER_MINUTE).toFixed(1)} a minute`;
}

function Live() {
  if (progress.value === null) return null;
  const { done, of, rate } = progress.value;
  const [state, words] = isCut.value
    ? (['cut', 'cut off, trying again…'] as const)
    : done >= of
      ? (['over', 'it is over'] as const)
      : rate === null
        ? (['connecting', 'waiting for a game to end'] as const)
        : (['on', '● live'] as const);
  return (
    <span class="live" data-state={state}>
      {words}
    </span>
  );
}

async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    notice.value = 'Link copied';
  } catch {
    notice.value = 'The link is in the address bar';
  }
}

/** Tenths that are announced to those who listen. */
const TENTHS = 10;

/** One line for screen readers: what was done, and each tenth of the games. */
export function Status() {
  const { done, of } = progress.value ?? { done: 0, of: 0 };
  const tenth = of === 0 ? 0 : Math.floor((TENTHS * done) / of);
  const text = tenth === 0 ? '' : `${TENTHS * tenth} % of the games are played`;
  return (
    <p class="vh" role="status">
      {notice.value === '' ? text : notice.value}
    </p>
  );
}
