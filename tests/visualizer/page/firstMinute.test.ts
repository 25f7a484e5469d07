import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Lens, seeThrough } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { createLivePage } from '../../../visualizer/page/build/pages.ts';
import { describeSituation } from '../../../visualizer/page/game/story/sentences.ts';
import { createStory, NO_CHARTS } from '../../../visualizer/page/game/story/story.ts';
import { Broadcast } from '../../../visualizer/server/broadcast.ts';
import { createJournalRoutes } from '../../../visualizer/server/routes.ts';
import { type LiveServer, serve } from '../../../visualizer/server/server.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, exported, moment } from './desk.ts';
import { meetingHall } from './hall.ts';
import { recordedGame } from './recorded.ts';

const GLASS: Lens = { type: 'glass' };
let game: readonly Line[] = [];
let live: LiveServer | null = null;
beforeAll(async () => {
  game = await recordedGame(2);
});
afterEach(() => {
  live?.close();
  live = null;
});

describe('the header', () => {
  const situations = (lens: Lens) =>
    createStory(seeThrough(game, lens), NO_CHARTS, lens).moments.map((moment) =>
      describeSituation(moment),
    );

  test('tells the ship, the call and who speaks through the glass', () => {
    const told = situations({ type: 'glass' });
    expect(told[0]).toMatch(/^On the ship, 0:00\. 0 of \d+ tasks, 8 alive$/);
    expect(told).toContainEqual(
      expect.stringMatching(
        /^Meeting 1: [A-Z]\w+ (reported [A-Z]\w+’s body|pressed the emergency button)\. \d alive, \d impostors? among them\. [A-Z]\w+ speaks\.$/,
      ),
    );
    expect(told.at(-1)).toMatch(/win/);
  });

  test.each([{ type: 'table' }, { type: 'player', seat: 'red' }] as const)(
    'hides from $type who is alive on the ship and how many impostors there are',
    (lens) => {
      const told = situations(lens).slice(0, -1);
      const aboard = told.filter((words) => words.startsWith('On the ship'));
      expect(aboard.length).toBeGreaterThan(9);
      expect(aboard.join(' ')).not.toContain('alive');
      expect(told.join(' ')).toMatch(/\d alive\. [A-Z]\w+ speaks\./);
      expect(told.join(' ')).not.toContain('among them');
    },
  );
});

