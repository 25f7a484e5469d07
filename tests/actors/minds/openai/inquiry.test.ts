import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  inquireOverHttp,
  inquireServer,
  isSameModel,
  MOST_INQUIRIES,
  readStatedContext,
} from '../../../../actors/minds/openai/inquiry.ts';
import type { TimePort } from '../../../../actors/ports/ports.ts';
import { realTime } from '../../../../actors/ports/time.ts';

type Answers = Readonly<Record<string, unknown>>;

/** Asks a server that has these answers, by path; the others are null. */
async function ask(answers: Answers, { baseUrl = 'http://here/v1', model = 'gemma3' } = {}) {
  const asked: string[] = [];
  const facts = await inquireServer({ baseUrl, model }, async (url, body) => {
    asked.push(url.replace('http://here', ''));
    if (url.endsWith('/api/show')) expect(body).toEqual({ model });
    else expect(body).toBeNull();
    return answers[new URL(url).pathname] ?? null;
  });
  expect(asked.length).toBeLessThanOrEqual(MOST_INQUIRIES);
  return { ...facts, stated: facts.context, asked };
}

const listing = (...data: readonly object[]) => ({ '/v1/models': { object: 'list', data } });

describe('the context is found', () => {
  test.each<[string, Answers, number, string]>([
    [
      'vLLM',
      listing({ id: 'gemma3', owned_by: 'vllm', max_model_len: 32_768 }),
      32_768,
      '/models: max_model_len',
    ],
    [
      'OpenRouter',
      listing({ id: 'other', context_length: 1 }, { id: 'gemma3', context_length: 131_072 }),
      131_072,
      '/models: context_length',
    ],
    ['Groq', listing({ id: 'gemma3', context_window: 8_192 }), 8_192, '/models: context_window'],
    [
      'Mistral',
      listing({ id: 'gemma3', max_context_length: 40_960 }),
      40_960,
      '/models: max_context_length',
    ],
    [
      'LM Studio, as it is loaded',
      listing({ id: 'gemma3', max_context_length: 131_072, loaded_context_length: 4_096 }),
      4_096,
      '/models: loaded_context_length',
    ],
    [
      'a server with one model under another name',
      listing({ id: '/models/gemma.gguf', max_model_len: 2_048 }),
      2_048,
      '/models: max_model_len',
    ],
    [
      'a model beside one with a tag',
      listing({ id: 'gemma3:latest', context_length: 1 }, { id: 'gemma3', context_length: 2 }),
      2,
      '/models: context_length',
    ],
    [
      'llama.cpp',
      {
        ...listing({ id: 'gemma.gguf', meta: { n_ctx_train: 131_072 } }),
        '/props': { default_generation_settings: { n_ctx: 6_144 }, total_slots: 4 },
      },
      6_144,
      '/props',
    ],
    [
      'Ollama, as it is loaded',
      {
        ...listing({ id: 'gemma3:latest', owned_by: 'library' }),
        '/api/ps': {
          models: [{ name: 'gemma3:latest', model: 'gemma3:latest', context_length: 4_096 }],
        },
        '/api/show': { parameters: 'num_ctx 9999' },
      },
      4_096,
      '/api/ps',
    ],
    [
      'an older Ollama',
      {
        '/api/ps': { models: [] },
        '/api/show': {
          parameters: 'stop                 "<end_of_turn>"\nnum_ctx              8192',
          model_info: { 'gemma3.context_length': 131_072 },
        },
      },
      8_192,
      '/api/show',
    ],
  ])('of %s', async (_, answers, tokens, source) => {
    expect((await ask(answers)).stated).toEqual({ tokens, source });
  });

  test.each<[string, Answers]>([
    ['nothing', {}],
    ['rubbish', { '/v1/models': 'x', '/props': [], '/api/ps': 7, '/api/show': { parameters: 3 } }],
    ['a text', listing({ id: 'gemma3', context_length: '8192' })],
    ['no words', { '/api/show': { parameters: { toString: 3 } } }],
    ['no tokens', listing({ id: 'gemma3', context_length: 0 })],
    ['less than none', listing({ id: 'gemma3', context_length: -1 })],
    ['half a token', listing({ id: 'gemma3', context_length: 0.5 })],
    ['more than there are', listing({ id: 'gemma3', context_length: 1_000_000_000 })],
    ['others', listing({ id: 'a', context_length: 5 }, { id: 'b', context_length: 5 })],
  ])('and not where a server says %s', async (_, answers) => {
    const { stated, asked } = await ask(answers);
    expect(stated).toBeNull();
    expect(asked).toEqual(['/v1/models', '/props', '/api/ps', '/api/show']);
    expect(asked).toHaveLength(MOST_INQUIRIES);
  });

  test('as long as it is, up to a billion tokens', async () => {
    const { stated } = await ask(listing({ id: 'gemma3', context_length: 999_999_999 }));
    expect(stated?.tokens).toBe(999_999_999);
  });

  test.each(['id', 'name', 'model'])('of the one of several that has the %s', async (key) => {
    const models = [
      { [key]: 'other', context_length: 1 },
      { [key]: 'gemma3', context_length: 2 },
    ];
    expect((await ask(listing(...models))).stated?.tokens).toBe(2);
    expect((await ask({ '/api/ps': { models } })).stated?.tokens).toBe(2);
  });

  test('a server that states its context is asked no more, and a provider only for its models', async () => {
    const quick = await ask(listing({ id: 'gemma3', max_model_len: 1 }));
    expect(quick.asked).toEqual(['/v1/models']);
    const hosted = await ask({}, { baseUrl: 'https://api.groq.com/openai/v1' });
    expect(hosted.asked).toEqual(['https://api.groq.com/openai/v1/models']);
    expect(hosted.stated).toBeNull();
  });

  test('a server below a path is asked there', async () => {
    const { asked } = await ask({}, { baseUrl: 'http://here/llm/v1/' });
    expect(asked).toEqual(['/llm/v1/models', '/llm/props', '/llm/api/ps', '/llm/api/show']);
  });
});

