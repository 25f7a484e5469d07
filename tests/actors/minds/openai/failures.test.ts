import { describe, expect, test } from 'vitest';
import { type ApiFailure, classifyFailure } from '../../../../actors/minds/openai/failures.ts';

type Sent = Readonly<Record<string, unknown>>;

const NOON = Date.UTC(2026, 10, 21, 12);
const AT_ONE = new Date(NOON + 3_600_000);

const MESSAGES = [{ role: 'system', content: '' }, { role: 'user' }];

function classify(
  status: number,
  body: unknown,
  { retryAfterMs = null, sent = {} }: { retryAfterMs?: number | null; sent?: Sent } = {},
): ApiFailure | null {
  return classifyFailure({ type: 'body', status, body, retryAfterMs, at: NOON }, sent);
}

const error = (message: unknown, more: object = {}): object => ({ error: { message, ...more } });

/** Of a refused part of a request: the part, and its field if it has one. */
function nameOf(failure: ApiFailure | null): string {
  if (failure === null) return 'none';
  if (failure.type === 'unsupported')
    return failure.parameter === null ? failure.what : `${failure.what} ${failure.parameter}`;
  if (failure.type === 'temporary')
    return `${failure.isLoading === true ? 'loading' : 'temporary'} ${failure.why}`;
  return failure.type === 'final' ? failure.why : `unusable ${failure.why}`;
}

function textOf(failure: ApiFailure | null): string | null {
  return failure !== null && 'text' in failure ? failure.text : null;
}

function waitOf(failure: ApiFailure | null): number | null {
  return failure?.type === 'temporary' ? failure.waitMs : null;
}

const CUT_OFF = { why: 'upstream', isCrowded: true };

test.each([
  [{ isLate: true, wasSent: true }, { why: 'timeout' }],
  [
    { isLate: false, wasSent: true },
    { ...CUT_OFF, isUnreachable: false },
  ],
  [
    { isLate: false, wasSent: false },
    { ...CUT_OFF, isUnreachable: true },
  ],
] as const)('a request that was lost, %j, is asked again: %j', (how, expected) => {
  const lost = { type: 'lost', text: 'gone', ...how } as const;
  const found = { type: 'temporary', text: 'gone', waitMs: null, ...expected };
  expect(classifyFailure(lost, {})).toEqual(found);
});

test.each([
  [503, 'Server is busy; please try again later.', 'upstream'],
  [409, 'another generation is already in progress', 'rate-limit'],
  [
    400,
    'Another request of this API key is still running. Wait until it has finished.',
    'rate-limit',
  ],
  [400, 'The model is busy, try again later', 'rate-limit'],
])('%i "%s" says that one request is enough at once', (status, words, why) => {
  expect(classify(status, error(words))).toMatchObject({ type: 'temporary', why, isCrowded: true });
});

describe('bodies that are no failure', () => {
  test.each([
    ['a text', 'hm'],
    ['a completion', { choices: [{ message: { content: 'a' } }] }],
    ['a list of none', { choices: [] }],
    ['words without a list', { response: 'a' }],
    ['an error that is none', { error: null, choices: [] }],
    ['a word about paths', { choices: [{ message: { content: 'Cannot POST /' } }] }],
  ])('%s', (_, body) => {
    expect(classify(200, body)).toBeNull();
    expect(classify(299, body)).toBeNull();
  });

  test.each([199, 300])('but the same with %i is one', (status) => {
    expect(nameOf(classify(status, { choices: [] }))).toBe('upstream');
    expect(nameOf(classify(status, error('x', { code: 401 })))).toBe('upstream');
  });
});

const ADVICE = 'not an endpoint: most base URLs end in /v1';

