/** Watches for servers that cut long prompts without notice. One small count means nothing: it may lack cached tokens. */
import type { TokenUsage } from './content.ts';

/** Equal counts in a row and growth of the prompts that no honest count shows, and the shortest context. */
const [EQUAL, GROWTH, LEAST_CONTEXT] = [3, 1.05, 256] as const;

export class ContextWatch {
  readonly #context: number;
  /** The last count, how often it came in a row, and the least estimate meanwhile. */
  #last = { count: 0, times: 0, least: 0 };
  #hasWarned = false;

  /** `context` is the known length in tokens. */
  constructor(context: number | null) {
    this.#context = context ?? Infinity;
  }

  /** Notes an answered request by its estimated and counted tokens. Returns a warning once, else null. */
  note(estimate: number, { promptTokens, cachedTokens }: TokenUsage): string | null {
    const count = (promptTokens ?? 0) + (cachedTokens ?? 0);
    const same = count === this.#last.count ? this.#last : { times: 0, least: estimate };
    const least = Math.min(same.least, estimate);
    this.#last = { count, times: same.times + 1, least };
    const isLong = estimate > this.#context && count <= this.#context;
    const isStuck =
      this.#last.times >= EQUAL &&
      estimate > least * GROWTH &&
      least > count &&
      count >= LEAST_CONTEXT;
    if (this.#hasWarned || !(isLong || isStuck)) return null;
    this.#hasWarned = true;
    const reason = isLong
      ? `its context has ${this.#context}. Give the model a larger context`
      : `it counts ${count} for shorter ones too. "glassbox doctor" shows its context`;
    return `the server may cut the beginning of a prompt of about ${estimate} tokens: ${reason}`;
  }
}
