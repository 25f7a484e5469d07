/** `league view` and `league export --format html`: the pages that they serve and write, and the errors. */
import { copyFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ListedGame } from '../../analysis/league/types.ts';
import { trackPace } from '../../analysis/league/watch.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { aPlace } from './session.ts';
import { expectEnd, expectQuiet, jsonLines, Running } from './shell.ts';

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

const place = aPlace({ 'cup.yaml': LEAGUE }, { REDIS_URL: '' });
const { run, done, path, read } = place;
await done('league run cup.yaml -q');
const [shown] = jsonLines(await done('league show --json'));
const { type: _type, v: _v, ...standings } = shown ?? {};

/** The page that a league serves, until the tests of it are over. */
async function served(visit: (asked: (path: string) => Promise<Response>) => Promise<void>) {
  const running = new Running('league view cup --no-open', place);
  await running.said('Ctrl-C');
  const url = /http:\S+/.exec(running.out)?.[0] ?? '';
  await visit((path) => fetch(`${url}${path}`));
  running.process.kill('SIGINT');
  expect((await running.finished).exit).toBe(0);
}

function leagueIn(page: string) {
  const [, text = ''] = /id="source">([^<]*)</.exec(page) ?? [];
  return JSON.parse(text);
}

describe('a league as a page', () => {
  test('is one file with the standings and the paths of the journals in it', async () => {
    const out = expectQuiet(await run('league export cup --format html -o cup.html'));
    expect(out).toMatch(/^cup: \d+ kB in cup.html$/m);
    const page = read('cup.html');
    expect(page).not.toMatch(/(?:src|href)="(?!data:)/);
    const { league, progress } = leagueIn(page);
    expect(league.standings).toEqual(standings);
    expect(progress).toBeNull();
    expect(league.games.map(({ journal }: { journal: string }) => journal)).toEqual(
      [4, 3, 2, 1].map((game) => `journals/league-cup/000${game}.jsonl`),
    );
  });

  test.each([
    ['--format html', '--format html wants -o'],
    ['--format csv -o a.csv', '--out is for --format html'],
  ])('only a page takes a file (%s)', async (words, says) => {
    expectEnd(await run(`league export cup ${words}`), 2, says);
  });

  testLong('is served with a page of each game, until somebody ends it', async () => {
    await served(async (asked) => {
      const text = async (path = '') => await (await asked(path)).text();
      const page = leagueIn(await text());
      expect(page.league.standings).toEqual(standings);
      expect(page.progress).toMatchObject({ done: 4, of: 4, counted: 4, secondsLeft: null });
      expect(JSON.parse(await text('league.json'))).toEqual(page.league);
      expect(JSON.parse(await text('progress.json')).done).toBe(4);
      expect(await text('game/2')).toContain('id="journal"');
      for (const path of ['game/0', 'game/5', 'game/..%2F1', 'game/1/'])
        expect((await asked(path)).status, path).toBe(404);
    });
  });
});

describeLong('games that `why` was asked about', () => {
  test('the page links each turning point to its moment and names the event', async () => {
    const journal = 'journals/league-cup/0002.jsonl';
    await done(`why ${journal} --stakes --continuations 2`);
    // A result of another journal is left out, with a note.
    const own = 'journals/league-cup/0002.why.json';
    copyFileSync(path(own), path(own.replace('2', '3')));
    const written = await run('league export cup --format html -o turned.html');
    expectEnd(written, 0, '0003.why.json is left out');
    const { league } = leagueIn(read('turned.html'));
    const turns = new Map<number, ListedGame['turn']>(
      league.games.map(({ slot, turn }: ListedGame) => [slot, turn]),
    );
    expect([turns.get(0), turns.get(2), turns.get(3)]).toEqual([undefined, undefined, undefined]);
    const turn = turns.get(1) ?? expect.fail('no turning point');
    const lines = read(journal).split('\n');
    expect(lines.some((line) => line.includes(`"seq":${turn.at},`))).toBe(true);
    expect(turn.from).not.toBe(turn.to);
    await served(async (asked) => {
      expect(await (await asked('league.json')).json()).toMatchObject({ games: league.games });
      expect(await (await asked('game/2')).text()).toContain('id="why"');
      expect(await (await asked('game/3')).text()).not.toContain('id="why"');
    });
  });
});

describe('the pace', () => {
  // Looks: games over and milliseconds, in turns.
  test.each<[string, readonly number[], number | null, number | null]>([
    ['nobody has looked twice', [3, 0], null, null],
    ['no game has ended meanwhile', [3, 0, 3, 5000], null, null],
    ['two games in four seconds', [3, 0, 5, 4000], 0.5, 10],
    ['all games are over', [3, 0, 10, 4000], null, null],
    ['what was more than a minute ago is forgotten', [0, 0, 3, 60_000, 5, 64_000], 0.5, 10],
  ])('%s', (_, looks, rate, secondsLeft) => {
    const pace = trackPace(10);
    for (let at = 0; at < looks.length; at += 2) pace.addSample(looks[at] ?? 0, looks[at + 1] ?? 0);
    expect(pace.progress(0)).toMatchObject({ rate, secondsLeft });
  });
});