const FALLBACK =
  "{%- for message in messages -%}\n  {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' -}}\n{%- endfor -%}";

test.each<[string, Answers, boolean | null]>([
  ['llama.cpp', { '/props': { chat_template: '{{ bos_token }}…', eos_token: '</s>' } }, true],
  ['llama.cpp with none', { '/props': { chat_template: '' } }, false],
  [
    'llama.cpp with its own for a model with none',
    { '/props': { chat_template: FALLBACK, eos_token: '<eos>' } },
    false,
  ],
  [
    'llama.cpp with the same for a model with that template',
    { '/props': { chat_template: FALLBACK, eos_token: '<|im_end|>' } },
    true,
  ],
  ['Ollama', { '/api/show': { template: '{{ .System }} {{ .Prompt }}' } }, true],
  ['Ollama with none', { '/api/show': { template: '{{ .Prompt }}' } }, false],
  ['vLLM', listing({ id: 'gemma3', max_model_len: 4_096 }), null],
])('the chat template of %s is found or missing', async (_, answers, hasTemplate) => {
  expect(await ask(answers)).toMatchObject({ hasTemplate });
});

test.each<[boolean, ...(readonly [string, string])[]]>([
  [
    true,
    ['gpt-5', 'gpt-5-2025-08-07'],
    ['gemma3', 'gemma3:latest'],
    ['models/gemini-3', 'gemini-3'],
    ['Qwen/Qwen3-8B', 'qwen3-8b'],
  ],
  [false, ['gpt-4', 'gpt-4o'], ['no-such-model', 'smollm2'], ['', 'gemma3'], ['gemma3', 'gemma2']],
])('names of the same model: %s', (isSame, ...pairs) => {
  for (const [one, other] of pairs) {
    expect([one, other, isSameModel(one, other)]).toEqual([one, other, isSame]);
    expect(isSameModel(other, one)).toBe(isSame);
  }
});

test('a server lists its models', async () => {
  expect((await ask(listing({ id: 'a' }, { name: 'b' }, { id: 'c' }))).listed).toEqual(['a', 'c']);
});

test.each([
  ["This model's maximum context length is 8192 tokens. However, your messages", 8_192],
  ["However, the model's context length is only 1024 tokens", 1_024],
  ['request (14429 tokens) exceeds the available context size (8192 tokens), try', 8_192],
  ['the request exceeds the available context size. try increasing', null],
  ['Rate limit reached', null],
])('a refusal that says "%s" names %s', (message, tokens) => {
  const source = 'the refusal of a request';
  const stated = tokens === null ? null : { tokens, source };
  expect(readStatedContext({ error: { message } })).toEqual(stated);
});

