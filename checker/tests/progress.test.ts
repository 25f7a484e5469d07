import { describe, expect, test } from 'vitest';
import { check } from '../check.ts';
import type { SearchProgress } from '../explore.ts';
import { describeProgress, SearchEstimate } from '../progress.ts';
import { createCounters } from './machines.ts';

/** Looks at the clock go by steps, so that a search takes as many seconds as it has thousands of looks. */
function followSearch(k: number, modulus: number) {
  let looks = 0;
  const estimate = new SearchEstimate();
  const told: { readonly at: SearchProgress; readonly left: number; readonly share: number }[] = [];
  let calls = 0;
  const found = check(createCounters(k, modulus), {
    now: () => looks++ / 1000,
    onProgress: (at) => {
      calls += 1;
      const said = estimate.note(at);
      if (said !== null) told.push({ at, left: said.secondsLeft, share: said.share });
    },
  });
  return { found, told, calls };
}

describe('how much is left', () => {
  test.each([
    { k: 4, modulus: 9 },
    { k: 6, modulus: 5 },
    { k: 9, modulus: 3 },
  ])('of $k counters modulo $modulus', ({ k, modulus }) => {
    const { found, told, calls } = followSearch(k, modulus);
    expect(told.length).toBeGreaterThan(3);
    expect(told.length).toBeLessThan(calls);
    for (const { at, left, share } of told) {
      const expanded = at.states - at.frontier;
      // Within a factor of two, and a twentieth of the whole search.
      const truth = found.seconds - at.seconds;
      const slack = found.seconds / 20;
      expect(left).toBeLessThan(truth * 2 + slack);
      expect(left).toBeGreaterThan(truth / 2 - slack);
      expect(Math.abs(share - expanded / found.states)).toBeLessThan(0.2);
    }
  });

  test('nothing is said of a search that grows and grows, or of a few states', () => {
    const estimate = new SearchEstimate();
    for (let at = 1; at < 200; at++) {
      const states = at * 1000;
      const growing = { states, transitions: 0, frontier: states / 2, depth: at, seconds: at };
      expect(estimate.note(growing)).toBeNull();
    }
    expect(followSearch(3, 5).told).toEqual([]);
  });
});

describe('the line', () => {
  const at = (states: number, frontier: number, seconds: number): SearchProgress => ({
    ...{ states, transitions: 0, frontier, depth: 7, seconds },
  });

  test('without an estimate', () => {
    expect(describeProgress(at(12_345, 678, 10), new SearchEstimate())).toBe(
      '12,345 states, 1,235 a second, 678 to look at, depth 7',
    );
    expect(describeProgress(at(1, 1, 0), new SearchEstimate())).toBe(
      '1 states, 1 to look at, depth 7',
    );
  });

  test.each([
    { perStep: 0.2, left: 'a few seconds left' },
    { perStep: 2, left: 'about 20 s left' },
    { perStep: 20, left: 'about 4 min left' },
    { perStep: 2000, left: 'about 6 h left' },
  ])('with $perStep seconds for a hundred states: $left', ({ perStep, left }) => {
    // 10,000 states were there at once, and each that is looked at finds nothing.
    const estimate = new SearchEstimate();
    let line = '';
    for (let step = 0; step <= 90; step++) {
      line = describeProgress(at(10_000, 10_000 - step * 100, step * perStep), estimate);
    }
    expect(line).toMatch(/ 1,000 to look at, depth 7, about 90 % done, /);
    expect(line).toContain(left);
  });
});
