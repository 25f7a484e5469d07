import { describe, expect, test } from 'vitest';
import {
  hasThoughts,
  parseBody,
  readContent,
  readThought,
  readUsage,
  UNUSED,
} from '../../../../actors/minds/openai/content.ts';
import { readField } from '../../../../machines/text.ts';

describe('a body', () => {
  test.each([
    ['{"a": 1}', { a: 1 }],
    ['\uFEFF{"a": 1}', { a: 1 }],
    ['no JSON', 'no JSON'],
    ['\uFEFFno JSON', 'no JSON'],
    ['', ''],
    ['null', null],
  ])('%j is read', (text, body) => expect(parseBody(text)).toEqual(body));

  test.each([
    [{ a: 1 }, 'a', 1],
    [{ a: 1 }, 'b', undefined],
    [['x'], 0, 'x'],
    [null, 'a', undefined],
    // Not a letter of a text, nor its length.
    ['text', 0, undefined],
    ['text', 'length', undefined],
  ])('of %j the field %j is %j', (value, key, field) => expect(readField(value, key)).toBe(field));
});

const completed = (message: unknown, more: object = {}) => ({ choices: [{ message, ...more }] });

describe('the content of a completion', () => {
  const call = (given: unknown) => ({ function: { arguments: given } });
  test.each<[name: string, body: unknown, said: readonly unknown[]]>([
    ['content', completed({ content: ' a ' }), [' a ']],
    ['a piece in place of a message', { choices: [{ delta: { content: 'a' } }] }, ['a']],
    ['an answer without choices', { message: { content: 'a' } }, ['a']],
    ['an answer without a message', { output_text: 'a' }, ['a']],
    ['a list of one', [{ generated_text: 'a' }, { generated_text: 'b' }], ['a']],
    ['old completions', { choices: [{ text: 'a' }, { text: 'b' }] }, ['a']],
    ['an object', completed({ content: { a: 1 } }), [{ a: 1 }]],
    [
      'all places, the likeliest first',
      {
        choices: [
          {
            text: 'h',
            message: {
              response: 'g',
              generated_text: 'f',
              output_text: 'e',
              content: 'd',
              function_call: { arguments: 'c' },
              tool_calls: [{ arguments: 'b' }, call({ a: 1 })],
            },
          },
        ],
      },
      ['b\n{"a":1}\nc', 'd', 'e', 'f', 'g', 'h'],
    ],
    ['what is blank is left out', completed({ content: ' \n', response: 'a' }), ['a']],
    ['what is no text is left out', completed({ content: 7, response: 'a' }), ['a']],
    [
      'no call of a tool for thoughts',
      completed({ tool_calls: [call('a'), { name: 'think', arguments: 'b' }] }),
      ['a'],
    ],
    ['calls that are no list', completed({ tool_calls: 'x', content: 'a' }), ['a']],
    [
      'parts, without the thoughts among them',
      completed({
        content: [
          'a',
          { type: 'reasoning', text: 'no' },
          { type: 'thinking', text: 'no' },
          { type: 'text', text: 'b' },
          { text: { value: 'c' } },
          { text: 7 },
          { type: 'image' },
          null,
        ],
      }),
      ['abc'],
    ],
  ])('%s', (_, body, said) => {
    expect(readContent(body)).toEqual({ type: 'said', said, isCut: false });
  });

  test.each([
    ['length', true],
    ['max_tokens', true],
    ['stop', false],
  ])('ended by %s it was cut: %s', (reason, isCut) => {
    for (const more of [{ finish_reason: reason }, { stop_reason: reason }]) {
      expect(readContent(completed({ content: 'a' }, more))).toMatchObject({ type: 'said', isCut });
      expect(readContent(completed({}, more))).toMatchObject({ type: 'nothing', isCut });
    }
  });

  test('a reason that is no word is none', () => {
    for (const reason of [null, 7, ['length'], ['content_filter']]) {
      const body = completed({ content: 'a' }, { finish_reason: reason });
      expect(readContent(body)).toEqual({ type: 'said', said: ['a'], isCut: false });
    }
  });

  test('a filter or a failure counts before any content', () => {
    const ended = (reason: string) =>
      readContent(completed({ content: 'a', refusal: 'no' }, { finish_reason: reason }));
    expect(ended('content_filter')).toEqual({ type: 'filtered' });
    expect(ended('error')).toEqual({ type: 'broken', reason: 'error' });
  });
});

