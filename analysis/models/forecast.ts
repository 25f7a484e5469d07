/** Forecasts the requests of a game to models by playing it with offline minds. */
import { createMatch } from '../../actors/engine/match.ts';
import { computeCost, findPrice, type Prices } from '../../actors/minds/openai/prices.ts';
import { isRemote } from '../../machines/rules/mindKinds.ts';
import type { GameMatch } from '../../machines/setup/match.ts';
import { personaOf } from '../../machines/setup/prepare.ts';
import type { BeliefTimes, Colour } from '../../machines/types.ts';
import { pickIdentity } from '../../prompts/personas.ts';
import { buildPrompt, type Prompt, type PromptRequest } from '../../prompts/prompt.ts';
import { PrefixCache } from './caching.ts';
import { collectBeliefQuestions, collectPrompts, groupByMoment } from './prompts.ts';

export type Forecast = {
  readonly calls: number;
  /** Requests for beliefs among them. */
  readonly beliefs: number;
  /** Prompt tokens: in all, from the cache, and not from the cache. */
  readonly prompt: number;
  readonly cached: number;
  readonly fresh: number;
  /** At most. */
  readonly completion: number;
  /** At most, without a cache; null if a price is unknown. */
  readonly dollars: number | null;
  /** At most, with the price of cached tokens; null if a price is unknown. */
  readonly dollarsCached: number | null;
  readonly unpriced: readonly string[];
};

/** `times` adds the requests for beliefs. */
export async function forecastCost(
  match: GameMatch,
  seed: number,
  prices: Prices,
  times: BeliefTimes | null = null,
): Promise<Forecast> {
  const seats = match.seats.map((seat) => ({ ...seat, mind: 'scripted' as const }));
  const creation = createMatch({ ...match, seats }, seed);
  if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('; '));
  const game = groupByMoment(await collectPrompts(creation.ready)).map((moment) =>
    moment.flatMap(({ seat, request }) => promptOfModel(match, seed, seat, request)),
  );
  const questions = times === null ? [] : await collectBeliefQuestions(creation.ready, times);
  const beliefs = questions.map((moment) =>
    moment.flatMap(({ seat, question }) =>
      promptOfModel(match, seed, seat, { kind: 'belief', ...question }),
    ),
  );
  const sum = { calls: 0, prompt: 0, cached: 0, completion: 0, dollars: 0, dollarsCached: 0 };
  const caches = new Map<string, PrefixCache>();
  const unpriced = new Set<string>();
  for (const asked of [...game, ...beliefs]) {
    for (const [model, prompts] of Map.groupBy(asked, (one) => one.model)) {
      const cache = caches.get(model) ?? new PrefixCache('in-front');
      caches.set(model, cache);
      const counts = cache.count(prompts.map(({ prompt }) => prompt));
      for (const [index, { prompt, cached }] of counts.entries()) {
        const completion = prompts[index]?.prompt.maxTokens ?? 0;
        sum.calls += 1;
        sum.prompt += prompt;
        sum.cached += cached;
        sum.completion += completion;
        const price = findPrice(prices, model);
        sum.dollars += computeCost(price, { prompt, cached: 0, completion }) ?? 0;
        sum.dollarsCached += computeCost(price, { prompt, cached, completion }) ?? 0;
        if (price === null) unpriced.add(model);
      }
    }
  }
  const { dollars, dollarsCached, ...counted } = sum;
  const isPriced = unpriced.size === 0;
  return {
    ...counted,
    beliefs: beliefs.flat().length,
    fresh: sum.prompt - sum.cached,
    dollars: isPriced ? dollars : null,
    dollarsCached: isPriced ? dollarsCached : null,
    unpriced: [...unpriced],
  };
}

/** Empty for a seat without a model. */
function promptOfModel(
  match: GameMatch,
  seed: number,
  seat: Colour,
  request: PromptRequest,
): readonly { readonly model: string; readonly prompt: Prompt }[] {
  const index = match.seats.findIndex(({ colour }) => colour === seat);
  const own = match.seats[index];
  if (own === undefined || !isRemote(own)) return [];
  const identity = pickIdentity(personaOf(own, index), `game-${seed}`, own.level);
  return [{ model: own.model ?? '', prompt: buildPrompt(request, identity) }];
}
