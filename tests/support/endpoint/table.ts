/**
 * The table: replies of endpoints as they were met, each with the number under which docs and tests speak of it.
 *
 * A row says how an endpoint misbehaves; what the client makes of it is said by the tests.
 */
import { hasNeighbours, hasSystem, isCorrected, modeOf, tokenLimit } from './asked.ts';
import { always, atFirst, type Step, whenever, without } from './case.ts';
import { called, completion, json, page, refusal, said } from './sent.ts';

const OBJECT = {
  internal_thought: 'Red is deflecting',
  desire_to_speak: 7,
  message: 'Red, where were you?',
  target: 'red',
  vote_action: null,
  scratchpad_updates: { meeting_scratch: 'Red vague' },
};
const TEXT = JSON.stringify(OBJECT);
const DECOY = '{"desire_to_speak":0,"message":"decoy","vote_action":"blue"}';
const INVALID = { type: 'invalid_request_error', param: null, code: null };

const inMode =
  (...modes: readonly string[]) =>
  (asked: Parameters<typeof modeOf>[0]) =>
    modes.includes(modeOf(asked));

/** How endpoints refuse a part of a request. */
const REFUSING: Readonly<Record<string, readonly Step[]>> = {
  '01': [],
  '02': [
    whenever(
      inMode('json_schema'),
      refusal(400, 'This response_format type is unavailable now', {
        ...INVALID,
        code: 'invalid_request_error',
      }),
    ),
  ],
  '03': [
    whenever(
      inMode('json_schema'),
      refusal(
        422,
        "Failed to deserialize the JSON body into the target type: response_format: response_format.type 'json_schema' is unavailable now at line 1 column 12440",
      ),
    ),
  ],
  '05': [
    whenever(
      hasSystem,
      gemini(400, 'Developer instruction is not enabled for models/gemma-3-27b-it'),
    ),
    whenever(
      inMode('json_schema', 'json_object'),
      gemini(400, 'JSON mode is not enabled for models/gemma-3-27b-it'),
    ),
    whenever(
      inMode('tool'),
      gemini(400, 'Function calling is not enabled for models/gemma-3-27b-it'),
    ),
  ],
  '07': [
    whenever(
      hasNeighbours,
      json(400, {
        object: 'error',
        message:
          'Conversation roles must alternate user/assistant/user/assistant/... Conversation roles must alternate user/assistant/user/assistant/...',
        type: 'BadRequestError',
        param: null,
        code: 400,
      }),
    ),
  ],
  '08': [
    without(
      'max_tokens',
      refusal(
        400,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        { type: 'invalid_request_error', param: 'max_tokens', code: 'unsupported_parameter' },
      ),
    ),
    without(
      'temperature',
      refusal(
        400,
        "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.",
        { type: 'invalid_request_error', param: 'temperature', code: 'unsupported_value' },
      ),
    ),
  ],
  '10': [
    whenever(
      inMode('json_schema', 'json_object'),
      refusal(400, 'invalid format: response_format', INVALID),
    ),
    whenever(
      inMode('tool'),
      refusal(400, 'registry.ollama.ai/library/gemma3:12b does not support tools', INVALID),
    ),
  ],
  '12': [
    whenever(
      inMode('json_schema'),
      refusal(
        400,
        "Invalid schema for response_format 'tick': In context=('properties', 'target'), schema must have a 'type' key.",
        { ...INVALID, param: 'response_format' },
      ),
    ),
  ],
  '64': [
    without(
      'seed',
      json(422, {
        object: 'error',
        message: {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'seed'],
              msg: 'Extra inputs are not permitted',
              input: 7,
            },
          ],
        },
        type: 'invalid_request_error',
        code: null,
      }),
    ),
  ],
};

