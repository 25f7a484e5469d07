/** Reflecting: a model is asked once after a game what it wants to keep. */
import type { Reflected } from '../../actors/league/thinkers.ts';
import type { Budget } from '../../actors/minds/openai/budget.ts';
import type { ModelClient, ModelSeat } from '../../actors/minds/openai/client.ts';
import { Conversation, type Patience } from '../../actors/minds/openai/conversation.ts';
import { computeCost, findPrice, type Prices } from '../../actors/minds/openai/prices.ts';
import { joinBlocks } from '../../prompts/block.ts';
import { buildPrompt } from '../../prompts/prompt.ts';
import { type ReflectionView, readReflection } from '../../prompts/reflection.ts';
import { MICRO } from './tally.ts';

export type Asking = {
  readonly house: ModelClient;
  readonly purse: Budget;
  readonly prices: Prices;
  readonly patience: Patience;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

const BYTES_PER_TOKEN = 4;
/** Milliseconds for a reflection, the wait for room among them: the game is over, and nobody else waits for it. */
const MOST_MS = 600_000;

/** A model that does not answer keeps what it knew. */
export async function reflectionOf(
  { endpoint, extra, identity }: Pick<ModelSeat, 'endpoint' | 'extra' | 'identity'>,
  view: ReflectionView,
  { house, purse, prices, patience, sleep }: Asking,
): Promise<Reflected> {
  const question = questionOf(view, identity);
  const bytes = Buffer.byteLength(question.system + question.user.join(''));
  const estimate = {
    prompt: Math.ceil(bytes / BYTES_PER_TOKEN),
    completion: question.maxTokens,
  };
  const price = findPrice(prices, endpoint.model);
  const cost = { requests: 0, prompt_tokens: 0, completion_tokens: 0, microdollars: 0 };
  const signal = AbortSignal.timeout(MOST_MS);
  const params = { model: endpoint.model, temperature: null, seed: null, extra };
  const conversation = new Conversation(question, params, house.capabilities, {
    patience,
    fits: (value) => readReflection(value).ok,
    ports: {
      transport: house.transport,
      now: () => performance.now(),
      sleep,
      turn: (work) => house.gate.run('living', signal, work),
      refuse: () => purse.reserve(estimate, price),
      onCall: ({ usage }) => {
        purse.note(usage, estimate, price);
        const [prompt, completion] = [usage.promptTokens ?? 0, usage.completionTokens ?? 0];
        const told = computeCost(price, { prompt, completion, cached: usage.cachedTokens ?? 0 });
        cost.requests += 1;
        cost.prompt_tokens += prompt;
        cost.completion_tokens += completion;
        cost.microdollars += Math.round(MICRO * (usage.cost ?? told ?? 0));
      },
    },
  });
  const reply = await conversation.run(signal);
  const reflection = reply.ok ? readReflection(reply.received) : reply;
  return { learned: reflection.ok ? reflection.learned : null, cost };
}

function questionOf(view: ReflectionView, identity: ModelSeat['identity']) {
  const prompt = buildPrompt({ occasion: 'reflection', view }, identity);
  return {
    system: joinBlocks(prompt.system),
    user: [joinBlocks(prompt.user)],
    schema: { ...prompt.schema },
    schemaName: prompt.schemaName,
    maxTokens: prompt.maxTokens,
  };
}
