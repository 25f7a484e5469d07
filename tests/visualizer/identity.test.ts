import { describe, expect, test } from 'vitest';
import {
  describeMatch,
  describeMind,
  findVendor,
  listModels,
  nameMind,
  shortenModel,
  titleMatch,
} from '../../visualizer/identity.ts';

const plays = (model: string) => ({ mind: 'openai' as const, model });

describe('the vendor of a model', () => {
  test.each([
    ['anthropic/claude-opus-4.5', 'Anthropic'],
    ['claude-sonnet-4-20250514', 'Anthropic'],
    ['openai/gpt-oss-120b', 'OpenAI'],
    ['o3-mini', 'OpenAI'],
    ['gemma3:4b', 'Google'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'Meta'],
    // Of models that were made of another one, the vendor is the one that made them.
    ['deepseek-r1-distill-llama-70b', 'DeepSeek'],
    ['nvidia/llama-3.1-nemotron-70b', 'NVIDIA'],
    ['NousResearch/Hermes-3-Llama-3.1', 'Nous Research'],
    ['mixtral-8x7b', 'Mistral AI'],
    ['Qwen/Qwen3-32B', 'Alibaba'],
    ['phi4', 'Microsoft'],
    ['x-ai/grok-4', 'xAI'],
    ['accounts/fireworks/models/kimi-k2', 'Moonshot AI'],
  ])('of %s is %s', (model, vendor) => {
    expect(findVendor(model)?.name).toBe(vendor);
  });

  test.each(['', 'my-own', 'delphi-2', 'foo3', 'philo', 'parrot'])(
    'of "%s" is not known',
    (model) => {
      expect(findVendor(model)).toBeNull();
    },
  );
});

test.each([
  ['anthropic/claude-opus-4.5', 'claude-opus-4.5'],
  ['claude-sonnet-4-20250514', 'claude-sonnet-4'],
  ['gpt-5.2-2026-01-31', 'gpt-5.2'],
  ['meta-llama/llama-4-maverick:free', 'llama-4-maverick'],
  ['llama3.1:8b', 'llama3.1:8b'],
  ['odd/', 'odd/'],
])('the short name of %s is %s', (model, name) => {
  expect(shortenModel(model)).toBe(name);
});

test('a seat is named by its model, by what else decides, or not at all', () => {
  expect(nameMind(plays('openai/gpt-5.2'))).toBe('gpt-5.2');
  expect(nameMind({ mind: 'scripted', model: '' })).toBe('a script');
  expect(nameMind({ mind: null, model: '' })).toBe('');
  expect(describeMind({ ...plays('openai/gpt-5.2'), persona: 'joker' })).toBe(
    'openai/gpt-5.2 by OpenAI, as joker',
  );
  expect(describeMind({ mind: null, model: '', persona: '' })).toBe('');
});

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'x/a', 'b'], 'a and b'],
  [['a', 'b', 'c', 'd', 'e'], 'a, b, c, d and e'],
  [['a', 'b', 'c', 'd', 'e', 'f'], 'a, b, c, d and 2 more'],
])('models %j are listed as "%s"', (models, words) => {
  expect(listModels(models.map(plays))).toBe(words);
});

test('a document’s title names the match and its models', () => {
  const players = [plays('openai/gpt-5.2'), { mind: 'scripted' as const, model: '' }];
  expect(titleMatch('Lights out', players)).toBe('Lights out: gpt-5.2 · The Glass Box League');
  expect(titleMatch('', [])).toBe('The Glass Box League');
  expect(describeMatch(true, players)).toBe(
    'A game of Among Us with 2 players, played by gpt-5.2: every message and every vote, step by step, in a glass box.',
  );
});
