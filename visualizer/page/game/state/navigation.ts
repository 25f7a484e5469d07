import { batch, effect, signal } from '@preact/signals';
import type { Moment } from '../story/story.ts';
import {
  focus,
  goToStep,
  isReading,
  length,
  moment,
  stageAt,
  stages,
  step,
  story,
} from './session.ts';
import { playStages, showStage } from './stages.ts';

const SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;

export const isPlaying = signal(false);
export const speed = signal<number>(1);
export const isFollowing = signal(true);
/** Feed items that stay on the screen after a click on an earlier one, so that nothing moves under the pointer. */
export const heldItems = signal(0);
/** How the last move was made: Back returns from a jump, not from a step. */
export const wasJump = signal(false);

function moveTo(target: number, isJump: boolean, isHeld = false): void {
  batch(() => {
    heldItems.value = 0;
    wasJump.value = isJump;
    goToStep(Math.max(0, Math.min(length.value - 1, target)), isHeld);
  });
}

export function stepBy(steps: number, isHeld = false): void {
  const isFast = isHeld || stageAt.peek() !== null;
  moveTo(step.value + steps, false, isHeld);
  if (steps === 1 && !isFast) playStages(isPlaying.peek() ? speed.peek() : 1);
}

export function stepStage(direction: 1 | -1): void {
  const at = stageAt.peek() ?? stages.peek().length - 1;
  if (showStage(at + direction)) return;
  moveTo(step.peek() + direction, false);
  if (direction === 1) showStage(0);
}

export function jumpTo(target: number): void {
  moveTo(target, true);
}

export function scrubTo(target: number): void {
  moveTo(target, true, true);
}

export function jumpFromFeed(target: number): void {
  const { moments } = story.value;
  batch(() => {
    heldItems.value = Math.max(heldItems.value, moments[step.value]?.feedLength ?? 0);
    wasJump.value = true;
    goToStep(target);
  });
}

function jumpToNext(steps: readonly number[], direction: 1 | -1): void {
  const at = step.value;
  const next =
    direction === 1 ? steps.find((each) => each > at) : steps.findLast((each) => each < at);
  if (next !== undefined) jumpTo(next);
}

export function jumpToPhase(direction: 1 | -1): void {
  const steps = story.value.stretches.map(({ from }) => from);
  jumpToNext(steps, direction);
}

export function jumpToMoment(direction: 1 | -1): void {
  const steps = story.value.marks.map((mark) => mark.step);
  jumpToNext(steps, direction);
}

/** Goes to where a transition fired next, and from the last time back to the first. */
export function jumpToFiring(steps: readonly number[]): void {
  const next = steps.find((each) => each > step.value) ?? steps[0];
  if (next !== undefined) jumpTo(next);
}

export function togglePlay(): void {
  const start = findPlayStart();
  if (!isPlaying.value && start !== null) jumpTo(start);
  isPlaying.value = !isPlaying.value;
}

const SHORT_MS = 260;
const LETTER_MS = 22;
/** Milliseconds for lines that need longer than others, beside the letters of a message. */
const PAUSES: Readonly<Partial<Record<Moment['line']['type'], number>>> = {
  'round.closed': 620,
  'tick.closed': 1500,
  'turn.closed': 620,
  'ballot.revealed': 1100,
  'meeting.called': 1100,
  'verdict.announced': 3000,
  'game.closed': 3000,
  'vote.locked': 620,
  'phase.entered': 620,
};

function choosePauseMs({ line }: Moment): number {
  const ms = PAUSES[line.type] ?? SHORT_MS;
  if ('said' in line) return ms + LETTER_MS * (line.said?.message.length ?? 0);
  const events = 'events' in line ? (line.events ?? []) : [];
  return events.some(({ type }) => type === 'player.killed') ? 2 * ms : ms;
}

export function startPlayback(): void {
  effect(() => {
    if (!isPlaying.value) return;
    if (isReading.value && step.value >= length.value - 1) return;
    const here = story.value.moments[step.value];
    if (here === undefined || isAtStop()) {
      isPlaying.value = false;
      return;
    }
    const timer = setTimeout(() => stepBy(1), choosePauseMs(here) / speed.value);
    return () => clearTimeout(timer);
  });
}

export function changeSpeed(direction: 1 | -1): void {
  const index = SPEEDS.findIndex((each) => each >= speed.value) + direction;
  speed.value = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, index))] ?? 1;
}

export function toggleFocus(seat: typeof focus.value): void {
  focus.value = focus.value === seat ? null : seat;
}

type LineRange = { readonly from: number; readonly to: number };

export const range = signal<LineRange | null>(null);
/** The beginning of an unfinished range; null for none. */
export const rangeStart = signal<number | null>(null);

export function markRange(): void {
  if (rangeStart.value !== null) {
    const [from = 0, to = 0] = [rangeStart.value, step.value].toSorted((one, other) => one - other);
    range.value = from === to ? null : { from, to };
    rangeStart.value = null;
  } else if (range.value !== null) range.value = null;
  else rangeStart.value = step.value;
}

export function describeNextMark(): string {
  if (rangeStart.value !== null) return 'End the range here';
  return range.value === null ? 'Begin a range here' : 'Clear the range';
}

/** Reads "40-55"; null for anything else, or if those are not two moments. */
export function parseRange(text: string | null): LineRange | null {
  const [, first = '', last = ''] = /^(g?\d+)-(g?\d+)$/.exec(text ?? '') ?? [];
  const told = story.peek();
  const [from, to] = [first, last].map((name) => (name === '' ? null : told.stepOf(name)));
  return from == null || to == null || from >= to ? null : { from, to };
}

export function formatRange(): string | null {
  if (range.value === null) return null;
  const { moments } = story.value;
  const [first, last] = [moments[range.value.from], moments[range.value.to]];
  return first === undefined || last === undefined ? null : `${first.name}-${last.name}`;
}

function isAtStop(): boolean {
  return step.value >= length.value - 1 || (range.value !== null && step.value === range.value.to);
}

function findPlayStart(): number | null {
  const { value } = range;
  if (value === null) return isAtStop() ? 0 : null;
  return step.value < value.from || step.value >= value.to ? value.from : null;
}

/** The moment in an address: the whole range at its beginning. */
export function formatPlace(): string {
  const name = moment.value?.name ?? '0';
  const whole = formatRange();
  return whole !== null && range.value?.from === step.value ? whole : name;
}
