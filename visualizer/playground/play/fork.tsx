import { computed, signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { capitalize } from '../../../machines/text.ts';
import { type Colour, TEMPERAMENTS, type Temperament } from '../../../machines/types.ts';
import { set, takeText, write } from '../../page/frame/fieldEvents.ts';
import { Button, Select } from '../../page/frame/panel.tsx';
import { focus, moment, step, story } from '../../page/game/state/session.ts';
import type { ForkChange } from '../protocol.ts';
import { changeForks, comparison, forks, isForkOpen } from './state.ts';

const KINDS = [
  { type: 'say', label: 'says something else' },
  { type: 'fall-silent', label: 'falls silent' },
  { type: 'turn', label: 'becomes another character' },
] as const;

const player = signal<Colour | ''>('');
const kind = signal<ForkChange['does']['type']>('say');
const words = signal('It was me.');
const temperament = signal<Temperament>('joker');
/** Set when the dialog opens. Nothing moves behind it. */
const at = signal<string | null>(null);

function startDraft(): void {
  at.value = findForkMoment();
  const seats = living.value;
  const wanted = focus.value ?? player.value;
  player.value = seats.find((seat) => seat === wanted) ?? seats[0] ?? '';
}

const living = computed(() =>
  (moment.value?.players ?? []).filter(({ fate }) => fate === 'living').map(({ seat }) => seat),
);

function fork(): void {
  if (player.value === '' || at.value === null) return;
  const changes: readonly ForkChange['does'][] = [
    { type: 'say', words: words.value },
    { type: 'fall-silent' },
    { type: 'turn', temperament: temperament.value },
  ];
  const does = changes.find(({ type }) => type === kind.value);
  if (does !== undefined)
    changeForks([...forks.value, { at: at.value, player: player.value, does }]);
}

export function ForkForm() {
  useLayoutEffect(startDraft, []);
  return (
    <form method="dialog" onSubmit={fork}>
      <header>
        <h2 id="fork-title">What if?</h2>
        <Button text="Close" act={set(isForkOpen, false)} />
      </header>
      {at.value === null ? (
        <p class="about">Nothing is decided after this moment: go back in the game first.</p>
      ) : (
        <>
          <p class="about">
            Everything before stays as it was, to the byte.{' '}
            {capitalize(describeForkMoment(at.value))}, this changes, and everybody thinks anew:
          </p>
          <ForkFields />
          <footer>
            <button type="submit" class="primary">
              Fork
            </button>
          </footer>
        </>
      )}
    </form>
  );
}

function ForkFields() {
  return (
    <div class="fields">
      <Select
        label="Player"
        value={player.value}
        options={living.value.map((seat) => [seat, capitalize(seat)])}
        onChoose={write(player)}
      />
      <fieldset class="kinds">
        <legend class="vh">What changes</legend>
        {KINDS.map(({ type, label }) => (
          <label key={type}>
            <input
              type="radio"
              name="kind"
              checked={kind.value === type}
              onChange={set(kind, type)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {kind.value === 'say' ? (
        <label class="wide">
          <span>Words, in the next turn to talk</span>
          <input
            type="text"
            maxLength={300}
            required
            value={words.value}
            onInput={takeText(words)}
          />
        </label>
      ) : null}
      {kind.value === 'turn' ? (
        <Select
          label="Character"
          value={temperament.value}
          options={TEMPERAMENTS.map((each) => [each, each])}
          onChoose={write(temperament)}
        />
      ) : null}
    </div>
  );
}

/** Ticks that end a meeting in any case. */
const QUIET: readonly string[] = ['reaction', 'consolidation'];

/** The name of that moment, such as "2:12" or "round:30"; null where nothing is decided any more. */
function findForkMoment(): string | null {
  const { moments } = story.value;
  const now = moment.value;
  if (now === undefined) return null;
  const from = Math.min(step.value, moments.length - 1);
  for (const { line, meeting } of moments.slice(from)) {
    if (line.type === 'round.closed') return `round:${line.round}`;
    if (line.type === 'tick.closed' && !QUIET.includes(line.requestKind ?? ''))
      return `${meeting?.number ?? 1}:${line.tick}`;
  }
  return null;
}

export function Forked() {
  const last = forks.value.at(-1);
  return (
    <p class="sitestrip" role="status">
      <span>
        <b>Fork:</b> {last === undefined ? '' : describeFork(last)}. {comparison.value}
      </span>
      <Button text="Back to the original" act={() => changeForks(forks.value.slice(0, -1))} />
    </p>
  );
}

function describeFork({ at, player, does }: ForkChange): string {
  const who = capitalize(player);
  const when = describeForkMoment(at);
  switch (does.type) {
    case 'say':
      return `${who} says “${does.words}” ${when}`;
    case 'fall-silent':
      return `${who} falls silent ${when}`;
    case 'turn':
      return `${who} turns into a ${does.temperament} ${when}`;
  }
}

function describeForkMoment(at: string): string {
  if (at.startsWith('round:')) return `from round ${at.slice('round:'.length)} on`;
  const [meeting, tick] = at.includes(':') ? at.split(':') : ['1', at];
  return `from tick ${tick} of meeting ${meeting} on`;
}
