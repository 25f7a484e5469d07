import { describe, expect, test } from 'vitest';
import {
  BYTES_PER_TOKEN,
  CACHE_STEP,
  createPrefixCache,
  LEAST_CACHED,
  type SchemaPlace,
} from '../../../analysis/models/caching.ts';
import { createPassingBlock, createStableBlock, message, record } from '../../../prompts/block.ts';
import type { Prompt } from '../../../prompts/prompt.ts';

function aPrompt(shared: number, own: string, field = 'message'): Prompt {
  return {
    requestKind: 'discussion',
    cacheKey: 'game-1',
    system: [createStableBlock('r'.repeat(shared * BYTES_PER_TOKEN))],
    user: [createPassingBlock(own)],
    schema: record({ [field]: message }),
    schemaName: 'meeting_reply',
    maxTokens: 100,
  };
}

/** Tokens of the second of two prompts that are taken from the cache. */
function cachedOf(first: Prompt, second: Prompt, place: SchemaPlace = 'elsewhere') {
  const cache = createPrefixCache(place);
  cache([first]);
  return cache([second])[0]?.cached;
}

const LONG = 'x'.repeat(9000);

describe('a beginning', () => {
  test.each([
    [LEAST_CACHED - 1, 0],
    [LEAST_CACHED, LEAST_CACHED],
    [LEAST_CACHED + CACHE_STEP - 1, LEAST_CACHED],
    [LEAST_CACHED + CACHE_STEP, LEAST_CACHED + CACHE_STEP],
    [LEAST_CACHED + 5 * CACHE_STEP, LEAST_CACHED + 5 * CACHE_STEP],
  ])('of %d tokens in common counts as %d', (shared, expected) => {
    const [one, other] = [aPrompt(shared, `a${LONG}`), aPrompt(shared, `b${LONG}`)];
    expect(cachedOf(one, other)).toBe(expected);
  });

  test('counts to the byte: one that differs in its last byte is another', () => {
    const shared = LEAST_CACHED - 1;
    expect(cachedOf(aPrompt(shared, 'abcd'), aPrompt(shared, 'abcd'))).toBe(LEAST_CACHED);
    expect(cachedOf(aPrompt(shared, 'abcd'), aPrompt(shared, 'abce'))).toBe(0);
  });

  test('that was sent long ago is still known, whoever was asked in between', () => {
    const cache = createPrefixCache('elsewhere');
    const [one, other] = [aPrompt(LEAST_CACHED, `a${LONG}`), aPrompt(LEAST_CACHED, `b${LONG}`)];
    cache([one]);
    cache([other]);
    const [again] = cache([one]);
    expect(again?.cached).toBeGreaterThan(3 * LEAST_CACHED);
    expect(again?.prompt).toBeGreaterThanOrEqual(again?.cached ?? 0);
  });
});

test('requests of one moment do not find each other, and the next moment finds them', () => {
  const cache = createPrefixCache('elsewhere');
  const prompts = ['a', 'b', 'c'].map((own) => aPrompt(LEAST_CACHED, own));
  expect(cache(prompts).map(({ cached }) => cached)).toEqual([0, 0, 0]);
  expect(cache(prompts).map(({ cached }) => cached)).toEqual([1024, 1024, 1024]);
});

describe('the schema of the reply', () => {
  const [talk, action] = [aPrompt(LEAST_CACHED, 'a'), aPrompt(LEAST_CACHED, 'a', 'action')];

  test('in front of the prompt: another schema is another beginning', () => {
    expect(cachedOf(talk, action, 'in-front')).toBe(0);
    expect(cachedOf(talk, talk, 'in-front')).toBe(LEAST_CACHED);
  });

  test('elsewhere: it makes no difference', () => {
    expect(cachedOf(talk, action, 'elsewhere')).toBe(LEAST_CACHED);
  });

  test('in front of the prompt, it counts among the tokens of the prompt', () => {
    const [front] = createPrefixCache('in-front')([talk]);
    const [plain] = createPrefixCache('elsewhere')([talk]);
    const schema = JSON.stringify(talk.schema).length / BYTES_PER_TOKEN;
    expect((front?.prompt ?? 0) - (plain?.prompt ?? 0)).toBe(Math.ceil(schema));
  });
});
