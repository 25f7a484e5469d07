import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LeaguePlan } from '../../../actors/league/plan.ts';
import type { Store } from '../../../actors/stores/store.ts';
import { readStandings, reportLeague } from '../../../analysis/league/report.ts';
import type {
  LeagueProgress,
  LeagueReport,
  StandingsRow,
  WinShare,
} from '../../../analysis/league/types.ts';
import { createLeaguePage } from '../../../visualizer/page/build/pages.ts';
import { everyNth, testLong } from '../../support/seeds.ts';
import { barriers } from './barriers.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, written } from './desk.ts';
import { HOSTILE, oddLeague, oddPlan } from './playedLeague.ts';

const defined = readFileSync(new URL('../../../docs/statistics.md', import.meta.url), 'utf8');

function rowsOn(page: Page): Promise<readonly (readonly string[])[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.board tbody tr')].map((row) => [
      row.getAttribute('data-persona') ?? '',
      ...[...row.querySelectorAll('td')].map((cell) =>
        (cell.textContent ?? '').replace(/\s+/g, ' ').trim(),
      ),
    ]),
  );
}

function rowOf(
  { id, rating, all, roles, tallies }: StandingsRow,
  index: number,
): readonly string[] {
  const few = (...of: readonly { readonly few: boolean }[]) =>
    of.some((one) => one.few) ? '* too few games' : '';
  const rated = (given: typeof rating.overall, share: WinShare) => {
    const { value, least, most } = given;
    return `${value.toFixed(0)}${few(share, given)} ${least.toFixed(0)}–${most.toFixed(0)}`;
  };
  const won = (share: WinShare) => {
    if (share.interval === null) return '–';
    const { share: part, least, most } = share.interval;
    const [shown, low, high] = [part, least, most].map((value) => (100 * value).toFixed(1));
    return `${shown} %${few(share)} (${low}–${high} %), n = ${share.games}`;
  };
  const faulty = [tallies.crewmate, tallies.impostor].flatMap((list) =>
    list.filter(({ name }) => name === 'faults_per_game'),
  );
  const games = faulty.reduce((sum, { of }) => sum + of, 0);
  return [
    id,
    String(index + 1),
    rated(rating.overall, all),
    rated(rating.impostor, roles.impostor),
    rated(rating.crewmate, roles.crewmate),
    won(all),
    won(roles.impostor),
    won(roles.crewmate),
    String(all.games),
    String(faulty.reduce((sum, { count }) => sum + count, 0) / games),
  ];
}

