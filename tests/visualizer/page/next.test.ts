/** The panel of what can happen next, held against XState at the same line. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Line } from '../../../machines/journal/lines.ts';
import { MachineRun } from '../../../visualizer/charts/machineRun.ts';
import { everyNth, IS_LONG, testLong } from '../../support/seeds.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, exported, goTo, moment } from './desk.ts';
import { type ExitsNow, exitsNow } from './exitsNow.ts';
import { recordedGame, recordedMeeting } from './recorded.ts';

/** The rows of the panel, by the transition of each. */
async function rowsOf(page: Page): Promise<ExitsNow> {
  const edges = async (label: string) => {
    const rows = page.locator(`#next .offers[aria-label="${label}"] [data-edge]`);
    const ids = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-edge')));
    return ids.map((id) => id ?? '').toSorted();
  };
  return { open: await edges('Open'), refused: await edges('Refused here') };
}

/** The lines with a moment of their own, each with what XState takes and refuses after it. */
function walk(lines: readonly Line[], actor: string) {
  const run = new MachineRun();
  return lines.flatMap((line) => {
    run.add(line);
    const snapshot = run.snapshotOf(actor);
    const isShown = line.channel === 'living' && line.type !== 'scratchpads.erased';
    return snapshot === undefined || !isShown ? [] : [{ seq: line.seq, exits: exitsNow(snapshot) }];
  });
}

describe.runIf(hasBrowser())('what can happen next', () => {
  const browser = desk();
  let meeting: readonly Line[] = [];
  beforeAll(async () => {
    meeting = await recordedMeeting('electrical', 7);
  });

  test('lists what the machine takes and refuses at a line', async () => {
    const { page, errors } = await open(browser(), await exported(meeting));
    const all = walk(meeting, 'meeting');
    for (const { seq, exits } of IS_LONG ? all : everyNth(all, 16)) {
      await goTo(page, `#t=${seq}&lens=glass`);
      if ((await moment(page)) !== `${seq}`) continue;
      await expect.poll(() => rowsOf(page), { message: `line ${seq}` }).toEqual(exits);
    }
    await page.keyboard.press('End');
    await expect
      .poll(() => page.locator('#next .quiet').allTextContents())
      .toEqual(['Nothing: the meeting is over.']);
    expect(errors).toEqual([]);
  });

  test('says each guard with its value, and a row leads to its target', async () => {
    const { page, errors } = await open(browser(), await exported(meeting));
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
    expect(errors).toEqual([]);
  });

  testLong('holds at every line of a game', async () => {
    const game = await recordedGame(2, 6);
    const { page, errors } = await open(browser(), await exported(game));
    for (const { seq, exits } of walk(game, 'game')) {
      await goTo(page, `#t=${seq}&lens=glass`);
      if ((await moment(page)) !== `${seq}`) continue;
      await page.locator('#chart .aside button:text-is("game")').click();
      await expect.poll(() => rowsOf(page), { message: `line ${seq}` }).toEqual(exits);
    }
    expect(errors).toEqual([]);
  });
});
