import { describe, expect, test } from 'vitest';
import { readAnswer, repairTypes } from '../../../../actors/minds/openai/answer.ts';
import { GOOD, GOOD_TEXT } from '../../../support/endpoint/words.ts';
import { QUESTION } from './asking.ts';

function read(body: unknown, question = QUESTION) {
  return readAnswer(
    { type: 'body', status: 200, body, retryAfterMs: null },
    { question, sent: {}, fits: (value) => 'desire_to_speak' in value },
  );
}

const completed = (message: object, reason = 'stop', more: object = {}) => ({
  choices: [{ message, finish_reason: reason }],
  ...more,
});
const readText = (content: unknown, reason?: string) => read(completed({ content }, reason));

test.each([
  GOOD_TEXT,
  `<think>Red?</think>${GOOD_TEXT}`,
  `${GOOD_TEXT}\n\n  \n`,
  `\`\`\`json\n${GOOD_TEXT}\n\`\`\``,
])('an answer that is closed is whole, though it ended at the limit: %j', (text) =>
  expect(readText(text, 'length')).toMatchObject({ type: 'answer', received: GOOD }),
);

test('a call in XML keeps its thoughts and notes', () => {
  const text = `<tool_call>\n<function=meeting_reply>\n<parameter=internal_thought>\nHm.\n</parameter>\n<parameter=desire_to_speak>\n7\n</parameter>\n<parameter=message>\nHi\n</parameter>\n<parameter=scratchpad_updates>\n{"meeting_scratch": "x"}\n</parameter>\n</function>\n</tool_call>`;
  const received = {
    ...{ internal_thought: 'Hm.', desire_to_speak: 7, message: 'Hi' },
    scratchpad_updates: { meeting_scratch: 'x' },
  };
  expect(readText(text)).toMatchObject({ type: 'answer', received });
});

describe('a body that is text', () => {
  const LETTERS = 'abcdefghij'.repeat(6);
  test.each([
    ['', 'an empty answer came'],
    [' \n', 'an empty answer came'],
    [' <x>', 'a web page came instead of an answer: is this the base URL of an API?'],
    ['a < b', 'text came instead of JSON: a < b'],
    [`${LETTERS}k`, `text came instead of JSON: ${LETTERS}`],
  ])('%j', (body, text) => {
    expect(read(body)).toEqual({ type: 'temporary', why: 'upstream', text, waitMs: null });
  });
});

describe('an answer that can’t be used is shown to the model, at most 2000 characters of it', () => {
  const long = `Red${'x'.repeat(1_998)}`;
  const open = `{"a": "${long}`;
  test.each([
    ['prose', readText(long), 'malformed', long.slice(0, 2_000)],
    ['an answer that breaks off', readText(open), 'truncated', open.slice(0, 2_000)],
    ['an answer that was cut', readText(open, 'length'), 'truncated', open.slice(0, 2_000)],
    ['an answer and more', readText(`${GOOD_TEXT} So`, 'length'), 'truncated', `${GOOD_TEXT} So`],
    ['an object that is no answer', readText({ a: 1 }), 'malformed', '{"a":1}'],
    ['an object that was cut', readText({ a: 1 }, 'length'), 'truncated', null],
    ['a whole object that was cut', readText(GOOD, 'length'), 'truncated', null],
    [
      'an answer among words that were cut',
      readText(`As I said it, ${GOOD_TEXT}`, 'length'),
      'truncated',
      `As I said it, ${GOOD_TEXT}`,
    ],
    ['texts of two places', read(completed({ content: 'a', response: 'b' })), 'malformed', 'a\nb'],
    [
      'texts of two places, cut',
      read(completed({ content: 'a', response: 'b' }, 'length')),
      'truncated',
      'a\nb',
    ],
  ])('%s', (_, reading, why, said) =>
    expect(reading).toMatchObject({ type: 'unusable', why, said }),
  );
});

