/**
 * The tests of `npm test` and `npm run test:long`. Every law is in both. The long run tries more seeds, games or
 * charts, and the test name says how many.
 */
import { describe, test } from 'vitest';

export const IS_LONG = process.env['TEST_LONG'] === '1';

/** The seed of the run: constant in `npm test`, drawn and printed by the long run, or taken from FC_SEED. */
export const SEED = Number(process.env['FC_SEED']);

/** Registers nothing, so that a run without long tests counts none as skipped. */
const NOTHING: unknown = new Proxy(() => NOTHING, { get: () => NOTHING });

/** `test` and `describe` in the long run, nothing in `npm test`. A file of long tests only is named `*.long.test.ts`. */
export const testLong = IS_LONG ? test : (NOTHING as typeof test);
export const describeLong = IS_LONG ? describe : (NOTHING as typeof describe);

/** The first number in `npm test`, the second in the long run. */
export const seeds = (few: number, many: number): number => (IS_LONG ? many : few);

/** Every nth item in `npm test`, all of them in the long run. */
export function everyNth<T>(items: readonly T[], n: number): readonly T[] {
  return items.filter((_, index) => IS_LONG || index % n === 0);
}
