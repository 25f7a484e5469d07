import { signal } from '@preact/signals';
import { copyLinkTo, notice } from '../../page/frame/address.ts';
import { set } from '../../page/frame/fieldEvents.ts';
import { SignKey } from '../../page/frame/panel.tsx';
import { moment, step, story } from '../../page/game/state/session.ts';
import { openFork } from './fork.tsx';
import { openSetup } from './setup.tsx';
import {
  comparison,
  counterexample,
  describeFork,
  dropFork,
  forks,
  goToBrokenStep,
  journalText,
  match,
  matchId,
  newSeed,
  options,
  refusal,
  seed,
  showView,
  startOver,
  view,
  working,
} from './state.ts';

export function SiteBar() {
  return (
    <header class="sitebar">
      <nav aria-label="Site">
        <ViewLink name="play" label="Play" />
        <ViewLink name="prove" label="Break a rule" />
      </nav>
      {view.value === 'play' ? <Controls /> : null}
    </header>
  );
}

type ViewLinkProps = { readonly name: 'play' | 'prove'; readonly label: string };

function ViewLink({ name, label }: ViewLinkProps) {
  return (
    <a
      href={name === 'play' ? './' : './?view=prove'}
      aria-current={view.value === name ? 'page' : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        showView(name);
      }}
    >
      {label}
    </a>
  );
}

function Controls() {
  if (counterexample.value !== null) return null;
  const changes = Object.keys(options.value).length;
  return (
    <div class="controls">
      <button type="button" class="which" onClick={openSetup} title="Choose a match and its rules">
        {match.value?.match.name} <span>seed {seed.value}</span>
        {changes === 0 ? null : <em>{changes} changed</em>}
      </button>
      <button type="button" class="primary" onClick={newSeed}>
        Another game
      </button>
      <button type="button" onClick={openSetup}>
        Change rules
      </button>
      <button type="button" onClick={openFork}>
        Fork here
      </button>
      <button type="button" onClick={share}>
        Copy link
      </button>
      <button type="button" onClick={saveJournal} title="The journal as Node writes it">
        Save journal
      </button>
    </div>
  );
}

function share(): void {
  copyLinkTo(location.hash, 'this moment of this game');
}

function saveJournal(): void {
  const link = document.createElement('a');
  const blob = new Blob([journalText.value], { type: 'application/jsonl' });
  link.href = URL.createObjectURL(blob);
  link.download = `${matchId.value}-${seed.value}.jsonl`;
  link.click();
  URL.revokeObjectURL(link.href);
}

const isWelcome = signal(true);

export function Strip() {
  if (view.value !== 'play') return null;
  if (working.value !== '') return <p class="sitestrip">{working.value}</p>;
  if (refusal.value !== '') return <Refused />;
  if (counterexample.value !== null) return <Broken />;
  if (forks.value.length > 0) return <Forked />;
  if (notice.value !== '') return <p class="sitestrip">{notice.value}</p>;
  return isWelcome.value ? <Welcome /> : null;
}

function Refused() {
  return (
    <p class="sitestrip" role="alert">
      <span>
        <b>Not played:</b> {refusal.value}
      </span>
      <button type="button" onClick={() => startOver({ options: {} })}>
        Rules as they were
      </button>
    </p>
  );
}

function Forked() {
  const last = forks.value.at(-1);
  return (
    <p class="sitestrip" role="status">
      <span>
        <b>Fork:</b> {last === undefined ? '' : describeFork(last)}. {comparison.value}
      </span>
      <button type="button" onClick={dropFork}>
        Back to the original
      </button>
    </p>
  );
}

function Welcome() {
  return (
    <p class="sitestrip welcome">
      <span>
        <b>This game was played in your browser just now,</b> by offline players, from its seed
        alone. Press play to watch, change a rule, fork a moment, or{' '}
        <button type="button" class="link" onClick={() => showView('prove')}>
          break a rule and let the checker find it
        </button>
        .
      </span>
      <button type="button" aria-label="Close" onClick={set(isWelcome, false)}>
        ×
      </button>
    </p>
  );
}

function findBrokenStep(ends: readonly number[]): number {
  const { moments } = story.value;
  const seq = moments[Math.min(step.value, moments.length - 1)]?.line.seq ?? 0;
  return ends.findLastIndex((end) => end <= seq);
}

function Broken() {
  const { mistake, noticed } = counterexample.value ?? { mistake: '', noticed: null };
  if (noticed === null) return null;
  const { steps, sentence } = noticed;
  // Reads the moment, so that it is drawn anew with it.
  const index = moment.value === undefined ? -1 : findBrokenStep(steps.map(({ end }) => end));
  const now = steps[index];
  return (
    <div class="sitestrip broken" role="status">
      <p>
        <b>“{mistake}”</b> breaks: {sentence}
        <br />
        <span class="step">
          {now === undefined
            ? `The meeting begins; ${steps.length} steps to the violation.`
            : `Step ${index + 1} of ${steps.length}: ${now.happened}.`}
        </span>
      </p>
      <SignKey
        label="The step before"
        sign="◂"
        isOff={index < 0}
        act={() => goToBrokenStep(steps, index - 1)}
      />
      <SignKey
        label="The next step"
        sign="▸"
        isOff={index >= steps.length - 1}
        act={() => goToBrokenStep(steps, index + 1)}
      />
      <button type="button" onClick={() => showView('prove')}>
        Back to the rules
      </button>
    </div>
  );
}
