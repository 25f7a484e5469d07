/**
 * Four servers that new users have: Ollama, OpenRouter's free tier, a thinking model and vLLM. Each is a set of
 * options for the fake endpoint, with the server's own words. Delays are a hundredth of the usual ones.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { answerTo } from './answer.ts';
import { type Asked, tokenLimit } from './asked.ts';
import type { FakeOptions } from './fakeEndpoint.ts';
import { json, refusal, type Sent, type SentAtOnce } from './sent.ts';

type Character = Required<Pick<FakeOptions, 'answer' | 'thought'>>;

const BYTES_PER_TOKEN = 4;
const SEED = 1;

/** A queue with this many slots, first come, first served. The first request also waits for the model to load. */
function queueOf(slots: number, workMs: number, loadMs = 0): Character['thought'] {
  let working = 0;
  let loading: Promise<void> | null = null;
  const waiting: (() => void)[] = [];
  return async () => {
    if (working >= slots) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      await promise;
    }
    working += 1;
    loading ??= wait(loadMs);
    await loading;
    await wait(workMs);
    working -= 1;
    waiting.shift()?.();
  };
}

function withFields(asked: Asked, fields: Readonly<Record<string, unknown>>): Sent {
  return changeCompletion(answerTo(asked, SEED), (choice) => ({
    ...choice,
    message: { ...Object(choice.message), ...fields },
  }));
}

type Choice = { readonly message?: unknown; readonly finish_reason?: unknown };

function changeCompletion(sent: Sent, change: (choice: Choice) => Choice): Sent {
  const { text, ...rest } = bodyOf(sent);
  const body: { choices: readonly Choice[] } = JSON.parse(text);
  return { ...rest, text: JSON.stringify({ ...body, choices: body.choices.map(change) }) };
}

function bodyOf(sent: Sent): Extract<SentAtOnce, { type: 'body' }> {
  if (sent.type !== 'body') throw new Error('the player has no words');
  return sent;
}

function promptTokens({ text }: Asked): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/**
 * Ollama: one answer at a time, a cold load before the first, thoughts in `reasoning`. A model that was not pulled is not
 * found. A prompt that is longer than its context is cut without a word.
 */
export function ollama({
  pulled,
  contextLength,
}: {
  readonly pulled: readonly string[];
  readonly contextLength: number;
}): Character {
  return {
    thought: queueOf(1, 20, 1500),
    answer: (asked) => {
      const { model } = asked.body;
      if (!pulled.includes(model)) {
        const message = `model "${model}" not found, try pulling it first`;
        return refusal(404, message, { type: 'api_error', param: null, code: null });
      }
      const sent = withFields(asked, { reasoning: 'Who was near the body? {"vote_action":"red"}' });
      const { text, ...rest } = bodyOf(sent);
      const body = JSON.parse(text);
      const seen = Math.min(promptTokens(asked), contextLength);
      const usage = { ...body.usage, prompt_tokens: seen };
      return { ...rest, text: JSON.stringify({ ...body, usage }) };
    },
  };
}

/**
 * OpenRouter's free tier: 20 requests a minute and a daily limit for the whole account, padding before slow
 * answers, and credits for paid models.
 */
export function openRouter({
  perDay,
  usedThisMinute = 0,
  now = () => Date.now(),
}: {
  readonly perDay: number;
  /** Requests that the account has made elsewhere in the last minute; they are forgotten a second after the first refusal. */
  readonly usedThisMinute?: number;
  readonly now?: () => number;
}): Character & { readonly refusals: number[] } {
  const sentAt: number[] = [];
  const refusals: number[] = [];
  let today = 0;
  let resetAt: number | null = null;
  const refuseRate = (what: string, reset: number) => {
    // It counts towards the daily limit, too.
    today += 1;
    refusals.push(now());
    const headers = {
      'X-RateLimit-Limit': '20',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(reset),
    };
    const message = `Rate limit exceeded: ${what}. `;
    return refusal(
      429,
      message,
      { code: 429, metadata: { headers, provider_name: null } },
      headers,
    );
  };
  return {
    refusals,
    thought: queueOf(8, 10),
    answer: (asked) => {
      if (asked.headers.authorization === undefined)
        return refusal(401, 'No auth credentials found', { code: 401 });
      if (!asked.body.model.endsWith(':free'))
        return refusal(
          402,
          'Insufficient credits. Add more using https://openrouter.ai/settings/credits',
          { code: 402 },
        );
      if (today >= perDay)
        return refuseRate('free-models-per-day. Add 10 credits to unlock 1000', now() + DAY_MS);
      const minute = sentAt.filter((at) => now() - at < MINUTE_MS).length;
      const elsewhere = resetAt === null || now() < resetAt ? usedThisMinute : 0;
      if (minute + elsewhere >= PER_MINUTE) {
        resetAt ??= now() + 1000;
        return refuseRate('free-models-per-min', resetAt);
      }
      sentAt.push(now());
      today += 1;
      const { text, ...rest } = bodyOf(answerTo(asked, SEED));
      return { ...rest, text: `${'\n         '.repeat(20)}\n${text}` };
    },
  };
}

const PER_MINUTE = 20;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Tokens of thought before an answer: normally, and if the request asks for little thought. */
const THINKS = 2800;
const THINKS_LITTLE = 400;

/** A thinking model on llama.cpp: thoughts in `reasoning_content` use up the room for the answer. */
export function thinking(): Character {
  return {
    thought: queueOf(2, 20),
    answer: (asked) => {
      const wanted = thoughtsOf(asked);
      const room = tokenLimit(asked);
      const thoughts = 'Let me think about who lies. '.repeat(
        Math.ceil(Math.min(wanted, room) / 7),
      );
      if (wanted === 0) return answerTo(asked, SEED);
      if (room >= wanted) return withFields(asked, { reasoning_content: thoughts });
      return changeCompletion(answerTo(asked, SEED), () => ({
        finish_reason: 'length',
        message: { role: 'assistant', content: '', reasoning_content: thoughts },
      }));
    },
  };
}

function thoughtsOf({ body }: Asked): number {
  const template = Object(body['chat_template_kwargs']);
  if (Reflect.get(template, 'enable_thinking') === false) return 0;
  return body['reasoning_effort'] === 'low' ? THINKS_LITTLE : THINKS;
}

/**
 * vLLM: many concurrent answers, each held to the schema. It knows one model name, and refuses a request if prompt
 * and answer limit together exceed the context.
 */
export function vllm({
  served,
  contextLength,
}: {
  readonly served: string;
  readonly contextLength: number;
}): Character {
  return {
    thought: queueOf(64, 20),
    answer: (asked) => {
      const { model } = asked.body;
      if (model !== served) {
        const message = `The model \`${model}\` does not exist.`;
        return json(404, { error: { message, type: 'NotFoundError', param: 'model', code: 404 } });
      }
      const [prompt, room] = [promptTokens(asked), tokenLimit(asked)];
      const wanted = Number.isFinite(room) ? room : 0;
      if (prompt + wanted > contextLength) {
        const message = `This model's maximum context length is ${contextLength} tokens. However, you requested ${prompt + wanted} tokens (${prompt} in the messages, ${wanted} in the completion). Please reduce the length of the messages or completion.`;
        return json(400, { error: { message, type: 'BadRequestError', param: null, code: 400 } });
      }
      return answerTo(asked, SEED);
    },
  };
}
