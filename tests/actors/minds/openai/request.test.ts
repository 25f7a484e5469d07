import { describe, expect, test } from 'vitest';
import {
  type AnswerMode,
  type Capabilities,
  CapabilityCache,
} from '../../../../actors/minds/openai/capabilities.ts';
import {
  buildBody,
  type Feedback,
  type Question,
  type RequestParams,
} from '../../../../actors/minds/openai/request.ts';
import { buildTalkSchema } from '../../../../prompts/block.ts';

const SCHEMA = { type: 'object', properties: { message: { type: 'string' } } };
const QUESTION: Question = {
  system: 'The rules.',
  user: ['The table.', 'Your turn.'],
  schema: SCHEMA,
  schemaName: 'reply',
  maxTokens: 400,
};
const PARAMS: RequestParams = { model: 'm', temperature: null, seed: null, extra: {} };
const { capabilities: UNTRIED } = new CapabilityCache();

type Change = {
  readonly question?: Partial<Question>;
  readonly params?: Partial<RequestParams>;
  readonly takes?: Partial<Capabilities>;
  readonly mode?: AnswerMode;
  readonly feedback?: Feedback | null;
};

function build({ question, params, takes, mode = 'json_schema', feedback = null }: Change = {}) {
  const asked = { mode, maxTokens: 777, feedback };
  return buildBody(
    { ...QUESTION, ...question },
    { ...PARAMS, ...params },
    { ...UNTRIED, ...takes },
    asked,
  );
}

const SYSTEM = { role: 'system', content: 'The rules.' };
const USERS = [
  { role: 'user', content: 'The table.' },
  { role: 'user', content: 'Your turn.' },
];
const IN_WORDS = `The rules.\n\nAnswer with one JSON object and nothing else. Its JSON schema:\n${JSON.stringify(SCHEMA)}`;

describe('each way to ask, as the protocol has it', () => {
  const named = { name: 'reply' };
  test.each<[mode: AnswerMode, format: object, rules: string]>([
    [
      'json_schema',
      {
        response_format: {
          type: 'json_schema',
          json_schema: { ...named, strict: true, schema: SCHEMA },
        },
      },
      'The rules.',
    ],
    ['json_object', { response_format: { type: 'json_object' } }, IN_WORDS],
    [
      'tool',
      {
        tools: [
          {
            type: 'function',
            function: { ...named, description: expect.any(String), parameters: SCHEMA },
          },
        ],
        tool_choice: { type: 'function', function: named },
      },
      'The rules.',
    ],
    ['text', {}, IN_WORDS],
  ])('%s', (mode, format, rules) => {
    expect(build({ mode })).toEqual({
      model: 'm',
      messages: [{ ...SYSTEM, content: rules }, ...USERS],
      max_tokens: 777,
      ...format,
    });
  });
});

describe('the limit of tokens', () => {
  test.each([
    ['max_tokens', { max_tokens: 777 }],
    ['max_completion_tokens', { max_completion_tokens: 777 }],
    [null, {}],
  ] as const)('the limit of tokens is named %s', (tokenName, limit) => {
    const { model, messages, response_format, ...rest } = build({ takes: { tokenName } });
    expect(rest).toEqual(limit);
  });
});

describe('messages', () => {
  const feedback = { said: 'Red did it.', text: 'That was no JSON.' };
  const TURNS = [
    { role: 'assistant', content: 'Red did it.' },
    { role: 'user', content: 'That was no JSON.' },
  ];
  const JOINED = { role: 'user', content: 'The table.\n\nYour turn.' };
  const MERGED = { role: 'user', content: 'The rules.\n\nThe table.\n\nYour turn.' };
  test.each<[name: string, change: Change, messages: readonly object[]]>([
    ['the rules, and what belongs to the user', {}, [SYSTEM, ...USERS]],
    ['after a bad answer', { feedback }, [SYSTEM, ...USERS, ...TURNS]],
    ['one role at a time', { takes: { joinsRoles: true } }, [SYSTEM, JOINED]],
    [
      'one role at a time, after a bad answer',
      { takes: { joinsRoles: true }, feedback },
      [SYSTEM, JOINED, ...TURNS],
    ],
    ['no message of the system', { takes: { system: 'merged' } }, [MERGED]],
    [
      'no message of the system, after a bad answer',
      { takes: { system: 'merged' }, feedback },
      [MERGED, ...TURNS],
    ],
    ['neither', { takes: { system: 'merged', joinsRoles: true } }, [MERGED]],
  ])('%s', (_, change, messages) => expect(build(change)['messages']).toEqual(messages));
});

describe('choices that are open now', () => {
  const schemaNow = buildTalkSchema(['blue'], []);
  const open = { schema: buildTalkSchema(['red', 'blue']), schemaNow };
  const words = 'Now "target" is one of ["blue",null], and "vote_action" is one of [null].';
  test.each<[mode: AnswerMode, keepsSchema: boolean, isInWords: boolean]>([
    ['json_schema', false, false],
    ['json_schema', true, true],
    ['tool', false, false],
    ['tool', true, true],
    ['json_object', false, true],
    ['text', false, true],
  ])('in %s, the schema kept: %s, are told in words: %s', (mode, keepsSchema, isInWords) => {
    const body = JSON.stringify(build({ mode, question: { ...open, keepsSchema } }));
    expect(body.includes(JSON.stringify(`Your turn.\n\n${words}`))).toBe(isInWords);
    expect(body.includes(JSON.stringify(schemaNow))).toBe(!isInWords);
  });
});

