/** Shrinking: finds a few faults that break the same promise. */
import { shrinkList } from '../support/shrink.ts';
import { drawScenario } from './scenario.ts';
import { runStorm, type StormOutcome } from './storm.ts';

const MOST_TRIES = 400;

export type ShrunkStorm = {
  readonly outcome: StormOutcome;
  readonly only: readonly number[];
  readonly tries: number;
};

/** Returns null if the storm keeps its promises. */
export async function shrinkStorm(seed: number): Promise<ShrunkStorm | null> {
  let outcome = await runStorm(seed);
  let tries = 1;
  const { breach } = outcome;
  if (breach === null) return null;
  const all = drawScenario(seed).faults.map(({ id }) => id);
  const only = await shrinkList(all, async (ids) => {
    if (tries >= MOST_TRIES) return false;
    tries += 1;
    const found = await runStorm(seed, ids);
    if (found.breach?.promise !== breach.promise) return false;
    outcome = found;
    return true;
  });
  return { outcome, only, tries };
}
