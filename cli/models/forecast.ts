/** The forecast: what a game would ask of models, found out by playing the same game with the offline minds. */
import { manned } from '../../actors/crewing.ts';
import type { Price } from '../../actors/minds/endpoint/prices.ts';
import type { Lobby } from '../../machines/lobby.ts';
import { personaOf } from '../../machines/setting.ts';
import { textOf } from '../../prompts/block.ts';
import { identityOf } from '../../prompts/personas.ts';
import { promptFor } from '../../prompts/prompt.ts';
import { gameRequests } from '../eavesdropping.ts';
import { EXIT, Failure } from '../failure.ts';

export type Forecast = {
  readonly calls: number;
  /** Tokens of all prompts, and those of them that an endpoint may have cached. */
  readonly prompt: number;
  readonly shared: number;
  /** Tokens that the answers take at most. */
  readonly completion: number;
  /** Dollars at most, without any cache; null where the price is not known. */
  readonly dollars: number | null;
};

const BYTES_PER_TOKEN = 4;
const MILLION = 1_000_000;

/** Plays the game with the offline minds and counts what models would have been sent. */
export async function forecast(lobby: Lobby, seed: number, price: Price | null): Promise<Forecast> {
  const seats = lobby.seats.map((seat) => ({ ...seat, mind: 'scripted' as const }));
  const manning = manned({ ...lobby, seats }, seed);
  if (!manning.ok) throw new Failure(EXIT.configuration, manning.refusals);
  let [calls, prompt, shared, completion] = [0, 0, 0, 0];
  for (const { seat, request } of await gameRequests(manning.manned)) {
    const index = lobby.seats.findIndex(({ colour }) => colour === seat);
    const own = lobby.seats[index];
    if (own?.mind !== 'openai') continue;
    const identity = identityOf(personaOf(own, index), `game-${seed}`, own.level);
    const { system, user, maxTokens } = promptFor(request, identity);
    calls += 1;
    prompt += tokens(textOf([...system, ...user]));
    shared += tokens(textOf([...system, ...user.filter(({ stable }) => stable)]));
    completion += maxTokens;
  }
  return { calls, prompt, shared, completion, dollars: costOf(price, prompt, completion) };
}

function tokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

function costOf(price: Price | null, prompt: number, completion: number): number | null {
  if (price === null) return null;
  return (prompt * price.input + completion * price.output) / MILLION;
}

/** The forecast in sentences. */
export function forecastText({ calls, prompt, shared, completion, dollars }: Forecast): string {
  const count = (number: number) => number.toLocaleString('en-US');
  const share = prompt === 0 ? 0 : Math.round((100 * shared) / prompt);
  const cost =
    dollars === null
      ? 'the price of this model is not known (--prices)'
      : `at most $${dollars.toFixed(4)} without any cache`;
  return [
    `A game like this asks models ${count(calls)} times:`,
    `  ${count(prompt)} tokens of prompt, ${share} % of them shared and cacheable`,
    `  at most ${count(completion)} tokens of answers`,
    `  ${cost}`,
    'Games differ: other minds play longer or shorter ones. A budget (--max-calls, --max-tokens, --max-cost) ends a game that it can no longer pay.',
  ].join('\n');
}