test.each([
  [{}, '"maxLength":400'],
  [{ isWordy: true }, '"maxLength":200'],
  [{ isWordy: true, takesBounds: false }, '"internal_thought":{"type":"string"}'],
])('with the capabilities %j a thought is bound as %s', (takes, bound) => {
  const question = { schema: buildTalkSchema(['red']) };
  expect(JSON.stringify(build({ question, takes }))).toContain(bound);
});

describe('what else is sent', () => {
  const sentBy = (change: Change) => {
    const { model, messages, response_format, max_tokens, ...rest } = build(change);
    return rest;
  };
  const all: Change = {
    question: { cacheKey: 'game-7' },
    params: { temperature: 0, seed: 0, extra: { top_p: 0.9, stop: '' } },
  };
  const ALL = { temperature: 0, seed: 0, prompt_cache_key: 'game-7', top_p: 0.9, stop: '' };

  test.each<[name: string, change: Change, sent: object]>([
    ['nothing that was not given', {}, {}],
    ['all that was given, 0 and the empty text too', all, ALL],
    ['nothing that can be left out', { ...all, takes: { isBare: true } }, {}],
    [
      'what the model takes',
      { ...all, takes: { dropped: ['seed', 'top_p', 'prompt_cache_key'] } },
      { temperature: 0, stop: '' },
    ],
    [
      'the fields of a seat before ours, and without what it sets to null',
      {
        ...all,
        params: {
          temperature: 0.3,
          seed: 1,
          extra: { temperature: 1.5, seed: null, prompt_cache_key: null },
        },
      },
      { temperature: 1.5 },
    ],
  ])('%s', (_, change, sent) => expect(sentBy(change)).toEqual(sent));

  test('fields of a seat go before ours, whatever they are', () => {
    const extra = { model: 'other', max_tokens: 5, response_format: { type: 'text' } };
    expect(build({ params: { extra } })).toMatchObject(extra);
  });
});

describe('a stream', () => {
  const USAGE = { include_usage: true };
  const own = { chunk_size: 3 };
  type Sent = { readonly stream?: unknown; readonly stream_options?: unknown };
  const STREAMED: Sent = { stream: true, stream_options: USAGE };
  test.each<
    [name: string, params: Partial<RequestParams>, takes: Partial<Capabilities>, sent: Sent]
  >([
    ['is not asked for unless it is wished', {}, {}, {}],
    ['is not asked for where it is not wished', { streams: false }, {}, {}],
    ['is asked for where it is wished, with its usage', { streams: true }, {}, STREAMED],
    ['is asked for where the seat says so', { extra: { stream: true } }, {}, STREAMED],
    [
      'is left out in words where the seat says so',
      { streams: true, extra: { stream: false } },
      {},
      { stream: false },
    ],
    [
      'is none where the seat says something else',
      { streams: true, extra: { stream: 'yes' } },
      {},
      {},
    ],
    [
      'is as it is wished where the seat says null',
      { streams: true, extra: { stream: null } },
      {},
      STREAMED,
    ],
    ['is asked for of an endpoint that does nothing else', {}, { streaming: 'always' }, STREAMED],
    [
      'is asked for of it even when the seat says no',
      { extra: { stream: false } },
      { streaming: 'always' },
      STREAMED,
    ],
    [
      'is not asked for of an endpoint that has none',
      { streams: true },
      { streaming: 'never' },
      {},
    ],
    [
      'is not asked for of it even when the seat says so',
      { extra: { stream: true } },
      { streaming: 'never' },
      {},
    ],
    [
      'is not asked for when nothing is sent that can be left out',
      { streams: true },
      { isBare: true },
      {},
    ],
    [
      'is asked for even then where nothing else is done',
      {},
      { isBare: true, streaming: 'always' },
      { stream: true },
    ],
    [
      'has options of the seat in place of ours',
      { streams: true, extra: { stream_options: own } },
      {},
      { stream: true, stream_options: own },
    ],
    [
      'has none where the seat says null',
      { streams: true, extra: { stream_options: null } },
      {},
      { stream: true },
    ],
    [
      'has none where they are not taken',
      { streams: true },
      { dropped: ['stream_options'] },
      { stream: true },
    ],
    ['that is none has no options', { extra: { stream_options: own } }, {}, {}],
    [
      'that is refused by name is still asked for where nothing else is done',
      {},
      { streaming: 'always', dropped: ['stream'] },
      STREAMED,
    ],
  ])('%s', (_, params, takes, sent) => {
    const { stream, stream_options } = build({ params, takes });
    expect({ stream, stream_options }).toEqual({
      stream: undefined,
      stream_options: undefined,
      ...sent,
    });
    expect(Object.hasOwn(build({ params, takes }), 'stream')).toBe('stream' in sent);
  });
});