describe.runIf(hasBrowser())('the page of a league', () => {
  const browser = desk();
  let [plan, store]: [LeaguePlan | null, Store | null] = [null, null];
  let league: LeagueReport | null = null;
  let url = '';
  beforeAll(async () => {
    ({ plan, store } = await oddLeague(12));
    league = await reportLeague(store, plan, 'no-such-folder');
    url = written(await createLeaguePage({ league, progress: null }));
  });
  const now = (): LeagueReport => {
    if (league === null) throw new Error('no league was played');
    return league;
  };

  const openLeague = async (league: LeagueReport, progress: LeagueProgress | null = null) =>
    open(browser(), written(await createLeaguePage({ league, progress })));

  test('the league page shows the figures of the command line without any request', async () => {
    if (store === null || plan === null) throw new Error('no league was played');
    const { standings } = await readStandings(store, plan);
    expect(now().standings).toEqual(standings);
    const { page, requests, errors } = await open(browser(), url);
    expect(await rowsOn(page)).toEqual(standings.rows.map(rowOf));
    const text = (await page.textContent('main')) ?? '';
    expect(text).toContain(
      `Between equals the impostors win ${(100 * standings.sides.value).toFixed(1)} %`,
    );
    for (const side of ['crew', 'impostors'] as const) {
      const { share = 0 } = standings.wins[side].interval ?? {};
      expect(await page.textContent(`.split .${side} b`)).toBe(`${(100 * share).toFixed(1)} %`);
    }
    for (const { result } of [...standings.comparisons, ...standings.levels]) {
      expect(text).toContain(`${(100 * Math.abs(result.difference)).toFixed(1)} points`);
    }
    const titles = await page.locator('.board th[data-column] button').allTextContents();
    const printed = defined.split('\n').flatMap((line) => line.split('|')[2]?.split(', ') ?? []);
    const known = printed.map((label) => label.trim().toLowerCase());
    const shown = titles.map((title) => title.replace(/[▲▼⇅]| a game/g, '').toLowerCase());
    expect(shown.length).toBeGreaterThan(8);
    expect(shown.filter((title) => !known.includes(title))).toEqual([]);
    const cells = await page.locator('.versus td[data-side]').allTextContents();
    expect(cells.length).toBe(standings.versus.length);
    expect([requests.length, errors]).toEqual([1, []]);
  });

  testLong('is sorted by a click, by a key and by an address', async () => {
    const { page } = await open(browser(), url);
    const ids = async () => (await rowsOn(page)).map(([id]) => id);
    const by = (value: (row: StandingsRow) => number) =>
      now()
        .standings.rows.toSorted((one, other) => value(other) - value(one))
        .map(({ id }) => id);
    await page.click('th[data-column=crew] button');
    expect(await ids()).toEqual(by(({ rating }) => rating.crewmate.value));
    expect(await page.getAttribute('th[data-column=crew]', 'aria-sort')).toBe('descending');
    await page.keyboard.press('Enter');
    expect(await ids()).toEqual(by(({ rating }) => -rating.crewmate.value));
    expect(await page.getAttribute('th[data-column=crew]', 'aria-sort')).toBe('ascending');
    expect(await page.locator('[aria-sort]').count()).toBe(1);
    const address = new URL(page.url()).hash;
    await page.close();
    const again = await open(browser(), `${url}${address}`);
    expect((await rowsOn(again.page)).map(([id]) => id)).toEqual(
      by(({ rating }) => -rating.crewmate.value),
    );
  });

  testLong('leads to everybody, whatever they are called, and back to where one was', async () => {
    const { page, errors } = await open(browser(), url);
    for (const persona of now().personas) {
      const link = page.locator('.board tbody th a').filter({ hasText: persona.name });
      await link.first().focus();
      await page.keyboard.press('Enter');
      await page.waitForSelector('[data-view=persona]');
      await expect.poll(() => page.textContent('h2')).toBe(persona.name);
      // The focus follows what is drawn.
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2');
      expect(await page.locator('.lessons q').allTextContents()).toEqual(
        persona.lessons.map(({ text }) => text),
      );
      expect(await page.locator('.versions > li').count()).toBe(persona.versions.length);
      await page.goBack();
      await page.waitForSelector('[data-view=league]');
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent))
        .toBe(persona.name);
    }
    const [, odd] = now().personas;
    const address = new URLSearchParams({ persona: odd?.id ?? '' }).toString();
    await page.goto(`${url}#${address}`);
    await expect.poll(() => page.textContent('h2')).toBe(odd?.name);
    await page.goto(`${url}#persona=nobody`);
    await page.waitForSelector('[data-view=unknown]');
    expect(await page.textContent('[role=alert]')).toContain('nobody');
    expect(errors).toEqual([]);
  });

  testLong('what players write stays text', async () => {
    const { page, requests, errors } = await open(browser(), `${url}#persona=scripted_plain`);
    const [lesson] = await page.locator('.lessons > li').allTextContents();
    expect(lesson).toBe(`${HOSTILE}from ${HOSTILE}`);
    expect(await page.locator('.lessons .from').last().textContent()).toBe(
      'from game 1, as crewmate',
    );
    expect(await page.locator('#page img, #page script, #page b b').count()).toBe(0);
    await page.click('.back');
    expect(await page.textContent('.about')).toBe(HOSTILE);
    expect(await page.locator('#page img, #page script').count()).toBe(0);
    expect(await page.title()).toContain('odd <b>&');
    expect([requests.length, errors]).toEqual([1, []]);
  });

  testLong.each(everyNth(['dark', 'light'] as const, 2))(
    'shuts nobody out (%s)',
    async (colorScheme) => {
      const { page } = await open(browser(), url, { colorScheme });
      expect(await barriers(page)).toEqual([]);
      await page.click('.board tbody th a >> nth=0');
      await page.waitForSelector('[data-view=persona]');
      expect(await barriers(page)).toEqual([]);
      const phone = await open(browser(), url, { colorScheme, width: 320, height: 700 });
      expect(await barriers(phone.page)).toEqual([]);
    },
  );

  testLong('leads to each game: by a link, or by a command in a file', async () => {
    const hostile = "it's $(a) game.jsonl";
    const turn = {
      at: '31',
      when: 'at 0:40',
      from: 0.6,
      to: 0.25,
      what: '<b>Red</b> accuses Blue',
    };
    const games = now().games.map((game, index) => ({
      ...game,
      journal: index === 1 ? null : index === 2 ? hostile : `journals/${game.slot + 1}.jsonl`,
      ...(index === 0 ? { turn } : {}),
    }));
    const league = { ...now(), games };
    const [first, second] = games;
    const words = 'Turning point: crew 60 % → 25 % at 0:40, <b>Red</b> accuses Blue';
    const file = await openLeague(league);
    const rows = file.page.locator('#games .games li');
    expect(await rows.nth(0).textContent()).toContain(
      `glassbox view journals/${(first?.slot ?? 0) + 1}.jsonl`,
    );
    expect(await rows.nth(0).textContent()).toContain(`${words} (moment 31)`);
    expect(await rows.nth(1).locator('code, a').count()).toBe(0);
    expect(await rows.nth(2).textContent()).toContain(`glassbox view 'it'\\''s $(a) game.jsonl'`);
    await file.page.close();
    const { standings } = league;
    const { games: done, of } = standings;
    const progress = { done, of, rate: null, secondsLeft: null, counted: done };
    const served = await openLeague(league, progress);
    const links = served.page.locator('#games .games li >> nth=0').locator('a');
    const game = `game/${(first?.slot ?? 0) + 1}`;
    expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
      game,
      `${game}#t=31&lens=glass`,
    ]);
    expect(await links.nth(1).textContent()).toBe(words);
    expect(second?.journal).toBeNull();
    const id = first?.seats[0]?.id ?? '';
    await served.page.goto(`${served.page.url().split('#')[0]}#persona=${encodeURIComponent(id)}`);
    await expect.poll(() => served.page.locator(`#recent a[href="${game}"]`).count()).toBe(1);
    expect(served.errors).toEqual([]);
  });

  testLong('an empty league and one of a single game are told as what they are', async () => {
    const empty = oddPlan(12);
    const { InMemoryStore } = await import('../../support/inMemoryStore.ts');
    const { settleLeague } = await import('../../../actors/league/plan.ts');
    const blank = new InMemoryStore();
    expect(await settleLeague(blank, empty)).toBeNull();
    const none = await reportLeague(blank, empty, 'no-such-folder');
    const first = await openLeague(none);
    expect(await first.page.textContent('#leaderboard')).toContain('No game has ended yet');
    expect(first.errors).toEqual([]);
    await first.page.close();
    const { plan: short, store: kept } = await oddLeague(1);
    const one = await reportLeague(kept, short, 'no-such-folder');
    const second = await openLeague(one);
    expect((await rowsOn(second.page)).map((row) => row[8])).toContain('1');
    expect(await second.page.textContent('.legend')).toContain('Too few games');
    expect(second.errors).toEqual([]);
  });
});
