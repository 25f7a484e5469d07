/** The page in the hands of somebody: addresses, keys, clicks, and whoever can not see or point. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Line } from '../../../machines/journal/lines.ts';
import { barriers } from './barriers.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, exported, moment } from './desk.ts';
import { recordedGame } from './recorded.ts';

describe.runIf(hasBrowser())('the page answers to', () => {
  const browser = desk();
  let game: readonly Line[] = [];
  beforeAll(async () => {
    game = await recordedGame(2);
  });

  test('goes where an address says, and back', async () => {
    const url = await exported(game);
    const { page } = await open(browser(), `${url}#t=44&lens=table&player=red`);
    expect(await moment(page)).toBe('44');
    expect(await page.getAttribute('.lenses [aria-pressed=true]', 'title')).toContain('spoilers');
    expect(await page.getAttribute('.seat[aria-pressed=true]', 'data-seat')).toBe('red');
    await page.click('.moments button >> nth=0');
    const there = await moment(page);
    await expect.poll(() => page.url()).toContain(`t=${there}`);
    await page.goBack();
    await expect.poll(() => moment(page)).toBe('44');
    await page.close();
  });

  test('does by keys what its buttons do, and nothing where somebody writes', async () => {
    const { page } = await open(browser(), await exported(game));
    const after = async (key: string) => {
      await page.keyboard.press(key);
      return await moment(page);
    };
    expect(await after('l')).toBe('1');
    expect(await after('Shift+ArrowRight')).toBe('11');
    expect(await after('h')).toBe('10');
    const jumps = [];
    for (const key of ['.', ']', '[', 'End']) jumps.push(await after(key));
    expect(jumps).toEqual(['15', '39', '0', '236']);
    expect(await after('Home')).toBe('0');
    await page.keyboard.press('1');
    expect(await page.getAttribute('.lenses button >> nth=0', 'aria-pressed')).toBe('true');
    await page.keyboard.press('?');
    await page.waitForSelector('dialog.help[open]');
    await page.uncheck('dialog .switch input');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog.help', { state: 'hidden' });
    expect(await after('l')).toBe('0');
    // The focus goes back from the sheet when the browser gets to it, and a checkbox keeps the arrows.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('dialog') ?? null))
      .toBeNull();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => moment(page)).toBe('1');
    await page.focus('#search');
    expect(await after('ArrowRight')).toBe('1');
    await page.close();
  });

  test('keeps the feed where it is when somebody clicks in it', async () => {
    const { page } = await open(browser(), `${await exported(game)}#t=54`);
    const top = () => page.evaluate(() => document.querySelector('#feed .scroll')?.scrollTop ?? -1);
    const items = () => page.locator('#feed .item').count();
    const [before, many] = [await top(), await items()];
    expect(before).toBeGreaterThan(100);
    await page.locator('#feed .item.speech .goto').last().focus();
    const held = await top();
    await page.keyboard.press('Enter');
    expect(await top()).toBe(held);
    expect(await items()).toBe(many);
    await page.close();
  });

  test('has the last rows only, each with its place; scrolling up brings those before', async () => {
    const { page } = await open(browser(), `${await exported(game)}#t=101`);
    const places = () =>
      page
        .locator('#feed .item')
        .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('aria-posinset'))));
    const before = await places();
    const first = before[0] ?? 0;
    expect(first).toBeGreaterThan(1);
    expect(before).toEqual(before.map((_, index) => first + index));
    await page.evaluate(() => document.querySelector('#feed .scroll')?.scrollTo(0, 0));
    await expect.poll(async () => (await places())[0]).toBeLessThan(first);
    const after = await places();
    expect(after.at(-1)).toBe(before.at(-1));
    expect(after).toEqual(after.map((_, index) => (after[0] ?? 0) + index));
    await page.close();
  });

  test.each(['dark', 'light'] as const)(
    'is accessible in the %s theme, on the ship, in a meeting, on a phone',
    async (colorScheme) => {
      const url = await exported(game);
      const { page } = await open(browser(), url, { colorScheme });
      for (const [t, width] of [
        ['18', 1440],
        ['53', 1440],
        ['74', 390],
        ['236', 1440],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate((wanted) => {
          location.hash = wanted;
        }, `#t=${t}&player=pink`);
        await expect.poll(() => moment(page)).toBe(t);
        expect(await barriers(page), `${colorScheme}, step ${t}, ${width} pixels`).toEqual([]);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide).toBeLessThanOrEqual(width);
      }
      await page.close();
    },
  );
});
