import { signal } from '@preact/signals';
import { takeText, toggle } from '../../frame/fieldEvents.ts';
import { moveFocusInList } from '../../frame/keyboard.tsx';
import { Button, Hidden, memo } from '../../frame/panel.tsx';
import { placedTurns } from '../stakes.tsx';
import { jumpTo } from '../state/navigation.ts';
import { isFutureShown, pane, settledMoment, settledStep, story } from '../state/session.ts';
import { describeTurn, GRADES } from '../story/cards.ts';
import { MARKS, type Mark } from '../story/marks.ts';
import type { StakeGrade } from '../story/pageData.ts';
import { describeItem } from '../story/sentences.ts';

const searchText = signal('');

const LISTED = 60;
const WINDOW_STEP = 20;

export function startSearch(): void {
  pane.value = 'moments';
  setTimeout(() => document.getElementById('search')?.focus(), 0);
}

export function FutureButton() {
  return (
    <Button
      class="small"
      text="Show what is to come"
      isOn={isFutureShown.value}
      act={toggle(isFutureShown)}
    />
  );
}

export function Moments() {
  const wanted = searchText.value.trim().toLowerCase();
  const places = wanted === '' ? listNear(listKnown()) : search(wanted);
  const latest = places.findLastIndex(({ step }) => step <= settledStep.value);
  const stop = Math.max(0, latest);
  return (
    <>
      <label class="search">
        <span class="vh">Search the story and its moments</span>
        <input
          type="search"
          id="search"
          placeholder="Search  /"
          value={searchText.value}
          onInput={takeText(searchText)}
          onKeyDown={(event) => {
            const [first] = places;
            if (event.key === 'Enter' && wanted !== '' && first !== undefined) jumpTo(first.step);
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            event.currentTarget
              .closest('#moments')
              ?.querySelector<HTMLElement>('.moments button')
              ?.focus();
          }}
        />
      </label>
      {wanted === '' ? <TurningPoints /> : null}
      {places.length === 0 ? (
        <Hidden>{wanted === '' ? 'Nothing to jump to yet.' : 'Nothing found.'}</Hidden>
      ) : null}
      <ul class="moments" onKeyDown={moveFocusInList}>
        {places.map((place, index) => (
          <MomentRow
            key={`${place.step} ${place.kind} ${place.text}`}
            {...place}
            sign={place.kind === null ? '·' : MARKS[place.kind]}
            isNow={place.step === settledStep.value}
            isStop={index === stop}
          />
        ))}
      </ul>
    </>
  );
}

function TurningPoints() {
  const turns = placedTurns.value;
  if (turns.length === 0) return null;
  return (
    <ul class="moments turns" aria-label="Turning points" onKeyDown={moveFocusInList}>
      {turns.map((turn, index) => (
        <MomentRow
          key={turn.at}
          step={turn.step}
          grade={turn.grade}
          sign={GRADES[turn.grade].sign}
          text={describeTurn(turn)}
          isStop={index === 0}
        />
      ))}
    </ul>
  );
}

type MomentRowProps = {
  readonly step: number;
  readonly kind?: Mark['kind'] | null;
  readonly grade?: StakeGrade;
  readonly sign: string;
  readonly text: string;
  readonly isNow?: boolean;
  readonly isStop: boolean;
};

const MomentRow = memo(({ step: at, kind, grade, sign, text, isNow, isStop }: MomentRowProps) => (
  <li>
    <button
      type="button"
      aria-current={isNow === true ? 'step' : undefined}
      data-kind={kind}
      data-grade={grade}
      tabIndex={isStop ? 0 : -1}
      onClick={() => jumpTo(at)}
    >
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      {text}
    </button>
  </li>
));

type FoundMoment = Pick<Mark, 'step' | 'text'> & { readonly kind: Mark['kind'] | null };

function listKnown(): readonly Mark[] {
  const { marks } = story.value;
  return isFutureShown.value ? marks : marks.slice(0, settledMoment.value?.markCount ?? 0);
}

function listNear(known: readonly Mark[]): readonly FoundMoment[] {
  const at = settledMoment.value?.markCount ?? 0;
  // In leaps, so that the list stands still from one step to the next.
  const leap = Math.floor(at / WINDOW_STEP) * WINDOW_STEP - WINDOW_STEP;
  const from = Math.max(0, Math.min(leap, known.length - LISTED));
  return known.slice(from, from + LISTED);
}

function search(wanted: string): readonly FoundMoment[] {
  const { feed } = story.value;
  const told = isFutureShown.value ? feed : feed.slice(0, settledMoment.value?.feedLength ?? 0);
  const has = (text: string) => text.toLowerCase().includes(wanted);
  const places: FoundMoment[] = listKnown()
    .filter(({ text }) => has(text))
    .slice(0, LISTED);
  const texts = new Set(places.map(({ step, text }) => `${step} ${text}`));
  for (const { step, item } of told) {
    if (places.length >= 2 * LISTED) break;
    const text = describeItem(item);
    if (has(text) && !texts.has(`${step} ${text}`)) places.push({ step, kind: null, text });
  }
  return places.toSorted((one, other) => one.step - other.step).slice(0, LISTED);
}