/** What models write around an answer, or instead of one. */
const WRITING: Readonly<Record<string, readonly Step[]>> = {
  '13': [
    atFirst(
      refusal(
        400,
        "Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details.",
        {
          type: 'invalid_request_error',
          code: 'json_validate_failed',
          failed_generation: '{"message":',
        },
      ),
    ),
  ],
  '14': [always(said(`Sure! Here is my move:\n\`\`\`json\n${TEXT}\n\`\`\`\nGood luck!`))],
  '15': [always(said(`<think>Maybe ${DECOY}</think>${TEXT}`))],
  '18': [
    always(
      said(
        `<|channel|>analysis<|message|>think<|end|><|start|>assistant<|channel|>final<|message|>${TEXT}<|return|>`,
      ),
    ),
  ],
  '19': [
    whenever((asked) => tokenLimit(asked) <= 1_000, said('{"internal_thought":"Red is', 'length')),
  ],
  '21': [whenever(inMode('json_schema'), said(`{ ${' \n'.repeat(400)}`, 'length'))],
  '23': [atFirst(completion({ content: null, reasoning: 'hm' }))],
  '25': [always(said(OBJECT))],
  '27': [always(called(['submit_tick', OBJECT]))],
  '28': [
    always(
      said(JSON.stringify({ ...OBJECT, desire_to_speak: '8/10', scratchpad_updates: 'note' })),
    ),
  ],
  '30': [
    always(
      said(
        "{'internal_thought': 'x', 'desire_to_speak': 4, 'message': \"I'm safe\", 'target': None, 'vote_action': None,}",
      ),
    ),
  ],
  '32': [always(completion({ content: null, refusal: "I'm sorry, I can't help with that." }))],
  '33': [always(said("I'm sorry, but I can't help with deceiving people."))],
  '60': [always(said(TEXT))],
  '62': [
    whenever((asked) => !isCorrected(asked), said('I think Red is suspicious because he vented.')),
  ],
};

/** How endpoints fail. */
const FAILING: Readonly<Record<string, readonly Step[]>> = {
  '35': [
    always(
      refusal(403, 'Input flagged by moderation', {
        code: 403,
        metadata: {
          reasons: ['violence'],
          flagged_input: 'I will kill…',
          provider_name: 'OpenAI',
          model_slug: 'x',
        },
      }),
    ),
  ],
  '36': [atFirst(refusal(429, 'Rate limit exceeded', { code: 429 }, { 'retry-after': '3' }))],
  '38': [
    always(
      refusal(
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
    ),
  ],
  '39': [
    always(
      refusal(429, 'You exceeded your current quota, please check your plan and billing details.', {
        type: 'insufficient_quota',
        param: null,
        code: 'insufficient_quota',
      }),
    ),
  ],
  '41': [always(refusal(401, 'No auth credentials found', { code: 401 }))],
  '42': [
    atFirst(
      json(200, {
        error: {
          message: 'Provider returned error',
          code: 502,
          metadata: { raw: 'upstream connect error' },
        },
      }),
    ),
  ],
  '44': [atFirst(json(200, { error: { message: 'Rate limit exceeded', code: 429 } }))],
  '45': [
    atFirst(
      json(200, {
        id: 'x',
        object: 'chat.completion',
        choices: [],
        usage: { prompt_tokens: 9, completion_tokens: 0 },
      }),
    ),
  ],
  '47': [always(page(200, '<!doctype html><html></html>'))],
  '49': [atFirst(gemini(503, 'The model is overloaded. Please try again later.'))],
  '50': [
    always(
      refusal(
        400,
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 25000 tokens.",
        { type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
      ),
    ),
  ],
  '52': [
    always(
      json(200, {
        error: {
          code: 400,
          message:
            'the request exceeds the available context size. try increasing the context size or enable context shift',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 14_429,
          n_ctx: 8192,
        },
      }),
    ),
  ],
  '54': [
    always(
      refusal(404, 'model "gemma9" not found, try pulling it first', {
        ...INVALID,
        type: 'api_error',
      }),
    ),
  ],
  '55': [atFirst({ type: 'cut' })],
  '56': [atFirst({ type: 'silence' })],
  '59': [always({ type: 'silence' })],
};

export const TABLE: Readonly<Record<string, readonly Step[]>> = {
  ...REFUSING,
  ...WRITING,
  ...FAILING,
};

/** An error as the Gemini-compatible endpoint sends it: in a list. */
function gemini(status: number, message: string) {
  return json(status, [
    {
      error: {
        code: status,
        message,
        status: status === 503 ? 'UNAVAILABLE' : 'INVALID_ARGUMENT',
      },
    },
  ]);
}
