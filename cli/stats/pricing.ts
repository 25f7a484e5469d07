/** Pricing: what the requests of a journal have cost, by the prices that somebody names, or as the endpoint says. */
import { computeCost, findPrice, type Prices } from '../../actors/minds/openai/prices.ts';
import type { Pricing } from '../../analysis/statistics/roll.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { modelsIn } from '../models/seats.ts';

/** By the models that the header of a journal has in its seats. */
export function pricingFor(lines: readonly Line[], prices: Prices): Pricing {
  const models = modelsIn(lines);
  return (seat, { cost, promptTokens, cachedTokens, completionTokens }) => {
    const price = findPrice(prices, models.get(seat) ?? '');
    if (cost !== null || promptTokens === null || completionTokens === null) return cost;
    const cached = Math.min(promptTokens, cachedTokens ?? 0);
    return computeCost(price, { prompt: promptTokens, cached, completion: completionTokens });
  };
}
