/**
 * Silence: how long a player has not spoken, what that adds to a bid, and when a player is called on.
 *
 * The boost rises by the same step each tick and has no ceiling by default: "you can't just be silent". It is what
 * makes starvation impossible; `weights.ts` has the arithmetic.
 */
/** s(k) = slope · max(0, k − grace), at most `cap` when there is one. */
export type Silence = {
  readonly slope: number;
  readonly grace: number;
  readonly cap: number | null;
};

/**
 * Ticks since the player last spoke, seen from `tick`: 0 right after speaking and in the first tick.
 * `lastSpoke` is the tick of their last published message; undefined when they have not spoken yet.
 */
export function silentTicks(tick: number, lastSpoke: number | undefined): number {
  return lastSpoke === undefined ? tick : tick - lastSpoke - 1;
}

/** s(k): the boost after k ticks of silence. s(0) = 0, and s never falls while the silence lasts. */
export function silenceBoost(silence: Silence, silent: number): number {
  const boost = silence.slope * Math.max(0, silent - silence.grace);
  return silence.cap === null ? boost : Math.min(boost, silence.cap);
}

/** What a player is told who has been silent for too long, in the words of the design. */
export const REMINDER = "You can't just be silent, that ruins the fun";

/** From here on even a blank bid competes for the floor (ruling 9): the boost alone exceeds the worst spread Δ. */
export function isCalledOn(silence: Silence, silent: number, spread: number): boolean {
  return silenceBoost(silence, silent) > spread;
}
