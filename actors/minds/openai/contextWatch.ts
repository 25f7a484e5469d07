/** Watches for servers that cut long prompts without notice. One small count means nothing: it may lack cached tokens. */
import type { TokenUsage } from './content.ts';

/** Equal counts in a row and growth of the prompts that no honest count shows, and the shortest context. */
const [EQUAL, GROWTH, LEAST_CONTEXT] = [3, 1.05, 256] as const;

/** Notes an answered request by its estimated and counted tokens. Returns a warning once, else null. */
export type ContextWatch = (estimate: number, usage: TokenUsage) => string | null;

/** `context` is the known length in tokens. */
export function watchContext(context = Infinity): ContextWatch {
  /** The last count, how often it came in a row, and the least estimate meanwhile. */
  let last = { count: 0, times: 0, least: 0 };
  let hasWarned = false;
  return (estimate, { promptTokens, cachedTokens }) => {
    const count = (promptTokens ?? 0) + (cachedTokens ?? 0);
    const same = count === last.count ? last : { times: 0, least: estimate };
    const least = Math.min(same.least, estimate);
    last = { count, times: same.times + 1, least };
    const isLong = estimate > context && count <= context;
    const isStuck =
      last.times >= EQUAL && estimate > least * GROWTH && least > count && count >= LEAST_CONTEXT;
    if (hasWarned || !(isLong || isStuck)) return null;
    hasWarned = true;
    const reason = isLong
      ? `its context has ${context}. Give the model a larger context`
      : `it counts ${count} for shorter ones too. "glassbox doctor" shows its context`;
    return `the server may cut the beginning of a prompt of about ${estimate} tokens: ${reason}`;
  };
}
