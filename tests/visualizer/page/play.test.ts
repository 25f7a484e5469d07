/** A person who plays in the page: through their own eyes, in time, to the end; and what nobody gets before it. */
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import type { Line } from '../../../machines/journal/lines.ts';
import { barriers } from './barriers.ts';
import { hasBrowser, open } from './browser.ts';
import { desk } from './desk.ts';
import { gameHall, type Hall, meetingHall } from './hall.ts';

let hall: Hall | null = null;
afterEach(() => {
  hall?.live.close();
  hall = null;
});

/** Everything of a stream that ends. */
async function streamed(url: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
}

/** What a seat wanted to say. */
function bidsOf(seat: string, lines: readonly Line[]): string {
  const bids = lines.flatMap((line) => (line.type === 'tick.closed' ? line.bids : []));
  return JSON.stringify(bids.filter((bid) => bid.seat === seat));
}

async function posted(url: string, path: string, fields: object) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  return { status: response.status, text: await response.text() };
}

/** The number of the question after `last`; null when it is over. */
async function nextQuestion(page: Page, last: string | null): Promise<string | null> {
  const found = await page.waitForFunction((before) => {
    const turn = document.querySelector('#turn .turn');
    if (turn?.textContent?.includes('It is over') === true) return 'over';
    const id = turn?.getAttribute('data-asked') ?? null;
    return id !== null && id !== before ? id : null;
  }, last);
  const id = await found.jsonValue();
  return id === 'over' ? null : id;
}

/** Plays by the keyboard and the mouse until it is over; `act` does one turn. */
async function playOn(page: Page, act: (turn: number) => Promise<void>): Promise<number> {
  let turns = 0;
  for (let id = await nextQuestion(page, null); id !== null; id = await nextQuestion(page, id)) {
    await act(turns);
    turns += 1;
  }
  return turns;
}

const SECRETS = ['looked round', 'never seen a body', '"impostor"', 'impostor<'];

