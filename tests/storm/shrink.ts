/** Shrinking: the fewest faults with which a storm breaks the same promise (delta debugging). */
import { drawScenario } from './scenario.ts';
import { runStorm, type StormOutcome } from './storm.ts';

/** Storms that are tried at most. */
const MOST_TRIES = 400;

export type ShrunkStorm = {
  readonly outcome: StormOutcome;
  /** The ids of the faults that are left. */
  readonly only: readonly number[];
  readonly tries: number;
};

/**
 * Leaves out faults of a failing storm as long as it breaks the same promise; returns null where it breaks none. A storm
 * without a fault fewer keeps all its promises, unless `MOST_TRIES` came first.
 */
export async function shrinkStorm(seed: number): Promise<ShrunkStorm | null> {
  let outcome = await runStorm(seed);
  let tries = 1;
  const { breach } = outcome;
  if (breach === null) return null;
  let only = drawScenario(seed).faults.map(({ id }) => id);
  const fails = async (ids: readonly number[]): Promise<boolean> => {
    tries += 1;
    const found = await runStorm(seed, ids);
    if (found.breach?.promise !== breach.promise) return false;
    outcome = found;
    only = [...ids];
    return true;
  };
  for (let parts = 2; only.length > 0 && tries < MOST_TRIES; ) {
    const size = Math.ceil(only.length / parts);
    if (await removeOne(only, size, fails)) parts = Math.max(2, parts - 1);
    else if (size === 1) break;
    else parts = Math.min(only.length, parts * 2);
  }
  return { outcome, only, tries };
}

/** Tries to leave out one part of so many faults; false where each of them is needed. */
async function removeOne(
  all: readonly number[],
  size: number,
  fails: (ids: readonly number[]) => Promise<boolean>,
): Promise<boolean> {
  for (let at = 0; at < all.length; at += size) {
    if (await fails([...all.slice(0, at), ...all.slice(at + size)])) return true;
  }
  return false;
}
