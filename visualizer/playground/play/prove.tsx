import { batch, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { write } from '../../page/frame/fieldEvents.ts';
import { Button } from '../../page/frame/panel.tsx';
import type { MistakeResult, ProofResult, ToSiteWorker } from '../protocol.ts';
import { mistake, pushAddress, watchCounterexample } from './state.ts';
import { type SearchNews, type SiteAnswer, SiteWorker } from './worker.ts';

/** A separate worker, so that a long search does not delay a game. */
const checker = new SiteWorker();

/** The same table size as in the first tables of `docs/checking.md`. */
const PLAYERS = 3;

const mistakes = signal<readonly string[]>([]);
const proof = signal<ProofResult | null>(null);
const found = signal<MistakeResult | null>(null);
const news = signal<SearchNews | null>(null);
const busy = signal<'prove' | 'break' | null>(null);
const problem = signal('');

async function ask(message: ToSiteWorker): Promise<SiteAnswer> {
  const answer = await checker.ask(message, write(news));
  if (answer.type === 'refused') problem.value = answer.notes.map(({ text }) => text).join();
  return answer;
}

async function loadMistakes(): Promise<void> {
  if (mistakes.value.length > 0) return;
  const answer = await ask({ type: 'list-mistakes' });
  if (answer.type === 'mistakes') mistakes.value = answer.mistakes;
  if (mistake.value !== null) await plant(mistake.value);
}

async function prove(): Promise<void> {
  batch(() => {
    busy.value = 'prove';
    proof.value = null;
    news.value = null;
  });
  const answer = await ask({ type: 'prove', players: PLAYERS });
  batch(() => {
    busy.value = null;
    if (answer.type === 'proved') proof.value = answer.result;
  });
}

async function plant(name: string): Promise<void> {
  batch(() => {
    mistake.value = name;
    busy.value = 'break';
    news.value = null;
    found.value = null;
    problem.value = '';
  });
  const answer = await ask({ type: 'break', mistake: name });
  if (mistake.value !== name) return;
  batch(() => {
    busy.value = null;
    if (answer.type === 'broken') found.value = answer.result;
  });
}

function choose(name: string): void {
  if (busy.value !== null) checker.stop();
  mistake.value = name;
  pushAddress('');
  void plant(name);
}

export function Prove() {
  useEffect(() => void loadMistakes(), []);
  return (
    <main class="prove">
      <section class="card" aria-labelledby="prove-title">
        <h1 id="prove-title">Prove the rules, here, in this tab</h1>
        <p>
          A model checker takes every step that the meeting’s statechart can take: the very
          statechart that runs the games, not a copy. Break one of its rules, and it finds the
          shortest meeting in which somebody would notice.
        </p>
        <Proof />
      </section>
      <section class="card" aria-labelledby="break-title">
        <h2 id="break-title">Break a rule</h2>
        {problem.value === '' ? null : <p role="alert">{problem.value}</p>}
        <div class="breaking">
          <ul class="mistakes" aria-label="Mistakes that can be planted">
            {mistakes.value.map((name) => (
              <li key={name}>
                <Button text={name} isOn={mistake.value === name} act={() => choose(name)} />
              </li>
            ))}
          </ul>
          <div class="found" role="status">
            <Found />
          </div>
        </div>
      </section>
    </main>
  );
}

function Proof() {
  const done = proof.value;
  if (busy.value === 'prove') {
    const now = news.value;
    return (
      <p class="progress" role="status">
        Searching…{' '}
        {now?.type !== 'searching'
          ? ''
          : `${now.rules}: ${now.states} states, ${now.transitions} transitions`}
      </p>
    );
  }
  if (done === null) {
    return (
      <Button class="primary big" text="Prove every meeting of three" act={() => void prove()} />
    );
  }
  const asDeclared = done.properties.filter((one) => one.asDeclared).length;
  return (
    <div class="proof" data-proved={asDeclared === done.properties.length || undefined}>
      <p role="status">
        <b>
          {asDeclared} of {done.properties.length} properties hold as declared
        </b>{' '}
        over {done.states} states and {done.transitions} transitions, in {done.seconds.toFixed(1)}{' '}
        seconds.
      </p>
      <details>
        <summary>All properties</summary>
        <ul class="properties">
          {done.properties.map((one) => (
            <li key={`${one.rules} ${one.name}`} data-verdict={one.asDeclared ? 'good' : 'bad'}>
              <b>{one.said}</b> <code>{one.name}</code> <small>{one.rules}</small>
              <span>{one.sentence}</span>
            </li>
          ))}
        </ul>
      </details>
      <Button text="Prove it again" act={() => void prove()} />
    </div>
  );
}

function Found() {
  if (mistake.value === null) {
    return (
      <p class="hint">Choose a mistake. It is planted in the rules, and nothing else changes.</p>
    );
  }
  const result = found.value;
  if (busy.value === 'break' || result === null) {
    const now = news.value;
    const world = now?.type === 'trying' ? `: ${now.world}` : '';
    return <p class="progress">Looking for a meeting in which it shows{world}…</p>;
  }
  const { noticed, seconds } = result;
  if (noticed === null) return <p>No property notices it.</p>;
  return (
    <>
      <h3>Found in {seconds < 0.1 ? 'less than 0.1' : seconds.toFixed(1)} seconds</h3>
      <p class="sentence">{noticed.sentence}</p>
      <p class="hint">
        This property, <code>{noticed.property}</code>, is violated in a small meeting:{' '}
        {noticed.world}.
      </p>
      {noticed.steps.length === 0 ? (
        <p>It is so from the beginning, or something that must be seen never is.</p>
      ) : (
        <ol class="steps">
          {noticed.steps.map(({ happened, at, to, changes, end }, index) => (
            <li key={`${index} ${end}`}>
              <b>{happened}</b>
              <span>
                {at}
                {at === to ? '' : ` → ${to}`}
              </span>
              {changes.length === 0 ? null : <small>{changes.join(' · ')}</small>}
            </li>
          ))}
        </ol>
      )}
      {noticed.journal === null ? null : (
        <Button class="primary" text="Step through it" act={() => watchCounterexample(result)} />
      )}
    </>
  );
}
