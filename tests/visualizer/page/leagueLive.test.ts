import { beforeAll, describe, expect, test } from 'vitest';
import { reportLeague } from '../../../analysis/league/report.ts';
import type { LeagueProgress, LeagueReport } from '../../../analysis/league/types.ts';
import { createLeaguePage } from '../../../visualizer/page/build/pages.ts';
import { type LiveServer, type Route, serve } from '../../../visualizer/server/server.ts';
import { testLong } from '../../support/seeds.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, written } from './desk.ts';
import { oddLeague } from './playedLeague.ts';

const MANY = 400;

/** The league with as many more of everybody. */
function crowded(league: LeagueReport): LeagueReport {
  const { standings, personas } = league;
  const more = Array.from({ length: MANY / personas.length }, (_, round) => round);
  const named = (id: string, round: number) => (round === 0 ? id : `${id} ${round}`);
  return {
    ...league,
    personas: more.flatMap((round) =>
      personas.map((one) => ({
        ...one,
        id: named(one.id, round),
        name: named(one.name, round),
        model: `model ${round % 3}`,
      })),
    ),
    standings: {
      ...standings,
      rows: more.flatMap((round) =>
        standings.rows.map((row) => ({ ...row, id: named(row.id, round) })),
      ),
    },
  };
}

describe.runIf(hasBrowser())('the page of a league', () => {
  const browser = desk();
  let league: LeagueReport | null = null;
  beforeAll(async () => {
    const { plan, store } = await oddLeague(4);
    league = await reportLeague(store, plan, 'no-such-folder');
  });
  const now = (): LeagueReport => {
    if (league === null) throw new Error('no league was played');
    return league;
  };

  test('goes along with the games, and says how far it is and how fast', async () => {
    const whole = now();
    const before = { ...whole, standings: { ...whole.standings, games: 3 }, about: 'before' };
    let progress: LeagueProgress = { done: 3, of: 4, rate: 0.5, secondsLeft: 90, counted: 3 };
    const page = await createLeaguePage({ league: before, progress });
    const routes: readonly Route[] = [
      ({ path }) => (path === '/' ? { type: 'html', status: 200, text: page } : null),
      ({ path }) => {
        const value = path === '/progress.json' ? progress : path === '/league.json' ? whole : null;
        return value === null ? null : { type: 'json', status: 200, text: JSON.stringify(value) };
      },
    ];
    const live: LiveServer = await serve(routes, 0);
    const { page: shown, errors } = await open(browser(), live.url);
    const top = () => shown.textContent('.bar .now');
    expect(await top()).toBe('3 of 4 games, 30.0 a minute, 1 min 30 s left');
    expect(await shown.textContent('.live')).toContain('live');
    progress = { done: 4, of: 4, rate: null, secondsLeft: null, counted: 4 };
    await expect.poll(top).toBe('4 games, all played');
    expect(await shown.textContent('.about')).toBe(whole.about);
    expect(errors).toEqual([]);
    await shown.close();
    live.close();
  });

  testLong(`takes ${MANY} personas, and finds one of them`, async () => {
    const url = written(await createLeaguePage({ league: crowded(now()), progress: null }));
    const { page, errors } = await open(browser(), url);
    expect(await page.locator('.board tbody tr').count()).toBe(MANY);
    expect(await page.locator('.versus tbody tr').count()).toBe(20);
    await page.fill('input[type=search]', 'plain 17');
    expect(await page.locator('.board tbody tr').count()).toBe(1);
    await page.fill('input[type=search]', '');
    await page.selectOption('select', 'model 2');
    const expected = crowded(now()).personas.filter(({ model }) => model === 'model 2').length;
    expect(await page.locator('.board tbody tr').count()).toBe(expected);
    expect(new URL(page.url()).hash).toBe('#model=model+2');
    expect(errors).toEqual([]);
  });
});