describe('where there is no answer', () => {
  test.each<[string, unknown, object]>([
    [
      'an error',
      { error: { message: 'No auth credentials found', code: 401 } },
      { type: 'final', why: 'auth', text: 'No auth credentials found' },
    ],
    [
      'a refusal in its field',
      completed({ refusal: ' I will not. ' }),
      { type: 'final', why: 'refusal', text: 'I will not.' },
    ],
    [
      'a refusal in words',
      completed({ content: " I'm sorry, but I can't assist with that. " }),
      { type: 'final', why: 'refusal', text: "I'm sorry, but I can't assist with that." },
    ],
    [
      'a filter',
      completed({ content: GOOD_TEXT }, 'content_filter'),
      { type: 'final', why: 'content-filter', text: 'the answer was filtered' },
    ],
    [
      'a server that fell ill',
      completed({ content: GOOD_TEXT }, 'error'),
      { type: 'temporary', why: 'upstream', text: 'the answer broke off: error', waitMs: null },
    ],
  ])('but %s', (_, body, reading) => expect(read(body)).toEqual(reading));

  test('but a request that was lost', () => {
    const lost = { type: 'lost', isLate: true, wasSent: true, text: 'gone' } as const;
    const asked = { question: QUESTION, sent: {}, fits: () => true };
    const failure = { type: 'temporary', why: 'timeout', text: 'gone', waitMs: null };
    expect(readAnswer(lost, asked)).toEqual(failure);
  });
});

test('an answer is whole without its side fields, and may have words around it', () => {
  const object = { desire_to_speak: 0, message: 'hi' };
  const reading = readText(`Let me think, and then: ${JSON.stringify(object)} That is all.`);
  expect(reading).toMatchObject({ type: 'answer', received: object });
  expect(reading).not.toHaveProperty('received.read_as');
});

test.each([
  ['blue', 'blue', null],
  ['VOTE(Blue)', 'blue', null],
  ['skip', 'blue', 'skip'],
  ['blue', null, 'blue'],
])(
  'a vote for %s counts after a locked one for %s as %s, without a note',
  (vote, ballot, counted) => {
    const text = JSON.stringify({ ...GOOD, vote_action: vote });
    expect(read(completed({ content: text }), { ...QUESTION, ballot })).toEqual({
      type: 'answer',
      received: { ...GOOD, vote_action: counted },
      said: text,
      isRepaired: false,
    });
  },
);

test.each<[string, object, object]>([
  [
    'a field that a message holds and that is there too',
    { desire_to_speak: 5, message: 'hi","vote_action":"blue"}', vote_action: null },
    { message: 'hi","vote_action":"blue"}', vote_action: null },
  ],
  [
    'notes beside notes',
    {
      desire_to_speak: 5,
      message: 'hi',
      scratchpad_updates: { meeting_scratch: 'y' },
      meeting_scratch: 'x',
    },
    { scratchpad_updates: { meeting_scratch: 'y' }, meeting_scratch: 'x' },
  ],
])('%s stays where it is', (_, object, received) => {
  expect(readText(JSON.stringify(object))).toMatchObject({ type: 'answer', received });
});

test('an answer that is nested too deeply is none', () => {
  const deep = '['.repeat(1_001) + ']'.repeat(1_001);
  const text = `{"desire_to_speak":5,"message":"hi","vote_action":null,"x":${deep}}`;
  expect(readText(text)).toMatchObject({ type: 'unusable', why: 'malformed' });
});

describe('an object that is an answer in part', () => {
  test.each([
    ['{"desire_to_speak":5}', { desire_to_speak: 5 }],
    ['```json\n{"desire_to_speak":5}\n```', { desire_to_speak: 5 }],
    // A vote that is not given is not withheld.
    ['{"desire_to_speak":5,"vote_action":null}', { desire_to_speak: 5, vote_action: null }],
  ])('%j is read as it is', (text, received) => {
    expect(readText(text)).toMatchObject({ type: 'answer', received, isRepaired: false });
    expect(readText(text)).not.toHaveProperty('received.read_as');
  });

  test('has its vote withheld, and says so', () => {
    expect(readText('{"vote_action":"blue","desire_to_speak":5}')).toMatchObject({
      type: 'answer',
      received: {
        desire_to_speak: 5,
        vote_action: null,
        read_as: ['vote_action "blue" was not counted: the answer lacks message'],
      },
      isRepaired: true,
    });
    const whole = { ...GOOD, vote_action: 'blue' };
    expect(readText(JSON.stringify(whole))).toMatchObject({ received: whole, isRepaired: false });
  });

  test.each([
    ['{"desire_to_speak":5,"speaker":"blue"}'],
    ['```json\n{"desire_to_speak":5,"speaker":"blue"}\n```'],
    ['As I said: {"desire_to_speak":5}, and so on'],
  ])('%j is none, beside a field or words of its own', (text) => {
    expect(readText(text)).toEqual({ type: 'unusable', why: 'malformed', said: text });
  });
});