describe('bodies of no endpoint', () => {
  const PAGE = '<html>Open WebUI</html>';
  test.each([
    [199, PAGE, 'upstream'],
    [200, PAGE, 'not-endpoint'],
    [299, PAGE, 'not-endpoint'],
    [200, [PAGE], 'temporary upstream'],
    [300, PAGE, 'upstream'],
    [401, PAGE, 'auth'],
    [403, PAGE, 'not-endpoint'],
    [404, PAGE, 'not-endpoint'],
    [405, PAGE, 'not-endpoint'],
    [406, PAGE, 'unknown'],
    [502, PAGE, 'temporary upstream'],
    [200, error('Unexpected endpoint or method.'), 'not-endpoint'],
    [404, error('Unexpected endpoint or method.'), 'not-endpoint'],
    [404, 'Cannot POST /chat', 'not-endpoint'],
    [404, 'Cannot GET /chat', 'not-found'],
    [404, '404 page not found', 'not-endpoint'],
    [404, error('File Not Found', { code: 404, type: 'not_found_error' }), 'not-endpoint'],
    [404, error('Invalid URL (POST /chat/completions)'), 'not-endpoint'],
    [200, '\n<!-- app -->\n<HTML lang="en">', 'not-endpoint'],
    [400, 'Cannot POST /chat', 'unknown'],
    [405, error('No.'), 'not-endpoint'],
    [404, error('No.'), 'not-found'],
    [200, { message: 'Cannot POST /chat' }, 'temporary upstream'],
  ])('%i, %j: %s', (status, body, expected) => {
    expect(nameOf(classify(status, body))).toBe(expected);
  });

  test('a web page is reported as one, other bodies are quoted, and both with advice on the base URL', () => {
    expect(textOf(classify(200, PAGE))).toBe(`a web page answers, ${ADVICE}`);
    expect(textOf(classify(404, { detail: 'Not Found' }))).toBe(`Not Found: ${ADVICE}`);
    expect(textOf(classify(405, { a: 'b' }))).toBe(`{"a":"b"}: ${ADVICE}`);
    expect(textOf(classify(405, error('No.')))).toBe(`No.: ${ADVICE}`);
    expect(textOf(classify(405, error('it redirects to x')))).toBe('it redirects to x');
    expect(textOf(classify(403, '<!DOCTYPE html><title>Just a moment...'))).toBe(
      'a web page answers in its place, perhaps a protection against bots: Just a moment...',
    );
  });
});

describe('the border between two meanings', () => {
  const LONG = 'maximum context length is 8192 tokens';
  const KEY = 'invalid api key';
  const QUOTA = 'You exceeded your current quota';
  const UNKNOWN = 'the model m does not exist';
  test.each<[status: number, message: string, expected: string]>([
    // Too long a prompt: no wait makes it shorter, but a limit of tokens in a minute is waited for.
    [400, LONG, 'context-overflow'],
    [400, 'Input is too long', 'context-overflow'],
    [400, 'message too large', 'context-overflow'],
    // That it is too large is said of something else.
    [400, 'seed is too large', 'unknown'],
    [400, "{'message': 'seed is too large'}", 'unknown'],
    [500, LONG, 'context-overflow'],
    [501, LONG, 'unknown'],
    [502, LONG, 'temporary upstream'],
    [429, LONG, 'temporary rate-limit'],
    [429, 'Request too large for m', 'context-overflow'],
    [413, 'zu viel', 'context-overflow'],
    [400, 'input token count (9) exceeds the maximum number of tokens (8)', 'context-overflow'],
    [400, '`inputs` must have less than 8 tokens. Given: 9', 'context-overflow'],
    [400, 'Range of input length should be [1, 8]', 'context-overflow'],
    [500, 'Prompt length 9 is greater than max_seq_len 8', 'context-overflow'],
    [400, 'invalid input: at most 8 messages', 'unknown'],
    [412, 'zu viel', 'upstream'],
    [422, '`inputs` must be <= 100. Given: 100 `inputs` tokens', 'context-overflow'],
    // Keys.
    [401, 'nein', 'auth'],
    [407, 'nein', 'auth'],
    [406, 'nein', 'unknown'],
    [403, 'nein', 'auth'],
    [400, KEY, 'auth'],
    [429, KEY, 'temporary rate-limit'],
    [400, 'User location is not supported', 'auth'],
    [429, 'User location is not supported', 'temporary rate-limit'],
    // Limits of the day, and credits.
    [402, 'per day', 'daily-limit'],
    [403, 'per day', 'daily-limit'],
    [429, 'per day', 'daily-limit'],
    [400, 'per day', 'unknown'],
    [402, 'nein', 'credits'],
    [400, 'insufficient credits', 'credits'],
    [500, 'insufficient credits', 'credits'],
    [503, 'insufficient credits', 'temporary upstream'],
    [403, QUOTA, 'credits'],
    [400, QUOTA, 'unknown'],
    [429, QUOTA, 'credits'],
    [429, `${QUOTA} per minute`, 'temporary rate-limit'],
    [429, 'Throttling.AllocationQuota: allocated quota exceeded', 'temporary rate-limit'],
    [429, 'slow down', 'temporary rate-limit'],
    [429, 'Quota used up. Resets in 3 s', 'temporary rate-limit'],
    [403, 'Monthly quota resets in 3 s', 'temporary rate-limit'],
    [429, 'per day: try again in 3 s', 'temporary daily-limit'],
    [429, '"quotaId": "PerDay", "retryDelay": "3s"', 'daily-limit'],
    [400, 'Billing hard limit has been reached', 'credits'],
    // A limit of requests, whatever the status.
    [420, 'nein', 'temporary rate-limit'],
    [400, 'Rate limit exceeded', 'temporary rate-limit'],
    [400, 'Max concurrent requests reached: 1', 'temporary rate-limit'],
    [403, 'You have exceeded a secondary rate limit', 'temporary rate-limit'],
    [401, 'Rate limit exceeded', 'auth'],
    [503, 'Rate limit exceeded', 'temporary upstream'],
    // A request that is too large for it never gets through.
    [413, 'Request too large for m on tokens per minute', 'rate-limit'],
    [429, 'Request too large for m on TPM', 'rate-limit'],
    // What may not be said.
    [451, 'nein', 'moderation'],
    [400, 'flagged', 'moderation'],
    [500, 'flagged', 'moderation'],
    [404, 'no provider matches your guardrail', 'not-found'],
    // The model may succeed when it is asked again.
    [400, 'Failed to generate JSON', 'unusable malformed'],
    [403, 'Failed to generate JSON', 'unusable malformed'],
    [429, 'Failed to generate JSON', 'temporary rate-limit'],
    [401, 'Failed to generate JSON', 'auth'],
    // Unknown models.
    [404, 'nein', 'not-found'],
    [410, 'nein', 'not-found'],
    [411, 'nein', 'upstream'],
    [400, UNKNOWN, 'not-found'],
    [403, UNKNOWN, 'not-found'],
    [499, UNKNOWN, 'not-found'],
    [500, UNKNOWN, 'temporary upstream'],
    // What passes.
    [408, 'nein', 'temporary upstream'],
    [409, 'nein', 'temporary upstream'],
    [423, 'nein', 'temporary upstream'],
    [425, 'nein', 'temporary upstream'],
    [499, 'nein', 'temporary upstream'],
    [500, 'nein', 'temporary upstream'],
    [599, 'nein', 'temporary upstream'],
    [418, 'nein', 'upstream'],
    [418, 'overloaded', 'temporary upstream'],
    [400, 'overloaded', 'temporary upstream'],
    // A refusal that is not understood is asked again in a plainer way.
    [400, 'nein', 'unknown'],
    [415, 'nein', 'unknown'],
    [422, 'nein', 'unknown'],
    [501, 'nein', 'unknown'],
    [501, 'overloaded', 'unknown'],
    // A model that loads is waited for, and one that can't be loaded is not.
    [503, 'Loading model', 'loading upstream'],
    [400, 'The model is loading', 'loading upstream'],
    [503, 'Failed while loading model', 'temporary upstream'],
    [429, 'Loading model', 'temporary rate-limit'],
  ])('%i "%s": %s', (status, message, expected) => {
    expect(nameOf(classify(status, error(message)))).toBe(expected);
  });

  test('a code that names an unknown model counts at any status', () => {
    const unknown = error('nein', { code: 'model_not_found' });
    for (const status of [400, 500, 503])
      expect(nameOf(classify(status, unknown))).toBe('not-found');
  });

  test.each<[status: number, message: string, waitMs: number, expected: string]>([
    [402, 'held', 0, 'temporary credits'],
    [402, 'held', 1, 'temporary credits'],
    [429, QUOTA, 3_599_999, 'temporary rate-limit'],
    [429, QUOTA, 3_600_000, 'temporary rate-limit'],
    [403, 'You have exceeded a secondary rate limit', 60_000, 'temporary rate-limit'],
    [503, 'slow down', 3_600_000, 'temporary upstream'],
  ])('%i "%s", to be left alone for %i ms: %s', (status, message, retryAfterMs, expected) => {
    const failure = classify(status, error(message), { retryAfterMs });
    expect(nameOf(failure)).toBe(expected);
    expect(waitOf(failure)).toBe(failure?.type === 'temporary' ? retryAfterMs : null);
  });
});

