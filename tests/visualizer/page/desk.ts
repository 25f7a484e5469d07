import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { parseLens } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { seeWithMoves } from '../../../visualizer/charts/machineRun.ts';
import { createExportPage } from '../../../visualizer/page/build/pages.ts';
import { launched } from './browser.ts';

let folder = '';
let files = 0;

/** The browser, and a folder for as long as the tests of a file run. No page outlives its test. */
export function desk(): () => Browser {
  let browser: Browser | null = null;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'glassbox-page-'));
    browser = await launched();
  });
  // Each page has a context of its own.
  afterEach(() => Promise.all((browser?.contexts() ?? []).map((context) => context.close())));
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  return () => {
    if (browser === null) throw new Error('the browser is not open yet');
    return browser;
  };
}

export async function exported(lines: readonly Line[], lens = 'glass'): Promise<string> {
  const seen = seeWithMoves(lines, parseLens(lens) ?? { type: 'table' });
  return written(await createExportPage(seen, { lens, name: 'test.jsonl', damaged: 0 }));
}

export function written(html: string): string {
  files += 1;
  const path = join(folder, `page-${files}.html`);
  writeFileSync(path, html);
  return `file://${path}`;
}

export function journalText(lines: readonly Line[]): string {
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

/** Opens a journal from the device. */
export async function giveFile(page: Page, text: string): Promise<void> {
  const buffer = Buffer.from(text);
  await page.setInputFiles('input[type=file]', { name: 'a.jsonl', mimeType: '', buffer });
}

export function moment(page: Page): Promise<string | null> {
  return page.getAttribute('[data-moment]', 'data-moment');
}

/** Goes to an address of the page that is open. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((wanted) => {
    location.hash = wanted;
  }, hash);
}

/** The smallest letters on a map, in pixels of the screen. */
export function smallestLetter(page: Page, map: string): Promise<number> {
  return page.evaluate(
    (place) =>
      Math.min(
        ...[...document.querySelectorAll<SVGTextElement>(`${place} text`)]
          .filter((text) => text.getClientRects().length > 0)
          .map((text) => {
            const { a = 0, b = 0 } = text.getScreenCTM() ?? {};
            return Number.parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
          }),
      ),
    map,
  );
}
