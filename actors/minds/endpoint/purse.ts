/** The purse: what may be spent on calls, tokens, money and time, and what has been. */
import type { Usage } from './content.ts';
import type { Price } from './prices.ts';

export type Budget = {
  readonly calls: number | null;
  readonly tokens: number | null;
  readonly dollars: number | null;
  readonly seconds: number | null;
};

export const NO_LIMIT: Budget = { calls: null, tokens: null, dollars: null, seconds: null };

export type Spent = {
  readonly calls: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly dollars: number;
  /** Calls whose price nobody knows. */
  readonly unpriced: number;
};

export class Purse {
  readonly #budget: Budget;
  readonly #now: () => number;
  readonly #opened: number;
  /** The purse of the league or of the day, out of which this one is filled. */
  readonly #larger: Purse | null;
  #spent: Spent = {
    calls: 0,
    promptTokens: 0,
    cachedTokens: 0,
    completionTokens: 0,
    dollars: 0,
    unpriced: 0,
  };

  constructor(budget: Budget, now: () => number, larger: Purse | null = null) {
    this.#budget = budget;
    this.#now = now;
    this.#opened = now();
    this.#larger = larger;
  }

  get spent(): Spent {
    return this.#spent;
  }

  /** Why a call of about so many tokens may not be made; null when it may. */
  refusal(tokens: number): string | null {
    const { calls, promptTokens, completionTokens, dollars } = this.#spent;
    const used = promptTokens + completionTokens;
    const seconds = (this.#now() - this.#opened) / MS;
    const budget = this.#budget;
    if (isOver(calls + 1, budget.calls)) return met('calls', budget.calls);
    if (isOver(used + tokens, budget.tokens)) return met('tokens', budget.tokens);
    if (budget.dollars !== null && dollars >= budget.dollars) return met('dollars', budget.dollars);
    if (budget.seconds !== null && seconds >= budget.seconds) return met('seconds', budget.seconds);
    return this.#larger?.refusal(tokens) ?? null;
  }

  /** Writes down what a call has cost. What the endpoint counts is believed; else the estimate is taken. */
  note(
    usage: Usage,
    estimate: { readonly prompt: number; readonly completion: number },
    price: Price | null,
  ): void {
    const prompt = usage.promptTokens ?? estimate.prompt;
    const completion = usage.completionTokens ?? estimate.completion;
    const cached = Math.min(prompt, usage.cachedTokens ?? 0);
    const dollars = usage.cost ?? costOf(price, { prompt, cached, completion });
    const { calls, promptTokens, cachedTokens, completionTokens, unpriced } = this.#spent;
    this.#spent = {
      calls: calls + 1,
      promptTokens: promptTokens + prompt,
      cachedTokens: cachedTokens + cached,
      completionTokens: completionTokens + completion,
      dollars: this.#spent.dollars + (dollars ?? 0),
      unpriced: unpriced + (dollars === null ? 1 : 0),
    };
    this.#larger?.note(usage, estimate, price);
  }
}

const MS = 1000;

function isOver(sum: number, limit: number | null): boolean {
  return limit !== null && sum > limit;
}

function met(what: string, limit: number | null): string {
  return `the budget of ${limit} ${what} is spent`;
}

const MILLION = 1_000_000;

function costOf(
  price: Price | null,
  { prompt, cached, completion }: { prompt: number; cached: number; completion: number },
): number | null {
  if (price === null) return null;
  const fresh = prompt - cached;
  return (
    (fresh * price.input + cached * (price.cached ?? price.input) + completion * price.output) /
    MILLION
  );
}