describe('a refusal', () => {
  test.each([
    ['of the message', { content: 'a', refusal: 'no' }, 'no'],
    ['of a part', { content: ['a', { text: 'a' }, { type: 'refusal', refusal: 'no' }] }, 'no'],
    ['of a part, where the message has none', { refusal: ' ', content: [{ refusal: 'no' }] }, 'no'],
    ['of the message first', { refusal: 'no', content: [{ refusal: 'never' }] }, 'no'],
  ])('%s', (_, message, text) => {
    expect(readContent(completed(message))).toEqual({ type: 'refusal', text });
  });

  test.each([[null], [''], [' '], [true], [['no']]])('that is %j is none', (refusal) => {
    expect(readContent(completed({ content: 'a', refusal })).type).toBe('said');
    expect(readContent(completed({ content: ['a', { refusal }] })).type).toBe('said');
  });
});

describe('where nothing is said', () => {
  test.each<[name: string, body: unknown, thoughts: string | null]>([
    ['nothing', completed({ content: null }), null],
    ['null', null, null],
    ['a text', 'a', null],
    ['an empty list', { choices: [] }, null],
    ['thoughts', completed({ reasoning: 'hm' }), 'hm'],
    ['thoughts of DeepSeek', completed({ reasoning_content: 'hm' }), 'hm'],
    ['thoughts of Ollama', completed({ thinking: 'hm' }), 'hm'],
    ['thoughts in the second place', completed({ reasoning: ' ', thinking: 'hm' }), 'hm'],
    ['thoughts in several', completed({ thinking: 'no', reasoning: 'hm' }), 'hm'],
    ['thoughts that are no text', completed({ reasoning: { a: 1 } }), null],
  ])('%s', (_, body, thoughts) => {
    expect(readContent(body)).toEqual({ type: 'nothing', isCut: false, thoughts });
  });
});

describe('thoughts have come along', () => {
  const details = (count: unknown) => ({
    usage: { completion_tokens_details: { reasoning_tokens: count } },
  });
  test.each<[name: string, body: unknown, hasCome: boolean]>([
    ['in a field', completed({ reasoning: 'hm' }), true],
    ['in a field of DeepSeek', completed({ reasoning_content: 'hm' }), true],
    ['in a field of Ollama', completed({ thinking: 'hm' }), true],
    ['in a list of OpenRouter', completed({ reasoning_details: [{}] }), true],
    ['in a part', completed({ content: ['a', { type: 'reasoning' }] }), true],
    ['in a part of Anthropic', completed({ content: [{ type: 'thinking' }] }), true],
    ['in tags', completed({ content: ' \n<think>hm</think>a' }), true],
    ['counted', { ...completed({ content: 'a' }), ...details(1) }, true],
    ['not in a blank field', completed({ reasoning: ' \n' }), false],
    ['not in an empty list', completed({ reasoning_details: [] }), false],
    ['not in a field that is something else', completed({ reasoning: true, thinking: {} }), false],
    ['not in a part of another kind', completed({ content: [{ type: 'text' }, null] }), false],
    ['in a part of another name', completed({ content: [{ type: 'redacted_thinking' }] }), true],
    ['in tags behind a word', completed({ content: 'a <think>hm</think>' }), true],
    ['in tags of another name', completed({ content: '[REASONING]hm[/REASONING]' }), true],
    ['not in the strings of an object', completed({ content: '{"a":"<think>hm"}' }), false],
    ['not in tags of a part', completed({ content: ['<think>'] }), false],
    ['not counted', { ...completed({ content: 'a' }), ...details(0) }, false],
    ['not counted as a number', { ...completed({ content: 'a' }), ...details('7') }, false],
    ['not where nothing is', null, false],
    ['not in another choice', { choices: [{}, { message: { reasoning: 'hm' } }] }, false],
  ])('%s', (_, body, hasCome) => expect(hasThoughts(body)).toBe(hasCome));
});

describe('a piece of thoughts', () => {
  test.each<[delta: unknown, thought: string]>([
    [{ reasoning_content: 'hm' }, 'hm'],
    [{ reasoning: 'hm' }, 'hm'],
    [{ thinking: 'hm' }, 'hm'],
    // The same under two names, or nothing under one of them.
    [{ reasoning_content: 'hm', reasoning: 'hm' }, 'hm'],
    [{ reasoning_content: '', reasoning: 'hm' }, 'hm'],
    [{ reasoning: { a: 1 }, thinking: 'hm' }, 'hm'],
    [{ reasoning: 'hm', content: [{ type: 'reasoning', text: 'no' }] }, 'hm'],
    // In parts.
    [{ content: [{ type: 'reasoning', text: 'hm' }] }, 'hm'],
    [{ content: [{ type: 'thinking', thinking: 'hm' }] }, 'hm'],
    [{ content: [{ type: 'thinking', thinking: ['h', { text: 'm' }] }, 'a'] }, 'hm'],
    [{ content: [{ type: 'text', text: 'a' }] }, ''],
    [{ content: 'a' }, ''],
    [{}, ''],
    [null, ''],
  ])('of %j is %j', (delta, thought) => expect(readThought(delta)).toBe(thought));
});

