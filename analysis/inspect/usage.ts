/** Tokens and dollars of requests, added up as Inspect counts them. */
import { type PlayerCall, readCalls } from '../../actors/minds/openai/calls.ts';
import type { Line } from '../../machines/journal/lines.ts';
import type { Colour } from '../../machines/types.ts';
import type { Pricing } from '../accounts.ts';
import type { InspectUsage } from './format.ts';

export class UsageSum {
  #input = 0;
  #cached: number | null = null;
  #output = 0;
  #cost: number | null = null;

  /** What an endpoint has not counted adds nothing; estimates are not counted. */
  add({ usage }: PlayerCall, cost: number | null): void {
    const { promptTokens, cachedTokens, completionTokens } = usage;
    const prompt = Math.round(promptTokens ?? 0);
    const cached = Math.min(prompt, Math.round(cachedTokens ?? 0));
    // An endpoint counts tokens from the cache among those of the prompt, and Inspect beside them.
    this.#input += prompt - cached;
    if (cachedTokens !== null) this.#cached = (this.#cached ?? 0) + cached;
    this.#output += Math.round(completionTokens ?? 0);
    if (cost !== null) this.#cost = (this.#cost ?? 0) + cost;
  }

  get total(): InspectUsage {
    return {
      input_tokens: this.#input,
      output_tokens: this.#output,
      total_tokens: this.#input + (this.#cached ?? 0) + this.#output,
      input_tokens_cache_read: this.#cached,
      total_cost: this.#cost,
    };
  }
}

export type UsageByName = Record<string, InspectUsage>;

/** The requests of a journal, added up by a name of their player: of the model, or the colour. */
export function sumUsage(
  lines: readonly Line[],
  nameOf: (seat: Colour) => string | null,
  pricing: Pricing,
): UsageByName {
  const sums = new Map<string, UsageSum>();
  for (const call of readCalls(lines)) {
    const name = nameOf(call.seat);
    if (name === null) continue;
    const sum = sums.get(name) ?? new UsageSum();
    sums.set(name, sum);
    sum.add(call, pricing(call.seat, call.usage));
  }
  return Object.fromEntries([...sums].map(([name, sum]) => [name, sum.total]));
}
