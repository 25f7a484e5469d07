/**
 * Watches for servers that cut long prompts without notice. Counts of tokens are hints: some servers leave out cached
 * ones, so a small count means nothing. A known context is evidence, and so is a count that stays while prompts grow.
 */
import type { TokenUsage } from './content.ts';

/** Equal counts in a row, and the growth of the prompts meanwhile, that no honest count shows. */
const MOST_EQUAL = 3;
const GROWTH = 1.05;
/** No context is shorter, in tokens. */
const LEAST_CONTEXT = 256;

export class ContextWatch {
  readonly #context: number | null;
  /** Requests in a row with the same count, and the estimates of the shortest and the longest prompt. */
  #equal = { count: 0, times: 0, least: 0, most: 0 };
  #hasWarned = false;

  /** `context` is the known length in tokens. */
  constructor(context: number | null) {
    this.#context = context;
  }

  /** Notes an answered request by its estimated and counted tokens. Returns a warning once, else null. */
  note(estimate: number, { promptTokens, cachedTokens }: TokenUsage): string | null {
    const count = (promptTokens ?? 0) + (cachedTokens ?? 0);
    const { count: last, times, least, most } = this.#equal;
    this.#equal =
      count === last
        ? {
            count,
            times: times + 1,
            least: Math.min(least, estimate),
            most: Math.max(most, estimate),
          }
        : { count, times: 1, least: estimate, most: estimate };
    if (this.#hasWarned) return null;
    const warning = this.#warn(estimate, count);
    this.#hasWarned = warning !== null;
    return warning;
  }

  #warn(estimate: number, count: number): string | null {
    const context = this.#context ?? Infinity;
    if (estimate > context && count <= context)
      return `the context has ${context} tokens and a prompt about ${estimate}: the server may cut its beginning. Give the model a larger context`;
    const { times, least, most } = this.#equal;
    const isStuck =
      times >= MOST_EQUAL && count >= LEAST_CONTEXT && most > least * GROWTH && least > count;
    return isStuck
      ? `prompts grow from about ${least} to ${most} tokens and count as ${count} each time: the server seems to cut their beginning. "glassbox doctor" shows its context`
      : null;
  }
}
