/** `league view` and `league export --format html`: the pages that they serve and write, and the errors. */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ListedGame } from '../../analysis/league/types.ts';
import { LeaguePace } from '../../analysis/league/watch.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, jsonLines, Running } from './shell.ts';

const LEAGUE = `
name: cup
seed: 9
games: 4
players: 5
personas:
  - { name: one, temperament: follower }
  - { name: two, temperament: joker }
  - { name: three, temperament: observer }
  - { name: four, temperament: leader }
  - { name: hot_accuser }
`;

const place = { cwd: aFolder({ 'cup.yaml': LEAGUE }), env: { REDIS_URL: '' } };
await warmGlassbox(['league', 'run', 'cup.yaml', '-q'], place);
const {
  type: _type,
  v: _v,
  ...standings
} = jsonLines((await warmGlassbox(['league', 'show', '--json'], place)).out)[0] ?? {};

function leagueIn(page: string) {
  const [, text = ''] = /id="source">([^<]*)</.exec(page) ?? [];
  return JSON.parse(text);
}

describe('a league as a page', () => {
  test('is one file with the standings and the paths of the journals in it', async () => {
    const words = ['league', 'export', 'cup', '--format', 'html', '-o', 'cup.html'];
    const { exit, out, err } = await warmGlassbox(words, place);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toMatch(/^cup: \d+ kB in cup.html$/m);
    const page = readFileSync(join(place.cwd, 'cup.html'), 'utf8');
    expect(page).not.toMatch(/(?:src|href)="(?!data:)/);
    const { league, progress } = leagueIn(page);
    expect(league.standings).toEqual(standings);
    expect(progress).toBeNull();
    expect(league.games.map(({ journal }: { journal: string }) => journal)).toEqual(
      [4, 3, 2, 1].map((game) => `journals/league-cup/000${game}.jsonl`),
    );
  });

  test.each([
    { words: ['--format', 'html'], says: '--format html wants -o' },
    { words: ['--format', 'csv', '-o', 'a.csv'], says: '--out is for --format html' },
  ])('only a page takes a file ($words)', async ({ words, says }) => {
    const { exit, err } = await warmGlassbox(['league', 'export', 'cup', ...words], place);
    expect(exit).toBe(2);
    expect(err).toContain(says);
  });

  testLong('is served with a page of each game, until somebody ends it', async () => {
    const running = new Running(['league', 'view', 'cup', '--no-open'], place);
    await running.said('Ctrl-C');
    const url = /http:\S+/.exec(running.out)?.[0] ?? '';
    const asked = async (path: string) => {
      const response = await fetch(`${url}${path}`);
      return { status: response.status, text: await response.text() };
    };
    const page = leagueIn((await asked('')).text);
    expect(page.league.standings).toEqual(standings);
    expect(page.progress).toMatchObject({ done: 4, of: 4, counted: 4, secondsLeft: null });
    expect(JSON.parse((await asked('league.json')).text)).toEqual(page.league);
    expect(JSON.parse((await asked('progress.json')).text).done).toBe(4);
    expect((await asked('game/2')).text).toContain('id="journal"');
    for (const path of ['game/0', 'game/5', 'game/..%2F1', 'game/1/'])
      expect((await asked(path)).status, path).toBe(404);
    running.process.kill('SIGINT');
    expect((await running.finished).exit).toBe(0);
  });
});

describeLong('games that `why` was asked about', () => {
  test('the page links each turning point to its moment and names the event', async () => {
    const journal = 'journals/league-cup/0002.jsonl';
    const why = ['why', journal, '--stakes', '--continuations', '2'];
    const { exit, err } = await warmGlassbox(why, place);
    expect(exit, err).toBe(0);
    // A result of another journal is left out, with a note.
    copyFileSync(
      join(place.cwd, 'journals/league-cup/0002.why.json'),
      join(place.cwd, 'journals/league-cup/0003.why.json'),
    );
    const words = ['league', 'export', 'cup', '--format', 'html', '-o', 'turned.html'];
    const written = await warmGlassbox(words, place);
    expect(written.err).toContain('0003.why.json is left out');
    const { league } = leagueIn(readFileSync(join(place.cwd, 'turned.html'), 'utf8'));
    const turns = new Map<number, ListedGame['turn']>(
      league.games.map(({ slot, turn }: ListedGame) => [slot, turn]),
    );
    expect([turns.get(0), turns.get(2), turns.get(3)]).toEqual([undefined, undefined, undefined]);
    const lines = readFileSync(join(place.cwd, journal), 'utf8').split('\n');
    const turn = turns.get(1) ?? expect.fail('no turning point');
    expect(lines.some((line) => line.includes(`"seq":${turn.at},`))).toBe(true);
    expect(turn.from).not.toBe(turn.to);
    const running = new Running(['league', 'view', 'cup', '--no-open'], place);
    await running.said('Ctrl-C');
    const url = /http:\S+/.exec(running.out)?.[0] ?? '';
    const page = async (path: string) => await (await fetch(`${url}${path}`)).text();
    expect(JSON.parse(await page('league.json')).games).toEqual(league.games);
    expect(await page('game/2')).toContain('id="why"');
    expect(await page('game/3')).not.toContain('id="why"');
    running.process.kill('SIGINT');
    expect((await running.finished).exit).toBe(0);
  });
});

describe('the pace', () => {
  test.each([
    { name: 'nobody has looked twice', looks: [[3, 0]], rate: null, left: null },
    {
      name: 'no game has ended meanwhile',
      looks: [
        [3, 0],
        [3, 5000],
      ],
      rate: null,
      left: null,
    },
    {
      name: 'two games in four seconds',
      looks: [
        [3, 0],
        [5, 4000],
      ],
      rate: 0.5,
      left: 10,
    },
    {
      name: 'all games are over',
      looks: [
        [3, 0],
        [10, 4000],
      ],
      rate: null,
      left: null,
    },
    {
      name: 'what was more than a minute ago is forgotten',
      looks: [
        [0, 0],
        [3, 60_000],
        [5, 64_000],
      ],
      rate: 0.5,
      left: 10,
    },
  ])('$name', ({ looks, rate, left }) => {
    const pace = new LeaguePace(10);
    for (const [done = 0, atMs = 0] of looks) pace.addSample(done, atMs);
    expect(pace.progress(0)).toMatchObject({ rate, secondsLeft: left });
  });
});
