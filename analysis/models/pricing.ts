import { computeCost, findPrice, type Prices } from '../../actors/minds/openai/prices.ts';
import { listModels } from '../../actors/minds/openai/seats.ts';
import type { Line } from '../../machines/journal/lines.ts';
import type { Pricing } from '../counts/accounts.ts';

/** Prices the requests of a journal: as the endpoint says, else by these prices for the models in the header. */
export function makePricing(lines: readonly Line[], prices: Prices): Pricing {
  const models = listModels(lines);
  return (seat, { cost, promptTokens, cachedTokens, completionTokens }) => {
    const price = findPrice(prices, models.get(seat) ?? '');
    if (cost !== null || promptTokens === null || completionTokens === null) return cost;
    const cached = Math.min(promptTokens, cachedTokens ?? 0);
    return computeCost(price, { prompt: promptTokens, cached, completion: completionTokens });
  };
}
