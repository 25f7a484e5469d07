/** `glassbox run`: whole games, one printed or many counted, with the same results for any number of threads. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { rowOf, rowsOf } from '../actors/engine/journal/records.ts';
import { describeLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, contents, failureLine, glassbox, jsonLines, Running } from './shell.ts';

const LOBBY = `name: A small ship
seats: [{ colour: red }, { colour: blue }, { colour: green }, { colour: pink }, { colour: orange }]
`;

/** Both channels of a journal without the fields of the wall clock, which also decides their interleaving. */
function timeless(path: string): readonly (readonly string[])[] {
  const rows = rowsOf(readFileSync(path, 'utf8')).map((row) => {
    const { clock: _clock, ...rest } = rowOf(row);
    return JSON.stringify(rest);
  });
  const isGhosts = (row: string) => row.includes('"channel":"ghosts"');
  return [rows.filter((row) => !isGhosts(row)), rows.filter(isGhosts)];
}

function journalsIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

describeLong.concurrent('many games', () => {
  test('are the same on one thread and on two, end in victories, and add up', async () => {
    const cwd = aFolder();
    const play = (jobs: string, out: string) =>
      glassbox(
        ['run', '-n', '6', '--players', '6', '--seed', '1', '--json', '--jobs', jobs, '--out', out],
        { cwd },
      );
    const [one, two] = await Promise.all([play('1', 'one'), play('2', 'two')]);
    expect([one.exit, two.exit]).toEqual([0, 0]);
    expect(one.err).toBe('');
    expect(two.out.replaceAll('two/', 'one/').replace('"two"', '"one"')).toBe(one.out);
    expect(journalsIn(join(cwd, 'two'))).toEqual(journalsIn(join(cwd, 'one')));
    for (const text of journalsIn(join(cwd, 'one'))) expect(readJournal(text).damages).toEqual([]);
    const games = jsonLines(one.out).slice(0, -1);
    const [all] = jsonLines(one.out).slice(-1);
    expect(games.map(({ game }) => game)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const game of games) {
      expect(game).toMatchObject({
        type: 'game.result',
        v: 1,
        journal: `one/000${game['game']}.jsonl`,
      });
      expect(game['winner']).toMatch(/^(?:crew|impostors)$/);
    }
    const wins = (side: string) => games.filter(({ winner }) => winner === side).length;
    const rounds = games.reduce((sum, game) => sum + Number(game['rounds']), 0);
    expect(all).toMatchObject({
      type: 'run.result',
      v: 1,
      games: 6,
      played: 6,
      lost: [],
      wins: { crew: wins('crew'), impostors: wins('impostors') },
      mean_rounds: rounds / 6,
    });
  });

  test('each game is a line of the run with a sum, and one of them replays alone', async () => {
    const cwd = aFolder({ 'a.yaml': LOBBY });
    const run = ['run', 'a.yaml'];
    const { exit, out, err } = await warmGlassbox([...run, '-n', '2', '--seed', '5'], { cwd });
    expect(exit).toBe(0);
    const [first = '', second = '', sum = ''] = out.split('\n');
    const line =
      /^game (\d) {2}seed (\d+) {2}\d+ rounds {2}\d+ meetings? {2}(?:crew wins|impostors win): .* {2}\(\w+\) {2}(.*)$/;
    expect(line.exec(first)?.slice(1)).toEqual(['1', '5', 'journals/run-5/0001.jsonl']);
    const [, number, seed = '', journal = ''] = line.exec(second) ?? [];
    expect(number).toBe('2');
    expect(sum).toMatch(/^2 games, seed 5: crew \d \(.*\), impostors \d \(.*\)$/);
    expect(err).toContain('report journals/run-5 --stats');
    const alone = await warmGlassbox([...run, '--seed', seed, '-q'], { cwd });
    expect(alone.out).toContain(`journals/game-${seed}.jsonl`);
    expect(readFileSync(join(cwd, `journals/game-${seed}.jsonl`), 'utf8')).toBe(
      readFileSync(join(cwd, journal), 'utf8'),
    );
  });

  test('Ctrl-C ends a run after the games in flight, and their journals open', async () => {
    const cwd = aFolder();
    const running = new Running(
      ['run', '-n', '100000', '--players', '4', '--jobs', '2', '--seed', '3'],
      { cwd },
    );
    await running.said('game ');
    running.signal('SIGINT');
    const { exit, out, err } = await running.finished;
    expect(exit).toBe(130);
    expect(err).toContain('The run ends after the games that are on.');
    expect(out).toMatch(/^\d+ of 100000 games, seed 3: /m);
    const journals = journalsIn(join(cwd, 'journals/run-3'));
    expect(out.match(/^game /gm)).toHaveLength(journals.length);
    for (const text of journals) expect(readJournal(text).damages).toEqual([]);
  });
});

