/** `glassbox export --format inspect`: a journal becomes an eval log, and what can't be one is refused in a sentence. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { inspectLogSchema } from '../../analysis/inspect/format.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, failureLine } from './shell.ts';

let cwd = '';
const toInspect = (...words: readonly string[]) =>
  warmGlassbox(['export', ...words, '--format', 'inspect'], { cwd });
const logIn = (path: string) =>
  inspectLogSchema.parse(JSON.parse(readFileSync(join(cwd, path), 'utf8')));

beforeAll(async () => {
  cwd = aFolder();
  const game = ['run', '--seed', '7', '--players', '6', '--out', 'g', '-q', '--no-live'];
  expect((await warmGlassbox(game, { cwd })).exit).toBe(0);
});

test('a game becomes a log, which begins when --start says, and is the same each time', async () => {
  const words = ['g/0001.jsonl', '--start', '2026-11-22T17:00:00Z', '-o'];
  const done = await toInspect(...words, 'a.json');
  expect(done).toMatchObject({ exit: 0, err: '' });
  expect(done.out).toContain('g/0001.jsonl: 6 samples in a.json (success)');
  await toInspect(...words, 'b.json');
  expect(readFileSync(join(cwd, 'b.json'), 'utf8')).toBe(readFileSync(join(cwd, 'a.json'), 'utf8'));
  const log = logIn('a.json');
  expect(log.eval).toMatchObject({
    created: '2026-11-22T17:00:00.000Z',
    model: 'none/none',
    metadata: { journal: 'g/0001.jsonl', time: 'logical' },
  });
  expect(log.samples).toHaveLength(6);
});

test('a game that breaks off becomes a log that has only started', async () => {
  const text = readFileSync(join(cwd, 'g/0001.jsonl'), 'utf8');
  writeFileSync(join(cwd, 'begun.jsonl'), text.split('\n').slice(0, 9).join('\n').concat('\n'));
  const begun = await toInspect('begun.jsonl', '-o', 'begun.json');
  expect(begun).toMatchObject({ exit: 0 });
  expect(begun.err).toContain('ends in mid-game');
  expect(logIn('begun.json').status).toBe('started');
});

test('a journal that was edited becomes none', async () => {
  const text = readFileSync(join(cwd, 'g/0001.jsonl'), 'utf8');
  const rows = text.split('\n');
  rows[4] = (rows[4] ?? '').replace('"type"', '"typo"');
  writeFileSync(join(cwd, 'edited.jsonl'), rows.join('\n'));
  const { exit, err } = await toInspect('edited.jsonl', '-o', 'edited.json');
  expect(exit).toBe(65);
  expect(err).toContain('edited.jsonl, line 5');
  expect(existsSync(join(cwd, 'edited.json'))).toBe(false);
});

test('the lines of a gallery alone are no match', async () => {
  const journal = readFileSync(new URL('../../docs/journal.md', import.meta.url), 'utf8');
  const gallery = journal.split('\n').filter((row) => row.startsWith('{"budget":30,'));
  writeFileSync(join(cwd, 'gallery.jsonl'), `${gallery.find((row) => row.includes('"hash"'))}\n`);
  const { exit, err } = await toInspect('gallery.jsonl', '-o', 'gallery.json');
  expect(err).toMatch(failureLine('gallery.jsonl: expected the first line of a match'));
  expect(exit).toBe(65);
});

test.each([
  ['into a file that Inspect does not read', ['-o', 'x.jsonl'], 'usage/export-format'],
  ['with a lens', ['-o', 'x.json', '--lens', 'table'], 'usage/export-format'],
  ['without thoughts', ['-o', 'x.json', '--no-thoughts'], 'usage/export-format'],
  ['to a collector', ['--send'], 'usage/export-format'],
])('a log %s is refused', async (_, words, code) => {
  const { exit, err } = await toInspect('g/0001.jsonl', ...words);
  expect(err).toContain(`[${code}]`);
  expect(exit).toBe(2);
  expect(existsSync(join(cwd, 'x.json'))).toBe(false);
});

test('a page that begins at a time is refused, and the formats that do are named', async () => {
  const words = ['export', 'g/0001.jsonl', '-o', 'x.html', '--start', '2026-11-22'];
  const { exit, err } = await warmGlassbox(words, { cwd });
  expect(exit).toBe(2);
  expect(err).toContain('--format otlp or --format inspect');
});
