import { gunzipSync, gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { seeThrough, throughGlass } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { createExportPage, createLivePage } from '../../../visualizer/page/build/pages.ts';
import { createStory, NO_CHARTS } from '../../../visualizer/page/game/story/story.ts';
import { Broadcast } from '../../../visualizer/server/broadcast.ts';
import { createJournalRoutes } from '../../../visualizer/server/routes.ts';
import { type LiveServer, serve } from '../../../visualizer/server/server.ts';
import { describeLong, testLong } from '../../support/seeds.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, journalText, moment, written } from './desk.ts';
import { longMeeting, recordedGame } from './recorded.ts';

const ABOUT = { lens: 'glass', name: 'test.jsonl', damaged: 0 } as const;
const ALL_ROWS = 3000;

/** What panels show; the feed stays where its reader has put it, and a chart where it was moved to. */
function shownIn(page: Page): Promise<Readonly<Record<string, string>>> {
  return page.evaluate(() => {
    const shown: Record<string, string> = {};
    for (const panel of document.querySelectorAll('.panel:not(#feed), .bar, .signs, .seats')) {
      const copy = panel.cloneNode(true) as Element;
      for (const part of copy.querySelectorAll('svg')) part.remove();
      shown[panel.id || panel.className] = copy.textContent ?? '';
    }
    shown['signs'] = document.querySelector('.signs')?.innerHTML ?? '';
    return shown;
  });
}

describeLong.runIf(hasBrowser())('a page that reads on', () => {
  const browser = desk();
  let html = '';
  let rows: readonly string[] = [];
  beforeAll(async () => {
    html = await createExportPage((await longMeeting(ALL_ROWS)).map(throughGlass), ABOUT);
    rows = gunzipSync(Buffer.from(PACKED.exec(html)?.[2] ?? '', 'base64'))
      .toString()
      .split('\n');
  });
  const PACKED = /( id="journal">)([^<]*)/;

  /** Opens the beginning of a long journal; `readOn` lets the page read the rest. */
  async function beginning(text = rows.join('\n'), cut = 1) {
    const packed = gzipSync(text);
    const part = packed.subarray(0, Math.floor(cut * packed.length)).toString('base64');
    const url = written(html.replace(PACKED, (_, before: string) => `${before}${part}`));
    const opened = await open(browser(), 'about:blank', { ready: 'html' });
    await opened.page.addInitScript(() => {
      const waiting: (() => void)[] = [];
      const real = setTimeout;
      let isHeld = true;
      // The page reads on in tasks without a delay.
      Object.assign(globalThis, {
        setTimeout: (work: () => void, ms?: number) =>
          isHeld && ms === 0 ? waiting.push(work) : real(work, ms),
        readOn: () => {
          isHeld = false;
          for (const work of waiting.splice(0)) work();
        },
      });
    });
    await opened.page.goto(url);
    await opened.page.waitForSelector('.bar .now:has-text("reading on")');
    return { ...opened, url };
  }

  async function readOn(page: Page): Promise<void> {
    await page.evaluate('readOn()');
    await page.waitForFunction(
      () => !/reading on/.test(document.querySelector('.app')?.textContent ?? ''),
    );
  }

  test('counts damaged rows of the rest', async () => {
    const damaged = rows.map((row, at) => (at > 2000 && at % 100 === 0 ? row.slice(0, 40) : row));
    const { page, errors } = await beginning(damaged.join('\n'));
    await readOn(page);
    expect(await page.textContent('.bar .damage')).toContain('10 damaged lines');
    expect(errors).toEqual([]);
  });

  test('looks through the lens and at the player that were chosen meanwhile, as if it had begun so', async () => {
    const { page, url } = await beginning();
    await page.keyboard.press('l');
    await page.click('button[data-seat=red]');
    await page.keyboard.press('2');
    await page.waitForSelector('.bar .lenses [aria-pressed=true]:has-text("Red")');
    await page.click('button[data-seat=blue]');
    await readOn(page);
    await expect.poll(() => page.url()).toMatch(/#t=\d+&lens=player:red&player=blue$/);
    expect(await page.getAttribute('.seat[aria-pressed=true]', 'data-seat')).toBe('blue');
    const again = await open(browser(), `${url}${new URL(page.url()).hash}`);
    expect(await shownIn(page)).toEqual(await shownIn(again.page));
    await page.keyboard.press('End');
    await again.page.keyboard.press('End');
    expect(await shownIn(page)).toEqual(await shownIn(again.page));
  });

  test('goes to a moment of the rest when it is there, unless it is led elsewhere before', async () => {
    for (const isLedElsewhere of [false, true]) {
      const { page } = await beginning();
      const before = await moment(page);
      await page.evaluate(() => {
        location.hash = '#t=2500';
      });
      if (isLedElsewhere) {
        await page.keyboard.press('l');
        await page.keyboard.press('h');
      }
      await readOn(page);
      expect(await moment(page)).toBe(isLedElsewhere ? before : '2500');
      await page.close();
    }
  });

  test('plays on past the end of the beginning', async () => {
    const { page } = await beginning();
    await page.keyboard.press('End');
    const at = Number(await moment(page));
    await page.keyboard.press('h');
    await page.keyboard.press('Space');
    await expect.poll(() => moment(page)).toBe(`${at}`);
    await readOn(page);
    await expect.poll(async () => Number(await moment(page))).toBeGreaterThan(at);
  });

  test('does not call its beginning the whole transcript', async () => {
    const { page } = await beginning();
    await page.keyboard.press('p');
    await page.waitForSelector('.plain h2:has-text("reading on")');
    expect(await page.isDisabled('.plain button:has-text("Print")')).toBe(true);
    await readOn(page);
    await page.waitForSelector('.plain h2:has-text("The whole transcript")');
    expect(await page.isDisabled('.plain button:has-text("Print")')).toBe(false);
  });

  test('opening another journal drops the rest and its errors', async () => {
    const damaged = rows.map((row, at) => (at > 2000 && at % 100 === 0 ? row.slice(0, 40) : row));
    const { page, errors } = await beginning(damaged.join('\n'));
    const game = await recordedGame(2);
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'dropped.jsonl'));
      dispatchEvent(new DragEvent('drop', { dataTransfer: data }));
    }, journalText(game));
    await page.waitForSelector('.bar .now:not(:has-text("reading on"))');
    const shown = await shownIn(page);
    expect(shown['bar']).toContain('8 players');
    await page.evaluate('readOn()');
    await page.evaluate(async () => {
      for (let task = 0; task < 200; task++) await new Promise((resolve) => setTimeout(resolve, 0));
    });
    expect(await shownIn(page)).toEqual(shown);
    expect(errors).toEqual([]);
  });

  test('a torn or invalid rest shows an error', async () => {
    const wrong = rows.map((row, at) =>
      at === 2500 ? JSON.stringify({ ...JSON.parse(row), said: 5, bids: 7 }) : row,
    );
    for (const [text, cut, sentence] of [
      [rows.join('\n'), 0.9, 'is damaged and can’t be unpacked'],
      [wrong.join('\n'), 1, 'has lines that this page can’t read'],
    ] as const) {
      const { page } = await beginning(text, cut);
      await page.evaluate('readOn()');
      await page.waitForSelector(`.open:has-text("${sentence}")`);
      await page.close();
    }
  });
});

