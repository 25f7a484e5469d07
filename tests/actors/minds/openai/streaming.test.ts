import { describe, expect, test } from 'vitest';
import { CapabilityCache } from '../../../../actors/minds/openai/capabilities.ts';
import type { Asked } from '../../../support/endpoint/asked.ts';
import { always, atFirst, type Step, whenever } from '../../../support/endpoint/case.ts';
import {
  completionBody,
  json,
  page,
  refusal,
  type Sent,
  said,
} from '../../../support/endpoint/sent.ts';
import { type Fields, type StreamShape, streamOf } from '../../../support/endpoint/streaming.ts';
import { TABLE } from '../../../support/endpoint/table.ts';
import { GOOD, GOOD_TEXT } from '../../../support/endpoint/words.ts';
import { SEED, seeds, testLong } from '../../../support/seeds.ts';
import { ask, PARAMS, summary } from './asking.ts';

const STREAMED = { params: { ...PARAMS, streams: true } };
const SEEDS = Array.from({ length: seeds(2, 50) }, (_, turn) => SEED + turn);

const USAGE = {
  prompt_tokens: 900,
  completion_tokens: 60,
  prompt_tokens_details: { cached_tokens: 640 },
};
const BODY: Fields = completionBody({ content: GOOD_TEXT }, 'stop', { usage: USAGE });

function stream(body: Fields, shape: Partial<StreamShape> = {}): Sent {
  return streamOf(body, { seed: `${SEED}`, ...shape });
}

function events(...lines: readonly string[]): Sent {
  const bytes = Buffer.from(lines.join('\n'));
  const headers = { 'content-type': 'text/event-stream' };
  return { type: 'stream', pieces: [bytes], headers, ending: 'end' };
}

