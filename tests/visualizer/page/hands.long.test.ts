import { beforeAll, describe, expect, test } from 'vitest';
import { throughGlass } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { SCORE_TERMS } from '../../../machines/rules/scoreTerms.ts';
import { createStory, NO_CHARTS } from '../../../visualizer/page/game/story/story.ts';
import { barriers } from './barriers.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, exported, goTo, moment, smallestLetter } from './desk.ts';
import { playedByModels, recordedGame } from './recorded.ts';

const GLASS = { type: 'glass' } as const;

/** Windows, and the least height that the transcript must have there for anyone to read it, in pixels. */
const WINDOWS = [
  [1440, 900, 400],
  [1280, 720, 260],
  [1024, 768, 380],
  [720, 450, 260],
  [844, 390, 220],
  [390, 844, 360],
  [360, 640, 160],
  [320, 640, 160],
] as const;
/** The smallest letters on the map, in pixels of the screen; a picture is measured with less than a tenth of error. */
const LEAST_LETTER = 10.9;

describe.runIf(hasBrowser())('the page answers to', () => {
  const browser = desk();
  let game: readonly Line[] = [];
  beforeAll(async () => {
    game = await recordedGame(2);
  });

  test('goes where an address says, and back', async () => {
    const url = await exported(game);
    const { page } = await open(browser(), `${url}#t=45&lens=table&player=red`);
    expect(await moment(page)).toBe('45');
    expect(await page.getAttribute('.lenses [aria-pressed=true]', 'title')).toContain('spoilers');
    expect(await page.getAttribute('.seat[aria-pressed=true]', 'data-seat')).toBe('red');
    await page.click('.moments button >> nth=0');
    const there = await moment(page);
    await expect.poll(() => page.url()).toContain(`t=${there}`);
    await page.goBack();
    await expect.poll(() => moment(page)).toBe('45');
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
    const { moments } = createStory(game.map(throughGlass), NO_CHARTS, GLASS);
    expect(jumps).toEqual(['15', '24', '0', moments.at(-1)?.name]);
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
  });

  test('finds moments by their words; Enter goes to the first', async () => {
    const { page } = await open(browser(), await exported(game));
    const { marks, moments } = createStory(game.map(throughGlass), NO_CHARTS, GLASS);
    const mark = marks.find(({ kind }) => kind === 'verdict') ?? expect.fail('no verdict');
    await page.keyboard.press('a');
    await page.keyboard.press('/');
    await page.fill('#search', mark.text.toUpperCase());
    await expect
      .poll(() => page.locator('#moments .moments button').first().textContent())
      .toContain(mark.text);
    await page.keyboard.press('Enter');
    await expect.poll(() => moment(page)).toBe(moments[mark.step]?.name);
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(mark.text);
    await page.fill('#search', 'no such words');
    await expect.poll(() => page.textContent('#moments')).toContain('Nothing found.');
  });

  test('keeps up with a held key, and explanations follow', async () => {
    const { page } = await open(browser(), await exported(game));
    const tick = await page.evaluate(async (name) => {
      const shown = () => document.querySelector('[data-moment]')?.getAttribute('data-moment');
      const explained = () => document.querySelector('#chart .last')?.textContent;
      const steps: { isHeld: boolean; before: unknown; soon: unknown; later: unknown }[] = [];
      for (const isHeld of [true, false, true]) {
        const [at, before] = [shown(), explained()];
        dispatchEvent(new KeyboardEvent('keydown', { key: name, repeat: isHeld }));
        while (shown() === at) await Promise.resolve();
        const soon = explained();
        await new Promise((resolve) => setTimeout(resolve, 0));
        steps.push({ isHeld, before, soon, later: explained() });
      }
      return steps;
    }, 'l');
    for (const { isHeld, before, soon, later } of tick) {
      expect(later).not.toBe(before);
      expect(soon).toBe(isHeld ? before : later);
    }
  });

  test('every term and every phase is told apart without its colour', async () => {
    const { page } = await open(browser(), `${await exported(game)}#t=44`);
    await page.locator('.strip').evaluate((strip) => {
      const phases = ['discussion', 'voting', 'reveal', 'reaction'];
      strip.innerHTML = phases.map((kind) => `<span data-kind="${kind}"></span>`).join('');
    });
    for (const [place, count] of [
      ['.legend .segment', SCORE_TERMS.length],
      ['.strip span', 4],
    ] as const) {
      const looks = await page.locator(place).evaluateAll((all) =>
        all.map((each) => {
          const { backgroundImage, boxShadow, borderRadius } = getComputedStyle(each);
          const look = `${backgroundImage} ${boxShadow} ${borderRadius}`;
          return look.replaceAll(/\w+\([\d., /]*\)/g, '');
        }),
      );
      expect([looks.length, new Set(looks).size], place).toEqual([count, count]);
    }
  });

  test('has the terms of every bid in one row, on a phone too', async () => {
    const url = await exported(await recordedGame(17, 6));
    const { page } = await open(browser(), url, { width: 390, height: 844, isPhone: true });
    await page.click('.tabs button:has-text("bids")');
    let rows = 0;
    for (let step = 0; step < 60; step++) {
      const tops = await page.locator('#bids .terms').evaluateAll((all) =>
        all.map((bid) => {
          const sides = [...bid.children].map((term) => term.getBoundingClientRect().top);
          return [...new Set(sides)].length;
        }),
      );
      rows += tops.length;
      expect(tops.filter((count) => count > 1)).toEqual([]);
      await page.keyboard.press('l');
    }
    expect(rows).toBeGreaterThan(20);
  });

  test('signs over the timeline are distinct in every window', async () => {
    const url = await exported(await recordedGame(17, 6));
    for (const [width, height] of WINDOWS) {
      const { page } = await open(browser(), url, { width, height });
      await page.keyboard.press('End');
      const gaps = await page.evaluate(() => {
        const boxes = [...document.querySelectorAll('.signs span')].map((sign) =>
          sign.getBoundingClientRect(),
        );
        boxes.sort((one, other) => one.left - other.left);
        return boxes.slice(1).map((box, index) => box.left - (boxes[index]?.right ?? 0));
      });
      expect(gaps.length, `${width}`).toBeGreaterThan(5);
      expect(Math.min(...gaps), `${width}`).toBeGreaterThan(-3);
      await page.close();
    }
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
  });

  test('has the last rows only; scrolling up brings those before', async () => {
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
  });

  test('names who plays at every seat, and holds its layout, in every window and through every lens', async () => {
    const models = ['anthropic/claude-opus-4.5', 'openai/gpt-5.2', 'google/gemini-3-pro', 'my-own'];
    const lines = playedByModels(await recordedGame(2, 10), models);
    const { page } = await open(browser(), `${await exported(lines)}#t=45&player=pink`);
    expect(await page.title()).toContain('claude-opus-4.5, gpt-5.2, gemini-3-pro and my-own');
    for (const [width, height, least] of WINDOWS) {
      const where = `${width} x ${height}`;
      await page.setViewportSize({ width, height });
      for (const key of ['1', '2', '3']) {
        await page.keyboard.press(key);
        const seats = await page.locator('.seat .plays').evaluateAll((all) =>
          all.map((plays) => {
            const name = plays.querySelector('.mind');
            const mark = plays.querySelector('.vendor')?.textContent ?? '';
            return `${mark} ${name?.textContent} ${(name?.clientWidth ?? 0) > 24}`;
          }),
        );
        const names = ['An claude-opus-4.5', 'Op gpt-5.2', 'Go gemini-3-pro', ' my-own'];
        expect(seats, where).toEqual(
          Array.from({ length: 10 }, (_, index) => `${names[index % names.length]} true`),
        );
      }
      const measured = await page.evaluate(() => {
        const root = document.documentElement;
        const box = document.querySelector('#feed .scroll');
        return {
          transcript: box?.clientHeight ?? 0,
          wider: root.scrollWidth - innerWidth,
          // A low window scrolls as a whole, and no other does.
          scrolls: root.scrollHeight > innerHeight,
        };
      });
      expect(measured.transcript, where).toBeGreaterThanOrEqual(least);
      expect(measured, where).toMatchObject({ wider: 0, scrolls: height < 600 });
    }
  });

  test('gives the Tab key a way to the feed, and one stop in a list', async () => {
    const { page } = await open(browser(), `${await exported(game)}#t=101`);
    const labels: string[] = [];
    for (let stop = 0; stop < 9; stop++) {
      await page.keyboard.press('Tab');
      labels.push(
        await page.evaluate(
          () =>
            document.activeElement?.getAttribute('aria-label') ??
            document.activeElement?.textContent ??
            '',
        ),
      );
    }
    expect(labels[0]).toBe('Skip to what happens');
    expect(labels.slice(1, 5).map((label) => label.replace(/ \(.*/, ''))).toEqual([
      ...['Previous moment', 'Previous phase', 'Step back', 'Play'],
    ]);
    const stops = (list: string) => page.locator(`${list} button:not([tabindex="-1"])`).count();
    expect([await stops('#feed .items'), await stops('.moments')]).toEqual([1, 1]);
    expect(await page.locator('#feed .items button').count()).toBeGreaterThan(10);
    await page.focus('.skip');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.matches('#feed .scroll')))
      .toBe(true);
    expect(await moment(page)).toBe('101');
    const at = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    await page.keyboard.press('Tab');
    const last = await at();
    await page.keyboard.press('ArrowUp');
    const before = await at();
    expect(Number(/\d+/.exec(before)?.[0])).toBeLessThanOrEqual(Number(/\d+/.exec(last)?.[0]));
    expect(before).toMatch(/^Go to step/);
  });

  test('has no letter on the map that is smaller than 11 pixels', async () => {
    const { page } = await open(browser(), `${await exported(game)}#t=18&player=pink`);
    // In a meeting the map is a small picture without names.
    const last = game.findLast(({ type }) => type === 'round.closed') ?? expect.fail('no round');
    for (const [width, height] of [
      [1920, 1080],
      [1440, 900],
      [1100, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const t of ['18', `${last.seq}`]) {
        await goTo(page, `#t=${t}&player=pink`);
        await expect.poll(() => moment(page)).toBe(t);
        // The map is measured after it is drawn.
        await expect
          .poll(() => smallestLetter(page, '.map'), { message: `${width}, step ${t}` })
          .toBeGreaterThan(LEAST_LETTER);
        expect(await page.locator('.map .ship .name:visible').count()).toBeGreaterThan(12);
      }
    }
  });

  test.each(['dark', 'light'] as const)(
    'is accessible in the %s theme, on the ship, in a meeting, on a phone',
    async (colorScheme) => {
      const url = await exported(game);
      const { page } = await open(browser(), url, { colorScheme });
      const { moments } = createStory(game.map(throughGlass), NO_CHARTS, GLASS);
      for (const [t, width] of [
        ['18', 1440],
        ['53', 1440],
        ['74', 390],
        [moments.at(-1)?.name ?? '', 1440],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await goTo(page, `#t=${t}&player=pink`);
        await expect.poll(() => moment(page)).toBe(t);
        expect(await barriers(page), `${colorScheme}, step ${t}, ${width} pixels`).toEqual([]);
      }
    },
  );
});
