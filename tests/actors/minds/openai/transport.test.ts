import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  type AnswerListener,
  type Delivery,
  loadTransport,
  openTransport,
  redactKey,
} from '../../../../actors/minds/openai/transport.ts';

const KEY = 'sk-test-0123456789abcdef';
const NOW = Date.UTC(2026, 10, 21, 12);
const BODY = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] };
const NEVER = new AbortController().signal;

type Answering = (response: ServerResponse, turn: number, request: IncomingMessage) => void;
type Sending = {
  readonly apiKey?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  readonly listener?: AnswerListener;
  readonly times?: number;
  readonly until?: Promise<unknown>;
};

/** Starts a server, sends requests to it, and returns what both sides saw. */
async function sendTo(answer: Answering, sending: Sending = {}) {
  const { apiKey = null, body = BODY, signal = NEVER, listener, times = 1, until } = sending;
  const { headers = {}, path = '/v1' } = sending;
  const requests: {
    readonly headers: IncomingMessage['headers'];
    readonly to: string;
    readonly text: string;
  }[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece: Buffer) => {
      text += piece.toString();
    });
    request.on('end', () => {
      requests.push({ headers: request.headers, to: `${request.method} ${request.url}`, text });
      // The clock of the test is another one.
      response.sendDate = false;
      answer(response, requests.length - 1, request);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const baseUrl = `http://127.0.0.1:${port}${path}`;
  const transport = openTransport({ baseUrl, model: 'm', apiKey, headers }, () => NOW);
  const deliveries: Delivery[] = [];
  try {
    for (let time = 0; time < times; time++)
      deliveries.push(await transport.send(body, signal, listener));
    await until;
    return { delivery: deliveries[0], deliveries, requests, connections, baseUrl };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answering =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

const text =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answering =>
  (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

const chunk = (delta: object, reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
const failing = (error: object) => `data: ${JSON.stringify({ error })}\n\n`;
const DONE = 'data: [DONE]\n\n';
const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };

type Ending = 'end' | 'cut' | 'silence';

const streaming =
  (pieces: readonly string[], ending: Ending = 'end', headers: object = STREAM): Answering =>
  (response) => {
    response.writeHead(200, { ...headers });
    for (const piece of pieces) response.write(piece);
    if (ending === 'end') response.end();
    // The bytes are on their way before the cut.
    if (ending === 'cut') response.write('', () => response.destroy());
  };

/** Writes the next piece when the listener has heard the previous one. */
async function hear(pieces: readonly (string | Uint8Array)[], apiKey: string | null = null) {
  const heard = aListener();
  let write = () => {};
  const listener: AnswerListener = {
    onBytes: () => {
      heard.listener.onBytes();
      setImmediate(() => write());
    },
    onText: heard.listener.onText,
    onThought: (piece) => heard.listener.onThought?.(piece),
  };
  const answer: Answering = (response) => {
    const left = [...pieces];
    response.writeHead(200, STREAM);
    write = () => {
      const piece = left.shift();
      if (piece === undefined) response.end();
      else response.write(piece);
    };
    write();
  };
  const { delivery } = await sendTo(answer, { listener, apiKey });
  return { ...heard.heard, delivery };
}

function aListener() {
  const heard = { bytes: 0, texts: [] as string[], thoughts: [] as string[] };
  const listener: AnswerListener = {
    onBytes: () => {
      heard.bytes += 1;
    },
    onText: (piece) => heard.texts.push(piece),
    onThought: (piece) => heard.thoughts.push(piece),
  };
  return { heard, listener };
}

describe('outgoing requests', () => {
  test.each([
    [null, undefined],
    ['', undefined],
    ['  ', undefined],
    [KEY, `Bearer ${KEY}`],
    [`\t${KEY}\n`, `Bearer ${KEY}`],
    ['!~', 'Bearer !~'],
  ])('with the key %j', async (apiKey, authorization) => {
    const { requests } = await sendTo(json(200, {}), { apiKey });
    expect(requests[0]?.headers.authorization).toBe(authorization);
    expect(requests[0]?.headers['content-type']).toBe('application/json');
    expect(requests[0]?.to).toBe('POST /v1/chat/completions');
    expect(JSON.parse(requests[0]?.text ?? '')).toEqual(BODY);
  });

  test.each(['sk-with space-0123', 'sk-café-0123456', 'sk-\u007f-01234567'])(
    'with a key that no header can carry: nothing (%j)',
    async (apiKey) => {
      const { requests, delivery } = await sendTo(json(200, {}), { apiKey });
      expect(requests).toEqual([]);
      expect(delivery).toEqual({
        type: 'body',
        status: 401,
        body: 'the key holds characters that no HTTP header can carry',
        retryAfterMs: null,
      });
    },
  );

  test.each([
    [undefined, 'application/json'],
    [false, 'application/json'],
    ['true', 'application/json'],
    [true, 'text/event-stream, application/json'],
  ])('stream %j decides the accepted types', async (stream, accept) => {
    const { requests } = await sendTo(json(200, {}), { body: { ...BODY, stream } });
    expect(requests[0]?.headers.accept).toBe(accept);
  });

  test('the transport sends each request once, whatever status comes back', async () => {
    for (const status of [408, 429, 500, 503]) {
      expect((await sendTo(json(status, {}))).requests).toHaveLength(1);
    }
  });

  test('requests use the connections of earlier ones again', async () => {
    const whole = [chunk({ content: 'Hi' }), chunk({}, 'stop'), DONE];
    const { connections, requests } = await sendTo(streaming(whole), { times: 6 });
    expect(requests).toHaveLength(6);
    // The next may begin before the end of the last one has come.
    expect(connections).toBeLessThan(6);
  });
});

describe('deliveries', () => {
  const of = (status: number, body: unknown, more: object = {}) => ({
    type: 'body',
    status,
    body,
    retryAfterMs: null,
    at: NOW,
    ...more,
  });

  test.each<[name: string, answer: Answering, delivery: object]>([
    ['JSON', json(200, { a: 1 }), of(200, { a: 1 })],
    ['JSON of a failure', json(500, { error: 'no' }), of(500, { error: 'no' })],
    ['text', text(404, 'not here'), of(404, 'not here')],
    ['nothing', text(200, ''), of(200, '')],
    ['no content', text(204, ''), of(204, '')],
    ['JSON with more behind it', text(200, '{"a": {}}\n<!-- } -->'), of(200, { a: {} })],
    ['JSON that is cut', text(200, '{"a": {}'), of(200, '{"a": {}')],
    ['what was sent as 302 without a place', json(302, { a: 1 }), of(302, { a: 1 })],
  ])('%s', async (_, answer, delivery) => {
    expect((await sendTo(answer)).delivery).toEqual(delivery);
  });

  const BROKEN_OFF = 'the answer broke off: its stream ended before it did';
  test.each([
    [199 + 1, true],
    [299, true],
    [300, false],
    [500, false],
  ])('a stream of only pings with status %i is a broken answer: %s', async (status, isLost) => {
    const { delivery } = await sendTo(text(status, ': ping\n\n: ping\n\n', STREAM));
    expect(delivery).toStrictEqual(
      isLost
        ? { type: 'lost', isLate: false, wasSent: true, text: BROKEN_OFF }
        : of(status, ': ping\n\n: ping\n\n'),
    );
  });

  const HALF = [chunk({ content: 'Hello' })];
  const joined = (content: string, reason: string | null) => ({
    choices: [
      expect.objectContaining({
        finish_reason: reason,
        message: expect.objectContaining({ content }),
      }),
    ],
  });

  test('a whole stream is delivered like an answer that came at once', async () => {
    const { delivery } = await sendTo(streaming([...HALF, chunk({}, 'stop'), DONE]));
    expect(delivery).toEqual(of(200, expect.objectContaining(joined('Hello', 'stop'))));
  });

  test('a stream that was whole when its connection was cut', async () => {
    const { delivery } = await sendTo(streaming([...HALF, chunk({}, 'stop')], 'cut'));
    expect(delivery).toEqual(of(200, expect.objectContaining(joined('Hello', 'stop'))));
  });

  test('a stream that ends in the middle: what had come, and how much', async () => {
    const { delivery } = await sendTo(streaming(HALF));
    expect(delivery).toMatchObject({
      type: 'lost',
      isLate: false,
      wasSent: true,
      text: BROKEN_OFF,
      body: joined('Hello', null),
      written: 5,
    });
  });

  test('a stream that is cut in the middle: the same, in words of the system', async () => {
    const { delivery } = await sendTo(streaming(HALF, 'cut'));
    expect(delivery).toMatchObject({
      type: 'lost',
      isLate: false,
      wasSent: true,
      body: joined('Hello', null),
      written: 5,
    });
    expect(delivery).not.toMatchObject({ text: BROKEN_OFF });
  });

  test.each([
    ['after some words', HALF, { written: 5 }],
    ['before any', [], {}],
  ])('a stream that ends with an error %s', async (_, pieces, more) => {
    const error = { message: 'overloaded', code: 503 };
    const { delivery } = await sendTo(streaming([...pieces, failing(error)]));
    expect(delivery).toMatchObject({ ...of(200, expect.objectContaining({ error })), ...more });
    expect('written' in (delivery ?? {})).toBe('written' in more);
  });

  test('a stream under a status of failure is read, however far it came', async () => {
    const { delivery } = await sendTo((response) => {
      response.writeHead(500, STREAM);
      response.end(HALF.join(''));
    });
    expect(delivery).toMatchObject({ type: 'body', status: 500, body: joined('Hello', null) });
  });

  test('a stream that nests without end: an error that says so', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const { delivery } = await sendTo(streaming([`data: {"error":${deep}}\n\n`]));
    expect(delivery).toMatchObject({
      type: 'body',
      body: { error: { message: 'the answer is nested without end' } },
    });
  });

  test.each([
    ['says that it is over', [DONE]],
    ['is finished', []],
  ])('a stream that %s and does not end is cut off', async (_, end) => {
    const closed = Promise.withResolvers<void>();
    const whole = streaming([...HALF, chunk({}, 'stop'), ...end], 'silence');
    const { delivery } = await sendTo(
      (response, turn, request) => {
        response.on('close', () => closed.resolve());
        whole(response, turn, request);
      },
      { until: closed.promise },
    );
    expect(delivery).toEqual(of(200, expect.objectContaining(joined('Hello', 'stop'))));
  });

  test('an answer without end is cut off', async () => {
    const closed = Promise.withResolvers<void>();
    const piece = ' '.repeat(1024 * 1024);
    const { delivery } = await sendTo(
      (response) => {
        response.on('close', () => closed.resolve());
        response.writeHead(200);
        const write = () => {
          if (!response.destroyed) response.write(piece, write);
        };
        write();
      },
      { until: closed.promise },
    );
    expect(delivery).toMatchObject({ text: 'the answer has more than 4194304 bytes' });
  });

  test('a request to a server that is not there is lost, and was never sent', async () => {
    const { baseUrl } = await sendTo(json(200, {}));
    const gone = openTransport({ baseUrl, model: 'm', apiKey: null }, () => NOW);
    const delivery = await gone.send(BODY, NEVER);
    expect(delivery).toEqual({
      type: 'lost',
      isLate: false,
      wasSent: false,
      text: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('a request whose connection is cut is lost, and counts as sent', async () => {
    const { delivery, requests } = await sendTo((response) => response.destroy());
    expect(requests).toHaveLength(1);
    expect(delivery).toEqual({
      type: 'lost',
      isLate: false,
      wasSent: true,
      text: expect.any(String),
    });
  });

  test('an answer of four mebibytes is delivered, and a longer one is lost', async () => {
    const most = 4 * 1024 * 1024;
    expect((await sendTo(text(200, '1'.padEnd(most)))).delivery).toEqual(of(200, 1));
    const { delivery } = await sendTo(text(200, '1'.padEnd(most + 1)));
    expect(delivery).toMatchObject({
      type: 'lost',
      text: 'the answer has more than 4194304 bytes',
    });
  });
});

describe('words of an answer in progress', () => {
  const whole = [
    chunk({ content: 'Red lies. ' }),
    chunk({ content: 'He does. ' }),
    chunk({}, 'stop'),
    DONE,
  ];

  test('a listener hears words as they come, and each time that bytes come', async () => {
    const { texts, bytes } = await hear(whole);
    expect([texts, bytes]).toEqual([['Red lies. ', 'He does. '], whole.length]);
  });

  test('a listener hears thoughts apart from the answer, with the key replaced', async () => {
    const thinking = [`Who? ${KEY.slice(0, 12)}`, `${KEY.slice(12)}. `].map((reasoning_content) =>
      chunk({ reasoning_content }),
    );
    const { texts, thoughts } = await hear([...thinking, ...whole], KEY);
    expect([thoughts, texts]).toEqual([
      ['Who? ', '[key]. '],
      ['Red lies. ', 'He does. '],
    ]);
  });

  test('a listener that takes no thoughts hears only the answer', async () => {
    const texts: string[] = [];
    const listener = { onBytes: () => {}, onText: (piece: string) => texts.push(piece) };
    await sendTo(streaming([chunk({ reasoning_content: 'Who? ' }), ...whole]), { listener });
    expect(texts.join('')).toBe('Red lies. He does. ');
  });

  test('a listener hears whole letters, wherever their bytes are cut', async () => {
    const bytes = Buffer.from(chunk({ content: 'at the café, ' }));
    const cut = bytes.indexOf('é') + 1;
    const { texts } = await hear([bytes.subarray(0, cut), bytes.subarray(cut), DONE]);
    expect(texts).toEqual(['at the café, ']);
  });

  test('a listener hears pings as bytes, and not as words', async () => {
    const { texts, bytes } = await hear([': ping\n\n', ': ping\n\n', ...whole]);
    expect([texts, bytes]).toEqual([['Red lies. ', 'He does. '], 2 + whole.length]);
  });

  test('a listener hears the bytes of a stream whose content type has capital letters', async () => {
    const { heard, listener } = aListener();
    const type = { 'content-type': 'Text/Event-Stream' };
    await sendTo(streaming([': ping\n\n'], 'end', type), { listener });
    expect(heard).toEqual({ bytes: 1, texts: [], thoughts: [] });
  });

  test('a listener hears the words of a stream without a content type', async () => {
    const { heard, listener } = aListener();
    await sendTo(streaming(whole, 'end', {}), { listener });
    expect(heard.texts.join('')).toBe('Red lies. He does. ');
    expect(heard.bytes).toBeGreaterThan(0);
  });

  test('a listener gets no words of an answer that comes at once, in any number of pieces', async () => {
    const { heard, listener } = aListener();
    const { delivery } = await sendTo(streaming(['{"a":', ' 1}'], 'end', {}), { listener });
    expect(delivery).toMatchObject({ body: { a: 1 } });
    expect(heard).toEqual({ bytes: 0, texts: [], thoughts: [] });
  });

  test('a listener hears no words of pieces without text, and no half words', async () => {
    const parts = [{ role: 'assistant' }, { content: 'Hel' }, { content: 'lo ' }];
    const { texts, bytes } = await hear([...parts.map((part) => chunk(part)), DONE]);
    expect([texts, bytes]).toEqual([['Hello '], 4]);
  });
});

describe('a key in words that come in pieces', () => {
  async function shownOf(pieces: readonly string[], apiKey: string) {
    const chunks = pieces.map((content) => chunk({ content }));
    return (await hear([...chunks, chunk({}, 'stop'), DONE], apiKey)).texts;
  }

  test.each<[name: string, key: string, pieces: readonly string[], shown: readonly string[]]>([
    ['a word is held back until it has ended', KEY, ['one two', ' three'], ['one ', 'two ']],
    [
      'a key in pieces',
      KEY,
      ['it is sk-te', 'st-0123456', '789abcdef, yes '],
      ['it is ', '[key], yes '],
    ],
    [
      'a key of other signs, in pieces',
      'password?$%&/0123',
      ['a password?$%', '&/0123 b '],
      ['a ', '[key] b '],
    ],
    [
      'what only begins like it',
      'password?$%&/0123',
      ['a passwor? ', 'no '],
      ['a passwor? ', 'no '],
    ],
    ['a short key is none', 'abc?def', ['x abc?', 'def y '], ['x abc?', 'def y ']],
    ['a key at the very beginning', 'abc?defg', ['abc?', 'defg y '], ['[key] y ']],
    ['a key at another place', 'abc?defg', ['xy abc?', 'defg y '], ['xy ', '[key] y ']],
    ['a key of eight is one', 'abc?defg', ['x abc?', 'defg y '], ['x ', '[key] y ']],
    ['a header in pieces', '', ['so Bearer ', 'abcdefghijklmnop ', 'x '], ['so ', '[key] ', 'x ']],
    ['a header with room in it', '', ['Bearer    ', 'abcdefghijklmnop ', 'x '], ['[key] ', 'x ']],
    ['a bearer of something else', '', ['the Bearer ', 'of it '], ['the ', 'Bearer of it ']],
  ])('%s', async (_, key, pieces, shown) => expect(await shownOf(pieces, key)).toEqual(shown));

  test.each([
    [4096, [4099]],
    [4097, [4097, 3]],
  ])(
    'a word of %i letters is held back, and no longer one: pieces of %j',
    async (length, lengths) => {
      // The word is shown before the next one has come, or with it.
      const shown = await shownOf(['x'.repeat(length), ' y '], KEY);
      expect(shown.map((one) => one.length)).toEqual(lengths);
    },
  );
});

describe('a base URL', () => {
  test.each([
    ['/v1', '/v1/chat/completions'],
    ['/v1/', '/v1/chat/completions'],
    ['/v1/chat/completions', '/v1/chat/completions'],
    ['/v1/chat/completions/', '/v1/chat/completions'],
    ['/', '/chat/completions'],
    ['', '/chat/completions'],
    [
      '/openai/deployments/gpt/chat/completions?api-version=2026-01-01',
      '/openai/deployments/gpt/chat/completions?api-version=2026-01-01',
    ],
    [
      '/openai/deployments/gpt?api-version=1',
      '/openai/deployments/gpt/chat/completions?api-version=1',
    ],
  ])('ending in %j is asked at %s', async (path, expected) => {
    const { requests } = await sendTo(json(200, {}), { path });
    expect(requests.map(({ to }) => to)).toEqual([`POST ${expected}`]);
  });
});

describe('other headers', () => {
  const SECRET = 'azure-0123456789abcdef';
  const headers = { 'api-key': SECRET, 'X-Title': 'Glass Box' };

  test('are sent, and an endpoint that repeats them gets them out of sight', async () => {
    const { requests, delivery } = await sendTo(
      (response, turn, request) =>
        json(400, { error: `no ${request.headers['api-key']}` })(response, turn, request),
      { headers },
    );
    expect(requests[0]?.headers).toMatchObject({ 'api-key': SECRET, 'x-title': 'Glass Box' });
    expect(requests[0]?.headers.authorization).toBeUndefined();
    expect(delivery).toMatchObject({ status: 400, body: { error: 'no [key]' } });
  });

  test('with characters that no header can carry are not sent', async () => {
    const { requests, delivery } = await sendTo(json(200, {}), { headers: { 'api-key': 'ключ' } });
    expect([requests, delivery]).toMatchObject([[], { status: 401 }]);
  });
});

describe('a key is put out of sight', () => {
  test.each([
    ['abcdefg', 'an abcdefg', 'an abcdefg'],
    ['abcdefgh', 'an abcdefgh', 'an [key]'],
    ['abcdefgh', 'abcdefgh', '[key]'],
    ['abcdefghij', 'abcdefg', 'abcdefg'],
    ['abcdefghij', 'abcdefgh', '[key]'],
    ['abcdefghij', 'abcdefghi!', '[key]!'],
    ['abcdefghij', 'abcdefghij!', '[key]!'],
    ['abcdefghij', 'abcdefghijk', '[key]k'],
    ['abcdefghij', 'abcdefgh abcdefghij abcdefghx', '[key] [key] [key]x'],
    ['abcdefghij', 'abcdefgxabcdefgh', 'abcdefgx[key]'],
    ['abcdefghij', 'abcdefghabcdefghij', '[key][key]'],
    ['', 'sk-0123456789ab and Bearer abcdefghijkl', '[key] and [key]'],
  ])('%j in %j', (key, said, shown) => expect(redactKey(said, key)).toBe(shown));
});

describe('how long to wait', () => {
  const HOUR = 3_600_000;
  const date = (ms: number) => new Date(NOW + ms).toUTCString();
  const limit = (...[one, left, reset, other, more, later]: readonly (string | number)[]) => ({
    [`x-ratelimit-remaining-${one}`]: String(left),
    [`x-ratelimit-reset-${one}`]: String(reset),
    [`x-ratelimit-remaining-${other}`]: String(more),
    [`x-ratelimit-reset-${other}`]: String(later),
  });
  test.each<[status: number, headers: Record<string, string>, body: unknown, ms: number | null]>([
    [429, { 'retry-after': '2', 'x-ratelimit-reset': '5' }, {}, 2_000],
    [429, { 'retry-after': '3, 2' }, {}, 3_000],
    [403, { 'x-ratelimit-reset': '9' }, {}, null],
    [403, { 'x-ratelimit-reset': '9', 'x-ratelimit-remaining': '0' }, {}, 9_000],
    [429, { ratelimit: '"a";r=0;t=3, "b";r=9;t=99', 'ratelimit-policy': '"a";q=9' }, {}, 3_000],
    [429, { ratelimit: 'limit=9, remaining=0, reset=3' }, {}, 3_000],
    // The moment is one of a clock that is an hour ahead.
    [429, { date: date(HOUR), 'retry-after': date(HOUR + 7_000) }, {}, 7_000],
    [429, {}, { error: 'no' }, null],
    [429, {}, 'no', null],
    [503, { 'retry-after': '2' }, {}, 2_000],
    [429, { 'x-ratelimit-reset-requests': '6m0s' }, {}, 360_000],
    [429, { 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '20ms' }, {}, 20],
    [429, limit('requests', 0, '1s', 'tokens', 7, '6m0s'), {}, 1_000],
    [429, limit('requests', 0, '1s', 'tokens', 0, '6m0s'), {}, 360_000],
    [429, { 'x-ratelimit-reset': String(NOW / 1000 + 9) }, {}, 9_000],
    [429, { 'ratelimit-reset': '30', 'ratelimit-remaining': '0' }, {}, 30_000],
    [429, { 'anthropic-ratelimit-tokens-reset': new Date(NOW + 7_000).toISOString() }, {}, 7_000],
    [429, { 'x-ratelimit-reset': 'soon' }, {}, null],
    [500, { 'x-ratelimit-reset': '9' }, {}, null],
  ])('by the answer itself: %i, %j, %j: %j ms', async (status, headers, body, ms) => {
    const { delivery } = await sendTo(json(status, body, headers));
    expect(delivery).toMatchObject({ type: 'body', status, retryAfterMs: ms });
  });

  test('an endpoint that streams says it, too', async () => {
    const { delivery } = await sendTo(
      streaming([failing({ message: 'slow down', code: 429 })], 'end', {
        ...STREAM,
        'retry-after': '4',
      }),
    );
    expect(delivery).toMatchObject({ type: 'body', retryAfterMs: 4_000 });
  });
});

describe('a redirect', () => {
  const to = (location: string, status = 307): Answering => text(status, 'moved', { location });

  test.each([301, 302, 303, 307, 308])(
    'of status %i at home is followed with all that was sent',
    async (status) => {
      const { delivery, requests } = await sendTo(
        (response, turn, request) =>
          (turn === 0 ? to('/v1/elsewhere', status) : json(200, { a: 1 }))(response, turn, request),
        { apiKey: KEY },
      );
      expect(delivery).toMatchObject({ body: { a: 1 } });
      const [first, second] = requests;
      expect(second?.text).toBe(first?.text);
      expect(second?.headers.authorization).toBe(`Bearer ${KEY}`);
    },
  );

  test.each([300, 304, 305, 306, 309])('%i is none', async (status) => {
    const { requests, delivery } = await sendTo(to('/v1/elsewhere', status));
    expect([requests.length, delivery]).toEqual([1, expect.objectContaining({ status })]);
  });

  const refused = (message: string) => ({
    type: 'body',
    status: 405,
    body: { error: { message } },
  });

  test('to a web page at home is refused', async () => {
    const { delivery } = await sendTo((response, turn, request) =>
      (turn === 0 ? to('/login') : text(200, 'hi', { 'content-type': 'text/html' }))(
        response,
        turn,
        request,
      ),
    );
    const message = expect.stringMatching(/^it redirects to a web page at 127.*\/login$/);
    expect(delivery).toMatchObject({ ...refused(''), body: { error: { message } } });
  });

  test('is followed three times', async () => {
    const turns = async (times: number) =>
      await sendTo((response, turn, request) =>
        (turn < times ? to('/v1/next') : json(200, { a: 1 }))(response, turn, request),
      );
    expect((await turns(3)).delivery).toMatchObject({ status: 200 });
    const { delivery, requests } = await turns(4);
    expect(delivery).toMatchObject(refused('it redirects more than 3 times'));
    expect(requests).toHaveLength(4);
  });

  test.each([
    ['https://elsewhere.example/v1', 'https://elsewhere.example'],
    ['//elsewhere.example/v1', 'http://elsewhere.example'],
    ['http://', 'nowhere'],
    ['file:///etc/passwd', 'nowhere'],
  ])('to %s carries nothing there, and says where that is', async (location, where) => {
    const { delivery, requests } = await sendTo(to(location));
    expect(delivery).toMatchObject(
      refused(`it redirects to ${where}: name that as the base URL if it is right`),
    );
    expect(requests).toHaveLength(1);
  });
});

test('a request that nobody waits for is given up', async () => {
  const leaving = new AbortController();
  const { delivery } = await sendTo(() => leaving.abort(), { signal: leaving.signal });
  expect(delivery).toMatchObject({ type: 'lost', isLate: false });
});

test('the package is loaded before the first request where that is wished', async () => {
  await expect(loadTransport()).resolves.toBeUndefined();
});