describe('tokens', () => {
  const nothing = { promptTokens: null, cachedTokens: null, completionTokens: null, cost: null };

  test.each<[name: string, usage: unknown, expected: object]>([
    ['none', undefined, {}],
    [
      'OpenAI',
      { prompt_tokens: 9, completion_tokens: 2 },
      { promptTokens: 9, completionTokens: 2 },
    ],
    ['Anthropic', { input_tokens: 9, output_tokens: 2 }, { promptTokens: 9, completionTokens: 2 }],
    ['both', { input_tokens: 1, prompt_tokens: 9 }, { promptTokens: 9 }],
    ['the other where one is null', { prompt_tokens: null, input_tokens: 9 }, { promptTokens: 9 }],
    [
      'nothing at all',
      { prompt_tokens: 0, completion_tokens: 0 },
      { promptTokens: 0, completionTokens: 0 },
    ],
    ['less than nothing', { prompt_tokens: -1, completion_tokens: -0.5, cost: -1 }, {}],
    ['without end', { prompt_tokens: Number.POSITIVE_INFINITY }, {}],
    ['in words', { prompt_tokens: '9' }, {}],
    ['beyond reason', { prompt_tokens: 1e10 }, {}],
    [
      'without what was cached',
      { prompt_tokens: 9, cached_tokens: 50 },
      { promptTokens: 59, cachedTokens: 50 },
    ],
    ['dollars', { cost: 0.0004 }, { cost: 0.0004 }],
    ['cached by DeepSeek', { prompt_cache_hit_tokens: 5 }, { cachedTokens: 5 }],
    ['cached by Moonshot', { cached_tokens: 5 }, { cachedTokens: 5 }],
    ['cached by Anthropic', { cache_read_input_tokens: 5 }, { cachedTokens: 5 }],
    [
      'cached, in detail',
      { prompt_tokens_details: { cached_tokens: 0 }, cached_tokens: 5 },
      { cachedTokens: 0 },
    ],
    [
      'cached, in the other detail',
      { prompt_tokens_details: {}, input_tokens_details: { cached_tokens: 5 } },
      { cachedTokens: 5 },
    ],
    [
      'cached, in the other detail, and beside it',
      { input_tokens_details: { cached_tokens: 5 }, cached_tokens: 3 },
      { cachedTokens: 5 },
    ],
    [
      'cached, in a detail that says nothing',
      { prompt_tokens_details: null, cached_tokens: 5 },
      { cachedTokens: 5 },
    ],
  ])('%s', (_, usage, expected) => {
    expect(readUsage({ usage })).toEqual({ ...nothing, ...expected });
    expect(readUsage([{ usage }, { usage: { cost: 7 } }])).toEqual({ ...nothing, ...expected });
  });

  test.each([[null], ['text'], [[]], [{ usage: 7 }]])('of %j are unknown', (body) => {
    expect(readUsage(body)).toEqual(nothing);
  });

  test('of a request that nobody has worked on are none, and cost nothing', () => {
    expect(UNUSED).toEqual({ promptTokens: 0, cachedTokens: 0, completionTokens: 0, cost: 0 });
  });

  test('tokens of thoughts are added only if the total and the prompt show that they are separate', () => {
    const counted = (usage: object) => readUsage({ usage }).completionTokens;
    const thoughts = { completion_tokens_details: { reasoning_tokens: 50 } };
    const usage = { prompt_tokens: 900, completion_tokens: 10, total_tokens: 960, ...thoughts };
    expect(counted(usage)).toBe(60);
    expect(counted({ ...usage, completion_tokens: 60 })).toBe(60);
    expect(counted({ ...usage, total_tokens: 959 })).toBe(10);
    expect(counted({ ...usage, total_tokens: undefined })).toBe(10);
    expect(counted({ ...usage, prompt_tokens: undefined })).toBe(10);
    expect(counted({ ...usage, completion_tokens: undefined })).toBeNull();
    expect(counted({ ...usage, completion_tokens_details: undefined })).toBe(10);
    // No completion is counted, so the rest of the total is the completion.
    expect(counted({ ...usage, completion_tokens: 0 })).toBe(60);
    expect(counted({ ...usage, completion_tokens: 0, total_tokens: 800 })).toBe(0);
    expect(counted({ ...usage, completion_tokens: 1, total_tokens: 960 })).toBe(51);
  });
});
