/** `glassbox run`: whole games, one printed or many counted, with the same results for any number of threads. */
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { rowOf, rowsOf } from '../actors/engine/journal/records.ts';
import { describeLong } from '../support/seeds.ts';
import { aPlace, type Place } from './session.ts';
import { contents, expectEnd, glassbox, jsonLines, Running } from './shell.ts';

const LOBBY = `name: A small ship
seats: [{ colour: red }, { colour: blue }, { colour: green }, { colour: pink }, { colour: orange }]
`;

/** Both channels of a journal without the fields of the wall clock, which also decides their interleaving. */
function timeless(text: string): readonly (readonly string[])[] {
  const rows = rowsOf(text).map((row) => JSON.stringify({ ...rowOf(row), clock: undefined }));
  const isGhosts = (row: string) => row.includes('"channel":"ghosts"');
  return [rows.filter((row) => !isGhosts(row)), rows.filter(isGhosts)];
}

function journalsIn({ path, read }: Place, folder: string): readonly string[] {
  return contents(path(folder)).map((name) => read(`${folder}/${name}`));
}

function expectWhole(texts: readonly string[]): void {
  for (const text of texts) expect(readJournal(text).damages).toEqual([]);
}

describeLong.concurrent('many games', () => {
  test('are the same on one thread and on two, end in victories, and add up', async () => {
    const place = aPlace();
    const play = (jobs: number, out: string) =>
      glassbox(`run -n 6 --players 6 --seed 1 --json --jobs ${jobs} --out ${out}`, place);
    const [one, two] = await Promise.all([play(1, 'one'), play(2, 'two')]);
    expect([one.exit, two.exit]).toEqual([0, 0]);
    expect(one.err).toBe('');
    expect(two.out.replaceAll('two/', 'one/').replace('"two"', '"one"')).toBe(one.out);
    expect(journalsIn(place, 'two')).toEqual(journalsIn(place, 'one'));
    expectWhole(journalsIn(place, 'one'));
    const games = jsonLines(one.out).slice(0, -1);
    expect(games.map(({ game }) => game)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const game of games) {
      const journal = `one/000${game['game']}.jsonl`;
      expect(game).toMatchObject({ type: 'game.result', v: 1, journal });
      expect(game['winner']).toMatch(/^(?:crew|impostors)$/);
    }
    const wins = (side: string) => games.filter(({ winner }) => winner === side).length;
    const rounds = games.reduce((sum, game) => sum + Number(game['rounds']), 0);
    expect(jsonLines(one.out).at(-1)).toMatchObject({
      ...{ type: 'run.result', v: 1, games: 6, played: 6, lost: [], mean_rounds: rounds / 6 },
      wins: { crew: wins('crew'), impostors: wins('impostors') },
    });
  });

  test('each game is a line of the run with a sum, and one of them replays alone', async () => {
    const { run, done, read } = aPlace({ 'a.yaml': LOBBY });
    const found = await run('run a.yaml -n 2 --seed 5');
    expectEnd(found, 0, 'report journals/run-5 -o report');
    const [first = '', second = '', sum = ''] = found.out.split('\n');
    const line =
      /^game (\d) {2}seed (\d+) {2}\d+ rounds {2}\d+ meetings? {2}(?:crew wins|impostors win): .* {2}\(\w+\) {2}(.*)$/;
    expect(line.exec(first)?.slice(1)).toEqual(['1', '5', 'journals/run-5/0001.jsonl']);
    const [, number, seed = '', journal = ''] = line.exec(second) ?? [];
    expect(number).toBe('2');
    expect(sum).toMatch(/^2 games, seed 5: crew \d \(.*\), impostors \d \(.*\)$/);
    const alone = `journals/game-${seed}.jsonl`;
    expect(await done(`run a.yaml --seed ${seed} -q`)).toContain(alone);
    expect(read(alone)).toBe(read(journal));
  });

  test('Ctrl-C ends a run after the games in flight, and their journals open', async () => {
    const place = aPlace();
    const running = new Running('run -n 100000 --players 4 --jobs 2 --seed 3', place);
    await running.said('game ');
    running.signal('SIGINT');
    const found = await running.finished;
    expectEnd(found, 130, 'The run ends after the games that are on.');
    expect(found.out).toMatch(/^\d+ of 100000 games, seed 3: /m);
    const journals = journalsIn(place, 'journals/run-3');
    expect(found.out.match(/^game /gm)).toHaveLength(journals.length);
    expectWhole(journals);
  });
});

