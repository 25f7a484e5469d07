/** The timeline: the whole journal in one strip, with its moments; and what plays it. */

import { Icon } from '../../frame/icon.tsx';
import { length, lens, moment, step, story } from '../state/session.ts';
import {
  changeSpeed,
  hopMark,
  hopStretch,
  isPlaying,
  jump,
  speed,
  togglePlay,
  walk,
} from '../state/travel.ts';
import { MARKS, type MarkKind } from '../story/marks.ts';
import { describePosition, describeTime } from '../story/sentences.ts';
import { Marked, MarkKey } from './range.tsx';

/** Kinds that are worth a sign over the strip; the rest is in the list. */
const LOUD: readonly MarkKind[] = [
  'kill',
  'meeting',
  'verdict',
  'alarm',
  'vote',
  'forced',
  'gone',
  'end',
];
/** More signs than this can't be told apart. */
const MOST_SIGNS = 160;

export function Timeline() {
  const now = moment.value;
  return (
    <section class="timeline" aria-label="Timeline">
      <Transport />
      <div class="track">
        <Signs />
        <Strip />
        <input
          type="range"
          min={0}
          max={Math.max(0, length.value - 1)}
          value={step.value}
          aria-label="Step of the journal"
          aria-valuetext={describePosition(story.value, step.value)}
          onInput={({ currentTarget }) => jump(currentTarget.valueAsNumber)}
        />
      </div>
      <output class="where">
        <b>{now === undefined ? '' : describeTime(now)}</b>
        <span>
          {step.value + 1} / {length.value}
        </span>
      </output>
    </section>
  );
}

function Strip() {
  const { stretches } = story.value;
  const last = Math.max(1, length.value - 1);
  return (
    <div class="strip" aria-hidden="true">
      {stretches.map(({ from, kind, name }, index) => {
        const to = stretches[index + 1]?.from ?? length.value;
        const [left, width] = [(from / last) * 100, ((to - from) / last) * 100];
        return (
          <span
            key={from}
            data-kind={kind}
            title={name}
            style={`left: ${left.toFixed(3)}%; width: ${width.toFixed(3)}%`}
          />
        );
      })}
      <Marked last={last} />
      <span class="played" style={`width: ${((step.value / last) * 100).toFixed(3)}%`} />
    </div>
  );
}

function Signs() {
  const last = Math.max(1, length.value - 1);
  const isOpen = lens.value.type === 'glass';
  // Without secrets there is no looking ahead either.
  const loud = story.value.marks.filter(
    ({ kind, step: at }) => LOUD.includes(kind) && (isOpen || at <= step.value),
  );
  const every = Math.ceil(loud.length / MOST_SIGNS);
  return (
    <div class="signs" aria-hidden="true">
      {loud
        .filter((_, index) => index % every === 0)
        .map(({ step: at, kind, text }) => (
          <span
            key={`${at} ${kind} ${text}`}
            data-kind={kind}
            data-past={at <= step.value || undefined}
            title={text}
            style={`left: ${((at / last) * 100).toFixed(3)}%`}
          >
            {MARKS[kind]}
          </span>
        ))}
    </div>
  );
}

function Transport() {
  return (
    <div class="transport">
      <Key label="Previous moment (,)" onClick={() => hopMark(-1)} text="⇤" />
      <Key label="Previous phase ([)" onClick={() => hopStretch(-1)} text="«" />
      <Key label="Step back (←)" onClick={() => walk(-1)} text="‹" />
      <button
        type="button"
        class="play"
        onClick={togglePlay}
        aria-label={isPlaying.value ? 'Pause (Space)' : 'Play (Space)'}
        title={isPlaying.value ? 'Pause (Space)' : 'Play (Space)'}
      >
        <Icon name={isPlaying.value ? 'pause' : 'play'} />
      </button>
      <Key label="Step on (→)" onClick={() => walk(1)} text="›" />
      <Key label="Next phase (])" onClick={() => hopStretch(1)} text="»" />
      <Key label="Next moment (.)" onClick={() => hopMark(1)} text="⇥" />
      <MarkKey />
      <span class="speed">
        <Key label="Slower (−)" onClick={() => changeSpeed(-1)} text="−" />
        <span title="Speed">{speed.value}×</span>
        <Key label="Faster (+)" onClick={() => changeSpeed(1)} text="+" />
      </span>
    </div>
  );
}

type KeyProps = { readonly label: string; readonly text: string; readonly onClick: () => void };

function Key({ label, text, onClick }: KeyProps) {
  return (
    <button type="button" aria-label={label} title={label} onClick={onClick}>
      {text}
    </button>
  );
}
