import { describe, expect, test } from 'vitest';
import {
  CapabilityCache,
  presumeCapabilities,
} from '../../../../actors/minds/openai/capabilities.ts';
import { type Step, whenever, without } from '../../../support/endpoint/case.ts';
import { json, page, refusal } from '../../../support/endpoint/sent.ts';
import { INVALID, inMode } from '../../../support/endpoint/words.ts';
import { ask, PARAMS, QUESTION, summary } from './asking.ts';

const KEY = 'prompt_cache_key';
const QUESTION_OF_GAME = { ...QUESTION, cacheKey: 'game-7' };

test('a question without a game has none, and an operator can take it out', async () => {
  const plain = await ask([]);
  const { fake } = await ask([], {
    question: QUESTION_OF_GAME,
    params: { ...PARAMS, extra: { [KEY]: null } },
  });
  expect(
    [plain.fake.asked[0]?.body, fake.asked[0]?.body].map((body) => KEY in (body ?? {})),
  ).toEqual([false, false]);
});

const REFUSALS: readonly (readonly [string, Step])[] = [
  ['Groq, by name', without(KEY, refusal(400, `property '${KEY}' is unsupported`, INVALID))],
  ['without a name', without(KEY, json(400, { detail: 'bad request' }))],
];

describe('an endpoint that refuses it', () => {
  test.each(REFUSALS)('%s: is asked once more, and never with it again', async (_, step) => {
    const first = await ask([step], { question: QUESTION_OF_GAME });
    expect(summary(first)).toBe('answer in json_schema, 2 calls');
    const [refused, taken] = first.fake.asked.map(({ body }) => body);
    const { [KEY]: key, ...others }: Record<string, unknown> = { ...refused };
    expect([key, taken]).toEqual(['game-7', others]);
    const second = await ask([step], { question: QUESTION_OF_GAME, known: first.known });
    expect(summary(second)).toBe('answer in json_schema, 1 call');
    const later = new CapabilityCache(first.known.capabilities);
    expect(summary(await ask([step], { question: QUESTION_OF_GAME, known: later }))).toBe(
      'answer in json_schema, 1 call',
    );
  });

  test('and other parts without a name: all of it is found out', async () => {
    const steps = [
      without(KEY, page(400, 'nein')),
      whenever(inMode('json_schema', 'json_object', 'tool'), page(400, 'nein')),
      without('seed', page(400, 'nein')),
    ];
    expect((await ask(steps, { question: QUESTION_OF_GAME })).reply.ok).toBe(true);
  });

  test.each([
    ['https://api.groq.com/openai/v1', true],
    ['https://api.cerebras.ai/v1', true],
    ['https://generativelanguage.googleapis.com/v1beta/openai/', true],
    ['https://api.openai.com/v1', false],
    ['https://openrouter.ai/api/v1', false],
    ['https://api.groq.com.example.org/v1', false],
    ['http://localhost:11434/v1', false],
    ['no address', false],
  ])('%s is known to: %s', async (baseUrl, isKnown) => {
    const known = new CapabilityCache(null, presumeCapabilities(baseUrl));
    const { fake } = await ask([], { question: QUESTION_OF_GAME, known });
    expect(KEY in (fake.asked[0]?.body ?? {})).toBe(!isKnown);
  });
});
