import { computed } from '@preact/signals';
import { Icon } from '../frame/head.tsx';
import { Button } from '../frame/panel.tsx';
import { StakeBar } from './stakes.tsx';
import {
  changeSpeed,
  describeNextMark,
  isPlaying,
  jumpToMoment,
  jumpToPhase,
  markRange,
  range,
  rangeStart,
  scrubTo,
  speed,
  stepBy,
  togglePlay,
} from './state/navigation.ts';
import { isFutureShown, length, moment, step, story } from './state/session.ts';
import { MARKS, type Mark, type MarkKind } from './story/marks.ts';
import { describePosition, describeTime } from './story/sentences.ts';

/** Kinds that deserve a sign above the strip. The list shows the others. */
const LOUD: readonly MarkKind[] = [
  'end',
  'kill',
  'verdict',
  'meeting',
  'alarm',
  'gone',
  'forced',
  'vote',
];
const MOST_SIGNS = [48, 24] as const;
const PHONE_PX = 640;

export function Timeline() {
  const now = moment.value;
  return (
    <section class="timeline" aria-label="Timeline">
      <Transport />
      <div class="track">
        <MomentSigns />
        <PhaseStrip />
        <input
          type="range"
          min={0}
          max={Math.max(0, length.value - 1)}
          value={step.value}
          aria-label="Step of the journal"
          aria-valuetext={describePosition(story.value, step.value)}
          onInput={({ currentTarget }) => scrubTo(currentTarget.valueAsNumber)}
        />
      </div>
      <StakeBar />
      <output class="where">
        <b>{now === undefined ? '' : describeTime(now)}</b>
        <span>
          {step.value + 1} / {length.value}
        </span>
      </output>
    </section>
  );
}

function placeStretch(from: number, to: number, last: number): string {
  const percent = (steps: number) => `${((steps / last) * 100).toFixed(3)}%`;
  return `left: ${percent(from)}; width: ${percent(to - from)}`;
}

function PhaseStrip() {
  const { stretches } = story.value;
  const last = Math.max(1, length.value - 1);
  return (
    <div class="strip" aria-hidden="true">
      {stretches.map(({ from, kind, name }, index) => {
        const to = stretches[index + 1]?.from ?? length.value;
        return (
          <span key={from} data-kind={kind} title={name} style={placeStretch(from, to, last)} />
        );
      })}
      <RangeMark last={last} />
      <span class="played" style={`width: ${((step.value / last) * 100).toFixed(3)}%`} />
    </div>
  );
}

/** Long journals have thousands of marks, and a step changes none. The first kinds come first. */
const loudMarks = computed(() =>
  story.value.marks
    .filter(({ kind }) => LOUD.includes(kind))
    .toSorted((one, other) => LOUD.indexOf(one.kind) - LOUD.indexOf(other.kind)),
);

/** Most steps do not change it. */
const lastSign = computed(() => {
  const { markCount = 0 } = moment.value ?? {};
  return isFutureShown.value ? length.value : (story.value.marks[markCount - 1]?.step ?? -1);
});

/** Where several are close to each other, the loudest. */
const shownSigns = computed(() => {
  const gap = length.value / MOST_SIGNS[innerWidth < PHONE_PX ? 1 : 0];
  const shown: Mark[] = [];
  for (const mark of loudMarks.value) {
    const hasRoom = shown.every((other) => Math.abs(other.step - mark.step) >= gap);
    if (mark.step <= lastSign.value && hasRoom) shown.push(mark);
  }
  return shown;
});

function MomentSigns() {
  const last = Math.max(1, length.value - 1);
  return (
    <div class="signs" aria-hidden="true">
      {shownSigns.value.map(({ step: at, kind, text }) => (
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
      <Button label="Previous moment (,)" act={() => jumpToMoment(-1)} text="⇤" />
      <Button label="Previous phase ([)" act={() => jumpToPhase(-1)} text="«" />
      <Button label="Step back (←)" act={() => stepBy(-1)} text="‹" />
      <Button
        class="play"
        label={isPlaying.value ? 'Pause (Space)' : 'Play (Space)'}
        text={<Icon name={isPlaying.value ? 'pause' : 'play'} />}
        act={togglePlay}
      />
      <Button label="Step on (→)" act={() => stepBy(1)} text="›" />
      <Button label="Next phase (])" act={() => jumpToPhase(1)} text="»" />
      <Button label="Next moment (.)" act={() => jumpToMoment(1)} text="⇥" />
      <RangeButton />
      <span class="speed">
        <Button label="Slower (−)" act={() => changeSpeed(-1)} text="−" />
        <span title="Speed">{speed.value}×</span>
        <Button label="Faster (+)" act={() => changeSpeed(1)} text="+" />
      </span>
    </div>
  );
}

function RangeMark({ last }: { readonly last: number }) {
  const { from, to } = range.value ?? { from: rangeStart.value ?? 0, to: step.value };
  if (range.value === null && rangeStart.value === null) return null;
  return <span class="range" style={placeStretch(Math.min(from, to), Math.max(from, to), last)} />;
}

function RangeButton() {
  return (
    <Button
      class="mark"
      label={describeNextMark()}
      title={`${describeNextMark()} (R)`}
      text={<Icon name="range" />}
      isOn={range.value !== null || rangeStart.value !== null}
      act={markRange}
    />
  );
}
