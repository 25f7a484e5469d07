/** Rows of the table: how endpoints fail. */
import { always, atFirst, rowsOf, type Step } from './case.ts';
import { json, page, refusal } from './sent.ts';
import { gemini, INVALID } from './words.ts';

export const FAILING: Readonly<Record<string, readonly Step[]>> = {
  ...rowsOf(always, {
    '35': refusal(403, 'Input flagged by moderation', {
      code: 403,
      metadata: {
        reasons: ['violence'],
        flagged_input: 'I will kill…',
        provider_name: 'OpenAI',
        model_slug: 'x',
      },
    }),
    '38': refusal(
      429,
      'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day',
      {
        code: 429,
        metadata: {
          headers: {
            'X-RateLimit-Limit': '50',
            'X-RateLimit-Remaining': '0',
            'X-RateLimit-Reset': '1795305600000',
          },
        },
      },
    ),
    '39': refusal(
      429,
      'You exceeded your current quota, please check your plan and billing details.',
      {
        type: 'insufficient_quota',
        param: null,
        code: 'insufficient_quota',
      },
    ),
    '41': refusal(401, 'No auth credentials found', { code: 401 }),
    '47': page(200, '<!doctype html><html></html>'),
    '50': refusal(
      400,
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 25000 tokens.",
      { type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
    ),
    '52': json(200, {
      error: {
        code: 400,
        message:
          'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 14_429,
        n_ctx: 8192,
      },
    }),
    '54': refusal(404, 'model "gemma9" not found, try pulling it first', {
      ...INVALID,
      type: 'api_error',
    }),
    '59': { type: 'silence' },
  }),
  ...rowsOf(atFirst, {
    '36': refusal(429, 'Rate limit exceeded', { code: 429 }, { 'retry-after': '3' }),
    '42': json(200, {
      error: {
        message: 'Provider returned error',
        code: 502,
        metadata: { raw: 'upstream connect error' },
      },
    }),
    '44': json(200, { error: { message: 'Rate limit exceeded', code: 429 } }),
    '45': json(200, {
      id: 'x',
      object: 'chat.completion',
      choices: [],
      usage: { prompt_tokens: 9, completion_tokens: 0 },
    }),
    '49': gemini(503, 'The model is overloaded. Please try again later.'),
    '55': { type: 'cut' },
    '56': { type: 'silence' },
  }),
};
