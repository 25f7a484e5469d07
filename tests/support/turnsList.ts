/** The list of tests that take turns: measured, not written. `TEST_ALL=1 TURNS=write npm test` measures it anew. */
import { fileURLToPath } from 'node:url';

export const TURNS = fileURLToPath(new URL('turns.txt', import.meta.url));

/** A whole run tries the tests of one turn. */
export const TURNS_TAKEN = 6;

/** Said of a test that waits for its turn. */
export const WAITS = 'tried on another day (TEST_ALL=1 tries all)';

/** What takes longer than this on two busy processors waits for its turn. */
const LONG_MS = 1500;

/** Longer names are those of hostile input, and no row of a list. */
const LONGEST_NAME = 300;

/**
 * Promises that are kept in every run, whatever that takes; files whose tests go on from each other; and rows that take
 * long only because they wait for others.
 */
export const ALWAYS: readonly RegExp[] = [
  /^tests\/(?:docs\.test\.ts|packaging\/|storm\/storm\.test\.ts)/,
  /^tests\/site\/playground\.test\.ts > in a tab > (?:the journals of|every meeting of)/,
  /^tests\/actors\/stores\/randomOperations\.test\.ts/,
  /names who plays at every seat/,
  /plays a whole game on the map/,
  /ten thousand ticks are stepped through/,
  /^tests\/cli\/(?:meet|prompt|refusal|usage)\.test\.ts/,
  / is refused\b/,
  /is a mistake of usage$/,
];

/** The name of a test in the list: its file, the suites around it and its own, whatever the day. */
export function nameTurn(file: string, test: string): string {
  return `${file} > ${test}`.replaceAll(/\b20\d{6}\b/g, '#');
}

/** The turn of a day's seed: the high bits of a product are far apart for seeds that follow each other. */
export function drawTurn(seed: number): number {
  return Math.floor(((Math.imul(seed, 0x9e3779b1) >>> 0) / 2 ** 32) * TURNS_TAKEN);
}

type TimedTest = { readonly name: string; readonly ms: number };

/** The lines of the list, by what each test took in a run in which all were tried. */
export function listTurns(tests: readonly TimedTest[]): string {
  const listed = tests.filter(
    ({ name, ms }) =>
      ms >= LONG_MS && name.length <= LONGEST_NAME && !ALWAYS.some((words) => words.test(name)),
  );
  return `${[...new Set(listed.map(({ name }) => name))].toSorted().join('\n')}\n`;
}
