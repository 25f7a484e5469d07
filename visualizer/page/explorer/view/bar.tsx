/** The bar on top: what was checked, which run of it one looks at, and what concerns the whole page. */
import { nextTheme, theme } from '../../state/look.ts';
import { Icon } from '../../view/icon.tsx';
import { copyLink } from '../state/address.ts';
import { isHelpOpen, report, run, visit } from '../state/visit.ts';

/** More runs than this are chosen from a list. */
const MOST_BUTTONS = 4;

export function Bar() {
  const { title = '', conclusion = '', exit = 0 } = report.value ?? {};
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
        <path d="m12.6 14.6 3.2 3.2 6-6.6" fill="none" stroke="var(--amber)" stroke-width="2.4" />
      </svg>
      <h1>
        <span class="league">The Glass Box League · check</span>
        {title}
      </h1>
      <p class="now" data-exit={exit}>
        {conclusion}
      </p>
      <Runs />
      <div class="tools">
        <button
          type="button"
          onClick={copyLink}
          title="Copy a link to this step (C)"
          aria-label="Copy a link to this step"
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

/** Mutants are chosen from their table. */
function Runs() {
  const { about = 'search', runs = [] } = report.value ?? {};
  if (about === 'mutants' || runs.length < 2) return null;
  if (runs.length > MOST_BUTTONS)
    return (
      <label class="runs">
        <span class="vh">Run</span>
        <select value={run.value?.key} onChange={({ currentTarget }) => visit(currentTarget.value)}>
          {runs.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </label>
    );
  return (
    <fieldset class="lenses">
      <legend class="vh">Run</legend>
      {runs.map(({ key, name }) => (
        <button
          key={key}
          type="button"
          aria-pressed={run.value?.key === key}
          onClick={() => visit(key)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
