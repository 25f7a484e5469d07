/** The list of tests that take turns: measured, not written. `TEST_ALL=1 TURNS=write npm test` measures it anew. */
import { fileURLToPath } from 'node:url';

export const TURNS = fileURLToPath(new URL('turns.txt', import.meta.url));

/** A whole run tries the tests of one turn. */
export const TURNS_TAKEN = 8;

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
  /^tests\/(?:analysis\/league\/coverage\.test\.ts|docs\.test\.ts|packaging\/|storm\/storm\.test\.ts)/,
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

/** A test of the list; tests of one name count as one. */
type ListedTest = { readonly name: string; readonly seconds: number };

/** Reads the list. */
export function readTurns(text: string): readonly ListedTest[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [, seconds = '', name = ''] = /^ *(\d+) (.+)$/.exec(line) ?? [];
      return { name, seconds: Number(seconds) };
    });
}

/** The turn of each test, by its name: the longest first, each into the turn that has least to do. */
export function dealTurns(listed: readonly ListedTest[]): ReadonlyMap<string, number> {
  const loads = Array.from({ length: TURNS_TAKEN }, () => 0);
  const longestFirst = listed.toSorted((a, b) => b.seconds - a.seconds);
  return new Map(
    longestFirst.map(({ name, seconds }) => {
      const turn = loads.indexOf(Math.min(...loads));
      loads[turn] = (loads[turn] ?? 0) + seconds;
      return [name, turn];
    }),
  );
}

type TimedTest = { readonly name: string; readonly ms: number };

/** The lines of the list, with the seconds that each test took in a run in which all were tried. */
export function listTurns(tests: readonly TimedTest[]): string {
  const listed = new Map<string, number>();
  for (const { name, ms } of tests) {
    if (ms < LONG_MS || name.length > LONGEST_NAME) continue;
    if (!ALWAYS.some((words) => words.test(name))) listed.set(name, (listed.get(name) ?? 0) + ms);
  }
  return [...listed]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, ms]) => `${Math.round(ms / 1000)} ${name}\n`)
    .join('');
}