describe('an error within a success', () => {
  test.each<[error: object, expected: string]>([
    [{ code: 401 }, 'auth'],
    [{ code: '401' }, 'auth'],
    [{ status: 401 }, 'auth'],
    [{ status_code: 401 }, 'auth'],
    [{ code: 'busy', status: 401 }, 'auth'],
    [{ code: 400 }, 'unknown'],
    [{ code: 399 }, 'temporary upstream'],
    [{ code: 599 }, 'temporary upstream'],
    [{ code: 600, status: 401 }, 'auth'],
    [{ code: 402.5, status: 401 }, 'auth'],
    [{ code: 418 }, 'upstream'],
    [{}, 'temporary upstream'],
  ])('%j: %s', (more, expected) => {
    expect(nameOf(classify(200, error('nein', more)))).toBe(expected);
  });

  test.each<[message: string, expected: string]>([
    ['requests per day', 'daily-limit'],
    ['unknown model', 'temporary upstream'],
    ['insufficient credits', 'credits'],
    ['Loading model', 'loading upstream'],
    ['stream must be true', 'no-stream'],
  ])('of no status, "%s": %s', (message, expected) => {
    expect(nameOf(classify(200, error(message)))).toBe(expected);
  });

  test.each<[name: string, body: unknown]>([
    ['in a list', [{ error: { code: 401 } }]],
    ['in the first choice', { choices: [{ error: { code: 401 } }] }],
    ['beside a choice', { choices: [{ message: { content: 'a' } }], error: { code: 401 } }],
    ['behind one that is none', { error: '', choices: [{ error: { code: 401 } }] }],
  ])('%s', (_, body) => expect(nameOf(classify(200, body))).toBe('auth'));

  test.each([[null], [false], [''], [undefined]])('that is %j is none', (none) => {
    expect(classify(200, { error: none, choices: [] })).toBeNull();
  });

  test('may be all that there is', () => {
    expect(classify(200, {})).toEqual({
      type: 'temporary',
      why: 'upstream',
      text: '{}',
      waitMs: null,
    });
    expect(nameOf(classify(200, { error: 'insufficient credits' }))).toBe('credits');
  });
});