function chunk(delta: Fields, reason: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n`;
}

const WHOLE = [chunk({ content: GOOD_TEXT }), chunk({}, 'stop')];

describe('every row of the table is read alike at once and as a stream', () => {
  /** Rows in which nothing ever comes end by timeout. The row without a reason to end may be a stream that was cut. */
  const rows = Object.keys(TABLE).filter((row) => !['56', '59', '179'].includes(row));
  const turns = SEEDS.slice(0, seeds(1, SEEDS.length));
  test.each(rows)('row %s', async (row) => {
    const steps = TABLE[row] ?? [];
    for (const seed of turns) {
      const atOnce = await ask(steps, { seed });
      const inPieces = await ask(steps, { ...STREAMED, seed });
      expect(inPieces.reply).toEqual(atOnce.reply);
      expect(inPieces.calls).toEqual(atOnce.calls);
      expect(inPieces.fake.asked.every(({ body }) => body['stream'] === true)).toBe(true);
      expect(atOnce.fake.asked.every(({ body }) => !('stream' in body))).toBe(true);
    }
  });
});

const SHAPES: readonly (readonly [name: string, body: Fields])[] = [
  ['a text beyond ASCII', completionBody({ content: said8bit() }, 'stop', { usage: USAGE })],
  [
    'content in parts, with thoughts among them',
    completionBody(
      {
        content: [
          { type: 'reasoning', text: '{"desire_to_speak": 0}' },
          { type: 'output_text', text: GOOD_TEXT },
        ],
      },
      'stop',
    ),
  ],
  [
    'thoughts in a field of their own',
    completionBody({ content: GOOD_TEXT, reasoning_content: 'Red, or blue? {"message":' }, 'stop'),
  ],
  [
    'thoughts in another field, and nothing else',
    completionBody({ content: null, reasoning: 'hm' }, 'stop'),
  ],
  ['a refusal', completionBody({ content: null, refusal: 'I can not do that.' }, 'stop')],
  ['the old way to call', completionBody(oldCall(), 'function_call')],
  [
    'two tools at once, of which the last counts',
    completionBody(
      {
        content: null,
        tool_calls: ['{"desire_to_speak": 0}', GOOD_TEXT].map((given, index) => ({
          id: `call-${index}`,
          type: 'function',
          function: { name: 'meeting_reply', arguments: given },
        })),
      },
      'tool_calls',
    ),
  ],
  [
    'several choices',
    {
      choices: [GOOD_TEXT, '{"desire_to_speak": 0}'].map((content, index) => ({
        index,
        finish_reason: 'stop',
        message: { content },
      })),
    },
  ],
  ['the text of old completions', { choices: [{ text: GOOD_TEXT, finish_reason: 'eos_token' }] }],
  ['an answer that was cut', completionBody({ content: '{"internal_thought":"Re' }, 'length')],
  ['a filter', completionBody({ content: '' }, 'content_filter')],
];

function said8bit(): string {
  return JSON.stringify({ ...GOOD, message: 'Wo warst du, Grün? 你在哪里 🚀 – “hm”\n\u2028' });
}

function oldCall(): Fields {
  return { content: null, function_call: { name: 'meeting_reply', arguments: GOOD_TEXT } };
}

describe('in whatever shape', () => {
  test.each(SHAPES)('%s is read alike', async (_, body) => {
    const atOnce = await ask([atFirst(json(200, body))]);
    for (const seed of SEEDS) {
      const inPieces = await ask([atFirst(stream(body, { seed: `${seed}` }))], STREAMED);
      expect(inPieces.reply).toEqual(atOnce.reply);
      expect(inPieces.calls).toEqual(atOnce.calls);
    }
  });

  test.each([1, 2, 3])(
    'pieces of at most %i bytes cut characters and line breaks',
    async (most) => {
      const body = completionBody({ content: said8bit() }, 'stop');
      for (const seed of SEEDS) {
        const sends = stream(body, { seed: `${seed}`, mostBytes: most });
        const { reply } = await ask([always(sends)], STREAMED);
        expect(reply).toMatchObject({ ok: true, received: JSON.parse(said8bit()), calls: 1 });
      }
    },
  );
});

describe('the choice of streaming', () => {
  const answers: readonly (readonly [name: string, sends: Sent])[] = [
    ['a stream', stream(BODY)],
    ['a stream that says it is JSON', stream(BODY, { contentType: 'application/json' })],
    ['a stream without a mark of its end', stream(BODY, { hasDone: false })],
    ['a stream that stays open behind its mark', stream(BODY, { ending: 'silence' })],
    ['a stream that is cut off behind its mark', stream(BODY, { ending: 'cut' })],
    ['a stream that is cut off behind its reason', stream(BODY, { hasDone: false, ending: 'cut' })],
    ['JSON', json(200, BODY)],
    [
      'JSON that says it is a stream',
      json(200, BODY, { 'content-type': 'text/event-stream; charset=utf-8' }),
    ],
    ['events without empty lines between them', events(...WHOLE, 'data: [DONE]')],
    ['an event over several lines', events('data: {', 'data: "choices":[', ...prettyEnd())],
    [
      'messages in place of their pieces, each with all that was said',
      events(
        ...[GOOD_TEXT.slice(0, 9), GOOD_TEXT].map(
          (content, at) =>
            `data: ${JSON.stringify({ choices: [{ message: { content }, finish_reason: at === 1 ? 'stop' : null }] })}\n`,
        ),
        '',
      ),
    ],
  ];
  test.each(answers)('%s is an answer', async (_, sends) => {
    // An answer that has arrived needs no patience.
    const patience = { attemptMs: 3_600_000 };
    for (const asking of [STREAMED, {}]) {
      const { reply } = await ask([always(sends)], { ...asking, patience });
      expect(reply).toMatchObject({ ok: true, received: GOOD, calls: 1 });
    }
  });

  test('an event over several lines is one, where a piece ends within a line break', async () => {
    const lines = ['data: {', 'data: "choices":[', ...prettyEnd()].join('\r\n');
    const pieces = lines.split(/(?<=\r)/).map((piece) => Buffer.from(piece));
    const headers = { 'content-type': 'text/event-stream' };
    const sends: Sent = { type: 'stream', pieces, headers, ending: 'end' };
    const { reply } = await ask([always(sends)], STREAMED);
    expect(reply).toMatchObject({ ok: true, received: GOOD, calls: 1 });
  });

  test('pieces of two tools that come by turns belong to the tool of their index', async () => {
    const call = (index: number, given: string) =>
      chunk({ tool_calls: [{ index, function: { arguments: given } }] });
    const half = Math.floor(GOOD_TEXT.length / 2);
    const sends = events(
      call(0, '{"desire_to'),
      call(1, GOOD_TEXT.slice(0, half)),
      call(0, '_speak": 0}'),
      call(1, GOOD_TEXT.slice(half)),
      chunk({}, 'tool_calls'),
    );
    const { reply } = await ask([always(sends)], STREAMED);
    expect(reply).toMatchObject({ ok: true, received: GOOD, calls: 1 });
  });
});

function prettyEnd(): readonly string[] {
  const choice = { index: 0, delta: { content: GOOD_TEXT }, finish_reason: 'stop' };
  return [`data: ${JSON.stringify(choice)}`, 'data: ]}', '', ''];
}

describe('a stream that breaks', () => {
  const counted = { promptTokens: null, completionTokens: null };
  const half = [
    chunk({ content: GOOD_TEXT.slice(0, 20) }),
    chunk({ content: GOOD_TEXT.slice(20) }),
  ];
  const failing: readonly (readonly [name: string, sends: Sent, written?: number])[] = [
    ['ends without a reason', events(...half), Math.ceil(GOOD_TEXT.length / 4)],
    ['ends in a mark without a reason', events(...half, 'data: [DONE]\n'), written(GOOD_TEXT)],
    ['ends within an event', events(half[0] ?? '', 'data: {"choices":[{"del'), 5],
    [
      'holds an event that is no JSON',
      events('data: {"choices"', '', ...WHOLE),
      written(GOOD_TEXT),
    ],
    ['says nothing but signs of life', events(': OPENROUTER PROCESSING', '', ': hm', '')],
    [
      'says that it failed, after words',
      events(half[0] ?? '', 'data: {"error":{"message":"upstream","code":502}}\n'),
      5,
    ],
    [
      'says so in an event of that name',
      events('event: error', 'data: {"code":"InternalError","message":"busy"}', '', ''),
    ],
    ['says so in words alone', events('event: error', 'data: upstream is gone', '', '')],
    ['says so in the field of old servers', events('error: {"code":500,"message":"slot"}', '')],
    ['says so as other servers do', events('data: {"object":"error","message":"busy"}', '', '')],
    [
      'says so in its choice',
      events(
        `data: ${JSON.stringify({ choices: [{ delta: { content: '' }, finish_reason: 'error', error: { message: 'Provider returned error', code: 502 } }] })}`,
        '',
        '',
      ),
    ],
  ];
  test.each(failing.map((row) => [row[0], row] as const))(
    '%s: it is asked again, and costs what came of it',
    async (_, [, sends, tokens]) => {
      for (const asking of [STREAMED, {}]) {
        const { reply, calls } = await ask([atFirst(sends)], asking);
        expect(reply).toMatchObject({ ok: true, calls: 2 });
        expect(calls[0]).toMatchObject({ failure: 'upstream', usage: counted });
        expect(calls[0]?.written).toBe(tokens);
      }
    },
  );

  test.each([
    ['data', 'data: {"error":{"message":"Insufficient credits","code":402}}', 'credits, 1 call'],
    [
      'the field of old servers',
      'error: {"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}',
      'context-overflow, 1 call',
    ],
    [
      'an event',
      'event: error\ndata: {"code":401,"message":"Invalid API-key provided."}',
      'auth, 1 call',
    ],
  ])('says why in %s: it is understood as at once', async (_, line, expected) => {
    const outcome = await ask([always(events(half[0] ?? '', line, '', ''))], STREAMED);
    expect(summary(outcome)).toBe(expected);
  });

  test('is nested without end: it is asked again', async () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const choice = `{"index":0,"delta":{"content":"x","deep":${deep}},"finish_reason":"stop"}`;
    const { reply, calls } = await ask(
      [atFirst(events(`data: {"choices":[${choice}]}`, '', ''))],
      STREAMED,
    );
    expect([reply.ok, calls[0]?.failure]).toEqual([true, 'upstream']);
  });

  test('says that there were too many requests, as its status does: it is waited for', async () => {
    const error = JSON.stringify({ error: { message: 'Rate limit exceeded', code: 429 } });
    const sends = page(429, `data: ${error}\n\n`, {
      'content-type': 'text/event-stream',
      'retry-after': '3',
    });
    const { reply, slept } = await ask([atFirst(sends)], STREAMED);
    expect([reply.ok, slept]).toEqual([true, [3000]]);
  });

  testLong('is cut anywhere: it is an answer only if it had come to its reason', async () => {
    for (const seed of SEEDS) {
      for (const share of [0.01, 0.2, 0.5, 0.8, 0.95]) {
        const shape = { seed: `${seed}`, share, ending: 'cut', hasUsage: false } as const;
        const { calls } = await ask([atFirst(stream(BODY, shape))], STREAMED);
        expect(calls.length === 1 || calls[0]?.failure === 'upstream').toBe(true);
        if (share < 0.9) expect(calls).toHaveLength(2);
      }
    }
  });

  test("a cut stream counts the endpoint's usage so far", async () => {
    const sends = events(
      `data: ${JSON.stringify({ choices: [{ delta: { content: '{' } }], usage: USAGE })}\n`,
    );
    const { calls } = await ask([atFirst(sends)], STREAMED);
    expect(calls[0]?.usage).toMatchObject({ promptTokens: 900, completionTokens: 60 });
  });

  testLong('stands still: it is given up, and asked again', async () => {
    const sends = stream(BODY, { share: 0.5, ending: 'silence' });
    const { reply, calls } = await ask([atFirst(sends)], STREAMED);
    expect(reply).toMatchObject({ ok: true, calls: 2 });
    expect(calls[0]).toMatchObject({ failure: 'timeout' });
    expect(calls[0]?.written).toBeGreaterThan(0);
  });

  test('is longer than any answer: it is not read on', async () => {
    const long = 'a'.repeat(1024 * 1024);
    const sends = events(...Array.from({ length: 5 }, () => chunk({ content: long })));
    const { calls } = await ask([atFirst(sends)], STREAMED);
    expect(calls[0]).toMatchObject({ failure: 'upstream' });
  });
});

function written(text: string): number {
  return Math.ceil(text.length / 4);
}

test('usage that never comes is not made up', async () => {
  const { calls } = await ask([always(stream(BODY, { hasUsage: false }))], STREAMED);
  expect(calls).toMatchObject([
    { failure: null, usage: { promptTokens: null, completionTokens: null, cost: null } },
  ]);
  expect(calls[0]).not.toHaveProperty('written');
});

test('usage that comes last is counted as at once', async () => {
  const { calls } = await ask([always(stream(BODY))], STREAMED);
  expect(calls).toMatchObject([
    { usage: { promptTokens: 900, cachedTokens: 640, completionTokens: 60 } },
  ]);
});

test('nobody waits any more: the request is given up in the middle', async () => {
  const leaving = new AbortController();
  const sends = stream(BODY, { share: 0.5, ending: 'silence' });
  const { reply, calls } = await ask([always(sends)], {
    ...STREAMED,
    signal: leaving.signal,
    onText: (piece) => {
      if (piece !== null) leaving.abort();
    },
  });
  expect(reply).toMatchObject({ ok: false, code: 'aborted', calls: 1 });
  expect(calls[0]?.written).toBeGreaterThan(0);
});

/** As they were met: DashScope in two ways and two languages, relays of Codex, and servers that name the field only. */
const ONLY_STREAMS: readonly (readonly [text: string, sends: Sent])[] = [
  ...(
    [
      'This model only support stream mode, please enable the stream parameter to access the model. ',
      'parameter.enable_thinking must be set to false for non-streaming calls',
      'parameter.enable_thinking必须设置为false才能进行非流式调用',
      'Streaming is required for operations that may take longer than 10 minutes.',
      'Non-streaming requests are not supported',
      'only streaming is supported',
      'stream must be true',
      '该模型仅支持流式调用',
      '400: expected true at params.stream',
    ] as const
  ).map(
    (text) =>
      [
        text,
        refusal(400, text, { type: 'invalid_request_error', param: null, code: null }),
      ] as const,
  ),
  ['Stream must be set to true (as detail)', json(400, { detail: 'Stream must be set to true' })],
  [
    'stream=false is not allowed (422)',
    refusal(422, 'stream=false is not allowed', { param: 'stream' }),
  ],
  ['Unsupported value (param)', refusal(400, 'Unsupported value', { param: 'stream' })],
  ['a server that calls it its own failure', refusal(500, 'Non-streaming is not supported here')],
];

const isUnstreamed = ({ body }: Asked): boolean => body['stream'] !== true;

describe('an endpoint that accepts only streams', () => {
  test.each(ONLY_STREAMS)('%s: one request is wasted', async (_, sends) => {
    const known = new CapabilityCache();
    const steps: readonly Step[] = [whenever(isUnstreamed, sends)];
    const first = await ask(steps, { known });
    expect(summary(first)).toBe('answer in json_schema, 2 calls');
    expect(first.calls[0]?.failure).toBe('unsupported no-stream');
    expect(summary(await ask(steps, { known }))).toBe('answer in json_schema, 1 call');
  });

  /** Spring servers that produce only event streams refuse with JSON, a page or nothing. */
  const NOT_ACCEPTABLE: readonly (readonly [text: string, sends: Sent])[] = [
    [
      'JSON of Spring',
      json(406, {
        timestamp: '2026-11-22T20:00:00.000+00:00',
        path: '/v1/chat/completions',
        status: 406,
        error: 'Not Acceptable',
        requestId: '6a1ee7d2-1',
      }),
    ],
    ['nothing', page(406, '')],
    ['a page', page(406, '<html><head><title>406 Not Acceptable</title></head></html>')],
  ];

  test.each(NOT_ACCEPTABLE)('and says 406 and %s: one request is wasted', async (_, sends) => {
    const known = new CapabilityCache();
    const accepts = ({ headers }: Asked) => /event-stream/.test(headers.accept ?? '');
    const steps = [whenever((asked) => !(accepts(asked) && !isUnstreamed(asked)), sends)];
    const first = await ask(steps, { known });
    expect(summary(first)).toBe('answer in json_schema, 2 calls');
    expect(first.calls[0]?.failure).toBe('unsupported unknown');
    expect(known.capabilities.streaming).toBe('always');
    expect(summary(await ask(steps, { known }))).toBe('answer in json_schema, 1 call');
  });

  test('an endpoint that refuses streams with 406 wastes one request', async () => {
    const known = new CapabilityCache();
    const steps = [whenever((asked) => !isUnstreamed(asked), page(406, ''))];
    expect(summary(await ask(steps, { ...STREAMED, known }))).toBe(
      'answer in json_schema, 2 calls',
    );
    expect(known.capabilities.streaming).toBe('never');
  });

  test('something else with 406 is asked plainer, as it was wished', async () => {
    const known = new CapabilityCache();
    const steps = [
      whenever(({ body }) => 'response_format' in body, page(406, '')),
      whenever((asked) => !isUnstreamed(asked), refusal(400, 'no streams', { param: 'stream' })),
    ];
    const { calls, ...outcome } = await ask(steps, { known });
    expect(summary({ calls, ...outcome })).toMatch(/^answer in tool/);
    expect(calls[1]?.failure).toBe('unsupported unknown');
    expect(known.capabilities.streaming).toBe('as-wished');
  });

  test('that streams, and refuses streams too, is asked no further than others', async () => {
    const { reply, calls } = await ask([
      whenever(isUnstreamed, refusal(400, 'stream must be true')),
      always(refusal(400, 'streaming is not supported')),
    ]);
    expect(reply.ok).toBe(false);
    // Once each way, and then plainer, as with any refusal that is not understood.
    expect(calls.slice(0, 3).map(({ failure }) => failure)).toEqual([
      'unsupported no-stream',
      'unsupported stream',
      'unsupported stream',
    ]);
    expect(calls.length).toBeLessThanOrEqual(16);
  });
});

const NO_STREAMS: readonly (readonly [text: string, sends: Sent])[] = [
  [
    'an early model that thinks',
    refusal(
      400,
      "Unsupported value: 'stream' does not support true with this model. Only the default (false) value is supported.",
      { type: 'invalid_request_error', param: 'stream', code: 'unsupported_value' },
    ),
  ],
  [
    'an organisation that is not verified',
    refusal(400, 'Your organization must be verified to stream this model.', {
      param: 'stream',
      code: 'unsupported_value',
    }),
  ],
  [
    'a proxy',
    json(400, {
      message:
        "Streaming completion is not support yet, please remove 'stream' key value in the request payload.",
    }),
  ],
  ['a server of few words', refusal(400, 'streaming unsupported')],
  ['tools in streams', refusal(400, "This model doesn't support tool use in streaming mode.")],
];

describe('an endpoint that streams nothing', () => {
  test.each(NO_STREAMS)('%s: one request is wasted', async (_, sends) => {
    const known = new CapabilityCache();
    const steps = [whenever((asked) => !isUnstreamed(asked), sends)];
    expect(summary(await ask(steps, { ...STREAMED, known }))).toBe(
      'answer in json_schema, 2 calls',
    );
    expect(summary(await ask(steps, { ...STREAMED, known }))).toBe('answer in json_schema, 1 call');
  });
});

const NO_USAGE: readonly (readonly [text: string, sends: Sent])[] = [
  [
    'the place that a validator names',
    json(422, {
      object: 'error',
      message: {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'stream_options', 'include_usage'],
            msg: 'Extra inputs are not permitted',
            input: true,
          },
        ],
      },
    }),
  ],
  ['its field', refusal(400, "Extra inputs are not permitted, field: 'stream_options'")],
  [
    'its place in a list',
    json(400, {
      object: 'error',
      message:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': {}}]",
    }),
  ],
  [
    'a pointer',
    refusal(400, 'Validation error at #/stream_options: Extra inputs are not permitted'),
  ],
];

describe('an endpoint that streams and counts nothing', () => {
  test.each(NO_USAGE)('refuses %s: one request is wasted', async (_, sends) => {
    const known = new CapabilityCache();
    const steps = [whenever(({ body }) => 'stream_options' in body, sends)];
    const { fake, ...outcome } = await ask(steps, { ...STREAMED, known });
    expect(summary(outcome)).toBe('answer in json_schema, 2 calls');
    expect(fake.asked.map(({ body }) => body['stream'])).toEqual([true, true]);
    expect(summary(await ask(steps, { ...STREAMED, known }))).toBe('answer in json_schema, 1 call');
  });
});

describe("a seat's own setting of streams", () => {
  test('is not said to an endpoint that streams nothing', async () => {
    const steps = [
      whenever((asked) => !isUnstreamed(asked), refusal(400, 'no streams', { param: 'stream' })),
    ];
    const outcome = await ask(steps, { params: { ...PARAMS, extra: { stream: true } } });
    expect(summary(outcome)).toBe('answer in json_schema, 2 calls');
    expect(outcome.fake.asked.at(-1)?.body).not.toHaveProperty('stream');
  });

  test('is left out with the stream that it is about', async () => {
    const extra = { stream_options: { include_usage: true } };
    const { fake } = await ask([], { params: { ...PARAMS, extra } });
    expect(fake.asked.at(-1)?.body).not.toHaveProperty('stream_options');
  });

  test.each([
    [{ stream: true }, false, true],
    [{ stream: false }, true, false],
    [{ stream: null }, true, true],
    [{}, true, true],
    [{}, false, undefined],
  ])('%j with a wish of %s sends %s', async (extra, streams, sent) => {
    const { fake, reply } = await ask([], { params: { ...PARAMS, extra, streams } });
    expect(reply.ok).toBe(true);
    const [asked] = fake.asked;
    expect(asked?.body['stream']).toBe(sent);
    const options = sent === true ? { include_usage: true } : undefined;
    expect(asked?.body['stream_options']).toEqual(options);
    expect(asked?.headers.accept).toBe(
      sent === true ? 'text/event-stream, application/json' : 'application/json',
    );
  });
});

describe('the words of an answer, while it is written', () => {
  test('are handed over as they come, and are all of it', async () => {
    for (const seed of SEEDS) {
      const heard: (string | null)[] = [];
      const shape = { seed: `${seed}` };
      await ask([always(stream(BODY, shape))], { ...STREAMED, onText: (one) => heard.push(one) });
      expect(heard[0]).toBeNull();
      expect(`${heard.slice(1).join('')}`).toBe(GOOD_TEXT);
    }
  });

  test('the words are those from the first of several choices', async () => {
    const heard: (string | null)[] = [];
    const piece = (index: number, content: string) =>
      `data: ${JSON.stringify({ choices: [{ index, delta: { content }, finish_reason: 'stop' }] })}\n`;
    const sends = events(piece(0, GOOD_TEXT), piece(1, '{"desire_to_speak": 0}'), '');
    await ask([always(sends)], { ...STREAMED, onText: (one) => heard.push(one) });
    expect(heard.join('')).toBe(GOOD_TEXT);
  });

  test('are void when a request has failed, and begin anew with the next', async () => {
    const heard: (string | null)[] = [];
    const sends = events(chunk({ content: '{"internal_thought": ' }));
    await ask([atFirst(sends), always(stream(BODY))], {
      ...STREAMED,
      onText: (one) => heard.push(one),
    });
    const parts = heard.map((one) => one ?? '|').join('');
    expect(parts).toBe(`|{"internal_thought": ||${GOOD_TEXT}`);
  });

  const THOUGHTS: readonly (readonly [where: string, delta: (text: string) => Fields])[] = [
    ['reasoning_content', (text) => ({ reasoning_content: text })],
    ['reasoning and its details', (text) => ({ reasoning: text, reasoning_details: [{ text }] })],
    ['two fields alike', (text) => ({ reasoning_content: text, reasoning: text })],
    ['thinking', (text) => ({ thinking: text })],
    [
      'parts of the content',
      (text) => ({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] }),
    ],
  ];

  test.each(THOUGHTS)(
    'come after thoughts, which are heard by themselves: %s',
    async (_, delta) => {
      const [thoughts, heard]: [string[], (string | null)[]] = [[], []];
      const sends = events(
        ...['I saw ', 'sk-otherotherother', ' there.'].map((text) => chunk(delta(text))),
        chunk({ content: GOOD_TEXT }, 'stop'),
      );
      const { reply } = await ask([always(sends)], {
        ...STREAMED,
        onText: (one) => heard.push(one),
        ports: { onThought: (one) => thoughts.push(one) },
      });
      expect(reply.ok).toBe(true);
      // A word that may become a key is held back.
      expect(thoughts.join('')).toMatch(/^I saw \[key\] (there\.)?$/);
      expect(heard).toEqual([null, GOOD_TEXT]);
    },
  );

  test('hold no key, wherever it is cut', async () => {
    const secret = 'sk-test-0123456789abcdef';
    const words = `{"a": "${secret}", "b": "Bearer abcdefghijklmnop.qrst", "c": "sk-otherotherother."}`;
    const safe = '{"a": "[key]", "b": "[key]", "c": "[key]."}';
    for (const seed of SEEDS) {
      const heard: string[] = [];
      const body = completionBody({ content: words }, 'stop');
      await ask([always(stream(body, { seed: `${seed}` }))], {
        ...STREAMED,
        onText: (one) => heard.push(one ?? '|'),
      });
      const texts = heard
        .join('')
        .split('|')
        .filter((text) => text !== '');
      for (const text of texts) expect(text).toBe(safe);
      expect(texts.length).toBeGreaterThan(0);
    }
  });
});

test('a page in place of a stream is still no endpoint', async () => {
  const outcome = await ask([always(page(200, '<!doctype html><html></html>'))], STREAMED);
  expect(summary(outcome)).toBe('not-endpoint, 1 call');
});

test('an answer that comes at once is not heard of', async () => {
  const heard: unknown[] = [];
  await ask([always(said(GOOD_TEXT))], { onText: (one) => heard.push(one) });
  expect(heard).toEqual([null]);
});
