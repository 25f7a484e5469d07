/** Reflecting: a model is asked once after a game what it wants to keep. */
import { Conversation } from '../../actors/minds/endpoint/conversation.ts';
import type { Prices } from '../../actors/minds/endpoint/prices.ts';
import type { Purse } from '../../actors/minds/endpoint/purse.ts';
import { Acquaintance } from '../../actors/minds/endpoint/traits.ts';
import { wireTo } from '../../actors/minds/openai.ts';
import type { AnySeat } from '../../actors/seating.ts';
import { textOf } from '../../prompts/block.ts';
import type { Identity } from '../../prompts/identity.ts';
import { promptFor } from '../../prompts/prompt.ts';
import { type ReflectionView, readReflection } from '../../prompts/reflection.ts';
import { endpointOf } from '../models/seats.ts';

export type Asking = {
  readonly purse: Purse;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly attemptMs: number;
  readonly waitMs: number;
  readonly prices: Prices;
};

const BYTES_PER_TOKEN = 4;

/** Null when the model did not answer: it keeps what it knew. */
export async function reflectionOf(
  seat: AnySeat,
  view: ReflectionView,
  identity: Identity,
  { purse, sleep, attemptMs, waitMs, prices }: Asking,
): Promise<readonly string[] | null> {
  const prompt = promptFor({ occasion: 'reflection', view }, identity);
  const [system, user] = [textOf(prompt.system), textOf(prompt.user)];
  const endpoint = endpointOf(seat, process.env);
  const estimate = {
    prompt: Math.ceil(Buffer.byteLength(system + user) / BYTES_PER_TOKEN),
    completion: prompt.maxTokens,
  };
  const price = prices[endpoint.model] ?? null;
  const conversation = new Conversation(
    {
      system,
      user: [user],
      schema: { ...prompt.schema },
      schemaName: prompt.schemaName,
      maxTokens: prompt.maxTokens,
    },
    { model: endpoint.model, temperature: null, seed: null, extra: seat.extra_body ?? {} },
    new Acquaintance(),
    {
      patience: { attemptMs, waitMs },
      fits: (value) => readReflection(value).ok,
      ports: {
        wire: wireTo(endpoint, () => Date.now()),
        now: () => performance.now(),
        sleep,
        refusal: () => purse.reserve(estimate, price),
        onCall: ({ usage }) => purse.note(usage, estimate, price),
      },
    },
  );
  const reply = await conversation.run(AbortSignal.timeout(waitMs));
  if (!reply.ok) return null;
  const reflection = readReflection(reply.received);
  return reflection.ok ? reflection.learned : null;
}
