/** Work: what steps cost a page, in milliseconds of its own thread, so that a busy machine makes no difference. */
import type { Page } from 'playwright-core';

const COUNTED = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'];

export async function stepsWorked(page: Page, steps: number): Promise<readonly number[]> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.reduce((sum, { name, value }) => sum + (COUNTED.includes(name) ? value : 0), 0);
  };
  const found: number[] = [];
  for (let index = 0; index < steps; index++) {
    const before = await worked();
    await stepOn(page);
    found.push(((await worked()) - before) * 1000);
  }
  return found;
}

/** Runs in the page; a text, for whoever measures knows no document. */
const STEP = `(async () => {
  const shown = () => document.querySelector('[data-moment]')?.getAttribute('data-moment');
  const before = shown();
  const began = performance.now();
  dispatchEvent(new KeyboardEvent('keydown', { key: 'l', repeat: true }));
  // The page draws itself after the current task.
  while (shown() === before) await Promise.resolve();
  document.body.getBoundingClientRect();
  const storyMs = performance.now() - began;
  // What explains the moment is drawn in a task of its own, which was asked for before this one.
  await new Promise((resolve) => setTimeout(resolve, 0));
  document.body.getBoundingClientRect();
  return { storyMs, wholeMs: performance.now() - began };
})()`;

/** Milliseconds until the transcript is laid out, and until every panel is. */
export type StepTime = { readonly storyMs: number; readonly wholeMs: number };

/** Steps on as a held key does, and waits for the drawing and layout. */
export function stepOn(page: Page): Promise<StepTime> {
  return page.evaluate<StepTime>(STEP);
}

/** Bytes in use after a garbage collection. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}
