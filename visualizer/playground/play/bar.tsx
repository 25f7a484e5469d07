import { type Signal, signal } from '@preact/signals';
import { copyLinkTo } from '../../page/frame/address.ts';
import { set } from '../../page/frame/fieldEvents.ts';
import { onDemand } from '../../page/frame/onDemand.tsx';
import { Button } from '../../page/frame/panel.tsx';
import { isPlaying } from '../../page/game/state/navigation.ts';
import {
  counterexample,
  forks,
  isForkOpen,
  isSetupOpen,
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

function ViewLink({ name, label }: Readonly<{ name: 'play' | 'prove'; label: string }>) {
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

function open(dialog: Signal<boolean>): () => void {
  return () => {
    isPlaying.value = false;
    dialog.value = true;
  };
}

function Controls() {
  if (counterexample.value !== null) return null;
  const changes = Object.keys(options.value).length;
  return (
    <div class="controls">
      <button
        type="button"
        class="which"
        onClick={open(isSetupOpen)}
        title="Choose a match and its rules"
      >
        {match.value?.match.name} <span>seed {seed.value}</span>
        {changes === 0 ? null : <em>{changes} changed</em>}
      </button>
      <Button class="primary" text="Another game" act={newSeed} />
      <Button text="Change rules" act={open(isSetupOpen)} />
      <Button text="Fork here" act={open(isForkOpen)} />
      <Button text="Copy link" act={() => copyLinkTo(location.hash, 'this moment of this game')} />
      <Button title="The journal as Node writes it" text="Save journal" act={saveJournal} />
    </div>
  );
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
const Forked = onDemand(async () => (await import('./fork.tsx')).Forked);
const Broken = onDemand(async () => (await import('./broken.tsx')).Broken);

export function Strip() {
  if (view.value !== 'play') return null;
  if (working.value !== '') return <p class="sitestrip">{working.value}</p>;
  if (refusal.value !== '') return <Refused />;
  if (counterexample.value !== null) return <Broken />;
  if (forks.value.length > 0) return <Forked />;
  return isWelcome.value ? <Welcome /> : null;
}

function Refused() {
  return (
    <p class="sitestrip" role="alert">
      <span>
        <b>Not played:</b> {refusal.value}
      </span>
      <Button text="Rules as they were" act={() => startOver({ options: {} })} />
    </p>
  );
}

function Welcome() {
  return (
    <p class="sitestrip welcome">
      <span>
        <b>This game was played in your browser just now,</b> by offline players, from its seed
        alone. Press play to watch, change a rule, fork a moment, or{' '}
        <Button
          class="link"
          text="break a rule and let the checker find it"
          act={() => showView('prove')}
        />
        .
      </span>
      <Button label="Close" text="×" act={set(isWelcome, false)} />
    </p>
  );
}