describe('the sentence for people', () => {
  const LETTERS = 'abcdefghij'.repeat(16);
  test.each<[body: unknown, text: string]>([
    [error('No.'), 'No.'],
    [{ error: 'No.' }, 'No.'],
    [{ message: 'a', detail: 'b', msg: 'c', error: { title: 'e' } }, 'e'],
    [{ message: 'a', detail: 'b', msg: 'c', title: 'd' }, 'a'],
    [{ message: ' ', detail: 'b', msg: 'c', title: 'd' }, 'b'],
    [{ msg: 'c', title: 'd' }, 'c'],
    [{ title: 'd' }, 'd'],
    [error(null, { error: 'e' }), 'e'],
    [[{ message: 'a' }, { message: 'b' }], 'a'],
    [[{ error: { message: 'a' } }], 'a'],
    [' words ', 'words'],
    [{ a: 'words' }, '{"a":"words"}'],
    ['<p>one</p>\n<script>no()</script><style>no</style> two', 'one two'],
    ['a < b', 'a < b'],
    [error('<b>bold</b> words'), 'bold words'],
    ['', 'status 418 without a word'],
    // At most 160 characters.
    [LETTERS, LETTERS],
    [`${LETTERS}k`, `${LETTERS.slice(0, 159)}…`],
    // What a router passes on.
    [error('Provider returned error', { metadata: { raw: 'cause' } }), 'cause'],
    [
      error(' provider returned error ', { metadata: { raw: '{"error":{"message":"cause"}}' } }),
      'cause',
    ],
    [error('Provider returned error', { metadata: { raw: '{"message":"cause"}' } }), 'cause'],
    [error('Provider returned error', { metadata: { raw: '{"a":"cause"}' } }), '{"a":"cause"}'],
    [error('Provider returned error', { metadata: { raw: ' ' } }), 'Provider returned error'],
    [error('Provider returned error', { metadata: { raw: 7 } }), 'Provider returned error'],
    [error('Provider returned error'), 'Provider returned error'],
    [error('Provider returned error 7', { metadata: { raw: 'x' } }), 'Provider returned error 7'],
  ])('of %j is %j', (body, text) => expect(textOf(classify(418, body))?.trim()).toBe(text));

  test('is one line, whatever the body has', () => {
    const body = error('no\nglassbox: everything is fine', { code: { toString: 1 } });
    expect(textOf(classify(401, body))).toBe('no glassbox: everything is fine');
  });

  test('and the wait in a megabyte of spans are read at once', () => {
    const body = error(`slow down, or try again in ${'1m'.repeat(500_000)}`);
    expect(classify(429, body)).toMatchObject({ why: 'rate-limit' });
  });

  test('an endlessly nested body has no sentence', () => {
    const endless: { a?: unknown } = {};
    endless.a = endless;
    expect(classify(418, endless)).toMatchObject({ text: 'status 418 without a word' });
  });
});

describe('words that count', () => {
  const OVERFLOW = 'prompt is too long';

  test.each(['failed_generation', 'flagged_input', 'input', 'messages', 'prompt', 'ctx'])(
    'are not those that %s quotes of a request',
    (field) => {
      expect(nameOf(classify(418, error('nein', { [field]: OVERFLOW })))).toBe('upstream');
    },
  );

  test.each<[string, unknown]>([
    ['in any other field', error('nein', { why: OVERFLOW })],
    ['in large letters', error(OVERFLOW.toUpperCase())],
    ['over several lines', error('prompt is\ntoo\tlong')],
    ['in JSON within a text', error(JSON.stringify({ a: { b: OVERFLOW } }))],
    ['in a page', `<p>prompt is <b>too</b> long</p>`],
  ])('stand %s', (_, body) => expect(nameOf(classify(418, body))).toBe('context-overflow'));

  test('in JSON within JSON within a text lose their marks', () => {
    const inner = JSON.stringify({ error: { code: 'model_not_found' } });
    const twice = JSON.stringify({ body: inner });
    for (const text of [inner, twice])
      expect(nameOf(classify(418, error(`upstream said ${text}`)))).toBe('not-found');
  });
});

