import { beforeAll, describe, expect, test } from 'vitest';
import { type Line, lineSchema } from '../../../machines/journal/lines.ts';
import { seeWithMoves } from '../../../visualizer/charts/machineRun.ts';
import { createExportPage } from '../../../visualizer/page/build/pages.ts';
import { testLong } from '../../support/seeds.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, exported, giveFile, journalText, moment, written } from './desk.ts';
import { recordedMeeting } from './recorded.ts';

const HOSTILE =
  '</script><img src=x onerror="document.title=1"><!-- $& \u202E\u2066 \ud800 \u0000\u001b[31m';

/** Replaces every text except the types and channels of lines. */
function poisoned(value: unknown): unknown {
  if (typeof value === 'string') return HOSTILE;
  if (Array.isArray(value)) return value.map(poisoned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'type' || name === 'channel' ? each : poisoned(each),
    ]),
  );
}

describe.runIf(hasBrowser())('the page', () => {
  const browser = desk();
  let lines: readonly Line[] = [];
  beforeAll(async () => {
    lines = await recordedMeeting('ghosts', 7);
  });

  test('a fully hostile journal is shown as text, and a page that refuses one opens another', async () => {
    const rows = lines.map((line) => JSON.stringify(poisoned(line)));
    const html = await createExportPage(
      rows.map((row) => JSON.parse(row)),
      { lens: 'glass', name: HOSTILE, damaged: 0 },
    );
    const { page } = await open(browser(), written(html));
    await page.keyboard.press('End');
    await expect.poll(() => page.textContent('#page')).toContain('<img src=x onerror=');
    expect(await page.locator('#page img, #page script').count()).toBe(0);
    expect(await page.title()).not.toBe('1');
    await page.close();
    const [header, ...rest] = rows.map((row) => JSON.parse(row));
    const newer = [{ ...header, rulesVersion: 1e6 }, ...rest];
    const refused = await createExportPage(newer, { lens: 'glass', name: HOSTILE, damaged: 0 });
    const { page: opener } = await open(browser(), written(refused));
    await expect.poll(() => opener.textContent('.open .sentence')).toContain('Expected rules');
    await giveFile(opener, journalText(lines.map((line) => lineSchema.parse(line))));
    await opener.waitForSelector('[data-moment]');
  });

  test('what a file says of the machines is not believed', async () => {
    const { page, errors } = await open(browser(), await exported(lines));
    const lit = page.locator('#chart [data-leaf]');
    const show = async (given: readonly Line[]) => {
      await page.evaluate((text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], 'dropped.jsonl'));
        dispatchEvent(new DragEvent('drop', { dataTransfer: data }));
      }, journalText(given));
      await expect.poll(() => lit.count(), { timeout: 10_000 }).toBe(0);
      return await page.textContent('#page');
    };
    await lit.first().waitFor();
    const shown = await show(seeWithMoves(lines, { type: 'glass' }) as readonly Line[]);
    expect(await show(lines)).toBe(shown);
    expect(errors).toEqual([]);
  });

  testLong.each([
    { hash: 't=-1-9999', at: '0' },
    { hash: 't=99999999999', at: '0' },
    { hash: 't=5-2', at: '5' },
    { hash: 't=%E0%A4%A', at: '0' },
    { hash: 'lens=player:nobody', at: '0' },
    { hash: 'lens=player:tan', at: '0' },
    { hash: 't=5&player=tan', at: '5' },
  ])('makes the best of #$hash', async ({ hash, at }) => {
    const { page, errors } = await open(browser(), `${await exported(lines)}#${hash}`);
    expect(await moment(page)).toBe(at);
    await expect.poll(() => page.url()).toMatch(new RegExp(`#t=${at}&lens=glass$`));
    expect(errors).toEqual([]);
  });
});
