/** What a game would ask of models, found out by playing the same game with the offline minds. */
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
  /** Of these, questions what players believe. */
  readonly beliefs: number;
  /** Tokens of all prompts: those that a provider has in its cache, and those that it has not. */
  readonly prompt: number;
  readonly cached: number;
  readonly fresh: number;
  /** Tokens that the answers take at most. */
  readonly completion: number;
  /** Dollars at most, without any cache; null where the price of a model is not known. */
  readonly dollars: number | null;
  /** Dollars at most, with what is cached at its own price; null where the price of a model is not known. */
  readonly dollarsCached: number | null;
  /** Models whose price is not known. */
  readonly unpriced: readonly string[];
};

type ModelPrompt = { readonly model: string; readonly prompt: Prompt };

/** Plays the game with the offline minds and counts what models would have been sent, for beliefs too where they are asked. */
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

/** The prompt of a request to a model; none where another mind sits. */
function promptOfModel(
  match: GameMatch,
  seed: number,
  seat: Colour,
  request: PromptRequest,
): readonly ModelPrompt[] {
  const index = match.seats.findIndex(({ colour }) => colour === seat);
  const own = match.seats[index];
  if (own === undefined || !isRemote(own)) return [];
  const identity = pickIdentity(personaOf(own, index), `game-${seed}`, own.level);
  return [{ model: own.model ?? '', prompt: buildPrompt(request, identity) }];
}
