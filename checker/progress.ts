/**
 * Progress: what is said of a search while it goes on, and how much of it may be left.
 *
 * Nobody knows how many states there are before all have been found. But the yield, how many new states one that is looked at
 * finds, falls below one at last, and what waits dries up. Where the yield falls as it has fallen lately, of f states that wait
 * so many are looked at yet that their yields sum to as many less f. Until more states are looked at than are found, nothing
 * is said.
 */
import type { SearchProgress } from './explore.ts';

type ProgressEstimate = {
  /** Of all states that will be looked at, how many have been: from 0 to 1. */
  readonly share: number;
  readonly secondsLeft: number;
};

type Sample = {
  readonly expanded: number;
  readonly states: number;
  readonly seconds: number;
  /** How many states there are in all, as it seemed then; null where that could not be said. */
  total: number | null;
};

/** Yields are those of the last part of what was looked at, and of the part before. */
const PART = 0.2;
/** Fewer states say nothing of a yield. */
const FEWEST_EXPANDED = 1000;
/** So much of what is looked at must not be made good by what is found. */
const LEAST_DRYING = 0.03;
/** Nothing is told before two estimates, one of now and one of a part earlier, agree within this factor. */
const AGREEMENT = 1.3;

/** Follows a search, and says how much of it is left as soon as that means something. */
export class SearchEstimate {
  #samples: Sample[] = [];

  /** What is left now; null where that can't be said. */
  note({ states, frontier, seconds }: SearchProgress): ProgressEstimate | null {
    const now: Sample = { expanded: states - frontier, states, seconds, total: null };
    const { expanded } = now;
    const from = expanded * (1 - 2 * PART);
    // One sample before the two parts stays, to begin with.
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

/** How many states will be looked at yet; null where what waits does not dry up. */
function predictLeft(
  frontier: number,
  [first, middle, now]: readonly [Sample, Sample, Sample],
): number | null {
  const yieldOf = (from: Sample, to: Sample) =>
    (to.states - from.states) / (to.expanded - from.expanded);
  const [before, recent] = [yieldOf(first, middle), yieldOf(middle, now)];
  // Each yield is that of the middle of its part.
  const fall = (before - recent) / ((now.expanded - first.expanded) / 2);
  if (fall < 0) return null;
  const drying = 1 - recent + (fall * (now.expanded - middle.expanded)) / 2;
  if (drying < LEAST_DRYING) return null;
  if (fall * frontier < LEAST_DRYING ** 2) return frontier / drying;
  return (Math.sqrt(drying ** 2 + 2 * fall * frontier) - drying) / fall;
}

/** One line about a search, for a terminal. */
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
/** Estimates are told in steps of so many seconds. */
const STEP = 5;

function describeTime(seconds: number): string {
  if (seconds < STEP) return 'a few seconds left';
  if (seconds < 2 * MINUTE) return `about ${Math.ceil(seconds / STEP) * STEP} s left`;
  const minutes = Math.ceil(seconds / MINUTE);
  return minutes < 2 * MINUTE
    ? `about ${minutes} min left`
    : `about ${Math.ceil(minutes / MINUTE)} h left`;
}
