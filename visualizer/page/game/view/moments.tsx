/** The moments: a list of places to jump to, and a search through everything that was told. */
import { signal } from '@preact/signals';
import { Hidden, Panel } from '../../frame/panel.tsx';
import { still } from '../../frame/still.tsx';
import { lens, moment, step, story } from '../state/session.ts';
import { jump } from '../state/travel.ts';
import { MARKS, type Mark } from '../story/marks.ts';
import { describeItem } from '../story/sentences.ts';

const search = signal('');

/** Places in the list; the nearest are shown of longer ones. */
const LISTED = 60;
const LEAP = 20;

export function Moments() {
  const wanted = search.value.trim().toLowerCase();
  const places = wanted === '' ? near(story.value.marks) : found(wanted);
  return (
    <Panel id="moments" title="Moments">
      <label class="search">
        <span class="vh">Search what was told</span>
        <input
          type="search"
          id="search"
          placeholder="Search  /"
          value={search.value}
          onInput={({ currentTarget }) => {
            search.value = currentTarget.value;
          }}
        />
      </label>
      {places.length === 0 ? <Hidden>Nothing is found.</Hidden> : null}
      <ul class="moments">
        {places.map((place) => (
          <Place
            key={`${place.step} ${place.kind} ${place.text}`}
            {...place}
            isNow={place.step === step.value}
          />
        ))}
      </ul>
    </Panel>
  );
}

const Place = still(({ step: at, kind, text, isNow }: Found & { readonly isNow: boolean }) => (
  <li>
    <button
      type="button"
      aria-current={isNow ? 'step' : undefined}
      data-kind={kind}
      onClick={() => jump(at)}
    >
      <span class="sign" aria-hidden="true">
        {kind === null ? '·' : MARKS[kind]}
      </span>
      {text}
    </button>
  </li>
));

type Found = Pick<Mark, 'step' | 'text'> & { readonly kind: Mark['kind'] | null };

/** Marks around where one is. What is still to come is told where nothing is hidden only. */
function near(marks: readonly Mark[]): readonly Found[] {
  const at = moment.value?.markCount ?? 0;
  const known = lens.value.type === 'glass' ? marks : marks.slice(0, at);
  // In leaps, so that the list stands still from one step to the next.
  const leap = Math.floor(at / LEAP) * LEAP - LEAP;
  const from = Math.max(0, Math.min(leap, known.length - LISTED));
  return known.slice(from, from + LISTED);
}

function found(wanted: string): readonly Found[] {
  const places: Found[] = [];
  const { feed } = story.value;
  const known = lens.value.type === 'glass' ? feed : feed.slice(0, moment.value?.feedLength ?? 0);
  for (const { step: at, item } of known) {
    const text = describeItem(item);
    if (text.toLowerCase().includes(wanted)) places.push({ step: at, kind: null, text });
    if (places.length === LISTED) break;
  }
  return places;
}
