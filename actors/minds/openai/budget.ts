/**
 * The budget: limits on calls, tokens, dollars and time, and the amounts spent.
 *
 * The possible cost of a call is reserved before it starts, so eight players who ask at once don't spend the same
 * money. Afterwards the actual cost replaces it.
 */

import { reach } from '../../ports/reach.ts';
import type { TokenUsage } from './content.ts';
import { computeCost, type Price } from './prices.ts';

export type BudgetLimits = {
  readonly calls: number | null;
  readonly tokens: number | null;
  readonly dollars: number | null;
  readonly seconds: number | null;
};

export const NO_LIMIT: BudgetLimits = { calls: null, tokens: null, dollars: null, seconds: null };

export type Spent = {
  readonly calls: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly dollars: number;
  readonly unpriced: number;
};

export type Expense = Pick<Spent, 'calls' | 'promptTokens' | 'completionTokens' | 'dollars'>;

/** The most tokens that a call can take, as estimated beforehand. */
export type TokenEstimate = { readonly prompt: number; readonly completion: number };

const NOTHING: Spent = {
  calls: 0,
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  dollars: 0,
  unpriced: 0,
};

export class Budget {
  readonly #budget: BudgetLimits;
  readonly #now: () => number;
  readonly #opened: number;
  /** The budget of the league or the day that contains this one. */
  readonly #larger: Budget | null;
  #spent: Spent = NOTHING;
  /** Reserved for calls in flight. */
  #aside = { calls: 0, tokens: 0, dollars: 0 };

  constructor(budget: BudgetLimits, now: () => number, larger: Budget | null = null) {
    this.#budget = budget;
    this.#now = now;
    this.#opened = now();
    this.#larger = larger;
  }

  get spent(): Spent {
    return this.#spent;
  }

  /** The reason why such a call is refused; null if it is allowed. */
  refuse(estimate: TokenEstimate, price: Price | null): string | null {
    const { calls, promptTokens, completionTokens, dollars } = this.#spent;
    const aside = this.#aside;
    const tokens = promptTokens + completionTokens + aside.tokens + sumTokens(estimate);
    const cost = dollars + aside.dollars + (estimateCost(price, estimate) ?? 0);
    const seconds = (this.#now() - this.#opened) / MS;
    const budget = this.#budget;
    if (isOver(calls + aside.calls + 1, budget.calls)) return describeLimit('calls', budget.calls);
    if (isOver(tokens, budget.tokens)) return describeLimit('tokens', budget.tokens);
    if (isOver(cost, budget.dollars)) return describeLimit('dollars', budget.dollars);
    if (budget.seconds !== null && seconds >= budget.seconds)
      return describeLimit('seconds', budget.seconds);
    return this.#larger?.refuse(estimate, price) ?? null;
  }

  /**
   * Reserves the possible cost of a call, or returns the reason for a refusal. Every reserved call must be noted when
   * it is over.
   */
  reserve(estimate: TokenEstimate, price: Price | null): string | null {
    const refusal = this.refuse(estimate, price);
    if (refusal === null) this.#layAside(1, estimate, price);
    else reach('budget-spent');
    return refusal;
  }

  /** Records the cost of a call. The endpoint's count wins over the estimate. */
  note(usage: TokenUsage, estimate: TokenEstimate, price: Price | null): void {
    if (this.#aside.calls > 0) this.#layAside(-1, estimate, price);
    this.#write(usage, estimate, price);
  }

  charge({ calls, promptTokens, completionTokens, dollars }: Expense): void {
    const spent = this.#spent;
    this.#spent = {
      ...spent,
      calls: spent.calls + calls,
      promptTokens: spent.promptTokens + promptTokens,
      completionTokens: spent.completionTokens + completionTokens,
      dollars: spent.dollars + dollars,
    };
  }

  #layAside(times: 1 | -1, estimate: TokenEstimate, price: Price | null): void {
    const { calls, tokens, dollars } = this.#aside;
    this.#aside = {
      calls: calls + times,
      tokens: tokens + times * sumTokens(estimate),
      dollars: dollars + times * (estimateCost(price, estimate) ?? 0),
    };
    if (this.#larger !== null) this.#larger.#layAside(times, estimate, price);
  }

  #write(usage: TokenUsage, estimate: TokenEstimate, price: Price | null): void {
    const prompt = usage.promptTokens ?? estimate.prompt;
    const completion = usage.completionTokens ?? estimate.completion;
    const cached = Math.min(prompt, usage.cachedTokens ?? 0);
    const cost = usage.cost ?? computeCost(price, { prompt, cached, completion });
    const { calls, promptTokens, cachedTokens, completionTokens, dollars, unpriced } = this.#spent;
    this.#spent = {
      calls: calls + 1,
      promptTokens: promptTokens + prompt,
      cachedTokens: cachedTokens + cached,
      completionTokens: completionTokens + completion,
      dollars: dollars + (cost ?? 0),
      unpriced: unpriced + (cost === null ? 1 : 0),
    };
    if (this.#larger !== null) this.#larger.#write(usage, estimate, price);
  }
}

const MS = 1000;

function sumTokens({ prompt, completion }: TokenEstimate): number {
  return prompt + completion;
}

function isOver(total: number, limit: number | null): boolean {
  return limit !== null && total > limit;
}

function describeLimit(what: string, limit: number | null): string {
  return `the budget of ${limit} ${what} is spent`;
}

function estimateCost(price: Price | null, estimate: TokenEstimate): number | null {
  return computeCost(price, { ...estimate, cached: 0 });
}
