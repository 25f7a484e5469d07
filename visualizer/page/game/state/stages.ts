/** The visible steps of the line at hand: played one after another, and what of the line is seen meanwhile. */
import { batch, computed } from '@preact/signals';
import { playerId } from '../../../../machines/messages.ts';
import { timeStages } from '../story/stages.ts';
import {
  appendLines,
  goToStep,
  type LiveRow,
  length,
  settledMoment,
  settledStep,
  stage,
  stageAt,
  stages,
  step,
  story,
} from './session.ts';

const isAt = (kinds: readonly string[]) =>
  computed(() => stage.value !== null && kinds.includes(stage.value.kind));

export const isGathering = isAt(['asked', 'bid']);
export const isBeforeFloor = isAt(['asked', 'bid', 'scored']);

/** Players who have been asked for a bid and have not answered, as far as the lens shows it. */
export const bidders = computed(() => {
  const [told, at, shown] = [story.value, settledStep.value, stage.value?.shown];
  const seats = settledMoment.value?.players.map(({ seat }) => seat) ?? [];
  return seats.filter((seat) =>
    told.trackOf(playerId(seat))?.statesAt(at, shown).includes('player.living.floor.bidding'),
  );
});

const FASTEST = 4;
let plays = 0;

export function playStages(speed: number, after = () => {}): void {
  const at = step.peek();
  const { line } = settledMoment.peek() ?? {};
  const list = stages.peek();
  if (
    line?.type !== 'tick.closed' ||
    list.length < 2 ||
    speed > FASTEST ||
    matchMedia('(prefers-reduced-motion: reduce)').matches
  ) {
    after();
    return;
  }
  const times = timeStages(list, line);
  plays += 1;
  const play = plays;
  const show = (index: number) => {
    const isLeft = play !== plays || step.peek() !== at || (index > 0 && stageAt.peek() === null);
    if (isLeft) return;
    stageAt.value = index < list.length - 1 ? index : null;
    if (index === list.length - 1) after();
    else setTimeout(() => show(index + 1), (times[index] ?? 0) / speed);
  };
  show(0);
}

/** Shows a step of the line at hand, and ends playing. Returns false where there is no such step. */
export function showStage(index: number): boolean {
  const { length: count } = stages.peek();
  if (index < 0 || index >= count) return false;
  plays += 1;
  arriving = null;
  stageAt.value = index < count - 1 ? index : null;
  return true;
}

/** The tick that is played before the lines after it are shown, by its step. A reader who moves away stays there. */
let arriving: number | null = null;

/** Takes lines of a match that runs. At its end the last tick among them is played. */
export function receiveRows(rows: readonly LiveRow[]): void {
  batch(() => {
    if (arriving === step.peek()) goToStep(length.peek() - 1);
    arriving = null;
    const before = length.peek();
    appendLines(rows);
    const { moments } = story.peek();
    const tick = moments.findLastIndex(({ line }) => line.type === 'tick.closed');
    if (before === 0 || tick < before || step.peek() < length.peek() - 1) return;
    goToStep(tick);
    arriving = tick;
  });
  if (arriving === null) return;
  playStages(1, () => {
    arriving = null;
    goToStep(length.peek() - 1);
  });
}
