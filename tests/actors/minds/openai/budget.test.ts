import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Budget, type BudgetLimits, NO_LIMIT } from '../../../../actors/minds/openai/budget.ts';
import type { TokenUsage } from '../../../../actors/minds/openai/content.ts';
import { readPrices } from '../../../../actors/minds/openai/prices.ts';

const SILENT: TokenUsage = {
  promptTokens: null,
  cachedTokens: null,
  completionTokens: null,
  cost: null,
};
const CALL = { prompt: 100, completion: 50 };
const PRICE = { input: 2, output: 10, cached: 1 };
const COST = (100 * 2 + 50 * 10) / 1e6;
const SPENT = `the budget of ${3 * COST - 5e-7} dollars is spent`;

describe('budget', () => {
  test.each<[name: string, budget: Partial<BudgetLimits>, refusal: string | null]>([
    ['calls left', { calls: 3 }, null],
    ['no calls left', { calls: 2 }, 'the budget of 2 calls is spent'],
    ['tokens left', { tokens: 450 }, null],
    ['too few tokens left', { tokens: 449 }, 'the budget of 449 tokens is spent'],
    ['dollars left', { dollars: 3.01 * COST }, null],
    ['dollars for all but a part of a token', { dollars: 3 * COST - 5e-7 }, SPENT],
    ['too few dollars left', { dollars: 0.002 }, 'the budget of 0.002 dollars is spent'],
    ['seconds left', { seconds: 10.001 }, null],
    ['no seconds left', { seconds: 10 }, 'the budget of 10 seconds is spent'],
    ['nothing at all', { calls: 0 }, 'the budget of 0 calls is spent'],
  ])('%s', (_, limits, refusal) => {
    let now = 1_000;
    const budget = new Budget({ ...NO_LIMIT, ...limits }, () => now);
    budget.count(SILENT, CALL, PRICE);
    budget.count(SILENT, CALL, PRICE);
    now += 10_000;
    expect(budget.reserve(CALL, PRICE)).toBe(refusal);
  });

  test('dollars that calls under way may cost are laid aside, and come back with the calls', () => {
    const budget = new Budget({ ...NO_LIMIT, dollars: 2.5 * COST }, () => 0);
    expect([budget.reserve(CALL, PRICE), budget.reserve(CALL, PRICE)]).toEqual([null, null]);
    expect(budget.reserve(CALL, PRICE)).toMatch(/dollars is spent/);
    budget.note({ ...SILENT, cost: 0 }, CALL, PRICE);
    expect(budget.reserve(CALL, PRICE)).toBeNull();
  });

  test('amounts spent elsewhere count too, separately for each kind', () => {
    const budget = new Budget({ ...NO_LIMIT, calls: 10 }, () => 0);
    budget.count(SILENT, CALL, PRICE);
    const before = budget.spent;
    budget.charge({ calls: 3, promptTokens: 700, completionTokens: 80, dollars: 0.5 });
    expect(budget.spent).toEqual({
      ...before,
      calls: 4,
      promptTokens: 700,
      completionTokens: 80,
      dollars: before.dollars + 0.5,
    });
    expect(before.cachedTokens).toBe(0);
  });

  test('a call without a price counts for no dollars', () => {
    const budget = new Budget({ ...NO_LIMIT, dollars: COST / 2 }, () => 0);
    expect([budget.reserve(CALL, null), budget.reserve(CALL, null)]).toEqual([null, null]);
    budget.note(SILENT, CALL, null);
    expect([budget.reserve(CALL, null), budget.spent.dollars]).toEqual([null, 0]);
  });

  test('eight who ask at once do not spend the same money', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 20 }),
        fc.nat({ max: 3_000 }),
        fc.array(fc.boolean(), { maxLength: 60 }),
        (calls, tokens, course) => {
          const budget = new Budget({ ...NO_LIMIT, calls, tokens }, () => 0);
          let underWay = 0;
          for (const asks of course) {
            if (asks && budget.reserve(CALL, PRICE) === null) underWay += 1;
            else if (!asks && underWay > 0) {
              budget.note(SILENT, CALL, PRICE);
              underWay -= 1;
            }
          }
          for (; underWay > 0; underWay--) budget.note(SILENT, CALL, PRICE);
          const { promptTokens, completionTokens, estimatedTokens } = budget.spent;
          expect(budget.spent.calls).toBeLessThanOrEqual(calls);
          expect(promptTokens + completionTokens + estimatedTokens).toBeLessThanOrEqual(tokens);
        },
      ),
    );
  });

  test('an unused reserve comes back', () => {
    const budget = new Budget({ ...NO_LIMIT, tokens: 200 }, () => 0);
    expect(budget.reserve(CALL, null)).toBeNull();
    expect(budget.reserve(CALL, null)).not.toBeNull();
    budget.note({ ...SILENT, promptTokens: 40, completionTokens: 10 }, CALL, null);
    expect(budget.reserve(CALL, null)).toBeNull();
  });
});

