import { describe, expect, test } from 'vitest';
import { CapabilityCache } from '../../../../actors/minds/openai/capabilities.ts';
import { always, atFirst } from '../../../support/endpoint/case.ts';
import {
  completion,
  completionBody,
  json,
  page,
  refusal,
  said,
} from '../../../support/endpoint/sent.ts';
import {
  ask,
  asked,
  atEndpoint,
  GOOD,
  GOOD_TEXT,
  NOW,
  QUESTION,
  summary,
  transportOf,
} from './asking.ts';

const LIMITED = 'Rate limit exceeded';
const limited = (headers: Readonly<Record<string, string>>, message = LIMITED) =>
  atFirst(refusal(429, message, {}, headers));

describe('waits', () => {
  test.each([
    ['seconds', limited({ 'retry-after': '3' }), 3_000],
    ['milliseconds, which go first', limited({ 'retry-after-ms': '250', 'retry-after': '9' }), 250],
    ['a date', limited({ 'retry-after': new Date(NOW + 20_000).toUTCString() }), 20_000],
    ['a date that is past', limited({ 'retry-after': new Date(NOW - 20_000).toUTCString() }), 500],
    ['no wait at all', limited({ 'retry-after': '0' }), 500],
    ['nonsense', limited({ 'retry-after': 'soon' }), 500],
    ['a number below zero', limited({ 'retry-after': '-5' }), 500],
    ['a sentence', limited({}, 'Please try again in 1m2.5s.'), 62_500],
    ['a sentence of milliseconds', limited({}, 'Please try again in 250ms.'), 250],
    ['a sentence in words', limited({}, 'Please wait 2 seconds and 500 milliseconds'), 2_000],
    ['a sentence that counts something else', limited({}, 'Retry with 2 messages less'), 500],
    ['a field of the body', limited({}, 'RESOURCE_EXHAUSTED {"retryDelay": "17s"}'), 17_000],
    ['nothing', limited({}), 500],
  ])('%s', async (_, step, ms) => {
    const outcome = await ask([step], { patience: { waitMs: 120_000 } });
    expect(summary(outcome)).toBe('answer in json_schema, 2 calls');
    expect(outcome.slept).toEqual([ms]);
  });

  test('they double, and then there is an end', async () => {
    const outcome = await ask([always(refusal(503, 'no'))]);
    expect(summary(outcome)).toBe('upstream, 6 calls');
    expect(outcome.slept).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
  });

  test.each([
    [30_000, 'answer in json_schema, 2 calls'],
    [30_001, 'upstream, 1 call'],
  ])('an endpoint that asks for %i ms of at most 30,000: %s', async (ms, expected) => {
    expect(summary(await ask([limited({ 'retry-after-ms': String(ms) })]))).toBe(expected);
  });

  test('credit that requests in flight hold comes back', async () => {
    const held = refusal(402, 'Credits are held by requests in flight', {}, { 'retry-after': '2' });
    const outcome = await ask([atFirst(held)]);
    expect(summary(outcome)).toBe('answer in json_schema, 2 calls');
    expect(outcome.slept).toEqual([2_000]);
  });

  test('a budget that is spent between two requests ends the question', async () => {
    let left = 1;
    const refuse = () => (left-- > 0 ? null : 'the budget of 1 calls is spent');
    const outcome = await ask([always(refusal(503, 'no'))], { refusal: refuse });
    expect(summary(outcome)).toBe('budget, 1 call');
  });
});

describe('bodies', () => {
  const good = completionBody({ content: GOOD_TEXT }, 'stop');
  const whole = JSON.stringify(good);
  const deep = '['.repeat(30_000);
  test.each([
    ['zipped', { ...json(200, good), isZipped: true }, 1],
    ['with a byte order mark', page(200, `\uFEFF${whole}`), 1],
    ['usage null', json(200, { ...good, usage: null }), 1],
    ['duplicate keys', said(`{"desire_to_speak":1,${GOOD_TEXT.slice(1)}`), 1],
    ['half a character', said('{"desire_to_speak": 3, "message": "\\ud800"}'), 1],
    ['20 kB', said(JSON.stringify({ ...GOOD, message: 'a '.repeat(10_000) })), 1],
    ['a speaker that is somebody else', said(JSON.stringify({ speaker: 'blue', ...GOOD })), 1],
    ['NaN', said('{"desire_to_speak": NaN, "message": ""}'), 1],
    ['30,000 brackets as content', said(deep), 2],
    ['30,000 braces as content', said('{"a":'.repeat(30_000)), 2],
    ['30,000 brackets as body', page(200, deep), 2],
    ['30,000 closed brackets as body', page(200, `${deep}${']'.repeat(30_000)}`), 2],
    ['30,000 closed brackets in an error', page(400, `{"error":${deep}${']'.repeat(30_000)}}`), 2],
    ['no body', page(200, ''), 2],
    ['204', page(204, ''), 2],
    ['null', json(200, null), 2],
  ])('%s', async (_, sends, calls) => {
    const outcome = await ask([calls === 1 ? always({ ...sends }) : atFirst(sends)]);
    expect(outcome.reply).toMatchObject({ ok: true, calls });
  });

  test('a body that stalls costs one attempt', async () => {
    const outcome = await ask([atFirst({ type: 'stall', text: '' })]);
    expect(summary(outcome)).toBe('answer in json_schema, 2 calls');
    expect(outcome.calls[0]?.failure).toBe('timeout');
  });

  test('an endpoint that is not there', async () => {
    const transport = await atEndpoint([], async (fake) => transportOf(fake));
    const outcome = await asked(transport);
    expect(summary(outcome)).toBe('upstream, 6 calls');
    expect(outcome.reply).toMatchObject({ text: expect.stringContaining('ECONNREFUSED') });
  });
});