describeLong.concurrent('a single game', () => {
  test('a game is the same at any pace and lens', async () => {
    const { run, read } = aPlace({ 'a.yaml': LOBBY });
    const play = (out: string, more = '') => run(`run a.yaml --seed 4 --out ${out}${more}`);
    const told = await play('told', ' --lens table');
    const paced = await play('paced', ' --speed 100');
    const plain = await play('plain');
    expectEnd(plain, 0, 'view plain/0001.jsonl');
    expect([told.exit, paced.exit]).toEqual([0, 0]);
    expect(plain.out.split('\n')).toHaveLength(2);
    expect(told.out.split('\n').length).toBeGreaterThan(2);
    expect(paced.out.split('\n').length).toBeGreaterThan(2);
    expect(told.out).toContain(plain.out.replace('plain', 'told'));
    const journal = (out: string) => timeless(read(`${out}/0001.jsonl`));
    expect(journal('told')).toEqual(journal('plain'));
    expect(journal('paced')).toEqual(journal('plain'));
  });

  test('that Ctrl-C stops goes on with resume', async () => {
    const place = aPlace({ 'a.yaml': LOBBY });
    const running = new Running('run a.yaml --seed 4 --speed slow --out x', place);
    await running.said('A small ship');
    running.signal('SIGINT');
    const { exit, out } = await running.finished;
    expect(exit).toBe(130);
    expect(out).toContain('Nobody has won: the operator stopped the game.');
    const journal = readJournal(place.read('x/0001.jsonl'));
    expect(journal.damages).toEqual([]);
    expect(await place.done('resume x/0001.jsonl')).toMatch(/(?:crew|impostors) won/);
  });
});

const MAP = `${LOBBY}map:
  name: two rooms
  openings: { Cafeteria: [Weapons], Admin: [Storage] }
  button: Cafeteria
`;
const COOLDOWN = `${LOBBY}options: { kill_cooldown: 7 }\n`;
const UNKNOWN = `${LOBBY}options: { kill_colldown: 20 }\n`;

describe.concurrent('what makes no sense is refused with a sentence', () => {
  test.each([
    ['--players 3', '', 78, 'match/seats: expected 4 to 15 seats, found 3'],
    ['--players 40', '', 78, 'expected 4 to 15 seats, found 40'],
    ['--players 7 --impostors 4', '', 78, 'match/impostors: expected 1 to 2 of 7 players to be'],
    ['-', COOLDOWN, 78, 'kill_cooldown'],
    ['-', UNKNOWN, 78, 'kill_colldown'],
    ['-', MAP, 78, 'standard input: '],
    ['-', 'name: [', 78, 'standard input: '],
    ['nowhere.yaml', '', 66, 'cannot read nowhere.yaml: no such file or folder'],
    ['- --players 5', LOBBY, 2, '--players: a match file says who plays'],
    ['-n 0.5', '', 2, '--games: expected a whole number from 1'],
    ['--jobs 0', '', 2, '--jobs: expected a whole number from 1'],
    ['--lens player:lime', '', 2, 'lime has no seat'],
    ['--out .', '', 73, '. is there already with "a.txt" in it'],
    ['-n 2 --out /proc/x', '', 73, 'cannot write the journals to /proc/x'],
  ])('run %s, with %j as standard input', async (words, input, status, sentence) => {
    const { cwd } = aPlace({ 'a.txt': 'mine' });
    const found = await glassbox(`run ${words}`, { cwd, input });
    expectEnd(found, status, sentence);
    expect(found.out).toBe('');
    expect(contents(cwd)).toEqual(['a.txt']);
  });
});
