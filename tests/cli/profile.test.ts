/** Profiles: files with model options for every command with models, and the errors for invalid ones. */
import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { aPlace } from './session.ts';
import { expectEnd, expectQuiet, jsonLines } from './shell.ts';

const RUN = 'run --players 4 --seed 1 --dry-run';

describe('a profile', () => {
  test('a named profile comes from the configuration folder of the user, and a flag wins over it', async () => {
    const text = 'model: gemma3\nbase-url: http://localhost:11434/v1\nlevel: basic\n';
    const { path, run } = aPlace({ 'home/glassbox/local.yaml': text });
    const env = { XDG_CONFIG_HOME: path('home') };
    const forecast = async (words: string) =>
      jsonLines(expectQuiet(await run(`${RUN} --json --profile local${words}`, env)));
    expect(await forecast('')).toMatchObject([{ unpriced: ['gemma3'] }]);
    expect(await forecast(' --model qwen3')).toMatchObject([{ unpriced: ['qwen3'] }]);
  });

  test.runIf(process.getuid !== undefined)(
    'a named profile is not trusted where other users can write',
    async () => {
      const { path, run } = aPlace({ 'home/glassbox/local.yaml': 'model: gemma3\n' });
      chmodSync(path('home'), 0o777);
      const found = await run(`${RUN} --profile local`, { XDG_CONFIG_HOME: path('home') });
      expectEnd(found, 78, 'other users of this machine can write to', '[profile/not-trusted]');
      expectQuiet(await run(`${RUN} --profile ${path('home/glassbox/local.yaml')}`));
    },
  );

  test.each([
    ['an unknown key', 'modle: x\n', 'unknown-key', 'line 1, modle: there is no "modle"'],
    ['a word for a number', 'temperature: hot\n', 'type', 'line 1, temperature: expected a number'],
    ['a list', 'level: [a]\n', 'type', 'line 1, level: expected a value'],
    ['an unknown word', '\nlevel: expert\n', 'type', 'line 2, level: expected one of none, basic'],
    ['a switch that is none', 'stream: often\n', 'type', 'line 1, stream: expected true or false'],
    ['a key', 'key: sk-abcdefgh12345678\n', 'type', 'line 1, key: expected no secret'],
    ['a key with another name', 'model: AIzaSyD0123456789abcdefghij\n', 'type', 'line 1, model:'],
    ['a password in a URL', 'base-url: http://me:hush@host/v1\n', 'type', 'a URL with a user or'],
    ['a key in a field', 'extra-body: { a: Bearer abcdefgh1234 }\n', 'type', 'line 1, extra-body:'],
  ])('with %s is refused with its line and the valid keys', async (_, text, code, words) => {
    const found = await aPlace({ 'p.yaml': text }).run(`${RUN} --profile p.yaml`);
    const keys = 'the keys of a profile are model, provider, base-url, key,';
    expectEnd(found, 78, `profile/${code}: p.yaml: `, words, keys);
    expect(found.out).toBe('');
    expect(found.err).not.toMatch(/abcdefgh|hush|AIza/);
  });

  test('that does not exist is refused by its path', async () => {
    expectEnd(await aPlace().run(`${RUN} --profile ./none.yaml`), 66, 'none.yaml');
  });
});

test('a model without a key is answered with the provider of this machine and with doctor', async () => {
  const found = await aPlace({}, { OPENAI_API_KEY: '' }).run('run --model gemma3');
  const doctor = 'doctor --model gemma3 --provider ollama';
  expectEnd(found, 78, 'add --provider ollama', doctor);
});

test('watch and export without a journal take the one that was written last', async () => {
  const { run, done } = aPlace();
  expectEnd(await run('watch'), 66, 'found none in journals/');
  await done('run electrical --seed 7 -q');
  const found = await run('watch --lens table');
  expectEnd(found, 0, /^The latest journal: journals\/.*-7\.jsonl\n$/);
  expect(found.out).toContain('── Reveal ');
});

test('a single match prints the score of each winner in one line, and no thought', async () => {
  const out = await aPlace().done('run electrical --seed 7 --out a.jsonl');
  const wins = out.match(/^ *\d+ {2}▸ [A-Z]{2} +\d+ = desire \d+/gm) ?? [];
  expect(wins.length).toBeGreaterThan(2);
  expect(out).not.toMatch(/impostor · |nothing to say|~ /);
});
