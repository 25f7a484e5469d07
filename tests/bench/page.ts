/**
 * The page with ten thousand ticks, and with a game of fifteen seats and five models: until it can be used, a step as a held
 * key makes it, and memory. In Chromium.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { throughGlass } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { createExportPage } from '../../visualizer/page/build/pages.ts';
import { hasBrowser, launched, open } from '../visualizer/page/browser.ts';
import { longMeeting, playedByModels, recordedGame } from '../visualizer/page/recorded.ts';
import { heapOf, type StepTime, stepOn, stepsWorked } from '../visualizer/page/work.ts';

const TICKS = 10_000;
const SEATS = 15;
const SEED = 3;
const MODELS = [
  'openai/gpt-5.1',
  'anthropic/claude-sonnet-4.5',
  'google/gemini-3-pro',
  'meta-llama/llama-4-maverick',
  'mistralai/mistral-large',
];
const STEPS = 200;
/** Milliseconds after which a key that is held down comes again. */
const REPEAT = 33;

export type PageFigures = {
  /** Until the page can be used; and until all of a long journal is read, while it is. */
  readonly readyMs: number;
  readonly wholeMs: number;
  /** Of the steps, the middle one and the one that 95 of 100 are not slower than, until the transcript is drawn. */
  readonly stepMs: number;
  readonly slowStepMs: number;
  /** The same until every panel is. */
  readonly wholeStepMs: number;
  readonly slowWholeStepMs: number;
  /** Work of the page's own thread for the middle step, whatever else the machine does. */
  readonly stepWorkMs: number;
  readonly heapMb: number;
};

export type PageBench = { readonly long: PageFigures; readonly game: PageFigures };

/** Null where there is no browser. */
export async function pageBench(): Promise<PageBench | null> {
  if (!hasBrowser()) return null;
  const long = await measurePage(await longMeeting(TICKS));
  const game = await measurePage(playedByModels(await recordedGame(SEED, SEATS), MODELS));
  return { long, game };
}

async function measurePage(lines: readonly Line[]): Promise<PageFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-bench-'));
  const file = join(folder, 'page.html');
  const given = { lens: 'glass', name: 'bench', damaged: 0 };
  writeFileSync(file, await createExportPage(lines.map(throughGlass), given));
  const browser = await launched();
  try {
    const { page } = await open(browser, `file://${file}`);
    const readyMs = await page.evaluate(() => performance.now());
    await page.locator('.bar .now', { hasNotText: 'reading on' }).waitFor();
    const wholeMs = await page.evaluate(() => performance.now());
    const steps: StepTime[] = [];
    for (let index = 0; index < STEPS; index++) {
      steps.push(await stepOn(page));
      await page.waitForTimeout(REPEAT);
    }
    const heapMb = (await heapOf(page)) / 1e6;
    const worked = await stepsWorked(page, STEPS / 4);
    const stories = steps.map(({ storyMs }) => storyMs);
    const wholes = steps.map(({ wholeMs }) => wholeMs);
    return {
      readyMs,
      wholeMs,
      stepMs: quantile(stories, 0.5),
      slowStepMs: quantile(stories, 0.95),
      wholeStepMs: quantile(wholes, 0.5),
      slowWholeStepMs: quantile(wholes, 0.95),
      stepWorkMs: quantile(worked, 0.5),
      heapMb,
    };
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0;
}

export function shownPage(bench: PageBench | null): string {
  if (bench === null) return 'The page\n  not measured: no Chromium';
  return [
    'The page with 10,000 ticks',
    showFigures(bench.long),
    `The page of a game of ${SEATS} seats and ${MODELS.length} models`,
    showFigures(bench.game),
  ].join('\n');
}

function showFigures(figures: PageFigures): string {
  const { readyMs, wholeMs, stepMs, slowStepMs, wholeStepMs, slowWholeStepMs, stepWorkMs, heapMb } =
    figures;
  const story = `a step of the story ${stepMs.toFixed(1)} ms, 95 of 100 under ${slowStepMs.toFixed(1)} ms`;
  const whole = `of all panels ${wholeStepMs.toFixed(1)} and ${slowWholeStepMs.toFixed(1)} ms`;
  const work = `${stepWorkMs.toFixed(1)} ms of work`;
  return `  ready in ${readyMs.toFixed(0)} ms, all of it in ${wholeMs.toFixed(0)} ms\n  ${story}\n  ${whole}, ${work}, ${heapMb.toFixed(0)} MB`;
}
