/** Prices: dollars for a million tokens, from a file that its owner edits. */
import { z } from 'zod';

const priceSchema = z.strictObject({
  input: z.number().nonnegative().describe('Dollars for a million tokens of prompt'),
  output: z.number().nonnegative().describe('Dollars for a million tokens of answer'),
  cached: z.number().nonnegative().optional().describe('Where the prompt was cached'),
});

/** By the endpoint's name for the model. */
export const pricesSchema = z.record(z.string().min(1), priceSchema);
export type Price = z.infer<typeof priceSchema>;
export type Prices = z.infer<typeof pricesSchema>;

const MILLION = 1_000_000;

/** A model may be called "constructor". */
export function findPrice(prices: Prices, model: string): Price | null {
  return Object.hasOwn(prices, model) ? (prices[model] ?? null) : null;
}

/** Cost in dollars; null without a known price. Cached tokens are part of the prompt. */
export function computeCost(
  known: Price | null,
  tokens: { readonly prompt: number; readonly cached: number; readonly completion: number },
): number | null {
  if (known === null) return null;
  const { prompt, cached, completion } = tokens;
  const read = (prompt - cached) * known.input + cached * (known.cached ?? known.input);
  return (read + completion * known.output) / MILLION;
}

export function readPrices(
  text: string,
): { readonly ok: true; readonly prices: Prices } | { readonly ok: false; readonly text: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'no JSON';
    const example = '{"gpt-x": {"input": 1, "output": 4}}';
    return { ok: false, text: `expected JSON such as ${example}: ${reason}` };
  }
  const read = pricesSchema.safeParse(value);
  if (read.success) return { ok: true, prices: read.data };
  // An unknown name explains a missing one.
  const { issues } = read.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const where = issue?.path.map(String).join('.') || 'the file';
  return { ok: false, text: `${where}: ${issue?.message ?? 'wrong shape'}` };
}
