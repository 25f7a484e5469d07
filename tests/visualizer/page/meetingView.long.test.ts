/** What a viewer of a game must always be able to read: the active state, and the phases of a meeting. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Line } from '../../../machines/journal/lines.ts';
import { capitalize } from '../../../machines/text.ts';
import { PHASES } from '../../../machines/types.ts';
import { barriers } from './barriers.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, exported } from './desk.ts';
import { exitsByMoment } from './exitsNow.ts';
import { recordedGame } from './recorded.ts';
import { walk } from './walk.ts';

const SIZES = [
  [1280, 720],
  [390, 844],
  [1366, 768],
  [1440, 900],
  [1920, 1080],
] as const;

const LEAST_PX = 11;
const ALL_PHASES = PHASES.map(capitalize).join(' ');

/** The moments between the call of a meeting and the next round on the ship. */
function meetingMoments(lines: readonly Line[]): ReadonlySet<string> {
  let isOn = false;
  const found = lines.flatMap((line) => {
    if (line.type === 'phase.entered' || line.type === 'meeting.refused') isOn = true;
    if (line.type === 'round.closed') isOn = false;
    return isOn ? [`${line.channel === 'ghosts' ? 'g' : ''}${line.seq}`] : [];
  });
  return new Set(found);
}

describe.runIf(hasBrowser())('at every step of a game', () => {
  const browser = desk();

  async function walkThrough(
    lines: readonly Line[],
    every: number,
    sizes: typeof SIZES | readonly (typeof SIZES)[number][],
  ) {
    const url = await exported(lines);
    const meeting = meetingMoments(lines);
    const exits = exitsByMoment(lines);
    for (const [width, height] of sizes) {
      const { page, errors } = await open(browser(), url, { width, height, isPhone: width < 500 });
      const steps = await walk(page, every, (sight) => {
        const { moment, isMeeting, names, cut, phases, here, open: ways, refused } = sight;
        const where = `line ${moment} at ${width} × ${height}`;
        const chart = names[0]?.state.startsWith('game') === true ? 'game' : 'meeting';
        const { open: taken = [], refused: untaken = [] } = exits.get(moment)?.[chart] ?? {};
        expect([ways, refused], where).toEqual([taken, untaken]);
        expect(names.length, where).toBeGreaterThan(0);
        for (const { state, px, cover } of names) {
          expect(px, `${state}, ${where}`).toBeGreaterThanOrEqual(LEAST_PX);
          expect(cover, `${state}, ${where}`).toBe('');
        }
        expect(isMeeting, where).toBe(meeting.has(moment));
        expect(phases, where).toBe(isMeeting ? ALL_PHASES : '');
        expect(here, where).toBeLessThanOrEqual(Number(isMeeting));
        expect(cut, where).toEqual([]);
      });
      expect(steps).toBeGreaterThan(20);
      expect(errors).toEqual([]);
      await page.close();
    }
  }

  test('the active state and the phases can be read', async () => {
    await walkThrough(await recordedGame(17, 6), 30, SIZES.slice(0, 2));
  });

  test.each([
    [17, 6, 'house'],
    [2, 10, 'classic'],
  ] as const)(
    'the active state and the phases can be read, seed %i with %i players and %s rules',
    async (seed, players, rules) => {
      await walkThrough(await recordedGame(seed, players, rules), 1, SIZES);
    },
  );
});