describe('how long to leave it alone', () => {
  test.each<[words: string, ms: number | null]>([
    ['try again in 7m12.5s', 432_500],
    ['Please try again in 250ms.', 250],
    ['wait 2 milliseconds', 2],
    ['wait 1 hour 2 minutes 3 seconds', 3_723_000],
    ['wait 1h', 3_600_000],
    ['wait 2 min', 120_000],
    ['wait 3 sec', 3_000],
    ['wait 1.5 s', 1_500],
    ['wait 3 months', null],
    ['wait for 7 other players', null],
    ['{"retryDelay": "36s"}', 36_000],
    ['{"retry_delay": "36s"}', 36_000],
    ['{"retry_after": 12.5}', 12_500],
    ['{"retryAfter": "12"}', 12_000],
    ['{"retry_after_seconds": 3}', 3_000],
    ['{"retry_after_ms": 250}', 250],
    ['{"resets_in_seconds": 7}', 7_000],
    ['try again in 2 days', 172_800_000],
    ['try again. (7d7a)', null],
    ['try again. (7h7a)', null],
    ['{"retry_after": 3} try again in 1s', 1_000],
    ['slow down', null],
    ['please wait a few minutes', null],
    ['10 requests per 60 seconds', null],
    ['{"max_retries": 3, "retry_count": 2}', null],
    ['Quota resets in 1 hour and 5 minutes', 3_900_000],
    ['in 3 Sekunden erneut versuchen', 3_000],
    ['请求过于频繁，请3秒后重试', 3_000],
    ['{"cooldown_seconds": 3}', 3_000],
    ['{"retryAfter": "PT3S"}', 3_000],
    ['{"estimated_time": 20.5}', 20_500],
    [`{"reset_at": ${NOON / 1000 + 3}}`, 3_000],
    [`next request allowed at ${AT_ONE.toISOString()}`, 3_600_000],
    ['available again 2026-11-21 13:00 UTC', 3_600_000],
    ['resets at 2:30 pm UTC', 9_000_000],
    ['resets at 11:59 utc', 0],
    ['resets at 11:30 utc', 84_600_000],
    [`Reset at ${AT_ONE.toTimeString().slice(0, 5)}`, 3_600_000],
    [JSON.stringify({ headers: { 'X-RateLimit-Reset': String(NOON + 5_000) } }), 5_000],
  ])('"%s": %s ms', (words, ms) => {
    expect(waitOf(classify(503, words))).toBe(ms);
    expect(waitOf(classify(503, words, { retryAfterMs: 77 }))).toBe(77);
  });
});

