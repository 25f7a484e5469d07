/** The panel of what can happen next, held against XState at the same line. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Line } from '../../../machines/journal/lines.ts';
import { everyNth, IS_LONG } from '../../support/seeds.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, exported, goTo, moment } from './desk.ts';
import { type ExitsNow, exitsByMoment } from './exitsNow.ts';
import { recordedMeeting } from './recorded.ts';

/** The rows of the panel, by the transition of each. */
async function rowsOf(page: Page): Promise<ExitsNow> {
  const edges = async (label: string) => {
    const rows = page.locator(`#next .offers[aria-label="${label}"] [data-edge]`);
    const ids = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-edge')));
    return ids.map((id) => id ?? '').toSorted();
  };
  return { open: await edges('Open'), refused: await edges('Refused here') };
}

const NOTHING: ExitsNow = { open: [], refused: [] };

describe.runIf(hasBrowser())('what can happen next', () => {
  const browser = desk();
  let meeting: readonly Line[] = [];
  beforeAll(async () => {
    meeting = await recordedMeeting('electrical', 7);
  });

  test('lists what the machine takes and refuses at a line', async () => {
    const { page, errors } = await open(browser(), await exported(meeting));
    const all = [...exitsByMoment(meeting)];
    for (const [at, { meeting: exits }] of IS_LONG ? all : everyNth(all, 16)) {
      await goTo(page, `#t=${at}&lens=glass`);
      await expect.poll(() => rowsOf(page), { message: at }).toEqual(exits ?? NOTHING);
    }
    await page.keyboard.press('End');
    await expect
      .poll(() => page.locator('#next .quiet').allTextContents())
      .toEqual(['Nothing: the meeting is over.']);
    expect(errors).toEqual([]);
  });

  test('says each guard with its value, and a row leads to its target', async () => {
    const url = await exported(meeting);
    const { page, errors } = await open(browser(), url, { width: 1920, height: 1080 });
    const vote = meeting.find(({ type }) => type === 'vote.locked');
    await goTo(page, `#t=${vote?.seq}&lens=glass`);
    const voted = page.locator('#next .guards li', { hasText: /^All living players have voted:/ });
    expect(await voted.first().textContent()).toMatch(
      /^All living players have voted: no, \d of \d$/,
    );
    const row = page.locator('#next [data-edge="meeting.discussion.bidding|tick.closed|0"]');
    await row.locator('button').first().click();
    const target = '#chart [data-node="meeting.discussion.listening"][data-pointed]';
    await page.waitForSelector(target);
    expect(await row.textContent()).toContain('It leads to discussion › listening');
    const before = await moment(page);
    await row.locator('button', { hasText: 'It fires next at tick' }).click();
    expect(Number(await moment(page))).toBeGreaterThan(Number(before));
    expect(await page.textContent('#chart .last')).toMatch(/Tick \d+ closed: \w+ has the floor/);
    // A chosen row does not hold the picture when the state changes.
    await row.locator('button').first().dblclick();
    expect(await row.locator('button').first().getAttribute('aria-pressed')).toBe('true');
    const counting = meeting.find(({ type }) => type === 'poll.closed');
    await goTo(page, `#t=${counting?.seq}&lens=glass`);
    await page.waitForSelector('#chart [data-leaf][data-node="meeting.voting.counting"]');
    await expect.poll(() => page.locator('#chart [data-pointed]').count()).toBe(0);
    const labels = page.locator('#chart [data-leaf] text').first();
    const isSeen = () =>
      labels.evaluate((text) => {
        const { left, top, width, height } = text.getBoundingClientRect();
        const there = document.elementFromPoint(left + width / 2, top + height / 2);
        return text.parentElement?.contains(there) === true;
      });
    await expect.poll(isSeen).toBe(true);
    expect(errors).toEqual([]);
  });
});
