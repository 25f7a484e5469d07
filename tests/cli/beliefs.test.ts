/** `--beliefs` on the command line: asking, printing, scoring, resuming and forecasting. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { EXIT } from '../../actors/files/failure.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, jsonLines } from './shell.ts';

let cwd = '';
const glassbox = (...args: readonly string[]) => warmGlassbox(args, { cwd });
const read = (path: string) => readFileSync(join(cwd, path), 'utf8');
const rowsOf = (text: string) => text.split('\n').slice(0, -1);
const isBelief = (row: string) => row.includes('"channel":"beliefs"');

beforeAll(async () => {
  cwd = aFolder();
  const game = ['run', '--players', '6', '--seed', '11', '-q', '--no-live'];
  expect((await glassbox(...game, '--out', 'plain')).exit).toBe(EXIT.done);
  expect((await glassbox(...game, '--out', 'asked', '--beliefs')).exit).toBe(EXIT.done);
});

test('a game that is run with --beliefs is the game without, and asks at each meeting', async () => {
  const [asked, plain] = [rowsOf(read('asked/0001.jsonl')), rowsOf(read('plain/0001.jsonl'))];
  expect(asked.filter((row) => !isBelief(row))).toEqual(plain);
  expect(asked.filter(isBelief)[0]).toContain('"times":"meeting"');
  expect((await glassbox('verify', 'asked/0001.jsonl')).exit).toBe(EXIT.done);
});

test('the glass shows a line for each belief, its player sees their own, and the table none', async () => {
  const shown = async (lens: string) =>
    (await glassbox('watch', 'asked/0001.jsonl', '--lens', lens)).out
      .split('\n')
      .filter((line) => line.includes(' suspects '));
  const count = rowsOf(read('asked/0001.jsonl')).filter((row) => row.includes('belief.stated'));
  const [glass, red, table] = [
    await shown('glass'),
    await shown('player:red'),
    await shown('table'),
  ];
  expect(glass).toHaveLength(count.length);
  expect(glass[0]).toMatch(/RD Red suspects [A-Z]{2} \d+ %, [A-Z]{2} \d+ %/);
  expect(red.length).toBeGreaterThan(0);
  expect(red.every((line) => line.includes('RD Red suspects'))).toBe(true);
  expect(table).toEqual([]);
});

test('`stats` scores beliefs, and omits them if none were asked', async () => {
  const { out } = await glassbox('report', '--stats', 'asked');
  expect(out).toMatch(/crewmates at the call \(scripted\) +\d+ +0 +0\.\d{3} /);
  expect(out).toContain('impostors after the vote (scripted)');
  expect((await glassbox('report', '--stats', 'plain')).out).not.toContain('Brier');
  const [plain] = jsonLines((await glassbox('report', '--stats', 'plain', '--json')).out);
  expect(plain).not.toHaveProperty('beliefs');
});

test('`resume` goes on asking, and `fork` does in another future', async () => {
  const rows = rowsOf(read('asked/0001.jsonl'));
  const half = rows.findLastIndex((row) => row.includes('"type":"meeting.called"'));
  writeFileSync(join(cwd, 'half.jsonl'), `${rows.slice(0, half).join('\n')}\n`);
  expect((await glassbox('resume', 'half.jsonl')).exit).toBe(EXIT.done);
  expect(rowsOf(read('half.jsonl')).filter(isBelief)).toEqual(rows.filter(isBelief));
  const said = ['--player', 'red', '--say', 'It was me. I killed them.'];
  expect(
    (await glassbox('fork', 'asked/0001.jsonl', '--at', '0', ...said, '--out', 'fork.jsonl')).exit,
  ).toBe(EXIT.done);
  const forked = rowsOf(read('fork.jsonl')).filter(isBelief);
  expect(forked.length).toBeGreaterThan(4);
  expect(forked).not.toEqual(rows.filter(isBelief));
  expect((await glassbox('verify', 'fork.jsonl')).exit).toBe(EXIT.done);
});

test('a forecast counts the requests of beliefs, and another word than a moment is refused', async () => {
  const dry = [
    'run',
    '--players',
    '6',
    '--seed',
    '11',
    '--model',
    'm',
    '--base-url',
    'http://a.test/v1',
    '--dry-run',
    '--json',
  ];
  const [without] = jsonLines((await glassbox(...dry)).out);
  const [asked] = jsonLines((await glassbox(...dry, '--beliefs')).out);
  const count = rowsOf(read('asked/0001.jsonl')).filter((row) =>
    row.includes('belief.stated'),
  ).length;
  expect(without).toMatchObject({ beliefs: 0 });
  expect(asked).toMatchObject({ beliefs: count, calls: Number(Object(without)['calls']) + count });
  expect((await glassbox(...dry.slice(0, -1), '--beliefs')).out).toContain(
    `${count} of them for beliefs`,
  );
  const { exit, err } = await glassbox('run', '--beliefs', 'often', '--dry-run');
  expect(exit).toBe(EXIT.usage);
  expect(err).toContain('meeting, tick');
});
