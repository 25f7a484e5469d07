/** The cost of models in words. */
import type { Spent } from '../../actors/minds/openai/budget.ts';
import { printNote } from '../output.ts';

/** What models have cost, in a sentence. */
export function costSentence({
  calls,
  promptTokens,
  cachedTokens,
  completionTokens,
  dollars,
  unpriced,
}: Spent): string {
  const count = (number: number) => number.toLocaleString('en-US');
  const cached = cachedTokens === 0 ? '' : ` (${count(cachedTokens)} cached)`;
  const price = unpriced === calls ? '' : `, $${dollars.toFixed(4)}`;
  const requests = calls === 1 ? '1 request' : `${count(calls)} requests`;
  return `${requests}, ${count(promptTokens)} tokens in${cached}, ${count(completionTokens)} out${price}`;
}

/** Tells people what a game has cost, and that a budget has ended it. */
export function tellCost({
  spent,
  exhausted,
}: {
  readonly spent: Spent;
  readonly exhausted: string | null;
}): void {
  if (spent.calls > 0) printNote(`\n${costSentence(spent)}`);
  if (exhausted !== null) printNote(`It ended early: ${exhausted}.`);
}