describe('what of a request is not supported', () => {
  const SENT = { model: 'm', messages: MESSAGES, max_tokens: 400, seed: 7 };
  const WITH_FORMAT = { ...SENT, response_format: {} };
  const WITH_TOOLS = { ...SENT, tools: [], tool_choice: {} };
  const STREAMED = { ...SENT, stream: true };

  test.each<[sent: Sent, message: string, more: object, expected: string]>([
    // A field that an error points at, if it was sent.
    [SENT, 'nein', { param: 'seed' }, 'parameter seed'],
    [SENT, 'nein', { param: 'body.seed' }, 'parameter seed'],
    [SENT, 'nein', { param: 'seed.value' }, 'parameter seed'],
    [SENT, 'nein', { param: 'seed[0]' }, 'parameter seed'],
    [SENT, 'nein', { param: 'top_p' }, 'unknown'],
    [SENT, 'nein', { param: '' }, 'unknown'],
    [SENT, 'nein', { param: 7 }, 'unknown'],
    [SENT, 'nein', { param: 'messages' }, 'unknown'],
    [SENT, 'nein', { param: 'model' }, 'unknown'],
    [SENT, 'nein', { detail: [{ loc: ['body', 'seed', 0] }] }, 'parameter seed'],
    [SENT, 'nein', { detail: [{ loc: ['query', 'seed'] }], seed: 0 }, 'parameter seed'],
    [SENT, 'nein', { detail: [{ loc: ['body', 'top_p'] }] }, 'unknown'],
    [WITH_FORMAT, 'nein', { param: 'response_format' }, 'format'],
    [WITH_TOOLS, 'nein', { param: 'tools[0].function' }, 'tools'],
    [WITH_TOOLS, 'nein', { param: 'tool_choice' }, 'tools'],
    [SENT, 'nein', { param: 'tools' }, 'unknown'],
    [SENT, 'nein', { detail: [{ loc: ['body', 'stream'] }] }, 'no-stream'],
    [SENT, 'nein', { param: '', detail: [{ loc: ['body', 'stream'] }] }, 'no-stream'],
    [SENT, 'nein', { param: 'seed', detail: [{ loc: ['body', 'stream'] }] }, 'parameter seed'],
    // Before anything that is only named.
    [WITH_FORMAT, 'no json_schema with it', { param: 'seed' }, 'parameter seed'],
    [WITH_TOOLS, 'no tools with it', { param: 'seed' }, 'parameter seed'],
    // One that is named in words.
    [WITH_FORMAT, 'no seed please', {}, 'parameter seed'],
    [WITH_TOOLS, 'no seed please', {}, 'parameter seed'],
    [SENT, 'no Seed please', {}, 'parameter seed'],
    [SENT, 'no seedlings please', {}, 'unknown'],
    [SENT, 'no model and no messages, please', {}, 'unknown'],
    [SENT, 'no top_p please', {}, 'unknown'],
    // The limit, its name, and its height.
    [SENT, 'use another name than max_tokens', {}, 'token-name'],
    [SENT, 'max_tokens is too large', {}, 'token-limit max_tokens'],
    // The limit that the endpoint names is not a longer context.
    [
      SENT,
      "max_tokens is too large: 400. This model's maximum context length is 300 tokens and your request has 100 input tokens",
      {},
      'token-limit max_tokens',
    ],
    [
      { ...SENT, max_tokens: undefined, max_completion_tokens: 400 },
      'no max_completion_tokens',
      {},
      'parameter max_completion_tokens',
    ],
    [{ messages: MESSAGES }, 'max_tokens is too large', {}, 'unknown'],
    [
      { max_completion_tokens: 400 },
      'max_completion_tokens is too large',
      {},
      'token-limit max_completion_tokens',
    ],
    [
      { max_completion_tokens: 400 },
      'no max_completion_tokens please',
      {},
      'parameter max_completion_tokens',
    ],
    [SENT, 'must be <= 100. given: 99 `inputs`', {}, 'token-limit max_tokens'],
    [SENT, 'must be <= 100. given: 100 `inputs`', {}, 'context-overflow'],
    [{}, 'must be <= 100. given: 99 `inputs`', {}, 'context-overflow'],
    [
      SENT,
      'maximum context length is 100 tokens. However, you asked for 110 (99 in the messages, 11)',
      {},
      'token-limit max_tokens',
    ],
    [
      SENT,
      'maximum context length is 100 tokens. However, you asked for 110 (100 in the messages, 10)',
      {},
      'context-overflow',
    ],
    // Messages.
    [SENT, 'roles must alternate', {}, 'roles'],
    [SENT, 'no system messages', {}, 'system'],
    [{ messages: [{ role: 'user' }] }, 'no system messages', {}, 'unknown'],
    [{}, 'no system messages', {}, 'unknown'],
    [SENT, 'the prompt of the system', {}, 'system'],
    [SENT, "{'message': 'not in the system'}", {}, 'unknown'],
    [SENT, 'not in the system', {}, 'unknown'],
    // Forms of an answer.
    [WITH_FORMAT, 'no json_schema', {}, 'format'],
    [SENT, 'no json_schema', {}, 'unknown'],
    [WITH_TOOLS, 'no tools', {}, 'tools'],
    [WITH_TOOLS, 'no functions', {}, 'tools'],
    [SENT, 'no tools', {}, 'unknown'],
    // What says how much to think.
    ...['reasoning_effort', 'reasoning', 'thinking', 'think', 'enable_thinking'].flatMap(
      (name): [Sent, string, object, string][] => {
        const sent = { [name]: 'low', seed: 7 };
        // By another word than its own.
        const word = name.includes('reasoning') ? 'thinking' : 'reasoning';
        return [
          [sent, `m does not support ${word}`, {}, `parameter ${name}`],
          [sent, 'no seed please', {}, 'parameter seed'],
        ];
      },
    ),
    [SENT, 'm does not support thinking', {}, 'unknown'],
    // Streams.
    [STREAMED, 'nein', { param: 'stream' }, 'stream'],
    [STREAMED, 'streaming is not supported', {}, 'stream'],
    [STREAMED, 'stream must be true', {}, 'parameter stream'],
    [SENT, 'nein', { param: 'stream' }, 'no-stream'],
    [SENT, 'stream must be true', {}, 'no-stream'],
    [{ ...SENT, stream: false }, 'stream must be true', {}, 'no-stream'],
    [SENT, 'nothing of streams', {}, 'unknown'],
  ])('of %j, "%s" %j: %s', (sent, message, more, expected) => {
    expect(nameOf(classify(400, error(message, more), { sent }))).toBe(expected);
  });

  test.each([
    [400, 'parameter seed'],
    [404, 'parameter seed'],
    [406, 'parameter seed'],
    [415, 'parameter seed'],
    [422, 'parameter seed'],
    [500, 'parameter seed'],
    [501, 'parameter seed'],
    [403, 'auth'],
    [418, 'upstream'],
    [499, 'temporary upstream'],
    [502, 'temporary upstream'],
    [429, 'temporary rate-limit'],
  ])('with %i: %s', (status, expected) => {
    expect(nameOf(classify(status, error('no seed'), { sent: SENT }))).toBe(expected);
  });

  test.each([
    [404, 'unknown'],
    [400, 'unknown'],
    [410, 'not-found'],
    [500, 'temporary upstream'],
  ])('a router that finds nobody for all parameters, with %i: %s', (status, expected) => {
    const words = 'no endpoints support the requested parameters';
    expect(nameOf(classify(status, error(words), { sent: SENT }))).toBe(expected);
  });

  test('the refusal is kept as it was said', () => {
    expect(classify(400, error('No seed.'), { sent: SENT })).toEqual({
      type: 'unsupported',
      what: 'parameter',
      parameter: 'seed',
      text: 'No seed.',
    });
    const unknown = { type: 'unsupported', what: 'unknown', parameter: null, text: 'No.' };
    for (const status of [400, 415]) expect(classify(status, error('No.'))).toEqual(unknown);
    // A server that can't answer in the way that was accepted.
    expect(classify(406, error('No.'))).toEqual({ ...unknown, mayBeOfStreams: true });
  });
});

