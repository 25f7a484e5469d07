/** `glassbox report --deduce` for one game, many games, and a file without a game. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { testLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, failureLine, jsonLines } from './shell.ts';

let cwd = '';

beforeAll(async () => {
  cwd = aFolder();
  const args = [
    'run',
    '-n',
    '3',
    '--players',
    '6',
    '--seed',
    '4',
    '--out',
    'run',
    '-q',
    '--no-live',
  ];
  expect((await warmGlassbox(args, { cwd })).exit).toBe(0);
});

const deduce = (...args: readonly string[]) =>
  warmGlassbox(['report', '--deduce', ...args], { cwd });

test('one game is shown meeting by meeting, and as JSON with the same numbers', async () => {
  const text = await deduce('run/0001.jsonl');
  expect(text.exit).toBe(0);
  const [document] = jsonLines((await deduce('run/0001.jsonl', '--json')).out);
  const { ballots, knowledge } = document as {
    readonly ballots: readonly { readonly error: boolean }[];
    readonly knowledge: readonly { readonly meeting: number; readonly teams: number }[];
  };
  expect(document).toMatchObject({ type: 'deduction.game', v: 1 });
  expect(text.out).toContain(
    `errors of logic: ${ballots.filter(({ error }) => error).length} of ${ballots.length} ballot`,
  );
  const meetings = new Set(knowledge.map(({ meeting }) => meeting));
  expect(text.out.match(/^meeting \d+ /gm)).toHaveLength(meetings.size);
  expect(knowledge.every(({ teams }) => teams > 0)).toBe(true);
});

testLong('several games are added up by persona', async () => {
  const [all] = jsonLines((await deduce('run', '--json')).out);
  const [named] = jsonLines(
    (await deduce('--json', ...[1, 2, 3].map((game) => `run/000${game}.jsonl`))).out,
  );
  expect(named).toEqual(all);
  expect(all).toMatchObject({ type: 'deduction.games', v: 1, games: 3 });
  expect((await deduce('run')).out).toMatch(/^all +3 /m);
});

test('a meeting on its own, a damaged journal and no journal at all are refused in a sentence', async () => {
  const args = ['run', 'electrical', '--seed', '1', '--out', 'meeting.jsonl', '-q'];
  expect((await warmGlassbox(args, { cwd })).exit).toBe(0);
  const alone = await deduce('meeting.jsonl');
  expect(alone.exit).toBe(65);
  expect(alone.err).toMatch(failureLine('deduce/no-ship: '));
  writeFileSync(join(cwd, 'rubbish.jsonl'), 'rubbish\n');
  expect((await deduce('rubbish.jsonl')).exit).toBe(65);
  copyFileSync(join(cwd, 'run/0001.jsonl'), join(cwd, 'good.jsonl'));
  const some = await deduce('good.jsonl', 'rubbish.jsonl', 'meeting.jsonl');
  expect(some.exit).toBe(65);
  expect(some.out).toContain('1 game: how the crew reasoned');
  expect((await deduce('absent.jsonl')).exit).toBe(66);
});