describe('prompts that the endpoint has cut', () => {
  const long = { ...QUESTION, user: ['a'.repeat(40_000)] };
  const usage = (prompt: number, more: object = {}) =>
    always(
      completion(
        { content: GOOD_TEXT },
        { more: { usage: { prompt_tokens: prompt, completion_tokens: 9, ...more } } },
      ),
    );
  test.each([
    ['most was read', usage(5_200), 'answer in json_schema, 1 call'],
    ['less than half was read', usage(4_900), 'context-overflow, 1 call'],
    ['nobody counted', usage(0), 'answer in json_schema, 1 call'],
    [
      'the rest was cached',
      usage(600, { prompt_tokens_details: { cached_tokens: 9_400 } }),
      'answer in json_schema, 1 call',
    ],
  ])('%s', async (_, step, expected) => {
    expect(summary(await ask([step], { question: long }))).toBe(expected);
  });
});

describe('a prompt of so many bytes, of which so many tokens were counted', () => {
  test.each([
    // Four bytes are a token, and half of them must have been seen.
    [40_000, 5_000, 'answer in json_schema, 1 call'],
    [40_000, 4_999, 'context-overflow, 1 call'],
    // Too short to judge by, up to a thousand tokens.
    [4_000, 1, 'answer in json_schema, 1 call'],
    [4_004, 1, 'context-overflow, 1 call'],
  ])('%i, %i: %s', async (bytes, tokens, expected) => {
    const { system } = QUESTION;
    const question = { ...QUESTION, user: ['a'.repeat(bytes - system.length)] };
    const usage = { prompt_tokens: tokens, completion_tokens: 9 };
    const step = always(completion({ content: GOOD_TEXT }, { more: { usage } }));
    expect(summary(await ask([step], { question }))).toBe(expected);
  });
});

describe('answers that are none', () => {
  const vote = '{"desire_to_speak":9,"message":"","vote_action":"blue"}';
  test.each([
    ['cut within the object', `{"desire_to_speak": 3, "vote_action": "re`],
    ['an example, then cut within the object', `${vote}\n{"desire_to_speak": 3, "vote`],
    ['nothing but thoughts', `<think>I could say ${vote}</think>`],
    ['thoughts that never end', `<think>I could say ${vote}`],
    ['thoughts whose beginning is missing', `I could say ${vote}</think>`],
    ['a thought after which nothing comes', `Well.<think>${vote}</think>`],
    ['the brace of a thought', `<think>if {x then ${vote}</think>`],
  ])('no vote is taken from %s', async (_, text) => {
    const outcome = await ask([atFirst(said(text))]);
    expect(outcome.reply).not.toMatchObject({ received: { desire_to_speak: 9 } });
    expect(outcome.reply).toMatchObject({ ok: true, calls: 2 });
  });

  test('a whole object from an answer that was cut is not taken', async () => {
    expect(summary(await ask([always(said(vote, 'length'))]))).toBe('truncated, 5 calls');
  });
});

test('a limit that the endpoint names is not a longer context', async () => {
  const text =
    "max_tokens is too large: 400. This model's maximum context length is 300 tokens and your request has 100 input tokens";
  const known = new CapabilityCache();
  const outcome = await ask(
    [{ when: ({ body }) => 'max_tokens' in body, sends: refusal(400, text) }],
    { known },
  );
  expect(summary(outcome)).toBe('answer in json_schema, 2 calls');
  expect(known.capabilities.tokenName).toBeNull();
});
