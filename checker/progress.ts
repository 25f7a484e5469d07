/**
 * Describes the progress of a search and estimates what is left: it extrapolates the recent fall of the yield (new
 * states per expanded state). It gives no estimate while a search finds more states than it expands.
 */
import type { SearchProgress } from './explore.ts';

type Sample = {
  readonly expanded: number;
  readonly states: number;
  readonly seconds: number;
  total: number | null;
};

/** Yields are measured over this last share of the expanded states, and over the share before it. */
const PART = 0.2;
/** Below this number of states a yield is not meaningful. */
const FEWEST_EXPANDED = 1000;
/** The least difference between states expanded and states found that permits an estimate. */
const LEAST_DRYING = 0.03;
/** An estimate is reported only if it agrees with the previous one within this factor. */
const AGREEMENT = 1.3;

/** Follows a search and estimates the remaining work as soon as that is meaningful. */
export class SearchEstimate {
  #samples: Sample[] = [];

  /** The expanded share of all states, from 0 to 1, and the seconds left. */
  note({ states, frontier, seconds }: SearchProgress) {
    const now: Sample = { expanded: states - frontier, states, seconds, total: null };
    const { expanded } = now;
    const from = expanded * (1 - 2 * PART);
    // Keeps one sample before the two parts.
    while ((this.#samples[1]?.expanded ?? Number.POSITIVE_INFINITY) <= from) this.#samples.shift();
    const [first] = this.#samples;
    const middle = this.#samples.findLast((one) => one.expanded <= expanded * (1 - PART));
    this.#samples.push(now);
    if (first === undefined || middle === undefined || first.expanded > from) return null;
    if (expanded < FEWEST_EXPANDED || middle === first || middle.expanded >= expanded) return null;
    const left = predictLeft(frontier, [first, middle, now]);
    if (left === null || seconds <= middle.seconds) return null;
    now.total = expanded + left;
    const ratio = now.total / (middle.total ?? Number.POSITIVE_INFINITY);
    if (ratio > AGREEMENT || ratio < 1 / AGREEMENT) return null;
    const pace = (seconds - middle.seconds) / (expanded - middle.expanded);
    return { share: expanded / (expanded + left), secondsLeft: left * pace };
  }
}

/** How many more states will be expanded, or null if the frontier does not dry up. */
function predictLeft(
  frontier: number,
  [first, middle, now]: readonly [Sample, Sample, Sample],
): number | null {
  const yieldOf = (from: Sample, to: Sample) =>
    (to.states - from.states) / (to.expanded - from.expanded);
  const [before, recent] = [yieldOf(first, middle), yieldOf(middle, now)];
  // Each yield belongs to the middle of its part.
  const fall = (before - recent) / ((now.expanded - first.expanded) / 2);
  if (fall < 0) return null;
  const drying = 1 - recent + (fall * (now.expanded - middle.expanded)) / 2;
  if (drying < LEAST_DRYING) return null;
  if (fall * frontier < LEAST_DRYING ** 2) return frontier / drying;
  return (Math.sqrt(drying ** 2 + 2 * fall * frontier) - drying) / fall;
}

export function describeProgress(progress: SearchProgress, estimate: SearchEstimate): string {
  const { states, frontier, depth, seconds } = progress;
  const left = estimate.note(progress);
  return [
    `${count(states)} states`,
    ...(seconds > 0 ? [`${count(Math.round(states / seconds))} a second`] : []),
    `${count(frontier)} to look at`,
    `depth ${depth}`,
    ...(left === null
      ? []
      : [`about ${Math.floor(left.share * 100)} % done`, describeTime(left.secondsLeft)]),
  ].join(', ');
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

const MINUTE = 60;
/** Remaining time is rounded up to this many seconds. */
const STEP = 5;

function describeTime(seconds: number): string {
  if (seconds < STEP) return 'a few seconds left';
  if (seconds < 2 * MINUTE) return `about ${Math.ceil(seconds / STEP) * STEP} s left`;
  const minutes = Math.ceil(seconds / MINUTE);
  return minutes < 2 * MINUTE
    ? `about ${minutes} min left`
    : `about ${Math.ceil(minutes / MINUTE)} h left`;
}
