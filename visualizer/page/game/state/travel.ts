/** Travel: going through the moments by step, by stretch, by mark; playing them; and how far the feed follows. */
import { batch, effect, signal } from '@preact/signals';
import type { Moment } from '../story/story.ts';
import { isAtStop, startOfPlay } from './range.ts';
import { focus, length, step, story } from './session.ts';

const SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;

export const isPlaying = signal(false);
export const speed = signal<number>(1);
/** Whether the feed keeps the last item in sight. */
export const isFollowing = signal(true);
/** Items of the feed that stay on the screen after a click on an earlier one, so that nothing moves under the hand. */
export const held = signal(0);
/** How the last move was made: a jump is a place to come back to. */
export const wasJump = signal(false);

function moveTo(target: number, isJump: boolean): void {
  batch(() => {
    held.value = 0;
    wasJump.value = isJump;
    step.value = Math.max(0, Math.min(length.value - 1, target));
  });
}

/** A few steps on or back. */
export function walk(steps: number): void {
  moveTo(step.value + steps, false);
}

/** Somewhere else. */
export function jump(target: number): void {
  moveTo(target, true);
}

/** To what was clicked in the feed, which stays where it is. */
export function pick(target: number): void {
  const { moments } = story.value;
  batch(() => {
    held.value = Math.max(held.value, moments[step.value]?.feedLength ?? 0);
    wasJump.value = true;
    step.value = target;
  });
}

type Placed = { readonly step: number };

/** To the next of some places, or to the one before. */
function hopTo(places: readonly Placed[], direction: 1 | -1): void {
  const at = step.value;
  const next =
    direction === 1
      ? places.find((place) => place.step > at)
      : places.findLast((place) => place.step < at);
  if (next !== undefined) jump(next.step);
}

export function hopStretch(direction: 1 | -1): void {
  hopTo(
    story.value.stretches.map(({ from }) => ({ step: from })),
    direction,
  );
}

export function hopMark(direction: 1 | -1): void {
  hopTo(story.value.marks, direction);
}

/** To where a transition fired next, and from the last time back to the first. */
export function hopFiring(steps: readonly number[]): void {
  const next = steps.find((each) => each > step.value) ?? steps[0];
  if (next !== undefined) jump(next);
}

export function togglePlay(): void {
  const start = startOfPlay();
  if (!isPlaying.value && start !== null) jump(start);
  isPlaying.value = !isPlaying.value;
}

/** Milliseconds at speed 1. */
const BRIEF = 260;
const ROUND = 620;
const TICK = 1500;
const PER_LETTER = 22;
const BALLOT = 1100;
const VERDICT = 3000;

function restMs({ line }: Moment): number {
  switch (line.type) {
    case 'round.closed':
      return (line.events ?? []).some(({ type }) => type === 'player.killed') ? 2 * ROUND : ROUND;
    case 'tick.closed':
      return TICK + PER_LETTER * (line.said?.message.length ?? 0);
    case 'turn.closed':
      return ROUND + PER_LETTER * (line.said?.message.length ?? 0);
    case 'ballot.turned':
    case 'meeting.called':
      return BALLOT;
    case 'verdict.told':
    case 'game.closed':
      return VERDICT;
    case 'vote.locked':
    case 'phase.entered':
      return ROUND;
    default:
      return BRIEF;
  }
}

/** Starts the clock of the player; for as long as the page lives. */
export function startClock(): void {
  effect(() => {
    if (!isPlaying.value) return;
    const here = story.value.moments[step.value];
    if (here === undefined || isAtStop()) {
      isPlaying.value = false;
      return;
    }
    const timer = setTimeout(() => walk(1), restMs(here) / speed.value);
    return () => clearTimeout(timer);
  });
}

export function changeSpeed(direction: 1 | -1): void {
  const index = SPEEDS.findIndex((each) => each >= speed.value) + direction;
  speed.value = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, index))] ?? 1;
}

/** Looks at a player, or at nobody in particular when it is the same again. */
export function toggleFocus(seat: typeof focus.value): void {
  focus.value = focus.value === seat ? null : seat;
}