describeLong.concurrent('a single game', () => {
  test('a game is the same at any pace and lens', async () => {
    const cwd = aFolder({ 'a.yaml': LOBBY });
    const run = (out: string, ...more: readonly string[]) =>
      warmGlassbox(['run', 'a.yaml', '--seed', '4', '--out', out, ...more], { cwd });
    const [told, paced, plain] = await Promise.all([
      run('told', '--lens', 'table'),
      run('paced', '--speed', '100'),
      run('plain'),
    ]);
    expect([told.exit, paced.exit, plain.exit]).toEqual([0, 0, 0]);
    expect(plain.out.split('\n')).toHaveLength(2);
    expect(told.out.split('\n').length).toBeGreaterThan(2);
    expect(paced.out.split('\n').length).toBeGreaterThan(2);
    expect(told.out).toContain(plain.out.replace('plain', 'told'));
    expect(plain.err).toContain('replay plain/0001.jsonl');
    const journal = (out: string) => timeless(join(cwd, out, '0001.jsonl'));
    expect(journal('told')).toEqual(journal('plain'));
    expect(journal('paced')).toEqual(journal('plain'));
  });

  test('that Ctrl-C ends is closed, and its journal opens', async () => {
    const cwd = aFolder({ 'a.yaml': LOBBY });
    const running = new Running(['run', 'a.yaml', '--seed', '4', '--speed', 'slow', '--out', 'x'], {
      cwd,
    });
    await running.said('A small ship');
    running.signal('SIGINT');
    const { exit, out } = await running.finished;
    expect(exit).toBe(130);
    expect(out).toContain('no winner: interrupted');
    const journal = readJournal(readFileSync(join(cwd, 'x/0001.jsonl'), 'utf8'));
    expect(journal.damages).toEqual([]);
    expect(journal.lines.at(-1)).toMatchObject({ type: 'game.closed', reason: 'interrupted' });
  });
});

const MAP = `${LOBBY}map:
  name: two rooms
  openings: { Cafeteria: [Weapons], Admin: [Storage] }
  button: Cafeteria
`;

describe.concurrent('what makes no sense is refused with a sentence', () => {
  test.each([
    ['three players', ['--players', '3'], '', 78, 'match/seats: expected 4 to 15 seats, found 3'],
    ['forty players', ['--players', '40'], '', 78, 'expected 4 to 15 seats, found 40'],
    [
      'four impostors of seven',
      ['--players', '7', '--impostors', '4'],
      '',
      78,
      'match/impostors: expected 1 to 2 of 7 players to be impostors, found 4',
    ],
    [
      'a cooldown out of range',
      ['-'],
      `${LOBBY}options: { kill_cooldown: 7 }\n`,
      78,
      'kill_cooldown',
    ],
    ['an unknown option', ['-'], `${LOBBY}options: { kill_colldown: 20 }\n`, 78, 'kill_colldown'],
    ['a map with rooms that nobody reaches', ['-'], MAP, 78, 'standard input: '],
    ['a lobby that is no YAML', ['-'], 'name: [', 78, 'standard input: '],
    [
      'a match file that is not there',
      ['nowhere.yaml'],
      '',
      66,
      'cannot read nowhere.yaml: no such file or folder',
    ],
    [
      'players and a match file',
      ['-', '--players', '5'],
      LOBBY,
      2,
      '--players: a match file says who plays',
    ],
    ['half a game', ['-n', '0.5'], '', 2, '--games: expected a whole number from 1'],
    ['no thread', ['--jobs', '0'], '', 2, '--jobs: expected a whole number from 1'],
    ['a lens of nobody', ['--lens', 'player:lime'], '', 2, 'lime has no seat'],
    [
      'a folder with other things in it',
      ['--out', '.'],
      '',
      73,
      '. is there already with "a.txt" in it',
    ],
    [
      'a folder that can not be made',
      ['-n', '2', '--out', '/proc/x'],
      '',
      73,
      'cannot write the journals to /proc/x',
    ],
  ])('%s', async (_, flags, input, status, sentence) => {
    const cwd = aFolder({ 'a.txt': 'mine' });
    const { exit, out, err } = await glassbox(['run', ...flags], { cwd, input });
    expect(err).toMatch(failureLine(sentence));
    expect(exit).toBe(status);
    expect(out).toBe('');
    expect(contents(cwd)).toEqual(['a.txt']);
  });
});
