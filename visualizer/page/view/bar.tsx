/** The bar on top: what is shown, through which lens, and the few things that concern the whole page. */
import { areCallsOpen } from '../state/calls.ts';
import { copyLink, useLens } from '../state/lenses.ts';
import { nextTheme, theme } from '../state/look.ts';
import { isPlain } from '../state/plain.ts';
import { damaged, focus, journalName, lens, moment, story, widest } from '../state/session.ts';
import { isHelpOpen } from '../state/sheets.ts';
import { titleOf } from '../story/heading.ts';
import { capital } from '../story/names.ts';
import { timeOf } from '../story/sentence.ts';
import { Icon } from './icon.tsx';
import { Live } from './live.tsx';

export function Bar() {
  const title = titleOf(story.value.moments[0]?.line) || journalName.value;
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
        {title}
      </h1>
      <p class="now">
        {moment.value === undefined ? '' : timeOf(moment.value)}
        {damaged.value > 0 ? <span class="damage"> · {damaged.value} damaged lines</span> : null}
      </p>
      <Live />
      <Lenses />
      <div class="tools">
        <button
          type="button"
          title="What minds were asked, answered and cost (M)"
          aria-label="Model calls"
          onClick={() => {
            areCallsOpen.value = true;
          }}
        >
          <Icon name="calls" />
        </button>
        <button
          type="button"
          title="The whole transcript as plain text (P)"
          aria-label="Plain text"
          onClick={() => {
            isPlain.value = true;
          }}
        >
          <Icon name="text" />
        </button>
        <button
          type="button"
          onClick={copyLink}
          title="Copy a link to this moment (C)"
          aria-label="Copy a link to this moment"
        >
          <Icon name="link" />
        </button>
        <button
          type="button"
          onClick={nextTheme}
          title={`Theme: ${theme.value} (T)`}
          aria-label={`Theme: ${theme.value}`}
        >
          <Icon name="theme" />
        </button>
        <button
          type="button"
          title="Help (?)"
          aria-label="Help"
          onClick={() => {
            isHelpOpen.value = true;
          }}
        >
          ?
        </button>
      </div>
    </header>
  );
}

function Lenses() {
  const seat = lens.value.type === 'player' ? lens.value.seat : focus.value;
  const isFixed = widest.value.type !== 'glass';
  const names = {
    table: 'Table',
    player: seat === null ? 'Player' : capital(seat),
    glass: 'Glass',
  } as const;
  return (
    <fieldset class="lenses">
      <legend class="vh">Lens</legend>
      {(['table', 'player', 'glass'] as const).map((type) => (
        <button
          key={type}
          type="button"
          aria-pressed={lens.value.type === type}
          disabled={isFixed && widest.value.type !== type}
          onClick={() => useLens(type)}
          title={LENS_TITLES[type]}
        >
          {names[type]}
        </button>
      ))}
    </fieldset>
  );
}

const LENS_TITLES = {
  table: 'Free of spoilers: what everybody sees (1)',
  player: 'What one player sees: choose the player first (2)',
  glass: 'Everything (3)',
} as const;
