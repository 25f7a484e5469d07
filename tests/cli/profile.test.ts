/** Profiles: files with model options for every command with models, and the errors for invalid ones. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { warmGlassbox } from './session.ts';
import { aFolder, failureLine, jsonLines } from './shell.ts';

const RUN = ['run', '--players', '4', '--seed', '1', '--dry-run', '--json'];

describe('a profile', () => {
  test('a named profile comes from the configuration folder of the user, and a flag wins over it', async () => {
    const text = 'model: gemma3\nbase-url: http://localhost:11434/v1\nlevel: basic\n';
    const cwd = aFolder({ 'home/glassbox/local.yaml': text });
    const env = { XDG_CONFIG_HOME: join(cwd, 'home') };
    const { exit, out, err } = await warmGlassbox([...RUN, '--profile', 'local'], { cwd, env });
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(jsonLines(out)).toMatchObject([{ unpriced: ['gemma3'] }]);
    const words = [...RUN, '--profile', 'local', '--model', 'qwen3'];
    const other = await warmGlassbox(words, { cwd, env });
    expect(jsonLines(other.out)).toMatchObject([{ unpriced: ['qwen3'] }]);
  });

  test.each([
    ['an unknown key', 'modle: x\n', 'unknown-key', 'line 1, modle: there is no "modle"'],
    ['a word for a number', 'temperature: hot\n', 'type', 'line 1, temperature: expected a number'],
    ['a list', 'level: [a]\n', 'type', 'line 1, level: expected a value'],
    ['an unknown word', '\nlevel: expert\n', 'type', 'line 2, level: expected one of none, basic'],
    ['a switch that is none', 'stream: often\n', 'type', 'line 1, stream: expected true or false'],
    ['a key', 'key: sk-abcdefgh12345678\n', 'type', 'line 1, key: expected no secret'],
    ['a key with another name', 'model: AIzaSyD0123456789abcdefghij\n', 'type', 'line 1, model:'],
    ['a password in a URL', 'base-url: http://me:hush@host/v1\n', 'type', 'without a user or'],
    ['a key in a field', 'extra-body: { a: Bearer abcdefgh1234 }\n', 'type', 'line 1, extra-body:'],
  ])('with %s is refused with its line and the valid keys', async (_, text, code, words) => {
    const cwd = aFolder({ 'p.yaml': text });
    const { exit, out, err } = await warmGlassbox([...RUN.slice(0, -1), '--profile', 'p.yaml'], {
      cwd,
    });
    expect({ exit, out }).toEqual({ exit: 78, out: '' });
    expect(err).toMatch(failureLine(`profile/${code}: p.yaml: `));
    expect(err).toContain(words);
    expect(err).toContain('the keys of a profile are model, provider, base-url, key,');
    expect(err).not.toMatch(/abcdefgh|hush|AIza/);
  });

  test('that is not there is missed with the reason of the system', async () => {
    const { exit, err } = await warmGlassbox([...RUN, '--profile', './none.yaml'], {
      cwd: aFolder(),
    });
    expect(exit).toBe(66);
    expect(err).toContain('none.yaml');
  });
});

test('a model without a key is answered with the provider of this machine and with doctor', async () => {
  const env = { OPENAI_API_KEY: '' };
  const { exit, err } = await warmGlassbox(['run', '--model', 'gemma3'], { cwd: aFolder(), env });
  expect(exit).toBe(78);
  expect(err).toContain('add --provider ollama');
  expect(err).toContain('doctor --model gemma3 --provider ollama');
});

test('watch and export without a journal take the one that was written last', async () => {
  const cwd = aFolder();
  const none = await warmGlassbox(['watch'], { cwd });
  expect(none.exit).toBe(66);
  expect(none.err).toContain('found none in journals/');
  await warmGlassbox(['run', 'electrical', '--seed', '7', '-q'], { cwd });
  const { exit, out, err } = await warmGlassbox(['watch', '--lens', 'table'], { cwd });
  expect(exit).toBe(0);
  expect(err).toMatch(/^The latest journal: journals\/.*-7\.jsonl\n$/);
  expect(out).toContain('── Reveal ');
});

test('a single match prints the score of each winner in one line, and no thought', async () => {
  const words = ['run', 'electrical', '--seed', '7', '--out', 'a.jsonl'];
  const { out } = await warmGlassbox(words, { cwd: aFolder() });
  const wins = out.match(/^ *\d+ {2}▸ [A-Z]{2} +\d+ = desire \d+/gm) ?? [];
  expect(wins.length).toBeGreaterThan(2);
  expect(out).not.toMatch(/impostor · |nothing to say|~ /);
});
