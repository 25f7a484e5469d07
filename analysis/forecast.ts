/** What a game would ask of models, found out by playing the same game with the offline minds. */
import { createMatch } from '../actors/engine/match.ts';
import { computeCost, findPrice, type Prices } from '../actors/minds/openai/prices.ts';
import { isRemote } from '../machines/rules/mindKinds.ts';
import type { GameMatch } from '../machines/setup/match.ts';
import { personaOf } from '../machines/setup/prepare.ts';
import { joinBlocks } from '../prompts/block.ts';
import { pickIdentity } from '../prompts/personas.ts';
import { buildPrompt } from '../prompts/prompt.ts';
import { collectPrompts } from './prompts.ts';

export type Forecast = {
  readonly calls: number;
  /** Tokens of all prompts, and those of them that an endpoint may have cached. */
  readonly prompt: number;
  readonly shared: number;
  /** Tokens that the answers take at most. */
  readonly completion: number;
  /** Dollars at most, without any cache; null where the price of a model is not known. */
  readonly dollars: number | null;
  /** Models whose price is not known. */
  readonly unpriced: readonly string[];
};

const BYTES_PER_TOKEN = 4;

/** Plays the game with the offline minds and counts what models would have been sent. */
export async function forecastCost(
  match: GameMatch,
  seed: number,
  prices: Prices,
): Promise<Forecast> {
  const seats = match.seats.map((seat) => ({ ...seat, mind: 'scripted' as const }));
  const creation = createMatch({ ...match, seats }, seed);
  if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('; '));
  let [calls, prompt, shared, completion, dollars] = [0, 0, 0, 0, 0];
  const unpriced = new Set<string>();
  for (const { seat, request } of await collectPrompts(creation.ready)) {
    const index = match.seats.findIndex(({ colour }) => colour === seat);
    const own = match.seats[index];
    if (own === undefined || !isRemote(own)) continue;
    const identity = pickIdentity(personaOf(own, index), `game-${seed}`, own.level);
    const { system, user, maxTokens } = buildPrompt(request, identity);
    calls += 1;
    const sent = estimateTokens(joinBlocks([...system, ...user]));
    prompt += sent;
    shared += estimateTokens(joinBlocks([...system, ...user.filter(({ stable }) => stable)]));
    completion += maxTokens;
    const { model = '' } = own;
    const cost = computeCost(findPrice(prices, model), {
      prompt: sent,
      cached: 0,
      completion: maxTokens,
    });
    if (cost === null) unpriced.add(model);
    else dollars += cost;
  }
  const cost = unpriced.size === 0 ? dollars : null;
  return { calls, prompt, shared, completion, dollars: cost, unpriced: [...unpriced] };
}

function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
