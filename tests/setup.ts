/**
 * The seed of the suite: every property is tried on the examples of one seed, and the seed is printed.
 *
 * It changes with the day, so that in time many examples are seen, and stays the same within a run. FC_SEED repeats a
 * run. This file is loaded twice over: once for the whole run, where it settles and prints the seed, and once in each
 * worker, where it hands the seed to fast-check.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configureGlobal, readConfigureGlobal } from 'fast-check';

const GIVEN = process.env.FC_SEED;

/** Called once, before any worker starts; workers inherit the environment. */
export function setup(): void {
  const seed = GIVEN ?? dayNumber(new Date());
  if (!/^-?\d+$/.test(seed)) throw new Error(`FC_SEED: expected a whole number, found "${seed}"`);
  process.env.FC_SEED = seed;
  // Where Node keeps what it has compiled: with it each of the many commands that tests run starts in half the time.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
  console.log(`seed ${seed} (repeat this run with FC_SEED=${seed})`);
}

/** The day as a number that a person can read, such as 20261121. */
function dayNumber(day: Date): string {
  return day.toISOString().slice(0, 10).replaceAll('-', '');
}

if (GIVEN !== undefined) configureGlobal({ ...readConfigureGlobal(), seed: Number(GIVEN) });
