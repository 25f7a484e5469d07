/** Limits on calls, tokens, dollars and time. The possible cost of a call is reserved before it starts. */

import { reach } from '../../ports/reach.ts';
import type { TokenUsage } from './content.ts';
import { computeCost, type Price } from './prices.ts';

const LIMITED = ['calls', 'tokens', 'dollars', 'seconds'] as const;

export type BudgetLimits = Readonly<Record<(typeof LIMITED)[number], number | null>>;

export const NO_LIMIT: BudgetLimits = { calls: null, tokens: null, dollars: null, seconds: null };

export type Spent = Readonly<typeof NOTHING>;

const NOTHING = {
  calls: 0,
  /** As counted by the endpoint. */
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  /** Tokens that no endpoint has counted. */
  estimatedTokens: 0,
  dollars: 0,
  unpriced: 0,
};

export type TokenEstimate = { readonly prompt: number; readonly completion: number };

export class Budget {
  readonly #budget: BudgetLimits;
  readonly #now: () => number;
  readonly #opened: number;
  #spent: Spent = NOTHING;
  /** Reserved for calls in flight. */
  #aside = { calls: 0, tokens: 0, dollars: 0 };

  constructor(budget: BudgetLimits, now: () => number) {
    this.#budget = budget;
    this.#now = now;
    this.#opened = now();
  }

  get spent(): Spent {
    return this.#spent;
  }

  /** Reserves the possible cost of a call, which must be noted when it is over. Returns the reason for a refusal. */
  reserve(estimate: TokenEstimate, price: Price | null): string | null {
    const { calls, promptTokens, completionTokens, estimatedTokens, dollars } = this.#spent;
    const aside = this.#aside;
    const tokens = promptTokens + completionTokens + estimatedTokens + aside.tokens;
    const totals = {
      calls: calls + aside.calls + 1,
      tokens: tokens + sumTokens(estimate),
      dollars: dollars + aside.dollars + estimateCost(price, estimate),
      seconds: (this.#now() - this.#opened) / MS,
    };
    const spent = LIMITED.find((name) => {
      const limit = this.#budget[name] ?? Infinity;
      return totals[name] > limit || (name === 'seconds' && totals[name] === limit);
    });
    if (spent === undefined) {
      this.#layAside(1, estimate, price);
      return null;
    }
    reach('budget-spent');
    return `the budget of ${this.#budget[spent]} ${spent} is spent`;
  }

  note(
    usage: TokenUsage,
    reserved: TokenEstimate,
    price: Price | null,
    estimate: TokenEstimate = reserved,
  ): void {
    this.#layAside(-1, reserved, price);
    this.count(usage, estimate, price);
  }

  /** Counts a call that was not reserved here. The endpoint's count wins over the estimate. */
  count(usage: TokenUsage, estimate: TokenEstimate, price: Price | null): void {
    const prompt = usage.promptTokens ?? estimate.prompt;
    const completion = usage.completionTokens ?? estimate.completion;
    const cachedTokens = Math.min(prompt, usage.cachedTokens ?? 0);
    const cost = usage.cost ?? computeCost(price, { prompt, cached: cachedTokens, completion });
    const [promptTokens, completionTokens] = [usage.promptTokens ?? 0, usage.completionTokens ?? 0];
    this.charge({
      ...{ calls: 1, promptTokens, cachedTokens, completionTokens },
      estimatedTokens: prompt + completion - promptTokens - completionTokens,
      ...{ dollars: cost ?? 0, unpriced: cost === null ? 1 : 0 },
    });
  }

  charge(expense: Partial<Spent>): void {
    const spent = this.#spent;
    const add = (name: keyof Spent) => spent[name] + (expense[name] ?? 0);
    this.#spent = {
      calls: add('calls'),
      promptTokens: add('promptTokens'),
      cachedTokens: add('cachedTokens'),
      completionTokens: add('completionTokens'),
      estimatedTokens: add('estimatedTokens'),
      dollars: add('dollars'),
      unpriced: add('unpriced'),
    };
  }

  #layAside(times: 1 | -1, estimate: TokenEstimate, price: Price | null): void {
    const { calls, tokens, dollars } = this.#aside;
    this.#aside = {
      calls: calls + times,
      tokens: tokens + times * sumTokens(estimate),
      dollars: dollars + times * estimateCost(price, estimate),
    };
  }
}

const MS = 1000;

function sumTokens({ prompt, completion }: TokenEstimate): number {
  return prompt + completion;
}

/** Dollars, 0 without a price. */
function estimateCost(price: Price | null, estimate: TokenEstimate): number {
  return computeCost(price, { ...estimate, cached: 0 }) ?? 0;
}
