import { beforeAll, describe, expect, test } from 'vitest';
import type { Line } from '../../../machines/journal/lines.ts';
import { createLivePage, createPage } from '../../../visualizer/page/build/pages.ts';
import { Broadcast } from '../../../visualizer/server/broadcast.ts';
import { createJournalRoutes } from '../../../visualizer/server/routes.ts';
import { serve } from '../../../visualizer/server/server.ts';
import { testLong } from '../../support/seeds.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, exported, giveFile, journalText, moment, written } from './desk.ts';
import { speeches } from './reading.ts';
import { recordedGame, recordedMeeting } from './recorded.ts';
import { screenOf } from './screen.ts';

describe.runIf(hasBrowser())('the page', () => {
  const browser = desk();
  let game: readonly Line[] = [];
  beforeAll(async () => {
    game = await recordedGame(2);
  });

  testLong('a lens leaves nothing hidden in the document, and none in an export', async () => {
    const meeting = await recordedMeeting('ghosts', 7);
    const secrets = meeting.flatMap((line) =>
      line.type === 'tick.closed' || line.type === 'turn.closed'
        ? line.bids.flatMap(({ received }) => thoughtIn(received))
        : [],
    );
    expect(secrets.length).toBeGreaterThan(20);
    const { page } = await open(browser(), `${await exported(meeting)}#lens=table`);
    await page.keyboard.press('End');
    const html = await page.evaluate(() => document.getElementById('page')?.outerHTML ?? '');
    for (const secret of secrets) expect(html).not.toContain(secret);
    expect(html).not.toMatch(/impostor<|crewmate/);
    await page.close();
    const table = await open(browser(), `${await exported(meeting, 'table')}#lens=glass`);
    const text = await table.page.evaluate(async () => {
      const packed = document.getElementById('journal')?.textContent ?? '';
      const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
      return await new Response(stream).text();
    });
    expect(text).toContain('match.opened');
    for (const secret of [...secrets, 'impostor"', 'internal_thought'])
      expect(text).not.toContain(secret);
    expect(await table.page.isDisabled('.lenses button >> nth=2')).toBe(true);
  });

  testLong('what players write stays text', async () => {
    const hostile =
      '</script><img src=x onerror="document.title=1"><script>document.title=2</script>‮ $& <!--';
    const lines = game.map(
      (line): Line =>
        line.type === 'tick.closed' && line.said !== null
          ? { ...line, said: { ...line.said, message: hostile } }
          : line,
    );
    const { page, requests, errors } = await open(browser(), `${await exported(lines)}#t=48`);
    expect(await page.locator('#feed blockquote').last().textContent()).toBe(hostile);
    expect(await page.locator('#page img, #page script').count()).toBe(0);
    expect(await page.title()).not.toMatch(/[12]/);
    expect([requests.length, errors]).toEqual([1, []]);
  });

  test.each([
    {
      name: 'an unknown version',
      text: '{"channel":"living","seq":0,"type":"match.opened","format":9}',
      says: 'format 9',
    },
    { name: 'nonsense', text: 'nothing\nof\nuse', says: 'not a journal' },
    { name: 'nothing', text: '', says: 'empty' },
  ])('says what is wrong with $name', async ({ text, says }) => {
    const { page } = await open(browser(), written(await createPage('page', '')));
    await giveFile(page, text);
    await expect.poll(() => page.textContent('.open .sentence')).toContain(says);
    await giveFile(page, journalText(game));
    await page.waitForSelector('[data-moment="0"]');
    expect(await page.textContent('#chart .last')).toContain('has no states of the machines');
  });

  testLong('refuses a journal of 100 MB in words, and takes a dropped one', async () => {
    const { page } = await open(browser(), written(await createPage('page', '')));
    const whole = journalText(game);
    const long = whole.repeat(Math.ceil(LONG / whole.length)).slice(0, LONG);
    await page.setInputFiles('input[type=file]', filed(long));
    await expect.poll(() => page.textContent('.open .sentence')).toContain('100 MB');
    await page.evaluate((text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], 'dropped.jsonl'));
      document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer }));
    }, whole);
    await page.waitForSelector('[data-moment="0"]');
  });

  async function stepsIn(lens: 'glass' | 'table'): Promise<string> {
    const { page } = await open(browser(), `${await exported(game)}#lens=${lens}`);
    const words = (await page.textContent('.where span')) ?? '';
    await page.close();
    return /\d+(?=\D*$)/.exec(words)?.[0] ?? 'no number of steps';
  }

  testLong('a cut connection or another lens loses no line', async () => {
    /** With a line of the ghosts, and a line of the living at the end. */
    const FIRST = 32;
    const feed = new Broadcast({ type: 'glass' });
    const live = await serve(
      createJournalRoutes(feed, await createLivePage({ lens: 'glass', name: 'live', damaged: 0 })),
      0,
    );
    for (const line of game.slice(0, FIRST)) feed.add(line);
    const { page, errors } = await open(browser(), live.url);
    const other = await open(browser(), `${live.url}#lens=table`);
    const seqOf = (lines: readonly Line[]) =>
      `${lines.findLast(({ channel }) => channel === 'living')?.seq}`;
    await expect.poll(() => moment(page)).toBe(seqOf(game.slice(0, FIRST)));
    for (const line of game.slice(FIRST, 60)) feed.add(line);
    live.cut();
    for (const line of game.slice(60)) feed.add(line);
    feed.end();
    const end = seqOf(game);
    await expect.poll(() => moment(page)).toBe(end);
    expect((await screenOf(page)).speeches).toEqual(
      speeches(game).slice(-(await screenOf(page)).speeches.length),
    );
    expect(await page.textContent('.where span')).toContain(await stepsIn('glass'));
    await expect.poll(() => moment(other.page)).toBe(end);
    const html = await other.page.content();
    expect(html).not.toContain('impostor<span');
    expect(await other.page.locator('#minds li, #ghosts li').count()).toBe(0);
    await page.keyboard.press('1');
    await expect.poll(() => page.locator('#ghosts li').count()).toBe(0);
    await expect.poll(() => moment(page)).toBe(end);
    expect(errors.filter((text) => !text.includes('ERR_'))).toEqual([]);
    await Promise.all([page.close(), other.page.close()]);
    live.close();
  });

  testLong('an old journal is served without telling its end', async () => {
    const feed = new Broadcast({ type: 'glass' });
    for (const line of game) feed.add(line);
    feed.end();
    const source = { lens: 'glass', name: 'old', damaged: 0, isOver: true };
    const live = await serve(createJournalRoutes(feed, await createLivePage(source)), 0);
    const { page } = await open(browser(), live.url);
    await expect.poll(() => page.textContent('.where span')).toContain(await stepsIn('glass'));
    expect(await moment(page)).toBe('0');
    await page.keyboard.press('1');
    await expect.poll(() => page.textContent('.where span')).toContain(await stepsIn('table'));
    expect(await moment(page)).toBe('0');
    await page.close();
    live.close();
  });
});

const LONG = 100 * 1024 * 1024;

/** Given by its path, because Playwright limits buffers to 50 MB. */
function filed(text: string): string {
  return new URL(written(text)).pathname;
}

function thoughtIn(received: unknown): readonly string[] {
  if (typeof received !== 'object' || received === null) return [];
  if (!('internal_thought' in received) || typeof received.internal_thought !== 'string') return [];
  return received.internal_thought.length > 20 ? [received.internal_thought] : [];
}
