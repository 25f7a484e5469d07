/**
 * How often a law is tried: a few times in `npm test`, which everybody runs, and many times in `npm run test:long`.
 *
 * Every law is in both. What differs is the number of seeds, games or charts, and the name of the test says it.
 */
export const IS_LONG = process.env['TEST_LONG'] === '1';

/** So many here, and so many in the long run. */
export function seeds(few: number, many: number): number {
  return IS_LONG ? many : few;
}

/** The seed of the suite, which changes with the day: what is too dear to be tried whole is tried in turn. */
export const DAY = Number(process.env['FC_SEED'] ?? 0);

/** All of them in the long run; otherwise those whose turn it is today, so that all have had theirs after so many days. */
export function inTurn<T>(items: readonly T[], days: number): readonly T[] {
  const turn = Math.abs(DAY) % days;
  return IS_LONG ? items : items.filter((_, index) => index % days === turn);
}