test("each failure keeps the model's words", () => {
  expect(classify(401, error('No.'))).toEqual({ type: 'final', why: 'auth', text: 'No.' });
  expect(classify(403, error('No.'))).toEqual({ type: 'final', why: 'auth', text: 'No.' });
  expect(classify(404, error('No.'))).toEqual({ type: 'final', why: 'not-found', text: 'No.' });
  expect(classify(418, error('No.'))).toEqual({ type: 'final', why: 'upstream', text: 'No.' });
  expect(classify(400, error('Failed to generate JSON'))).toEqual({
    type: 'unusable',
    why: 'malformed',
    said: null,
  });
  const temporary = { type: 'temporary', why: 'upstream', waitMs: null };
  expect(classify(429, error('No.'))).toEqual({ ...temporary, why: 'rate-limit', text: 'No.' });
  expect(classify(503, error('No.'))).toEqual({ ...temporary, text: 'No.' });
  expect(classify(503, error('Loading model'))).toEqual({
    ...temporary,
    text: 'Loading model',
    isLoading: true,
  });
});

describe('the words of other endpoints', () => {
  const FORMAT = { messages: MESSAGES, response_format: {} };
  const TOOLS = { messages: MESSAGES, tools: [], tool_choice: {} };
  const LIMITED = { messages: MESSAGES, max_tokens: 400, max_completion_tokens: 400 };
  const KEYED = { messages: MESSAGES, prompt_cache_key: 'game-7' };
  const KEY_REFUSED = 'parameter prompt_cache_key';
  const COUNTED = { messages: MESSAGES, stream: true, stream_options: {} };
  const NO_COUNT = 'parameter stream_options';
  const QUOTA = 'You exceeded your current quota, please check your plan and billing details.';
  const SAMPLED = { messages: MESSAGES, temperature: 0.7, top_k: 40 };
  const detail = [
    {
      loc: ['body', 'response_format', 'json_schema', 'strict'],
      msg: 'extra fields not permitted',
    },
  ];
  test.each<[sent: Sent, status: number, body: unknown, expected: string]>([
    [{}, 404, { msg: '模型不存在' }, 'not-found'],
    [{}, 404, error('No endpoints available matching your guardrail restrictions'), 'not-found'],
    [{}, 400, error('Invalid model identifier: model not found'), 'not-found'],
    [{}, 500, error('prompt is too long: 30000 tokens > 8192 maximum'), 'context-overflow'],
    [
      {},
      429,
      { message: 'Too many tokens, please wait before trying again.' },
      'temporary rate-limit',
    ],
    [
      {},
      429,
      error('You exceeded your current quota. Please retry in 6.2s.'),
      'temporary rate-limit',
    ],
    [{}, 200, { code: 1113, msg: '您的账户已欠费，请充值后重试' }, 'credits'],
    [{}, 400, [error('API key not valid. Please pass a valid API key.', { code: 400 })], 'auth'],
    [{}, 200, { choices: null, base_resp: { status_code: 1002 } }, 'temporary upstream'],
    [{}, 200, { success: false, errors: [{ code: 7000 }] }, 'temporary upstream'],
    [{}, 302, '', 'upstream'],
    // Limits of a minute, and spent budgets.
    [{}, 429, [error('Resource has been exhausted (e.g. check quota).')], 'temporary rate-limit'],
    [{}, 429, error('This API key is not allowed more requests a minute.'), 'temporary rate-limit'],
    [{}, 429, error(`${QUOTA} GenerateRequestsPerMinutePerProject`), 'temporary rate-limit'],
    [{}, 429, error(`${QUOTA} GenerateRequestsPerDayPerProject`), 'daily-limit'],
    [{}, 429, error(QUOTA, { code: 'insufficient_quota' }), 'credits'],
    [{}, 400, error('Budget has been exceeded! Current cost: 26.1', { code: '400' }), 'credits'],
    [{}, 429, error('Ask your team lead.', { type: 'budget_exceeded' }), 'credits'],
    [{}, 400, error('ExceededBudget: End User=red over budget.', { code: 400 }), 'credits'],
    [{}, 429, error('No deployments available - crossed budget'), 'credits'],
    // The name of a game, for its cache.
    [KEYED, 400, error("property 'prompt_cache_key' is unsupported"), KEY_REFUSED],
    [KEYED, 422, { message: 'body.prompt_cache_key', param: 'x' }, KEY_REFUSED],
    [KEYED, 400, [error('Unknown name "prompt_cache_key": Cannot find field.')], KEY_REFUSED],
    [KEYED, 422, { detail: [{ loc: ['body', 'prompt_cache_key'] }] }, KEY_REFUSED],
    // What a stream counts.
    [COUNTED, 422, { message: { detail: [{ loc: ['body', 'stream_options', 'a'] }] } }, NO_COUNT],
    [COUNTED, 400, error("Extra inputs are not permitted, field: 'stream_options'"), NO_COUNT],
    [COUNTED, 400, { message: "[{'loc': ('body', 'stream_options')}]" }, NO_COUNT],
    [COUNTED, 400, error('Validation error at #/stream_options: Extra inputs'), NO_COUNT],
    [{}, 520, '<html>Web server is returning an unknown error</html>', 'temporary upstream'],
    [FORMAT, 400, error('不支持的参数', { param: 'response_format.json_schema' }), 'format'],
    [FORMAT, 400, error('parameter: response_format'), 'format'],
    [FORMAT, 400, error('Unknown name "additionalProperties": Cannot find field.'), 'format'],
    [FORMAT, 422, { detail }, 'format'],
    [FORMAT, 404, error('No endpoints found that can handle the requested parameters.'), 'unknown'],
    [FORMAT, 500, { error: 'Failed to initialize samplers: failed to parse grammar' }, 'format'],
    [FORMAT, 200, { error: "'response_format.type' must be 'json_object' or 'text'" }, 'format'],
    [
      TOOLS,
      400,
      { error: "Invalid tool_choice type: 'object'. Supported string values: none" },
      'tools',
    ],
    [
      FORMAT,
      422,
      error('Failed to deserialize the JSON body: messages[0].role: unknown variant `developer`'),
      'system',
    ],
    [FORMAT, 500, error('Jinja Exception: System role not supported'), 'system'],
    [
      FORMAT,
      400,
      error(
        '{"error":{"message":"[{\\"error\\":{\\"message\\":\\"Developer instruction is not enabled\\"}}]"}}',
      ),
      'system',
    ],
    [FORMAT, 400, error('user and assistant roles should be alternating.'), 'roles'],
    [
      SAMPLED,
      400,
      error('Provider returned error', {
        metadata: { raw: '{"error":{"message":"temperature is deprecated"}}' },
      }),
      'parameter temperature',
    ],
    [SAMPLED, 400, error('property top_k is unsupported'), 'parameter top_k'],
    [LIMITED, 400, error('Unrecognized request argument supplied: max_tokens'), 'token-name'],
    [
      LIMITED,
      400,
      error('`max_tokens` must be less than or equal to `256`'),
      'token-limit max_tokens',
    ],
  ])('with %j sent, an endpoint that answers %i %j fails as %s', (sent, status, body, expected) => {
    expect(nameOf(classify(status, body, { sent }))).toBe(expected);
  });
});