describe('the cost of a call', () => {
  const spentOn = (usage: Partial<TokenUsage>, price: typeof PRICE | null) => {
    const budget = new Budget(NO_LIMIT, () => 0);
    expect(budget.reserve(CALL, price)).toBeNull();
    budget.note({ ...SILENT, ...usage }, CALL, price);
    return budget.spent;
  };

  test('tokens are believed when the endpoint counts, and estimated when it does not', () => {
    const counted = (usage: Partial<TokenUsage>) => {
      const { promptTokens, completionTokens, estimatedTokens } = spentOn(usage, null);
      return [promptTokens, completionTokens, estimatedTokens];
    };
    expect(counted({})).toEqual([0, 0, 150]);
    expect(counted({ promptTokens: 7 })).toEqual([7, 0, 50]);
    expect(counted({ promptTokens: 7, completionTokens: 3 })).toEqual([7, 3, 0]);
  });

  test('dollars are the price of fresh, cached and written tokens', () => {
    expect(
      spentOn({ promptTokens: 100, cachedTokens: 60, completionTokens: 50 }, PRICE).dollars,
    ).toBeCloseTo((40 * 2 + 60 * 1 + 50 * 10) / 1e6, 12);
  });

  test('more cannot be cached than was sent', () => {
    expect(spentOn({ promptTokens: 10, cachedTokens: 60 }, PRICE).cachedTokens).toBe(10);
  });

  test('a cost stated by the endpoint goes before every price', () => {
    expect(spentOn({ cost: 0.5 }, PRICE)).toMatchObject({ dollars: 0.5, unpriced: 0 });
    expect(spentOn({}, null)).toMatchObject({ dollars: 0, unpriced: 1 });
  });
});

describe('prices', () => {
  test('a file', () => {
    const text =
      '{"gpt-x": {"input": 1, "output": 4, "cached": 0.1}, "free/gemma": {"input": 0, "output": 0}}';
    expect(readPrices(text)).toMatchObject({ ok: true, prices: { 'gpt-x': { cached: 0.1 } } });
  });

  test.each([
    ['a typo in a name', '{"gpt-x": {"inptu": 1, "output": 4}}', /^gpt-x.*inptu/],
    ['a price below zero', '{"gpt-x": {"input": -1, "output": 4}}', /^gpt-x\.input: /],
    ['a price in words', '{"gpt-x": {"input": "1", "output": 4}}', /^gpt-x\.input: /],
    ['a price that is missing', '{"gpt-x": {"input": 1}}', /^gpt-x\.output: /],
    ['a list', '[]', /^the file: /],
    ['no JSON', '{"gpt-x": ', /^expected JSON such as /],
  ])('%s is reported in a sentence', (_, text, sentence) => {
    const read = readPrices(text);
    expect(read.ok ? '' : read.text).toMatch(sentence);
    expect(read.ok ? '' : read.text).not.toContain('\n');
  });
});
