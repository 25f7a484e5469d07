import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { throughGlass } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { seeWithMoves } from '../../../visualizer/charts/machineRun.ts';
import { unpackMessages } from '../../../visualizer/charts/messages.ts';
import { createExportPage } from '../../../visualizer/page/build/pages.ts';
import { testLong } from '../../support/seeds.ts';
import { barriers } from './barriers.ts';
import { hasBrowser, open, type Window } from './browser.ts';
import { desk, exported, moment, written } from './desk.ts';
import { recordedGame } from './recorded.ts';

const NOW = '#lanes [aria-current=step]';

describe.runIf(hasBrowser())('the actor lanes', () => {
  const browser = desk();
  let game: readonly Line[] = [];
  let [before, tick] = [0, 0];
  beforeAll(async () => {
    game = await recordedGame(2);
    const seqOf = (number: number) =>
      game.find((line) => line.type === 'tick.closed' && line.tick === number)?.seq ?? 0;
    [before, tick] = [seqOf(2), seqOf(3)];
  });

  async function openLanes(address: string, look: Window = {}) {
    const opened = await open(browser(), address, look);
    await opened.page.keyboard.press('d');
    await opened.page.waitForSelector('#lanes');
    return opened;
  }

  /** "Meeting to Arbiter: tick.opened, tick 4": what a screen reader gets. */
  function listRows(page: Page, within = NOW): Promise<readonly string[]> {
    return page.locator(`${within} button`).allTextContents();
  }

  test('show the messages of the step, go to the step of another and close again', async () => {
    const { page, errors } = await openLanes(`${await exported(game)}#t=${tick}`);
    const line = seeWithMoves(game, { type: 'glass' }).find(
      ({ channel, seq }) => channel === 'living' && seq === tick,
    );
    const messages = unpackMessages(line?.messages);
    expect(messages.map(({ type }) => type)).toContain('mind.answered');
    const rows = await listRows(page);
    expect(rows).toHaveLength(messages.length);
    expect(rows[0]).toMatch(/^Mind to \w+: mind\.answered, tick 3$/);
    expect(rows).toContain('Meeting to Arbiter: tick.opened, tick 4');
    expect(rows.join()).toMatch(/Arbiter to \w+, .* and \w+: bid\.requested, tick 4/);
    const all = await listRows(page, '#lanes');
    await page.locator('#lanes button', { hasText: 'bid.requested, tick 3' }).first().click();
    await expect.poll(() => moment(page)).toBe(`${before}`);
    expect(await listRows(page)).toContain('Meeting to Arbiter: tick.opened, tick 3');
    expect(all.length).toBeLessThan(200);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => moment(page)).not.toBe(`${before}`);
    await page.keyboard.press('Escape');
    await page.waitForSelector('#lanes', { state: 'detached' });
    expect(errors).toEqual([]);
  });

  test('name no player through the lens Table, and show nothing ahead', async () => {
    const { page } = await openLanes(`${await exported(game)}#t=${tick}&lens=table`);
    expect(await listRows(page)).toEqual([
      'Meeting to Arbiter: tick.opened, tick 3',
      'Arbiter to Meeting: tick.closed, tick 3',
    ]);
    expect((await listRows(page, '#lanes')).at(-1)).toContain('tick 3');
    expect(await page.locator('#lanes [data-seat]').count()).toBe(0);
  });

  testLong(
    'say what is missing in a page without messages, and where a journal is refused',
    async () => {
      const old = await createExportPage(game.map(throughGlass), {
        lens: 'glass',
        name: 'old.jsonl',
        damaged: 0,
      });
      const { page } = await openLanes(`${written(old)}#t=${tick}`);
      expect(await page.textContent('#lanes .hidden')).toContain('no states of the machines');
      const edited = game.map((line) =>
        line.type === 'tick.closed' && line.seq === tick ? { ...line, floor: null } : line,
      );
      const other = await openLanes(`${await exported(edited)}#t=${tick}`);
      expect(await other.page.textContent('#lanes .hidden')).toContain(
        `The machines stop at line ${tick}: expected floor`,
      );
      expect((await listRows(other.page, '#lanes')).length).toBeGreaterThan(3);
    },
  );

  testLong.each([
    [1280, 720, 'dark'],
    [1280, 720, 'light'],
    [390, 844, 'dark'],
  ] as const)('have no barrier at %d × %d in the %s theme', async (width, height, colorScheme) => {
    const { page } = await openLanes(`${await exported(game)}#t=${tick}`, {
      width,
      height,
      colorScheme,
    });
    await page.waitForSelector(NOW);
    expect(await barriers(page)).toEqual([]);
  });
});