describe('of several places', () => {
  test('the first of several places with an answer counts, as an object or a text', () => {
    const other = { ...GOOD, message: 'no' };
    for (const content of [GOOD, GOOD_TEXT]) {
      for (const first of ['hm', { a: 1 }]) {
        const body = completed({ content: first, response: content, output_text: null });
        expect(read(body)).toEqual({
          type: 'answer',
          received: GOOD,
          said: content,
          isRepaired: false,
        });
      }
      const body = completed({ content, response: other });
      expect(read(body)).toMatchObject({ type: 'answer', received: GOOD, said: content });
    }
  });
});

describe('an answer that has only thoughts', () => {
  const IN_THOUGHTS = 'your answer was read out of your thoughts: write it as the answer';
  const thought = (reasoning: string, reason = 'stop') =>
    read(completed({ content: null, reasoning }, reason));

  test('are an answer where they are a whole one, with a note', () => {
    expect(thought(GOOD_TEXT)).toEqual({
      type: 'answer',
      received: {
        ...GOOD,
        read_as: [IN_THOUGHTS],
      },
      said: GOOD_TEXT,
      isRepaired: true,
    });
  });

  test('cast no vote', () => {
    const received = { vote_action: null, read_as: [IN_THOUGHTS, expect.stringContaining('vote')] };
    const vote = JSON.stringify({ ...GOOD, vote_action: 'blue' });
    expect(thought(vote)).toMatchObject({ type: 'answer', received });
  });

  test.each([
    ['in a list', `[${GOOD_TEXT}]`],
    ['beside a word', `So: ${GOOD_TEXT}`],
    ['in part', '{"desire_to_speak":5}'],
    ['of something else', '{"a":1}'],
    ['null', 'null'],
    ['a number', '7'],
  ])('are none %s', (_, reasoning) => {
    expect(thought(reasoning)).toEqual({ type: 'unusable', why: 'empty', said: null });
  });

  test('are none where they were cut', () => {
    expect(thought(GOOD_TEXT, 'length')).toMatchObject({ type: 'unusable', why: 'truncated' });
  });
});

test.each([0, 1, 4_999])('a good answer counts though %i tokens were counted', (prompt_tokens) => {
  const question = { ...QUESTION, user: ['a'.repeat(40_000)] };
  const body = completed({ content: GOOD_TEXT }, 'stop', { usage: { prompt_tokens } });
  expect(read(body, question).type).toBe('answer');
});

describe('fields of a wrong type', () => {
  test.each<[object, unknown, unknown]>([
    [{ type: 'array' }, 'a', ['a']],
    [{ type: 'array' }, 7, 7],
    [{ type: 'array' }, ['a'], ['a']],
    [{ type: 'string' }, ['a'], 'a'],
    [{ type: 'string' }, ['a', 'b'], ['a', 'b']],
    [{ type: 'string' }, { value: 'a' }, { value: 'a' }],
    [{ type: 'object', properties: { a: { type: 'string' } } }, [{ a: 'b' }], { a: 'b' }],
    [{ type: 'string' }, 0, '0'],
    [{ type: ['string', 'null'] }, 7, '7'],
    [{ type: ['string', 'null'] }, null, null],
    [{ type: 'integer' }, '7', 7],
    [{ type: ['integer', 'null'] }, '7 rounds', 7],
    [{ type: ['integer', 'null'] }, '7 percent', '7 percent'],
    [{ type: 'integer' }, '7.5.1', '7.5.1'],
    [{ type: 'object', properties: { a: { type: 'string' } } }, 'x', { a: 'x' }],
    [
      { type: 'object', properties: { a: { type: 'string' } } },
      { a: 7, b: 7 },
      { a: '7', b: 7 },
    ],
    [{ type: 'object', properties: { a: { type: 'string' } } }, 7, 7],
    [{ type: 'object', properties: {} }, 'x', 'x'],
    [{ type: 'object' }, 'x', 'x'],
    [{}, 'x', 'x'],
  ])('%j makes of %j %j', (schema, field, better) => {
    const isRepaired = JSON.stringify(field) !== JSON.stringify(better);
    expect(repairTypes({ field }, { properties: { field: schema } })).toEqual({
      value: { field: better },
      isRepaired,
    });
  });
});