describe.runIf(hasBrowser())('during a meeting', () => {
  const browser = desk();
  const tickOf = (lines: readonly Line[]) =>
    lines.find(({ type }) => type === 'tick.closed')?.seq ?? expect.fail('no tick');
  const areaOf = async (page: Page, selector: string) => {
    const box = (await page.locator(selector).boundingBox()) ?? expect.fail(selector);
    return box.width * box.height;
  };

  test('the chart has most of its column, and S gives it or the map the whole page', async () => {
    const lines = await recordedGame(17, 6);
    const url = `${await exported(lines)}#t=${tickOf(lines)}`;
    const { page, errors } = await open(browser(), url, { width: 1280, height: 720 });
    const [column, picture] = [
      await areaOf(page, '.column.left'),
      await areaOf(page, '#chart .picture'),
    ];
    expect((await areaOf(page, '#chart')) / column).toBeGreaterThan(0.75);
    expect((await page.locator('#chart .picture').boundingBox())?.height).toBeGreaterThan(219);
    expect(await areaOf(page, '#ship')).toBeLessThan(column / 10);
    await page.keyboard.press('s');
    expect(await areaOf(page, '#chart .picture')).toBeGreaterThan(3 * picture);
    expect(await page.locator('.seats').isVisible()).toBe(false);
    expect(await page.locator('#chart .worded .event').first().textContent()).toMatch(
      /^A player leaves/,
    );
    const state = '#chart [data-leaf]';
    const before = await page.getAttribute(state, 'data-node');
    while ((await page.getAttribute(state, 'data-node')) === before)
      await page.keyboard.press('ArrowRight');
    const last = await walk(page, 40, ({ names, cut }) => {
      expect(names.map(({ px, cover }) => [px >= LEAST_PX, cover])).toEqual([[true, '']]);
      expect(cut).toEqual([]);
    });
    expect(last).toBeGreaterThan(40);
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.locator('.seats').isVisible()).toBe(true);
    await page.evaluate((at) => {
      location.hash = `t=${at}`;
    }, tickOf(lines));
    await page.getByRole('button', { name: 'The ship on the whole page' }).click();
    expect(await areaOf(page, '#ship .map')).toBeGreaterThan(200_000);
    expect(await page.locator('#chart').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'The ship on the whole page' }).press('Enter');
    await page.keyboard.press('s');
    await page.keyboard.press('s');
    expect(await areaOf(page, '#chart .picture')).toBe(picture);
    expect(errors).toEqual([]);
  });

  test('J and K go through the visible steps of a tick, and a step onto the tick plays them', async () => {
    const lines = await recordedGame(17, 6);
    const at = tickOf(lines);
    const { page, errors } = await open(browser(), `${await exported(lines)}#t=${at}`);
    const follow = (key: string) =>
      page.evaluate(async (pressed) => {
        const text = (place: string) => document.querySelector(place)?.textContent ?? '';
        const look = () => ({
          at: document.querySelector('.app')?.getAttribute('data-moment'),
          stage: document.querySelector('.app')?.getAttribute('data-stage') ?? 'whole',
          waits: text('#bids .waits'),
          isTold: text('.situation').includes('speaks'),
        });
        const seen = [look()];
        while (seen.at(-1)?.at === seen[0]?.at) {
          dispatchEvent(new KeyboardEvent('keydown', { key: pressed }));
          await new Promise(requestAnimationFrame);
          seen.push(look());
        }
        return seen.slice(0, -1);
      }, key);
    const back = await follow('j');
    await page.keyboard.press('k');
    expect(await follow('k')).toEqual(back.toReversed());
    const stages = ['asked', ...Array(6).fill('bid'), 'scored', 'floor', 'said'];
    const shown = back.toReversed();
    expect(shown.map(({ stage }) => stage)).toEqual([...stages, 'whole']);
    expect(shown.map(({ isTold }) => isTold)).toEqual(stages.concat('').map((_, step) => step > 7));
    expect(shown[0]?.waits).toMatch(/^Waiting for (\w+, ){4}\w+ and \w+ · 0\.0 s$/);
    expect(shown[5]?.waits).toMatch(/^Waiting for \w+ · /);
    expect(shown[6]?.waits).toMatch(/^All have answered · /);
    // With motion, a step onto the tick plays the same in less than a second.
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await page.keyboard.press('h');
    await page.keyboard.press('h');
    const played = await page.evaluateHandle(() => {
      const app = document.querySelector('.app');
      const seen: (string | null)[] = [];
      const note = () => seen.push(app?.getAttribute('data-stage') ?? null);
      if (app !== null)
        new MutationObserver(note).observe(app, { attributeFilter: ['data-stage'] });
      return seen;
    });
    await page.keyboard.press('l');
    await page.clock.runFor(1000);
    expect(await played.jsonValue()).toEqual([...new Set(stages), null]);
    expect(errors).toEqual([]);
  });

  test('ghosts, minds and votes are one line each until somebody opens them, and the browser remembers', async () => {
    const lines = await recordedGame(17, 6);
    const url = `${await exported(lines)}#t=${lines.findLast((line) => line.type === 'tick.closed' && line.requestKind === 'discussion')?.seq}`;
    const { page } = await open(browser(), url, { width: 1280, height: 720 });
    for (const [id, said] of [
      ['ghosts', /^Ghost gallery: \d+ messages, the last from [A-Z]\w+$/],
      ['minds', /^Minds: \d+ thoughts/],
      ['votes', /^Votes: \d of \d locked$/],
    ] as const) {
      const fold = page.locator(`#${id} .fold`);
      expect(await fold.getAttribute('aria-label')).toMatch(said);
      expect(await fold.getAttribute('aria-expanded')).toBe('false');
      const closed = await areaOf(page, `#${id}`);
      await fold.focus();
      await page.keyboard.press('Enter');
      expect(await fold.getAttribute('aria-expanded')).toBe('true');
      expect(await areaOf(page, `#${id}`)).toBeGreaterThan(1.5 * closed);
    }
    await page.click('#minds .fold');
    const isWhole = async () => !(await page.locator('.seats').isVisible());
    await page.keyboard.press('s');
    expect(await isWhole()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await isWhole()).toBe(false);
    await page.reload();
    await page.waitForSelector('#minds');
    for (const [id, isOpen] of [
      ['ghosts', true],
      ['minds', false],
      ['votes', true],
    ] as const)
      expect(await page.getAttribute(`#${id} .fold`, 'aria-expanded'), id).toBe(`${isOpen}`);
    expect(await barriers(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: 'active' });
    for (const marked of ['.lenses [aria-pressed="true"]', '.phases [aria-current]']) {
      const [colour, other] = await page.evaluate((place) => {
        const found = document.querySelector(place);
        const beside = found?.previousElementSibling ?? found;
        return [found, beside].map((each) => each && getComputedStyle(each).backgroundColor);
      }, marked);
      expect(colour, marked).not.toBe(other);
    }
  });
});
