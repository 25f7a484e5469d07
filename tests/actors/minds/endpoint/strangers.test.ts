/** Strangers: endpoints that nobody has listed. What counts is how they behave, not the words they use. */
import { describe, expect, test } from 'vitest';
import { hasNeighbours, hasSystem, modeOf } from '../../../support/endpoint/asked.ts';
import { always, atFirst, type Step, whenever, without } from '../../../support/endpoint/case.ts';
import {
  called,
  completion,
  completionBody,
  json,
  page,
  refusal,
  said,
} from '../../../support/endpoint/sent.ts';
import { ask, GOOD, GOOD_TEXT, MANNER, summary } from './asking.ts';

type Row = readonly [name: string, steps: readonly Step[], expected: string];

const inMode =
  (...modes: readonly string[]) =>
  (asked: Parameters<typeof modeOf>[0]) =>
    modes.includes(modeOf(asked));
const formats = inMode('json_schema', 'json_object');

const REFUSING: readonly Row[] = [
  [
    'German: a 400 that names nothing, for the format',
    [whenever(formats, refusal(400, 'Die Anfrage ist ungültig.'))],
    'answer in tool, 3 calls',
  ],
  [
    'Chinese: a 422 that names nothing, for everything but text',
    [
      whenever(
        inMode('json_schema', 'json_object', 'tool'),
        json(422, { code: 1210, msg: '参数有误' }),
      ),
    ],
    'answer in text, 4 calls',
  ],
  [
    'a 400 that names nothing, for the system message',
    [whenever(hasSystem, json(400, { detail: 'bad request' }))],
    'answer in json_schema, 5 calls',
  ],
  [
    'a 400 that names nothing, for a parameter',
    [without('seed', page(400, 'no'))],
    'answer in json_schema, 6 calls',
  ],
  [
    'a 400 that names nothing, for all of these',
    [
      whenever(formats, page(400, 'nein')),
      whenever(inMode('tool'), page(400, 'nein')),
      whenever(hasSystem, page(400, 'nein')),
      without('seed', page(400, 'nein')),
    ],
    'answer in text, 7 calls',
  ],
  ['a 400 that names nothing and never ends', [always(page(400, 'nein'))], 'upstream, 7 calls'],
  [
    'unsupported parameter, pointed at by param alone',
    [
      whenever(
        inMode('json_schema'),
        refusal(400, '不支持的参数', { param: 'response_format.json_schema' }),
      ),
    ],
    'answer in json_object, 2 calls',
  ],
  [
    'response_format: unsupported parameter',
    [whenever(formats, refusal(400, 'unsupported parameter: response_format'))],
    'answer in tool, 3 calls',
  ],
  [
    'a keyword of the schema',
    [
      whenever(
        inMode('json_schema', 'tool'),
        refusal(
          400,
          'Invalid JSON payload received. Unknown name "additionalProperties": Cannot find field.',
        ),
      ),
    ],
    'answer in json_object, 2 calls',
  ],
  [
    'strict',
    [
      whenever(
        inMode('json_schema'),
        json(422, {
          detail: [
            {
              loc: ['body', 'response_format', 'json_schema', 'strict'],
              msg: 'extra fields not permitted',
            },
          ],
        }),
      ),
    ],
    'answer in json_object, 2 calls',
  ],
  [
    'a router that finds nobody for all of it',
    [
      whenever(
        inMode('json_schema'),
        refusal(404, 'No endpoints found that can handle the requested parameters.'),
      ),
    ],
    'answer in json_object, 2 calls',
  ],
  [
    'role developer unknown, in a message about JSON',
    [
      whenever(
        hasSystem,
        refusal(
          422,
          'Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, expected `user` or `assistant`',
        ),
      ),
    ],
    'answer in json_schema, 2 calls',
  ],
  [
    'a template that raises, with 500',
    [
      whenever(
        hasSystem,
        json(500, { error: { code: 500, message: 'Jinja Exception: System role not supported' } }),
      ),
    ],
    'answer in json_schema, 2 calls',
  ],
  [
    'alternating roles in the words of another vendor',
    [
      whenever(
        hasNeighbours,
        refusal(
          400,
          'After the (optional) system message(s), user and assistant roles should be alternating.',
        ),
      ),
    ],
    'answer in json_schema, 2 calls',
  ],
  [
    'grammar that cannot be built, with 500',
    [
      whenever(
        formats,
        json(500, { error: 'Failed to initialize samplers: failed to parse grammar' }),
      ),
    ],
    'answer in tool, 3 calls',
  ],
  [
    'tool_choice of another type, in a string',
    [
      whenever(formats, json(400, { error: "'response_format.type' must be 'text'" })),
      whenever(
        inMode('tool'),
        json(400, {
          error:
            "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
        }),
      ),
    ],
    'answer in text, 4 calls',
  ],
  [
    'a wrapper with an error within a string within an error',
    [
      whenever(
        hasSystem,
        refusal(
          400,
          'litellm.BadRequestError: VertexAIException BadRequestError - {"error":{"message":"[{\\"error\\":{\\"message\\":\\"Developer instruction is not enabled\\"}}]"}}',
        ),
      ),
    ],
    'answer in json_schema, 2 calls',
  ],
  [
    'a cause within metadata.raw',
    [
      without(
        'temperature',
        refusal(400, 'Provider returned error', {
          metadata: { raw: '{"error":{"message":"temperature is deprecated for this model"}}' },
        }),
      ),
    ],
    'answer in json_schema, 2 calls',
  ],
  [
    'max_tokens unknown under either name',
    [
      without('max_tokens', refusal(400, 'Unrecognized request argument supplied: max_tokens')),
      without(
        'max_completion_tokens',
        refusal(400, 'Unrecognized request argument supplied: max_completion_tokens'),
      ),
    ],
    'answer in json_schema, 3 calls',
  ],
  [
    'max_tokens too large',
    [
      without(
        'max_tokens',
        refusal(
          400,
          '`max_tokens` must be less than or equal to `256`, the maximum value for `max_tokens` is less than the `context_window` for this model',
        ),
      ),
    ],
    'answer in json_schema, 2 calls',
  ],
  [
    'a parameter that only this model was sent',
    [without('top_k', refusal(400, 'property top_k is unsupported'))],
    'answer in json_schema, 2 calls',
  ],
  [
    'an error within 200 that names the format',
    [
      whenever(
        inMode('json_schema'),
        json(200, { error: "'response_format.type' must be 'json_object' or 'text'" }),
      ),
    ],
    'answer in json_object, 2 calls',
  ],
];

