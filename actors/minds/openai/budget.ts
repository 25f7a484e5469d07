/**
 * Limits on calls, tokens, dollars and time, and the amounts spent. The possible cost of a call is reserved before it
 * starts, so eight players who ask at once don't spend the same money. Afterwards the actual cost replaces it.
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
  /** As counted by the endpoint. */
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  /** Tokens that no endpoint has counted. */
  readonly estimatedTokens: number;
  readonly dollars: number;
  readonly unpriced: number;
};

export type Expense = Omit<Spent, 'cachedTokens' | 'estimatedTokens' | 'unpriced'> & Partial<Spent>;

/** The most tokens that a call can take, as estimated beforehand. */
export type TokenEstimate = { readonly prompt: number; readonly completion: number };

const NOTHING: Spent = {
  calls: 0,
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  estimatedTokens: 0,
  dollars: 0,
  unpriced: 0,
};

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

  #refuse(estimate: TokenEstimate, price: Price | null): string | null {
    const { calls, promptTokens, completionTokens, estimatedTokens, dollars } = this.#spent;
    const aside = this.#aside;
    const known = promptTokens + completionTokens + estimatedTokens + aside.tokens;
    const tokens = known + sumTokens(estimate);
    const cost = dollars + aside.dollars + (estimateCost(price, estimate) ?? 0);
    const seconds = (this.#now() - this.#opened) / MS;
    const budget = this.#budget;
    if (isOver(calls + aside.calls + 1, budget.calls)) return describeLimit('calls', budget.calls);
    if (isOver(tokens, budget.tokens)) return describeLimit('tokens', budget.tokens);
    if (isOver(cost, budget.dollars)) return describeLimit('dollars', budget.dollars);
    if (budget.seconds !== null && seconds >= budget.seconds)
      return describeLimit('seconds', budget.seconds);
    return null;
  }

  /** Reserves the possible cost of a call, which must be noted when it is over. Returns the reason for a refusal. */
  reserve(estimate: TokenEstimate, price: Price | null): string | null {
    const refusal = this.#refuse(estimate, price);
    if (refusal === null) this.#layAside(1, estimate, price);
    else reach('budget-spent');
    return refusal;
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

  charge(expense: Expense): void {
    const spent = this.#spent;
    this.#spent = {
      calls: spent.calls + expense.calls,
      promptTokens: spent.promptTokens + expense.promptTokens,
      cachedTokens: spent.cachedTokens + (expense.cachedTokens ?? 0),
      completionTokens: spent.completionTokens + expense.completionTokens,
      estimatedTokens: spent.estimatedTokens + (expense.estimatedTokens ?? 0),
      dollars: spent.dollars + expense.dollars,
      unpriced: spent.unpriced + (expense.unpriced ?? 0),
    };
  }

  #layAside(times: 1 | -1, estimate: TokenEstimate, price: Price | null): void {
    const { calls, tokens, dollars } = this.#aside;
    this.#aside = {
      calls: calls + times,
      tokens: tokens + times * sumTokens(estimate),
      dollars: dollars + times * (estimateCost(price, estimate) ?? 0),
    };
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
