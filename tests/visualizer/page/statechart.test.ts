/** The statechart of a page in a browser, and its arithmetic without one. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Line } from '../../../machines/journal/lines.ts';
import { readFacts } from '../../../visualizer/page/build/facts.ts';
import {
  fitView,
  followView,
  keepInside,
  LEGIBLE_SCALE,
  panView,
  placeLabels,
  zoomView,
} from '../../../visualizer/page/frame/chartView.ts';
import type { BuildFacts } from '../../../visualizer/page/game/story/pageData.ts';
import { describeLong } from '../../support/seeds.ts';
import { barriers } from './barriers.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, exported, moment } from './desk.ts';
import { recordedMeeting } from './recorded.ts';

let facts: BuildFacts;
beforeAll(async () => {
  facts = await readFacts();
});

const SIZES = [
  { width: 390, height: 80 },
  { width: 390, height: 500 },
  { width: 900, height: 300 },
  { width: 2000, height: 2000 },
];

describe('the view of a chart', () => {
  test.each(SIZES)('fits whole into $width × $height', (size) => {
    for (const chart of Object.values(facts.charts)) {
      const { x, y, scale } = fitView({ chart, size });
      for (const node of chart.nodes.slice(1)) {
        expect((node.x - x) * scale).toBeGreaterThanOrEqual(-1);
        expect((node.y - y) * scale).toBeGreaterThanOrEqual(-1);
        expect((node.x + node.width - x) * scale).toBeLessThanOrEqual(size.width + 1);
        expect((node.y + node.height - y) * scale).toBeLessThanOrEqual(size.height + 1);
      }
    }
  });

  test.each(SIZES)('follows every state at a legible size in $width × $height', (size) => {
    for (const chart of Object.values(facts.charts)) {
      let view = null;
      for (const node of chart.nodes.filter(({ isInnermost }) => isInnermost)) {
        view = followView(view, [node], { chart, size });
        expect(view.scale).toBeGreaterThanOrEqual(LEGIBLE_SCALE);
        const [left, top] = [(node.x - view.x) * view.scale, (node.y - view.y) * view.scale];
        expect(left).toBeGreaterThanOrEqual(-0.01);
        expect(top).toBeGreaterThanOrEqual(-0.01);
        expect(left + node.width * view.scale).toBeLessThanOrEqual(size.width + 0.01);
        expect(top + node.height * view.scale).toBeLessThanOrEqual(size.height + 0.01);
        expect(followView(view, [node], { chart, size })).toEqual(view);
      }
    }
  });

  test('a point that is zoomed at stays where it is, and a drag moves as far as the pointer', () => {
    const from = { x: 30, y: 400, scale: 1 };
    for (const factor of [0.5, 1, 1.25, 3]) {
      const after = zoomView(from, factor, [100, 40]);
      expect(after.x + 100 / after.scale).toBeCloseTo(130);
      expect(after.y + 40 / after.scale).toBeCloseTo(440);
    }
    expect(zoomView(from, 1000, [0, 0]).scale).toBe(4);
    expect(panView({ ...from, scale: 2 }, [10, -20])).toEqual({ x: 25, y: 410, scale: 2 });
    const place = { chart: facts.charts.meeting, size: { width: 200, height: 200 } };
    expect(keepInside({ x: -500, y: 1e6, scale: 1 }, place)).toMatchObject({
      x: 0,
      y: place.chart.height - 200,
    });
  });

  test('a label is on its line or beside it, clear of states and other labels, or hidden when the line is out of sight', () => {
    const view = { x: 0, y: 0, scale: 1 };
    const size = { width: 300, height: 300 };
    const name = { width: 100, height: 20, along: [[150, 0] as const, [150, 300] as const] };
    const middle = placeLabels([name], [], view, size)[0];
    expect(middle).toMatchObject({ x: 100, y: 140 });
    const states = [{ x: 100, y: 120, width: 100, height: 60 }];
    const [one, other] = placeLabels([name, name], states, view, size);
    expect([one?.y, other?.y]).toEqual([80, 200]);
    expect(placeLabels([name], [], { ...view, x: 400 }, size)).toEqual([null]);
    const wide = { x: 0, y: 100, width: 300, height: 100 };
    expect(placeLabels([name], [wide], view, size)[0]?.y).toBe(80);
    const whole = { ...wide, y: 0, height: 300 };
    expect(placeLabels([name], [whole], view, size)).toEqual([null]);
    expect(placeLabels([name], [{ ...whole, mayBeCovered: true }], view, size)).toEqual([middle]);
    const besideIt = { ...whole, x: 146, width: 100 };
    expect(placeLabels([name], [besideIt], view, size)[0]?.x).toBe(46);
  });
});

async function labels(page: Page): Promise<readonly string[]> {
  return await page
    .locator('#chart .edge-label')
    .evaluateAll((all) => all.map((each) => each.textContent ?? ''));
}

function scaleOf(page: Page): Promise<number> {
  return page
    .locator('#chart .picture')
    .evaluate((each) => Number(each.getAttribute('data-scale')));
}

function placeOf(page: Page): Promise<string | null> {
  return page.locator('#chart .statechart > g').first().getAttribute('transform');
}

describeLong.runIf(hasBrowser())('the statechart of a page', () => {
  const browser = desk();
  let lines: readonly Line[] = [];
  let url = '';
  beforeAll(async () => {
    lines = await recordedMeeting('electrical', 7);
    url = await exported(lines);
  });

  const tick = (index: number) =>
    lines.filter(({ type }) => type === 'tick.closed')[index]?.seq ?? expect.fail('no tick');

  test('writes the last transitions at their lines, and those that are pointed at', async () => {
    const { page, errors } = await open(browser(), `${url}#t=${tick(3)}&lens=glass`);
    expect((await labels(page)).toSorted()).toEqual(['No pause is set', 'The tick closes']);
    const size = await page
      .locator('#chart .edge-label text, #chart .state text:visible')
      .evaluateAll((all) =>
        all.map((each) => {
          const scale = each instanceof SVGTextElement ? (each.getScreenCTM()?.a ?? 0) : 0;
          return Number.parseFloat(getComputedStyle(each).fontSize) * scale;
        }),
      );
    expect(Math.min(...size)).toBeGreaterThanOrEqual(11);
    const [x, y] = await page.evaluate(() => {
      const reaches = [...document.querySelectorAll('#chart .edge:not([data-hot]) .reach')];
      for (const reach of reaches) {
        if (!(reach instanceof SVGPathElement)) continue;
        const middle = reach.getPointAtLength(reach.getTotalLength() / 2);
        const { x, y } = middle.matrixTransform(reach.getScreenCTM() ?? undefined);
        const isStart = reach.parentElement?.querySelector('.dot') !== null;
        if (!isStart && document.elementFromPoint(x, y) === reach) return [x, y] as const;
      }
      throw new Error('no line can be pointed at');
    });
    await page.mouse.move(x, y);
    const hovered = await page.getAttribute('#chart .edge[data-pointed]', 'data-edges');
    const names = facts.charts.meeting.edges.flatMap(({ id, text }) =>
      hovered?.split(' ').includes(id) === true ? [text] : [],
    );
    expect(names.length).toBeGreaterThan(0);
    expect(await labels(page)).toEqual(expect.arrayContaining([...names, 'The tick closes']));
    await page.mouse.move(1, 1);
    expect(await page.locator('#chart .edge[data-pointed]').count()).toBe(0);
    // By the keyboard: the row that has the focus is pointed at, and brought into sight.
    await page.click('#chart .transitions summary');
    await page.waitForSelector('#chart .transitions button');
    await page.mouse.move(1, 1);
    await page.keyboard.press('Tab');
    const row = await page.evaluate(() => document.activeElement?.getAttribute('data-edge') ?? '');
    expect(await page.getAttribute('#chart .edge[data-pointed]', 'data-edges')).toContain(row);
    await page.keyboard.press('ArrowDown');
    const next = await page.evaluate(() => document.activeElement?.getAttribute('data-edge') ?? '');
    expect(next).not.toBe(row);
    expect(await page.getAttribute('#chart .edge[data-pointed]', 'data-edges')).toContain(next);
    const gathering = 'meeting.interrupt.gathering|';
    await page.focus(`#chart .transitions button[data-edge^="${gathering}"]`);
    expect(await page.locator(`#chart [data-label^="${gathering}"]`).count()).toBe(1);
    expect(errors).toEqual([]);
  });

  test('is moved and zoomed by wheel, drag, pinch and keys, fits, and follows again', async () => {
    const { page, errors } = await open(browser(), `${url}#t=${tick(3)}&lens=glass`);
    // A view that follows moves as little as possible, so it depends on where it began.
    await page.focus('#chart .picture');
    await page.keyboard.press('0');
    await page.click('#chart button:text-is("follow")');
    const followed = await placeOf(page);
    const scale = await scaleOf(page);
    expect(scale).toBeGreaterThanOrEqual(LEGIBLE_SCALE);
    const box = (await page.locator('#chart .picture').boundingBox()) ?? expect.fail('no picture');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -200);
    await expect.poll(() => scaleOf(page)).toBeGreaterThan(scale * 1.2);
    const before = await placeOf(page);
    const at = await moment(page);
    await page.mouse.down();
    await page.mouse.move(x + 40, y - 60, { steps: 3 });
    await page.mouse.up();
    await expect.poll(() => placeOf(page)).not.toBe(before);
    // The end of a drag is no click, and a step keeps a view that was moved by hand.
    expect(await moment(page)).toBe(at);
    const left = await placeOf(page);
    await page.mouse.move(1, 1);
    await page.keyboard.press('l');
    await expect.poll(() => moment(page)).not.toBe(at);
    expect(await placeOf(page)).toBe(left);
    await page.keyboard.press('h');
    await page.focus('#chart .picture');
    for (const [key, isMoved] of [
      ['ArrowDown', true],
      ['ArrowUp', true],
      ['+', true],
      ['-', true],
      ['x', false],
    ] as const) {
      const old = await placeOf(page);
      await page.keyboard.press(key);
      expect((await placeOf(page)) !== old, key).toBe(isMoved);
    }
    expect(await moment(page)).toBe(at);
    await page.keyboard.press('0');
    expect(await scaleOf(page)).toBeLessThan(LEGIBLE_SCALE);
    expect(await page.getAttribute('#chart button:text-is("fit")', 'aria-pressed')).toBe('true');
    await page.click('#chart button:text-is("follow")');
    expect(await placeOf(page)).toBe(followed);
    await page.click('#chart button[title="Zoom in"]');
    expect(await scaleOf(page)).toBeGreaterThan(scale);
    await page.focus('#chart .picture');
    await page.keyboard.press('f');
    expect(await placeOf(page)).toBe(followed);
    await pinch(page, [x, y]);
    await expect.poll(() => scaleOf(page)).toBeGreaterThan(scale * 1.5);
    expect(errors).toEqual([]);
  });

  test('keeps the active states in sight at every step', async () => {
    const { page } = await open(browser(), `${url}#t=0&lens=glass`, { height: 720 });
    let last = '';
    for (;;) {
      const now = (await moment(page)) ?? '';
      if (now === last) break;
      last = now;
      const outside = await page.evaluate(() => {
        const leaf = document.querySelector('#chart [data-leaf] rect')?.getBoundingClientRect();
        const frame = document.querySelector('#chart .picture')?.getBoundingClientRect();
        if (leaf === undefined || frame === undefined) return leaf !== undefined;
        const isTooHigh = leaf.height > frame.height;
        return (
          leaf.top < frame.top - 1 ||
          leaf.left < frame.left - 1 ||
          leaf.bottom > (isTooHigh ? leaf : frame).bottom + 1 ||
          leaf.right > frame.right + 1
        );
      });
      expect(outside, now).toBe(false);
      await page.keyboard.press('ArrowRight');
    }
    expect(last).not.toBe('0');
  });

  test('lists all transitions, which go to their next firing, and is open to everyone', async () => {
    const { page, errors } = await open(browser(), `${url}#t=${tick(5)}&lens=glass`);
    await page.click('#chart .transitions summary');
    const rows = page.locator('#chart .recent button');
    const closing = rows.filter({ hasText: 'The tick closes' }).first();
    expect(Number(await closing.locator('.when').textContent())).toBeGreaterThan(5);
    expect(await page.locator('#chart .recent button[tabindex="0"]').count()).toBe(1);
    await rows.first().focus();
    while (!(await closing.evaluate((row) => row === document.activeElement)))
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => moment(page)).toBe(`${tick(6)}`);
    expect(await barriers(page, '#chart')).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await barriers(page, '#chart')).toEqual([]);
    for (const [width, height] of [
      [1280, 720],
      [844, 390],
      [320, 640],
    ] as const) {
      await page.setViewportSize({ width, height });
      if (width < 1081) await page.click('.tabs button:text-is("chart")');
      const frame = await page.locator('#chart .picture').boundingBox();
      expect(frame?.height, `${width} × ${height}`).toBeGreaterThanOrEqual(84);
      expect(await scaleOf(page)).toBeGreaterThanOrEqual(LEGIBLE_SCALE);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    expect(errors).toEqual([]);
  });
});

/** Two fingers that part, about a point of the page. */
async function pinch(page: Page, [x, y]: readonly [number, number]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', reach: number) => {
    const touchPoints =
      type === 'touchEnd' ? [] : [-1, 1].map((side, id) => ({ x: x + side * reach, y, id }));
    await devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
  };
  await touch('touchStart', 20);
  for (const reach of [25, 30, 40, 50]) await touch('touchMove', reach);
  await touch('touchEnd', 0);
}
