/** The page with ten thousand ticks: until it can be used, a step as a held key makes it, and memory. In Chromium. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasBrowser, launched, open } from '../tests/visualizer/page/browser.ts';
import { longMeeting } from '../tests/visualizer/page/recorded.ts';
import { heapOf, stepOn } from '../tests/visualizer/page/work.ts';
import { createExportPage } from '../visualizer/page/build/pages.ts';

const TICKS = 10_000;
const STEPS = 200;
/** Milliseconds after which a key that is held down comes again. */
const REPEAT = 33;

export type PageFigures = {
  readonly readyMs: number;
  /** Of the steps, the middle one and the one that 95 of 100 are not slower than. */
  readonly stepMs: number;
  readonly slowStepMs: number;
  readonly heapMb: number;
};

/** Null where there is no browser. */
export async function pageBench(): Promise<PageFigures | null> {
  if (!hasBrowser()) return null;
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-bench-'));
  const file = join(folder, 'page.html');
  const given = { lens: 'glass', name: 'bench', damaged: 0 };
  writeFileSync(file, await createExportPage([...(await longMeeting(TICKS))], given));
  const browser = await launched();
  try {
    const { page } = await open(browser, `file://${file}`);
    const readyMs = await page.evaluate(() => performance.now());
    const steps: number[] = [];
    for (let index = 0; index < STEPS; index++) {
      steps.push(await stepOn(page));
      await page.waitForTimeout(REPEAT);
    }
    steps.sort((a, b) => a - b);
    const at = (share: number) => steps[Math.floor(STEPS * share)] ?? 0;
    const heapMb = (await heapOf(page)) / 1e6;
    return { readyMs, stepMs: at(0.5), slowStepMs: at(0.95), heapMb };
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

export function shownPage(figures: PageFigures | null): string {
  const title = 'The page with 10,000 ticks';
  if (figures === null) return `${title}\n  not measured: no Chromium`;
  const { readyMs, stepMs, slowStepMs, heapMb } = figures;
  const steps = `a step ${stepMs.toFixed(1)} ms, 95 of 100 under ${slowStepMs.toFixed(1)} ms`;
  return `${title}\n  ready in ${readyMs.toFixed(0)} ms, ${steps}, ${heapMb.toFixed(0)} MB`;
}
