import { describe, expect, test } from 'vitest';
import { always, atFirst, type Step } from '../../../support/endpoint/case.ts';
import { json, page, refusal, said } from '../../../support/endpoint/sent.ts';
import { ask, GOOD_TEXT, summary } from './asking.ts';

type Row = readonly [name: string, steps: readonly Step[], expected: string];

const FAILING: readonly Row[] = [
  ['418', [always(page(418, 'teapot'))], 'upstream, 1 call'],
  [
    'a router whose owner allows nobody',
    [always(refusal(404, 'No endpoints available matching your guardrail restrictions'))],
    'not-found, 1 call',
  ],
  ['451', [always(page(451, 'nicht verfügbar'))], 'moderation, 1 call'],
  ['403 without a word', [always(page(403, ''))], 'auth, 1 call'],
  ['405: a wrong path', [always(page(405, 'Method Not Allowed'))], 'not-endpoint, 1 call'],
  [
    '404 as a web page',
    [always(page(404, '<html><h1>Not Found</h1></html>'))],
    'not-endpoint, 1 call',
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

describe('what fails', () => {
  test.each(FAILING)('%s', async (_, steps, expected) => {
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

function gemini(message: string) {
  return json(400, [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }]);
}
