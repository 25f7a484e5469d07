import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Lens, throughGlass } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { lensWithMoves } from '../../../visualizer/charts/machineRun.ts';
import { createLivePage } from '../../../visualizer/page/build/pages.ts';
import { createStory, NO_CHARTS } from '../../../visualizer/page/game/story/story.ts';
import { Broadcast } from '../../../visualizer/server/broadcast.ts';
import { createJournalRoutes } from '../../../visualizer/server/routes.ts';
import { type LiveServer, serve } from '../../../visualizer/server/server.ts';
import { hasBrowser } from './browser.ts';
import { desk } from './desk.ts';
import { recordedMeeting } from './recorded.ts';

const GLASS: Lens = { type: 'glass' };
const TABS = 8;

describe.runIf(hasBrowser())('the tabs of one live game', () => {
  const browser = desk();
  let lines: readonly Line[] = [];
  let live: LiveServer | null = null;
  beforeAll(async () => {
    lines = await recordedMeeting('ghosts', 3);
  });
  afterEach(() => live?.close());

  async function startShow(): Promise<{ feed: Broadcast; context: BrowserContext; url: string }> {
    const feed = new Broadcast(GLASS, lensWithMoves);
    const page = await createLivePage({ lens: 'glass', name: 'a test', damaged: 0 });
    live = await serve(createJournalRoutes(feed, page), 0);
    return { feed, context: await browser().newContext(), url: live.url };
  }

  async function openTab(context: BrowserContext, url: string): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(300_000);
    await page.goto(url);
    await page.waitForSelector('[data-moment]');
    return page;
  }

  /** Waits until each tab has as many moments as these lines. */
  async function waitForAll(tabs: readonly Page[], told: readonly Line[]): Promise<void> {
    const { moments } = createStory(told.map(throughGlass), NO_CHARTS, GLASS);
    for (const tab of tabs)
      await expect
        .poll(() => tab.textContent('.where span'))
        .toBe(`${moments.length} / ${moments.length}`);
  }

  test('share one stream to the end, also when the tab that reads it is closed', async () => {
    const { feed, context, url } = await startShow();
    const [first, second, third] = [9, 40, 70].map((end) => lines.slice(0, end));
    for (const line of first ?? []) feed.add(line);
    const tabs: Page[] = [];
    while (tabs.length < TABS) tabs.push(await openTab(context, url));
    await waitForAll(tabs, first ?? []);
    await expect.poll(() => feed.size).toBe(1);
    for (const line of lines.slice(9, 40)) feed.add(line);
    await waitForAll(tabs, second ?? []);
    await tabs.shift()?.close();
    await expect.poll(() => feed.size).toBe(1);
    for (const line of lines.slice(40, 70)) feed.add(line);
    await waitForAll(tabs, third ?? []);
    expect(feed.size).toBe(1);
    for (const line of lines.slice(70)) feed.add(line);
    feed.end();
    await waitForAll(tabs, lines);
    for (const tab of tabs)
      await expect.poll(() => tab.textContent('.live')).toBe('the match is over');
  });

  test('share one stream for each lens', async () => {
    const { feed, context, url } = await startShow();
    for (const line of lines.slice(0, 40)) feed.add(line);
    const tabs = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        openTab(context, `${url}#lens=${index % 2 === 0 ? 'glass' : 'table'}`),
      ),
    );
    await expect.poll(() => feed.size).toBe(2);
    for (const line of lines.slice(40)) feed.add(line);
    feed.startNext();
    const pressed = '.lenses [aria-pressed=true]';
    for (const [index, tab] of tabs.entries()) {
      await expect.poll(() => tab.textContent('.live')).toBe('the match is over');
      expect(await tab.textContent(pressed)).toBe(index % 2 === 0 ? 'Glass' : 'Table');
      expect((await tab.textContent('.seats'))?.includes('impostor')).toBe(index % 2 === 0);
    }
    await waitForAll(
      tabs.filter((_, index) => index % 2 === 0),
      lines,
    );
    // A tab of the next game gets nothing of the last one.
    await tabs[1]?.close();
    for (const line of lines.slice(0, 9)) feed.add(line);
    await waitForAll([await openTab(context, url)], lines.slice(0, 9));
  });

  test('go to the next journal when another one is served at their address', async () => {
    const { feed, context, url } = await startShow();
    for (const line of lines.slice(0, 40)) feed.add(line);
    const tabs = [await openTab(context, url), await openTab(context, url)];
    live?.close();
    const other = new Broadcast(GLASS, lensWithMoves);
    for (const line of lines.slice(0, 60)) other.add(line);
    live = await serve(createJournalRoutes(other, '<p>other</p>'), Number(new URL(url).port));
    for (const tab of tabs)
      await expect.poll(() => tab.textContent('.live')).toBe('the match is over');
    await waitForAll(tabs, lines.slice(0, 40));
  });
});