describe.runIf(hasBrowser())('a page of a journal that is written', () => {
  const browser = desk();
  const BEGUN = 60;
  let lines: readonly Line[] = [];
  beforeAll(async () => {
    lines = await recordedGame(17);
  });
  let live: LiveServer | null = null;
  afterEach(() => {
    live?.close();
    live = null;
  });

  async function onAir() {
    const feed = new Broadcast({ type: 'glass' });
    for (const line of lines.slice(0, BEGUN)) feed.add(line);
    live = await serve(createJournalRoutes(feed, await createLivePage(ABOUT)), 0);
    const opened = await open(browser(), 'about:blank', { ready: 'html' });
    await opened.page.addInitScript(() => {
      const Real = EventSource;
      globalThis.EventSource = class extends Real {
        constructor(url: string | URL) {
          super(url);
          Object.assign(globalThis, { source: this });
        }
      };
    });
    await opened.page.goto(live.url);
    await opened.page.waitForSelector('[data-moment]:not([data-moment="0"])');
    return { feed, ...opened };
  }

  /** Waits until the page has as many moments as these lines, and returns their number. */
  async function isTold(page: Page, told: readonly Line[], through: 'glass' | 'table') {
    const lens = { type: through };
    const { moments } = createStory(seeThrough(told, lens), NO_CHARTS, lens);
    const count = async () =>
      Number(/\/ (\d+)$/.exec((await page.textContent('.where')) ?? '')?.[1]);
    await expect.poll(count).toBeGreaterThanOrEqual(moments.length);
    expect(await count()).toBe(moments.length);
    return moments.length;
  }

  testLong.each(['at its end', 'behind'])(
    'shows %s what one shows that is opened afterwards',
    async (where) => {
      const { feed, page, errors } = await onAir();
      if (where === 'behind') await page.keyboard.press('Home');
      for (const line of lines.slice(BEGUN, 200)) feed.add(line);
      const count = await isTold(page, lines.slice(0, 200), 'glass');
      await expect.poll(() => page.url()).toContain(`#t=${await moment(page)}&`);
      const again = await open(browser(), page.url());
      expect(await isTold(again.page, lines.slice(0, 200), 'glass')).toBe(count);
      await expect.poll(() => moment(again.page)).toBe(await moment(page));
      expect(again.page.url()).toBe(page.url());
      expect(await shownIn(page)).toEqual(await shownIn(again.page));
      await page.keyboard.press('a');
      await expect.poll(() => page.locator('.signs span').count()).toBeGreaterThan(1);
      expect(errors).toEqual([]);
    },
  );

  test('a new lens shows no line of the previous one', async () => {
    const { feed, page } = await onAir();
    await page.evaluate(
      (row) => {
        // In one task: the new line is still pending when the lens is switched.
        const source = Reflect.get(globalThis, 'source');
        source.onmessage({ data: row });
        dispatchEvent(new KeyboardEvent('keydown', { key: '1' }));
      },
      journalText(lines.slice(BEGUN, BEGUN + 4)),
    );
    for (const line of lines.slice(BEGUN, 100)) feed.add(line);
    await page.waitForSelector('.lenses [aria-pressed=true][title*=spoilers]');
    const count = await isTold(page, lines.slice(0, 100), 'table');
    await page.keyboard.press('End');
    await expect.poll(() => page.url()).toContain(`#t=${await moment(page)}&lens=table`);
    const again = await open(browser(), page.url());
    expect(await isTold(again.page, lines.slice(0, 100), 'table')).toBe(count);
    await expect.poll(() => moment(again.page)).toBe(await moment(page));
    expect(await shownIn(page)).toEqual(await shownIn(again.page));
  });
});