describe.runIf(hasBrowser())('a person', () => {
  const browser = desk();

  test('plays a meeting to its end by the keyboard alone, and the glass opens then', async () => {
    hall = await meetingHall('electrical', 'orange');
    const { url, link, company, lines } = hall;
    const { page, requests, errors } = await open(browser(), link, { ready: '.loading' });
    await company.waitForAll();
    const over = hall.begin();
    const eyes = streamed(`${url}events?lens=player:orange&seat=${hall.token}`);
    const table = streamed(`${url}events?lens=table`);
    const faces: string[] = [];
    const turns = await playOn(page, async (turn) => {
      faces.push(await page.evaluate(() => document.getElementById('page')?.outerHTML ?? ''));
      if (turn === 0) {
        expect(await barriers(page, '#turn')).toEqual([]);
        await page.keyboard.type('Where was everybody?');
      }
      if (turn === 1) {
        for (const lens of ['glass', 'player:red', 'player:orange'])
          expect((await streamed(`${url}events?lens=${lens}`)).status).toBe(403);
        expect((await streamed(`${url}prompt?player=red&channel=living&seq=3`)).status).toBe(404);
        await page.locator('.ballots input').nth(2).check();
        expect(await page.textContent('#turn button.main')).toBe('Vote for Blue');
        await page.focus('#turn button.main');
      }
      await page.keyboard.press('Enter');
    });
    await over;
    expect(turns).toBeGreaterThan(3);
    expect(bidsOf('orange', lines)).toContain('Where was everybody?');
    expect(
      lines.some(
        (line) => line.type === 'vote.locked' && line.seat === 'orange' && line.ballot === 'blue',
      ),
    ).toBe(true);
    for (const text of [...faces, (await eyes).text, (await table).text])
      for (const secret of [...SECRETS, '"scripted"', 'a script'])
        expect(text).not.toContain(secret);
    expect((await table).text).not.toContain('internal_thought');
    await page.click('#turn button:has-text("See everything")');
    await expect
      .poll(() => page.getAttribute('.lenses button >> nth=2', 'aria-pressed'))
      .toBe('true');
    await expect.poll(() => page.textContent('.seats')).toMatch(/Reda script.*?crewmate/);
    expect(requests.every((asked) => asked.startsWith(url) || asked.startsWith('data:'))).toBe(
      true,
    );
    expect(errors).toEqual([]);
    expect(JSON.stringify(lines)).not.toContain(hall.token);
    expect(await hall.replays()).toBe(true);
    await page.close();
  });

  test('plays a whole short game on a phone', async () => {
    hall = await gameHall('red', 3);
    const { link, company, lines } = hall;
    const { page, errors } = await open(browser(), link, {
      width: 390,
      height: 800,
      ready: '.loading',
    });
    await company.waitForAll();
    const over = hall.begin();
    let looked = false;
    await playOn(page, async () => {
      const task = page.locator('#turn [data-does="Do a task"] button').first();
      const wait = page.locator('#turn [data-does="Wait"] button').last();
      if (!looked && (await task.count()) > 0) {
        looked = true;
        expect(await barriers(page, '#turn')).toEqual([]);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide).toBeLessThanOrEqual(390);
      }
      const skip = page.locator('#turn .ballots input').last();
      if ((await task.count()) > 0) await task.click();
      else if ((await wait.count()) > 0) await wait.click();
      else {
        if ((await skip.count()) > 0) await skip.check();
        await page.locator('#turn button.main').click();
      }
    });
    await over;
    expect(looked).toBe(true);
    expect(
      lines.at(-1)?.type === 'game.closed' || lines.some(({ type }) => type === 'game.closed'),
    ).toBe(true);
    expect(errors).toEqual([]);
    expect(await hall.replays()).toBe(true);
    await page.close();
  });

  test('keeps the seat when the page is loaded again, and loses it by leaving', async () => {
    hall = await meetingHall('electrical', 'orange');
    const { link, company, lines } = hall;
    const { page } = await open(browser(), link, { ready: '.loading' });
    await company.waitForAll();
    const over = hall.begin();
    const first = await nextQuestion(page, null);
    await expect.poll(() => page.url()).not.toContain('seat=');
    await page.fill('#turn textarea >> nth=0', 'Half a sentence');
    await page.reload();
    expect(await nextQuestion(page, null)).toBe(first);
    await page.click('#turn button:has-text("Leave the game")');
    await page.click('#turn button:has-text("Leave for good")');
    await over;
    const left = lines.find((line) => line.type === 'seat.departed');
    expect(left).toMatchObject({ seat: 'orange', reason: 'left' });
    expect(await hall.replays()).toBe(true);
    await page.close();
  });

  test('with a wrong link gets a sentence, and without one the table', async () => {
    hall = await meetingHall('electrical', 'orange');
    const { url, company, token } = hall;
    const wrong = await open(browser(), `${url}#seat=AAAAAAAAAAAAAAAAAAAAAA`);
    expect(await wrong.page.textContent('.sentence')).toContain('no seat');
    await wrong.page.close();
    expect((await streamed(`${url}seat?seat=${token}x`)).status).toBe(403);
    expect((await streamed(`${url}events?lens=table&seat=x`)).status).toBe(403);
    expect(await posted(url, 'seat', { seat: 'x', id: 1, answer: {} })).toMatchObject({
      status: 403,
    });
    expect(await posted(url, 'seat', { seat: token, id: 1, answer: {} })).toMatchObject({
      status: 409,
      text: expect.stringContaining('too late'),
    });
    expect(await posted(url, 'seat', { seat: token })).toMatchObject({ status: 400 });
    company.players[0]?.leave();
    await hall.begin();
    const { page } = await open(browser(), url);
    expect(await page.getAttribute('.lenses button >> nth=0', 'aria-pressed')).toBe('true');
    expect(await page.locator('#turn').count()).toBe(0);
    await page.close();
  });

  test('who lets the time pass is late, and sees how much of it was left', async () => {
    hall = await meetingHall('electrical', 'orange', 1500);
    const { link, company, lines } = hall;
    const { page } = await open(browser(), link, { ready: '.loading' });
    await company.waitForAll();
    const over = hall.begin();
    await nextQuestion(page, null);
    expect(await page.textContent('#turn .clock')).toMatch(/^[0-2] s left$/);
    await page.waitForFunction(
      () => document.querySelector('#turn .turn')?.getAttribute('data-asked') === '2',
    );
    company.players[0]?.leave();
    await over;
    const faults = lines.filter((line) => line.type === 'seat.faulted' && line.seat === 'orange');
    expect(faults[0]).toMatchObject({ code: 'mind/late' });
    await page.close();
  });
});
