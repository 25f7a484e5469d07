import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, contents, jsonLines, Running, unpacked } from './shell.ts';

const EXAMPLES = new URL('../../examples/', import.meta.url).pathname;
/**
 * The examples to play. A league plays as games. An example with a person needs a terminal, so another test covers
 * it.
 */
const PLAYED = globSync('*.yaml', { cwd: EXAMPLES })
  .filter(
    (name) => !/league\.schema\.json|mind: human/.test(readFileSync(join(EXAMPLES, name), 'utf8')),
  )
  .toSorted();

function isLobby(name: string): boolean {
  return !/^call:/m.test(readFileSync(join(EXAMPLES, name), 'utf8'));
}

/** Plays an example into `x/0001.jsonl`, or a meeting into `x.jsonl`. */
async function played(name: string): Promise<{ readonly cwd: string; readonly path: string }> {
  const cwd = aFolder();
  const path = join(EXAMPLES, name);
  const args = isLobby(name)
    ? ['run', path, '--out', 'x', '--seed', '2', '-q']
    : ['run', path, '--out', 'x.jsonl', '--seed', '2', '-q'];
  const { exit, err } = await warmGlassbox(args, { cwd });
  expect({ exit, err }).toEqual({ exit: 0, err: '' });
  return { cwd, path: isLobby(name) ? 'x/0001.jsonl' : 'x.jsonl' };
}

function typesIn(path: string): readonly unknown[] {
  return jsonLines(`${unpacked(readFileSync(path, 'utf8'))}\n`).map(({ type }) => type);
}

async function served(path: string, cwd: string, lines: number): Promise<readonly unknown[]> {
  const running = new Running(`view ${path} --no-open`, { cwd });
  await running.said('Ctrl-C');
  const url = /http:\S+/.exec(running.out)?.[0] ?? '';
  const { body } = await fetch(`${url}events?lens=glass`);
  let rows: readonly string[] = [];
  let text = '';
  for await (const part of body ?? []) {
    text += Buffer.from(part).toString('utf8');
    rows = [...text.matchAll(/^data: (\{.*\})\n/gm)].map(([, row = '']) => row);
    if (rows.length >= lines) break;
  }
  running.process.kill('SIGINT');
  expect((await running.finished).exit).toBe(0);
  return jsonLines(rows.map((row) => `${row}\n`).join('')).map(({ type }) => type);
}

describeLong.concurrent('each example can be seen and given away', () => {
  test.each(PLAYED)('%s', async (name) => {
    const { cwd, path } = await played(name);
    const types = jsonLines(readFileSync(join(cwd, path), 'utf8')).map(({ type }) => type);
    const { exit, err } = await warmGlassbox(`export ${path} -o x.html`, { cwd });
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(typesIn(join(cwd, 'x.html'))).toEqual(types);
    expect(await served(path, cwd, types.length)).toEqual(types);
  });
});

describe('a journal that breaks off', () => {
  const rows = played('four.yaml').then(({ cwd, path }) =>
    readFileSync(join(cwd, path), 'utf8').split(/(?<=\n)/),
  );

  test.each([
    { how: 'killed between two lines', cut: 0, exit: 0, says: 'ends in mid-meeting' },
    { how: 'torn in a line', cut: 40, exit: 65, says: 'journal/torn' },
  ])('$how is shown up to there', async ({ cut, exit, says }) => {
    const whole = (await rows).slice(0, 9).join('');
    const text = cut === 0 ? whole : `${whole}${(await rows)[9]?.slice(0, cut)}`;
    const cwd = aFolder({ 'x.jsonl': text });
    const done = await warmGlassbox('export x.jsonl -o x.html', { cwd });
    expect(done.exit).toBe(exit);
    expect(done.err).toContain(says);
    expect(typesIn(join(cwd, 'x.html'))).toHaveLength(9);
    expect(await served('x.jsonl', cwd, 9)).toHaveLength(9);
  });

  test('of 100 MB gets a sentence, and nothing is written', async () => {
    const cwd = aFolder();
    writeFileSync(join(cwd, 'x.jsonl'), longJournal(await rows));
    const { exit, err } = await warmGlassbox('export x.jsonl -o x.html', { cwd });
    expect(exit).toBe(65);
    expect(err).toContain('expected at most 64 MB');
    expect(contents(cwd).map((path) => basename(path))).toEqual(['x.jsonl']);
  });
});

function longJournal(rows: readonly string[]): string {
  const size = 100 * 1024 * 1024;
  const text = rows.join('');
  return text.repeat(Math.ceil(size / text.length)).slice(0, size);
}