const FAILING: readonly Row[] = [
  ['418', [always(page(418, 'teapot'))], 'upstream, 1 call'],
  ['451', [always(page(451, 'nicht verfügbar'))], 'moderation, 1 call'],
  ['403 without a word', [always(page(403, ''))], 'auth, 1 call'],
  ['405: a wrong path', [always(page(405, 'Method Not Allowed'))], 'not-found, 1 call'],
  [
    '404 as a web page',
    [always(page(404, '<html><h1>Not Found</h1></html>'))],
    'not-found, 1 call',
  ],
  ['404 in Chinese', [always(json(404, { msg: '模型不存在' }))], 'not-found, 1 call'],
  [
    'an unknown model with 400',
    [always(refusal(400, 'Invalid model identifier: model not found'))],
    'not-found, 1 call',
  ],
  ['413', [always(page(413, 'zu viel'))], 'context-overflow, 1 call'],
  [
    'too many tokens, within 500',
    [always(refusal(500, 'prompt is too long: 30000 tokens > 8192 maximum'))],
    'context-overflow, 1 call',
  ],
  [
    '529',
    [
      atFirst(
        json(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      ),
    ],
    'answer in json_schema, 2 calls',
  ],
  ['425', [atFirst(page(425, ''))], 'answer in json_schema, 2 calls'],
  [
    'a gateway that lost its way, 520',
    [atFirst(page(520, '<html>Web server is returning an unknown error</html>'))],
    'answer in json_schema, 2 calls',
  ],
  [
    'throttling that counts tokens',
    [atFirst(json(429, { message: 'Too many tokens, please wait before trying again.' }))],
    'answer in json_schema, 2 calls',
  ],
  [
    'a quota of the minute in the words of a quota',
    [
      atFirst(
        refusal(
          429,
          'You exceeded your current quota, please check your plan and billing details. Please retry in 6.2s.',
        ),
      ),
    ],
    'answer in json_schema, 2 calls',
  ],
  [
    'a quota with Retry-After',
    [
      always(
        refusal(
          429,
          'You exceeded your current quota',
          { code: 'insufficient_quota' },
          { 'retry-after': '120' },
        ),
      ),
    ],
    'credits, 1 call',
  ],
  [
    'a limit of the day that says only when',
    [always(json(429, { msg: '请求过多' }, { 'retry-after': '40000' }))],
    'daily-limit, 1 call',
  ],
  [
    'tokens per day',
    [
      always(
        refusal(
          429,
          'Rate limit reached on tokens per day (TPD): Limit 100000. Please try again in 7m12s.',
        ),
      ),
    ],
    'daily-limit, 1 call',
  ],
  [
    'no balance',
    [always(json(402, { error: { message: 'Insufficient Balance' } }))],
    'credits, 1 call',
  ],
  [
    'no balance, in Chinese and with 200',
    [always(json(200, { code: 1113, msg: '您的账户已欠费，请充值后重试' }))],
    'credits, 1 call',
  ],
  [
    'a key that is wrong, with 400',
    [always(gemini('API key not valid. Please pass a valid API key.'))],
    'auth, 1 call',
  ],
  [
    'a filter of the prompt',
    [
      always(
        refusal(
          400,
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
          { code: 'content_filter' },
        ),
      ),
    ],
    'moderation, 1 call',
  ],
  [
    'a status within a body of its own',
    [
      atFirst(
        json(200, { choices: null, base_resp: { status_code: 1002, status_msg: 'rate limit' } }),
      ),
    ],
    'answer in json_schema, 2 calls',
  ],
  [
    'a plain detail with 200',
    [atFirst(json(200, { success: false, errors: [{ code: 7000, message: 'internal' }] }))],
    'answer in json_schema, 2 calls',
  ],
  ['a redirect that leads nowhere', [always(page(302, ''))], 'upstream, 1 call'],
  [
    'an error within the first choice',
    [
      atFirst(
        json(200, {
          choices: [{ finish_reason: 'error', error: { code: 502, message: 'upstream' } }],
        }),
      ),
    ],
    'answer in json_schema, 2 calls',
  ],
  [
    'the network, as a reason to finish',
    [atFirst(said(GOOD_TEXT, 'network_error'))],
    'answer in json_schema, 2 calls',
  ],
];

const ANSWERING: readonly Row[] = [
  [
    'content in parts',
    [
      always(
        said([
          { type: 'reasoning', text: '{"desire_to_speak": 0}' },
          { type: 'output_text', text: GOOD_TEXT },
        ]),
      ),
    ],
    'answer in json_schema, 1 call',
  ],
  [
    'parts with a value',
    [always(said([{ type: 'text', text: { value: GOOD_TEXT } }]))],
    'answer in json_schema, 1 call',
  ],
  [
    'a tool of another name',
    [always(called(['final_answer', GOOD_TEXT]))],
    'answer in json_schema, 1 call',
  ],
  [
    'arguments with something after them',
    [always(called(['meeting_reply', `${GOOD_TEXT}</tool_call>`]))],
    'answer in json_schema, 1 call',
  ],
  [
    'arguments that are empty, and the answer as content',
    [
      always(
        completion({
          content: GOOD_TEXT,
          tool_calls: [{ function: { name: 'x', arguments: '{}' } }],
        }),
      ),
    ],
    'answer in json_schema, 1 call',
  ],
  [
    'the old way to call',
    [always(completion({ content: null, function_call: { name: 'x', arguments: GOOD_TEXT } }))],
    'answer in json_schema, 1 call',
  ],
  [
    'several choices',
    [
      always(
        json(200, {
          choices: [1, 2, 3].map((index) => ({
            index,
            finish_reason: 'stop',
            message: { content: GOOD_TEXT },
          })),
        }),
      ),
    ],
    'answer in json_schema, 1 call',
  ],
  [
    'no reason to finish',
    [always(json(200, { choices: [{ message: { content: GOOD_TEXT } }] }))],
    'answer in json_schema, 1 call',
  ],
  [
    'another reason to finish',
    [always(said(GOOD_TEXT, 'end_turn'))],
    'answer in json_schema, 1 call',
  ],
  [
    'the text of the old completions',
    [always(json(200, { choices: [{ text: GOOD_TEXT, finish_reason: 'eos_token' }] }))],
    'answer in json_schema, 1 call',
  ],
  [
    'a message without choices',
    [always(json(200, { message: { role: 'assistant', content: GOOD_TEXT }, done: true }))],
    'answer in json_schema, 1 call',
  ],
  [
    'a list around it',
    [always(json(200, [completionBody({ content: GOOD_TEXT }, 'stop')]))],
    'answer in json_schema, 1 call',
  ],
  [
    'a stream that nobody asked for',
    [always(streamed(GOOD_TEXT, true))],
    'answer in json_schema, 1 call',
  ],
  [
    'a stream that never ended',
    [atFirst(streamed(GOOD_TEXT, false))],
    'answer in json_schema, 2 calls',
  ],
  [
    'an error at the end of a stream',
    [atFirst(page(200, `data: ${JSON.stringify({ error: { message: 'upstream' } })}\n\n`))],
    'answer in json_schema, 2 calls',
  ],
  [
    'a refusal among the parts',
    [always(said([{ type: 'refusal', refusal: 'No.' }]))],
    'refusal, 1 call',
  ],
  ['a filter as the reason to finish', [always(said('', 'SAFETY'))], 'content-filter, 1 call'],
  [
    'a guardrail as the reason to finish',
    [always(said('Sorry.', 'guardrail_intervened'))],
    'content-filter, 1 call',
  ],
  [
    'cut, in the words of another vendor',
    [atFirst(said('{"desire_to_speak": 1', 'MAX_TOKENS'))],
    'answer in json_schema, 2 calls',
  ],
  [
    'JSON within a string',
    [always(said(JSON.stringify(GOOD_TEXT)))],
    'answer in json_schema, 1 call',
  ],
  ['a list of one', [always(said(`[${GOOD_TEXT}]`))], 'answer in json_schema, 1 call'],
  [
    'an object that is something else',
    [atFirst(said({ weather: 'fine' }))],
    'answer in json_schema, 2 calls',
  ],
  ['an empty object for ever', [always(said('{}'))], 'malformed, 5 calls'],
];

describe('what is refused', () => {
  test.each(REFUSING)('%s', async (_, steps, expected) => {
    const manner = { ...MANNER, extra: { top_k: 40 } };
    expect(summary(await ask(steps, { manner }))).toBe(expected);
  });

  test.each(REFUSING)(
    '%s: the next question is asked as it was learned',
    async (_, steps, expected) => {
      const manner = { ...MANNER, extra: { top_k: 40 } };
      const { known, reply } = await ask(steps, { manner });
      if (!reply.ok) return;
      const next = await ask(steps, { manner, known });
      expect(summary(next)).toBe(`${expected.split(',')[0]}, 1 call`);
    },
  );
});

describe('what fails', () => {
  test.each(FAILING)('%s', async (_, steps, expected) => {
    expect(summary(await ask(steps))).toBe(expected);
  });
});

describe('what is answered', () => {
  test.each(ANSWERING)('%s', async (_, steps, expected) => {
    expect(summary(await ask(steps))).toBe(expected);
  });
});

test('what players said is no word of the endpoint', async () => {
  const failed = refusal(400, 'Failed to generate JSON', {
    code: 'json_validate_failed',
    failed_generation: `{"message": "the system role is not supported, maximum context, daily, invalid api key"`,
  });
  expect(summary(await ask([atFirst(failed)]))).toBe('answer in json_schema, 2 calls');
});

test('a refusal is told to people in its own sentence', async () => {
  const { reply } = await ask([always(refusal(401, 'Kein gültiger Schlüssel', { code: 401 }))]);
  expect(reply).toMatchObject({ code: 'auth', text: 'Kein gültiger Schlüssel' });
});

test('the object is handed over, and what was said around it', async () => {
  const fenced = `\`\`\`json\n${GOOD_TEXT}\n\`\`\``;
  const { reply } = await ask([always(said(fenced))]);
  expect(reply).toMatchObject({ ok: true, received: GOOD, said: fenced });
});

function gemini(message: string) {
  return json(400, [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }]);
}

function streamed(text: string, isWhole: boolean) {
  const pieces = [text.slice(0, 20), text.slice(20)].map((content) => ({
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  }));
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const lines = [...pieces, ...(isWhole ? [end] : [])].map(
    (one) => `data: ${JSON.stringify(one)}\n\n`,
  );
  return page(200, `: PROCESSING\n\n${lines.join('')}data: [DONE]\n\n`);
}