describe.runIf(hasBrowser())('a page', () => {
  const browser = desk();
  const lastOf = (count: number) =>
    createStory(seeThrough(game.slice(0, count), GLASS), NO_CHARTS, GLASS).moments.at(-1)?.name;
  const leaveField = (page: Page) =>
    page.evaluate(() => {
      for (const dialog of document.querySelectorAll('dialog')) dialog.close();
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
  const texts = (page: Page, selector: string) => page.locator(selector).allTextContents();

  async function startShow(lines: readonly Line[], isOver: boolean) {
    const feed = new Broadcast({ type: 'glass' });
    for (const line of lines) feed.add(line);
    if (isOver) feed.end();
    const html = await createLivePage({ lens: 'glass', name: 'a test', damaged: 0, isOver });
    live = await serve(createJournalRoutes(feed, html), 0);
    return { feed, url: live.url };
  }

  test('of a recorded game says so at its beginning, and not that it is over', async () => {
    const { url } = await startShow(game, true);
    for (const address of [url, await exported(game, 'table')]) {
      const { page } = await open(browser(), address);
      await expect.poll(() => page.textContent('.situation')).toMatch(/^Recorded game\. On the/);
      expect(await page.getAttribute('.app', 'data-scene')).toBe('ship');
      expect(await page.textContent('.bar')).not.toContain('over');
      expect(await page.textContent('.situation')).toBe(
        await page.getAttribute('.situation', 'title'),
      );
    }
  });

  test('lists what is to come only for a reader who asks for it', async () => {
    const { page } = await open(browser(), `${await exported(game)}#t=44`);
    const places = () => texts(page, '#moments .moments button, .signs span');
    const past = await places();
    expect(past.length).toBeGreaterThan(2);
    await page.fill('#search', 'win');
    await expect.poll(() => page.textContent('#moments')).toContain('Nothing found.');
    await page.fill('#search', '');
    await page.click('text=Show what is to come');
    await expect.poll(async () => (await places()).length).toBeGreaterThan(2 * past.length);
    expect(await page.getAttribute('#moments .aside button', 'aria-pressed')).toBe('true');
    await leaveField(page);
    await page.keyboard.press('a');
    await expect.poll(places).toEqual(past);
    await page.keyboard.press('End');
    await expect.poll(() => texts(page, '.signs')).toContainEqual(expect.stringContaining('■'));
  });

  test('goes back to live by Escape, and not while a dialog is open', async () => {
    const { feed, url } = await startShow(game.slice(0, 40), false);
    const { page } = await open(browser(), url);
    await page.waitForSelector(`[data-moment="${lastOf(40)}"]`);
    await page.keyboard.press('Home');
    await page.keyboard.press('?');
    await page.waitForSelector('dialog.help[open]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog.help', { state: 'hidden' });
    expect(await moment(page)).toBe('0');
    // The focus goes back from the sheet when the browser gets to it.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('dialog') ?? null))
      .toBeNull();
    await page.keyboard.press('Escape');
    await expect.poll(() => moment(page)).toBe(lastOf(40));
    for (const line of game.slice(40, 50)) feed.add(line);
    await page.waitForSelector(`[data-moment="${lastOf(50)}"]`);
  });

  test.each(['dark', 'light'] as const)(
    'changes its theme at each tap, where the system’s is %s',
    async (colorScheme) => {
      const { page } = await open(browser(), await exported(game), { colorScheme });
      const ground = () => page.evaluate(() => getComputedStyle(document.body).color);
      const looks = [await ground()];
      for (const _ of [1, 2, 3]) {
        await page.click('button[aria-label^=Theme]');
        looks.push(await ground());
      }
      const [own, other] = looks;
      expect(own).not.toBe(other);
      expect(looks).toEqual([own, other, own, other]);
    },
  );

  test('tells the chosen lens and the phases apart in forced colours', async () => {
    const { page } = await open(browser(), await exported(game));
    await page.emulateMedia({ forcedColors: 'active' });
    const grounds = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor));
    const [table, player, glass] = await grounds('.lenses button');
    expect(player).toBe(table);
    expect(glass).not.toBe(table);
    expect(new Set(await grounds('.strip span[data-kind]')).size).toBeGreaterThan(3);
  });

  test('shows a notice to everybody until the next step', async () => {
    const { page } = await open(browser(), await exported(game, 'table'));
    await page.keyboard.press('2');
    await page.waitForSelector('.notice:has-text("the lens Table only")');
    await page.keyboard.press('l');
    await page.waitForSelector('.notice', { state: 'detached' });
    await expect.poll(() => page.textContent('.app > [role=status]')).not.toContain('lens');
  });

  test('keeps what a person has written and chosen, whatever single key is pressed', async () => {
    const hall = await meetingHall('electrical', 'orange');
    live = hall.live;
    const { page, errors } = await open(browser(), hall.link, { ready: '.loading' });
    await hall.company.waitForAll();
    void hall.begin();
    await page.waitForSelector('#turn .ballots');
    await page.fill('#turn textarea', 'Where was Blue?');
    await page.locator('#turn .ballots input').nth(2).check();
    const asked = () => page.getAttribute('#turn .turn', 'data-asked');
    const id = await asked();
    await leaveField(page);
    const keys = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
    for (const key of [...keys, 'Escape', 'Home', 'End', 'Space', 'ArrowLeft']) {
      await page.keyboard.press(key);
      await leaveField(page);
      expect(await page.locator('#turn textarea').first().inputValue(), key).toBe(
        'Where was Blue?',
      );
      expect(await page.locator('#turn .ballots input').nth(2).isChecked(), key).toBe(true);
    }
    expect(await asked()).toBe(id);
    expect(await page.isVisible('#turn textarea')).toBe(true);
    expect(errors).toEqual([]);
  });
});
