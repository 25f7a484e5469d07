import { beforeAll, describe, expect, test } from 'vitest';
import type { Line } from '../../../machines/journal/lines.ts';
import { gameIn } from '../../../machines/journal/opening.ts';
import { everyNth, testLong } from '../../support/seeds.ts';
import { barriers } from './barriers.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, exported, moment } from './desk.ts';
import { speeches } from './reading.ts';
import { recordedGame } from './recorded.ts';

const HOSTILE = '</pre></script><img src=x onerror="document.title=1">';

/** The game as if a model had thought for everybody: two requests for each first bid of a tick, the first in vain. */
function ofModels(lines: readonly Line[]): readonly Line[] {
  return lines.map((line): Line => {
    const game = gameIn(line);
    if (line.type === 'match.opened' && game !== null) {
      const seats = game.seats.map((seat) => ({
        ...seat,
        mind: 'openai' as const,
        model: 'gemma',
      }));
      return { ...line, match: { ...game, seats } };
    }
    if (line.type !== 'tick.closed') return line;
    const [first] = line.bids;
    if (first === undefined) return line;
    const call = {
      seat: first.seat,
      requestKind: line.requestKind,
      index: line.tick,
      mode: 'json_schema',
      ms: 1400,
      usage: { promptTokens: 1000, cachedTokens: 600, completionTokens: 50, cost: 0.0002 },
    };
    const calls = [
      { ...call, failure: 'timeout', reply: `${HOSTILE} in tick ${line.tick}` },
      { ...call, failure: null, reply: null, repaired: true },
      // Asked beside the game: it belongs to no bid, whatever its number.
      { ...call, requestKind: 'belief', failure: 'upstream', reply: 'a belief' },
      'nonsense',
    ];
    return { ...line, clock: { ms: 1, calls } };
  });
}

describe.runIf(hasBrowser())('the page shows', () => {
  const browser = desk();
  let game: readonly Line[] = [];
  let ticks = 0;
  beforeAll(async () => {
    game = ofModels(await recordedGame(2));
    ticks = game.filter((line) => line.type === 'tick.closed' && line.bids.length > 0).length;
  });

  testLong('prompts, answers and cost of the players; text stays text', async () => {
    const { page, requests, errors } = await open(browser(), `${await exported(game)}#t=45`);
    const line = game.find(({ channel, seq }) => channel === 'living' && seq === 45);
    const { bids, tick } = line?.type === 'tick.closed' ? line : expect.fail('no tick');
    await page.keyboard.press('m');
    await page.waitForSelector('dialog.calls[open] details');
    const seats = page.locator('.calls details');
    expect(
      await seats.evaluateAll((all) => all.map((one) => one.getAttribute('data-seat'))),
    ).toEqual(bids.map(({ seat }) => seat));
    const first = page.locator(`.calls details[data-seat=${bids[0]?.seat}]`);
    const summary = await first.locator('summary').textContent();
    expect(summary).toContain('gemma');
    expect(summary).toContain('repaired');
    expect(summary).toContain('2,000 → 100 tokens · 2.8 s · $0.0004');
    await first.evaluate((one) => one.setAttribute('open', ''));
    const texts = await first.locator('pre').allTextContents();
    expect(JSON.parse(texts[0] ?? '')).toEqual(bids[0]?.received);
    expect(texts).toContain(`${HOSTILE} in tick ${tick}`);
    expect(await first.locator('.requests .failed').textContent()).toContain('timeout');
    expect(await first.locator('code').textContent()).toMatch(
      /^glassbox prompt test\.jsonl --player /,
    );
    const total = await page.locator('.calls tfoot td').allTextContents();
    // The requests of beliefs are paid for, too.
    expect(total.slice(0, 2)).toEqual([`${3 * ticks}`, (3000 * ticks).toLocaleString('en-US')]);
    expect(await page.locator('#page img').count()).toBe(0);
    expect([requests.length, errors]).toEqual([1, []]);
    await page.click('.calls [aria-label="The asking after"]');
    expect(await moment(page)).not.toBe('45');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog.calls', { state: 'hidden' });
  });

  test('another lens shows no calls', async () => {
    const { page } = await open(browser(), `${await exported(game, 'table')}#t=45`);
    await page.click('[aria-label="Model calls"]');
    await expect.poll(() => page.textContent('dialog.calls')).toContain('Only the lens Glass');
    const html = await page.evaluate(() => document.getElementById('page')?.outerHTML ?? '');
    for (const secret of ['tokens', 'json_schema'])
      expect(html.includes(secret), secret).toBe(false);
  });

  testLong('a range that is in the address, is marked, and is played to its end', async () => {
    const { page } = await open(browser(), `${await exported(game)}#t=32-35`);
    expect(await moment(page)).toBe('32');
    expect(await page.locator('.strip .range').count()).toBe(1);
    await page.evaluate(() => {
      for (let times = 0; times < 5; times++)
        document.querySelector<HTMLElement>('.speed button:last-child')?.click();
    });
    await page.keyboard.press(' ');
    await expect.poll(() => moment(page)).toBe('35');
    await expect.poll(() => page.getAttribute('.play', 'aria-label')).toContain('Play');
    await expect.poll(() => page.url()).toContain('t=35&lens=glass&range=32-35');
    await page.keyboard.press(' ');
    await expect.poll(() => moment(page)).toBe('35');
    for (const key of ['r', 'r', 'l', 'l', 'r']) await page.keyboard.press(key);
    await expect.poll(() => page.locator('.strip .range').count()).toBe(1);
    await page.keyboard.press('h');
    await page.keyboard.press('h');
    await expect.poll(() => page.url()).toMatch(/t=35-\d+&/);
  });

  testLong('the whole transcript as one document, by its address too', async () => {
    const { page } = await open(browser(), `${await exported(game)}#t=45&lens=table&plain`);
    const said = await page.locator('.plain .speech blockquote').allTextContents();
    expect(said).toHaveLength(speeches(game).length);
    for (const one of speeches(game)) expect(one.endsWith(`: ${said.shift()}`)).toBe(true);
    expect(await page.locator('.plain .thought, .plain .haunt').count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.plain .tools').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await page.keyboard.press('p');
    expect(await moment(page)).toBe('45');
    await page.waitForSelector('.timeline');
  });

  testLong.each(everyNth(['dark', 'light'] as const, 2))(
    'and shuts nobody out of it (%s)',
    async (colorScheme) => {
      const { page } = await open(browser(), `${await exported(game)}#t=45`, { colorScheme });
      await page.keyboard.press('m');
      await page.waitForSelector('dialog.calls[open] details');
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('p');
      await page.waitForSelector('main.plain');
      expect(await barriers(page)).toEqual([]);
      await expect.poll(() => page.url()).toContain('&plain');
    },
  );
});