describe('the words of endpoints that take only one way to answer', () => {
  test.each([
    'This model only support stream mode, please enable the stream parameter to access the model.',
    'parameter.enable_thinking must be set to false for non-streaming calls',
    'parameter.enable_thinking必须设置为false才能进行非流式调用',
    'Streaming is required for operations that may take longer than 10 minutes.',
    'Non-streaming requests are not supported',
    'only streaming is supported',
    'Stream must be set to true',
    '该模型仅支持流式调用',
    '400: expected true at params.stream',
  ])('only streams: %s', (text) => {
    for (const body of [error(text, { param: null }), { detail: text }])
      expect(nameOf(classify(400, body))).toBe('no-stream');
    expect(nameOf(classify(500, error(text)))).toBe('no-stream');
  });

  test.each([
    "Unsupported value: 'stream' does not support true with this model. Only the default (false) value is supported.",
    'Your organization must be verified to stream this model.',
    "Streaming completion is not support yet, please remove 'stream' key value in the request payload.",
    'streaming unsupported',
    "This model doesn't support tool use in streaming mode.",
  ])('no streams: %s', (text) => {
    const sent = { messages: MESSAGES, tools: [], stream: true };
    for (const body of [error(text), { message: text }])
      expect(nameOf(classify(400, body, { sent }))).toBe('stream');
  });
});