test('llama.cpp names its context in a field', () => {
  expect(readStatedContext({ error: { n_prompt_tokens: 14_429, n_ctx: 8192 } })?.tokens).toBe(8192);
});

describe('over the network', () => {
  const KEY = 'sk-test-0123456789abcdef';

  async function at<T>(
    answer: (request: IncomingMessage, response: ServerResponse) => void,
    during: (url: string) => Promise<T>,
  ): Promise<T> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    try {
      return await during(`http://127.0.0.1:${address.port}`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  const MOST_BYTES = 4_194_304;
  const bodyOf = (bytes: number) => `["${'x'.repeat(bytes - 4)}"]`;

  const inquirer = (baseUrl: string, time: TimePort = realTime) =>
    inquireOverHttp({ baseUrl: `${baseUrl}/v1`, model: 'm', apiKey: KEY }, time);

  test('the key goes to the endpoint and to no other origin', async () => {
    const keys: (string | undefined)[] = [];
    await at(
      ({ headers }, response) => {
        keys.push(headers.authorization);
        response.end('{"a": 1}');
      },
      async (home) => {
        expect(await inquirer(home)(`${home}/x`, null)).toEqual({ a: 1 });
        expect(await inquirer('http://127.0.0.1:9')(`${home}/x`, null)).toBeNull();
      },
    );
    expect(keys).toEqual([`Bearer ${KEY}`]);
  });

  test('a key that the server repeats, however it is escaped, is redacted', async () => {
    const body = `{"data": [{"id": "${KEY}"}, {"id": "${KEY.replaceAll('-', '\\u002d')}"}]}`;
    await at(
      (_, response) => response.end(body),
      async (home) => {
        const { listed } = await inquireServer({ baseUrl: home, model: 'm' }, inquirer(home));
        expect(listed).toEqual(['[key]', '[key]']);
      },
    );
  });

  test.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ['a redirect', (_, response) => response.writeHead(302, { location: '/y' }).end()],
    ['an error', (_, response) => response.writeHead(500).end('{}')],
    ['a refusal', (_, response) => response.writeHead(400).end('{}')],
    ['a page', (_, response) => response.end('<html>')],
    ['too much', (_, response) => response.end(bodyOf(MOST_BYTES + 1))],
    ['a cut', (_, response) => response.destroy()],
  ])('%s is no answer', async (_, answer) => {
    await at(answer, async (home) => {
      expect(await inquirer(home)(`${home}/x`, null)).toBeNull();
    });
  });

  test('an answer of the largest size that is read is accepted', async () => {
    await at(
      (_, response) => response.end(bodyOf(MOST_BYTES)),
      async (home) => expect(await inquirer(home)(`${home}/x`, null)).toHaveLength(1),
    );
  });

  test('an inquiry accepts JSON: without a body it is a GET, with one a POST of JSON', async () => {
    const seen: unknown[] = [];
    await at(
      async (request, response) => {
        const { method, headers } = request;
        const body = Buffer.concat(await request.toArray()).toString();
        seen.push([method, headers.accept, headers['content-type'], body]);
        response.writeHead(299).end('{"a": 1}');
      },
      async (home) => {
        for (const body of [null, { model: 'm' }])
          expect(await inquirer(home)(`${home}/x`, body)).toEqual({ a: 1 });
      },
    );
    const type = 'application/json';
    expect(seen).toEqual([
      ['GET', type, undefined, ''],
      ['POST', type, type, '{"model":"m"}'],
    ]);
  });

  test('an answer is waited for five seconds, and no longer than it takes', async () => {
    const waited: number[] = [];
    let open = 0;
    const watch: TimePort = {
      ...realTime,
      setTimeout: (fn, ms) => {
        waited.push(ms);
        open += 1;
        return realTime.setTimeout(fn, ms);
      },
      clearTimeout: (timer) => {
        open -= 1;
        realTime.clearTimeout(timer);
      },
    };
    await at(
      (_, response) => response.end('{}'),
      async (home) => expect(await inquirer(home, watch)(`${home}/x`, null)).toEqual({}),
    );
    expect([waited, open]).toEqual([[5_000], 0]);
  });

  test('an inquiry that gets no answer gives up after a while', async () => {
    const impatient = { ...realTime, setTimeout: (fn: () => void) => realTime.setTimeout(fn, 0) };
    await at(
      () => {},
      async (home) => {
        expect(await inquirer(home, impatient)(`${home}/x`, { model: 'm' })).toBeNull();
      },
    );
  });
});
