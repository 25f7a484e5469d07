import { expect, test } from 'vitest';
import { countRequests, forecastGames, type ModelPace } from '../../../analysis/models/forecast.ts';
import { plainGame } from '../../../machines/setup/prepare.ts';

function aGame(models: readonly (string | null)[]) {
  const plain = plainGame(models.length);
  const seats = plain.seats.map((seat, index) => {
    const model = models[index] ?? null;
    return model === null ? seat : { ...seat, mind: 'openai' as const, model };
  });
  return { match: { ...plain, seats }, seed: 3 };
}

const FOUR = ['m', 'm', 'm', 'm'];
const TERMS = { prices: {}, paces: new Map<string, ModelPace>(), concurrency: 4 };

test('a passive table acts in long waits, and a talkative one talks for longer', async () => {
  const { usual, passive, talkative } = await forecastGames([aGame(FOUR)], TERMS);
  // Four players, each asked in every eighth of 1,200 rounds.
  expect(passive.calls).toBeGreaterThanOrEqual(600);
  expect(passive.calls).toBeLessThan(650);
  expect(talkative.calls).toBeGreaterThan(usual.calls);
});

test('minutes follow the pace and the requests at once; the slowest model of a moment counts', async () => {
  const minutes = async (models: readonly (string | null)[], paces = {}, more = {}) => {
    const terms = { ...TERMS, paces: new Map<string, ModelPace>(Object.entries(paces)), ...more };
    const { calls, ms } = await countRequests([aGame(models)], terms);
    return { calls, minutes: ms / 60_000 };
  };
  const slow = { aloneMs: 12_000, speedup: 4 };
  const assumed = await minutes(FOUR);
  expect((await minutes(FOUR, { m: slow })).minutes).toBeCloseTo(4 * assumed.minutes, 6);
  const oneByOne = await minutes(FOUR, { m: { aloneMs: 3_000, speedup: 1 } });
  expect(oneByOne.minutes).toBeCloseTo((oneByOne.calls * 3) / 60, 6);
  expect((await minutes(FOUR, {}, { concurrency: 1 })).minutes).toBeCloseTo(oneByOne.minutes, 6);
  const two = await minutes(['a', 'b', ...FOUR.slice(2)], { a: slow });
  expect(two.minutes).toBeGreaterThan(assumed.minutes);
  expect(two.minutes).toBeLessThan(4 * assumed.minutes);
  const many = await minutes(FOUR, {}, { games: 10, parallel: 5 });
  expect(many.minutes).toBeGreaterThanOrEqual(2 * assumed.minutes);
  expect(many.minutes).toBeLessThanOrEqual(10 * assumed.minutes);
  expect(many.calls).toBe(10 * assumed.calls);
});

test('models without a price or a measured pace are named, and only their seats count', async () => {
  const prices = { a: { input: 1, cached: 0.1, output: 2 } };
  const paces = new Map([['b', { aloneMs: 1, speedup: 1 }]]);
  const one = await forecastGames([aGame(['a', 'b', null, null])], { ...TERMS, prices, paces });
  expect(one).toMatchObject({ unpriced: ['b'], unmeasured: ['a'], usual: { dollars: null } });
  const all = await forecastGames([aGame(['a', 'a', 'a', 'a'])], { ...TERMS, prices });
  expect(all.usual.calls).toBeGreaterThan(one.usual.calls);
  expect(all.usual.dollars).toBeGreaterThan(all.usual.dollarsCached ?? 0);
});
