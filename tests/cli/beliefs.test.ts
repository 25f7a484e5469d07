/** `--beliefs` on the command line: asking, printing, scoring, resuming and forecasting. */
import { beforeAll, expect, test } from 'vitest';
import { aPlace } from './session.ts';
import { expectEnd, jsonLines } from './shell.ts';

const { run, done, read, write } = aPlace();
const rowsOf = (path: string) => read(path).split('\n').slice(0, -1);
const isBelief = (row: string) => row.includes('"channel":"beliefs"');
const isStated = (row: string) => row.includes('belief.stated');

beforeAll(async () => {
  const game = 'run --players 6 --seed 11 -q --no-live';
  await done(`${game} --out plain`);
  await done(`${game} --out asked --beliefs`);
});

test('a game that is run with --beliefs is the game without, and asks at each meeting', async () => {
  const [asked, plain] = [rowsOf('asked/0001.jsonl'), rowsOf('plain/0001.jsonl')];
  expect(asked.filter((row) => !isBelief(row))).toEqual(plain);
  expect(asked.filter(isBelief)[0]).toContain('"times":"meeting"');
  await done('verify asked/0001.jsonl');
});

test('the glass shows a line for each belief, its player sees their own, and the table none', async () => {
  const shown = async (lens: string) =>
    (await done(`watch asked/0001.jsonl --lens ${lens}`))
      .split('\n')
      .filter((line) => line.includes(' suspects '));
  const glass = await shown('glass');
  expect(glass).toHaveLength(rowsOf('asked/0001.jsonl').filter(isStated).length);
  expect(glass[0]).toMatch(/RD Red suspects [A-Z]{2} \d+ %, [A-Z]{2} \d+ %/);
  const red = await shown('player:red');
  expect(red.length).toBeGreaterThan(0);
  expect(red.every((line) => line.includes('RD Red suspects'))).toBe(true);
  expect(await shown('table')).toEqual([]);
});

test('`stats` scores beliefs, and omits them if none were asked', async () => {
  const out = await done('report --stats asked');
  expect(out).toMatch(/crewmates at the call \(scripted\) +\d+ +0 +0\.\d{3} /);
  expect(out).toContain('impostors after the vote (scripted)');
  expect(await done('report --stats plain')).not.toContain('Brier');
  const [plain] = jsonLines(await done('report --stats plain --json'));
  expect(plain).not.toHaveProperty('beliefs');
});

test('`resume` and `fork` go on asking for beliefs, which a changed future changes', async () => {
  const rows = rowsOf('asked/0001.jsonl');
  const half = rows.findLastIndex((row) => row.includes('"type":"meeting.called"'));
  write('half.jsonl', `${rows.slice(0, half).join('\n')}\n`);
  await done('resume half.jsonl');
  expect(rowsOf('half.jsonl').filter(isBelief)).toEqual(rows.filter(isBelief));
  const fork = 'fork asked/0001.jsonl --at 0 --player pink --floor --out fork.jsonl'.split(' ');
  await done([...fork, '--say', 'It was me. I killed them.']);
  const forked = rowsOf('fork.jsonl').filter(isBelief);
  expect(forked.length).toBeGreaterThan(4);
  expect(forked).not.toEqual(rows.filter(isBelief));
  await done('verify fork.jsonl');
});

test('a forecast counts the requests of beliefs, and another word than a moment is refused', async () => {
  const dry = 'run --players 6 --seed 11 --model m --base-url http://a.test/v1 --dry-run';
  const [without] = jsonLines(await done(`${dry} --json`));
  const [asked] = jsonLines(await done(`${dry} --json --beliefs`));
  const count = rowsOf('asked/0001.jsonl').filter(isStated).length;
  const [usual, more] = [without, asked].map((one) => Object(one?.['usual']));
  expect(usual).toMatchObject({ beliefs: 0 });
  expect(more).toMatchObject({ beliefs: count, calls: Number(usual.calls) + count });
  expect(await done(`${dry} --beliefs`)).toContain(`${count} of them for beliefs`);
  expectEnd(await run('run --beliefs often --dry-run'), 2, 'meeting, tick');
});
