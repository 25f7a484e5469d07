import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import type { Line } from '../../../machines/journal/lines.ts';
import { testLong } from '../../support/seeds.ts';
import { barriers } from './barriers.ts';
import { hasBrowser, open } from './browser.ts';
import { desk, smallestLetter } from './desk.ts';
import { gameHall, type Hall, meetingHall } from './hall.ts';

let hall: Hall | null = null;
afterEach(() => {
  hall?.live.close();
  hall = null;
});

async function streamed(url: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
}

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
    if (turn?.textContent?.includes('The game is over') === true) return 'over';
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

function focusedLabel(): string | null {
  return document.activeElement?.getAttribute('aria-label') ?? null;
}

/** Goes to a target as one who sees the map does: by the arrow that leads nearer. */
async function walkByArrows(page: Page, label: string): Promise<void> {
  for (let step = 0; (await page.evaluate(focusedLabel)) !== label; step++) {
    expect(step, label).toBeLessThan(30);
    const key = await page.evaluate((wanted) => {
      const middle = (element: Element | null | undefined) => {
        const { x = 0, y = 0, width = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
        return { x: x + width / 2, y: y + height / 2 };
      };
      const all = [...document.querySelectorAll('.target')];
      const to = middle(all.find((each) => each.getAttribute('aria-label') === wanted));
      const from = middle(document.activeElement);
      const [right, down] = [to.x - from.x, to.y - from.y];
      if (Math.abs(right) > Math.abs(down)) return right > 0 ? 'ArrowRight' : 'ArrowLeft';
      return down > 0 ? 'ArrowDown' : 'ArrowUp';
    }, label);
    await page.keyboard.press(key);
  }
}

/** The shorter side of the smallest target that the screen shows whole, in pixels; 0 where one is cut off. */
function smallestTarget(page: Page): Promise<number> {
  return page.evaluate(() =>
    Math.min(
      ...[...document.querySelectorAll('.target')].map((each) => {
        const { left, top, right, bottom, width, height } = each.getBoundingClientRect();
        const isWhole = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
        return isWhole ? Math.min(width, height) : 0;
      }),
    ),
  );
}

const SECRETS = ['looked round', 'never seen a body', '"impostor"', 'impostor<'];

describe.runIf(hasBrowser())('a person', () => {
  const browser = desk();

  /** Opens the link of the seat and begins to play. */
  async function sitDown({ link, company, begin }: Hall, options = {}) {
    const opened = await open(browser(), link, { ready: '.loading', ...options });
    await company.waitForAll();
    return { ...opened, over: begin() };
  }

  testLong('plays a meeting by the keyboard, and the glass opens then', async () => {
    hall = await meetingHall('electrical', 'orange');
    const { url, lines } = hall;
    const { page, requests, errors, over } = await sitDown(hall);
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
  });

  /** Plays on the map: a task if there is one, otherwise something else. `does` gives one order. */
  async function playOnMap(page: Page, does: (target: string, turn: number) => Promise<void>) {
    return await playOn(page, async (turn) => {
      const has = async (target: string) => (await page.locator(target).count()) > 0;
      if (!(await has('.targets'))) {
        const skip = page.locator('#turn .ballots input').last();
        if ((await skip.count()) > 0) await skip.check();
        await page.locator('#turn button.main').click();
      } else if (await has('.target[data-kind=task]')) await does('.target[data-kind=task]', turn);
      else await does((await has(OWN)) ? OWN : OWN_PLACE, turn);
    });
  }
  /** Where the player is: to wait is in its menu. */
  const OWN = '.target[data-kind=self]';
  const OWN_PLACE = '.target[data-kind=place][data-count]';

  test('plays a whole game on the map, by the mouse and by the keyboard', async () => {
    hall = await gameHall('red', 4);
    const { lines } = hall;
    const { page, errors, over } = await sitDown(hall);
    const done: string[] = [];
    await nextQuestion(page, null);
    expect([...(await barriers(page, '#ship')), ...(await barriers(page, '#turn'))]).toEqual([]);
    expect(await page.locator('.turn-map .token').count()).toBe(5);
    expect(await page.getAttribute('.turn-map .tokens', 'aria-label')).toContain(
      'Blue is in Cafeteria.',
    );
    expect(await smallestLetter(page, '.turn-map')).toBeGreaterThan(10.9);
    // The list and the map offer the same orders.
    await page.click('.orders summary');
    await page.waitForSelector('.actions button');
    const listed = await page
      .locator('.actions button')
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
    const onMap = await page
      .locator('.target')
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? '').join('; '));
    for (const label of listed) expect(onMap).toContain(label);
    expect(listed).toContain('Walk to Electrical');
    await page.click('.orders summary');
    const turns = await playOnMap(page, async (selector, turn) => {
      const target = page.locator(selector).first();
      const name = (await target.getAttribute('aria-label')) ?? '';
      done.push(name);
      if (turn % 2 === 0) await target.click();
      else {
        await page.focus('.target[tabindex="0"]');
        await walkByArrows(page, name);
        await page.keyboard.press('Enter');
      }
      if ((await page.locator('.order-menu').count()) === 0) return;
      if (turn % 2 === 0) await page.locator('.order-menu button').last().click();
      else {
        await page.keyboard.press('Escape');
        expect(await page.evaluate(focusedLabel)).toBe(name);
        await page.keyboard.press('Enter');
        await page.waitForSelector('.order-menu');
        for (let down = 0; down < 9; down++) await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
      }
    });
    await over;
    expect(turns).toBeGreaterThan(3);
    expect(done.some((name) => name.startsWith('Do task: '))).toBe(true);
    expect(lines.some(({ type }) => type === 'game.closed')).toBe(true);
    const own = lines.flatMap((line) =>
      line.type === 'round.closed' ? line.orders.filter(({ seat }) => seat === 'red') : [],
    );
    expect(JSON.stringify(own)).toContain('"type":"task"');
    expect(errors).toEqual([]);
    expect(await hall.replays()).toBe(true);
  });

  test('who is dead just watches: the page passes at once', async () => {
    hall = await meetingHall('electrical', 'white');
    const { lines, company, link, begin } = hall;
    const { page } = await open(browser(), link, { ready: '.loading' });
    await company.waitForAll();
    const passes: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') passes.push(request.postData() ?? '');
    });
    await begin();
    const turns = lines.filter(({ type }) => type === 'turn.closed');
    expect(turns.length).toBeGreaterThan(2);
    await expect.poll(() => passes.length).toBe(turns.length);
    for (const pass of passes) expect(pass).toContain('"answer":{"action":null}');
    expect(JSON.stringify(turns)).not.toContain('mind/late');
  });

  testLong('plays a game with a thumb, with targets that are large', async () => {
    hall = await gameHall('red', 3);
    const { lines } = hall;
    const [width, height] = [360, 740];
    const { page, errors, over } = await sitDown(hall, { width, height, isPhone: true });
    let seen = 0;
    await playOnMap(page, async (_, turn) => {
      if (turn === 0) {
        expect([...(await barriers(page, '#ship')), ...(await barriers(page, '#turn'))]).toEqual(
          [],
        );
        expect(await smallestLetter(page, '.turn-map')).toBeGreaterThan(10.9);
        await page.setViewportSize({ width: 844, height: 390 });
        await expect.poll(() => smallestTarget(page)).toBeGreaterThanOrEqual(40);
        await page.setViewportSize({ width, height });
      }
      await expect.poll(() => smallestTarget(page)).toBeGreaterThanOrEqual(40);
      const own = page.locator('.target[data-key="place Navigation"]');
      await own.tap();
      const menu = page.locator('.order-menu button');
      if ((await menu.count()) > 0) {
        const box = await menu.last().boundingBox();
        expect(box?.height).toBeGreaterThanOrEqual(40);
        await menu.first().tap();
        return;
      }
      // A place where there is one thing to do is chosen first, and then confirmed below.
      expect(await own.getAttribute('aria-pressed')).toBe('true');
      const main = page.locator('#turn button.main');
      expect(await main.textContent()).toBe(await own.getAttribute('aria-label'));
      const box = await main.boundingBox();
      expect(box?.y).toBeGreaterThan(height * 0.7);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
      seen += 1;
      await main.tap();
    });
    await over;
    expect(seen).toBeGreaterThan(0);
    expect(lines.some(({ type }) => type === 'game.closed')).toBe(true);
    expect(errors).toEqual([]);
    expect(await hall.replays()).toBe(true);
  });

  testLong('keeps the seat through a reload, and loses it by leaving', async () => {
    hall = await meetingHall('electrical', 'orange');
    const { link, company, lines } = hall;
    const context = await browser().newContext();
    const page = await context.newPage();
    await page.goto(link);
    await company.waitForAll();
    const over = hall.begin();
    const first = await nextQuestion(page, null);
    await expect.poll(() => page.url()).not.toContain('seat=');
    await page.fill('#turn textarea >> nth=0', 'Half a sentence');
    await page.reload();
    expect(await nextQuestion(page, null)).toBe(first);
    // The tab is lost. Another tab of the same browser offers the seat.
    const other = await context.newPage();
    await page.close();
    await expect.poll(() => company.players[0]?.seating.attendance).toBe('away');
    await other.goto(hall.url);
    expect(await other.locator('#turn').count()).toBe(0);
    await other.click('.seat-offer button:has-text("Take the seat again")');
    expect(await nextQuestion(other, null)).toBe(first);
    expect(await other.locator('.seat-offer').count()).toBe(0);
    await expect.poll(() => other.url()).not.toContain('seat=');
    await other.click('#turn button:has-text("Leave the game")');
    await other.click('#turn button:has-text("Leave for good")');
    await over;
    const left = lines.find((line) => line.type === 'seat.departed');
    expect(left).toMatchObject({ seat: 'orange', reason: 'left' });
    expect(await hall.replays()).toBe(true);
  });

  testLong('with a wrong link gets a sentence, and without one the table', async () => {
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
  });

  testLong('who lets the time pass is late, and sees how much of it was left', async () => {
    hall = await meetingHall('electrical', 'orange', 1500);
    const { company, lines } = hall;
    const { page, over } = await sitDown(hall);
    await nextQuestion(page, null);
    expect(await page.textContent('#turn .clock')).toMatch(/^[0-2] s left$/);
    await page.waitForFunction(
      () => document.querySelector('#turn .turn')?.getAttribute('data-asked') === '2',
    );
    company.players[0]?.leave();
    await over;
    const faults = lines.filter((line) => line.type === 'seat.faulted' && line.seat === 'orange');
    expect(faults[0]).toMatchObject({ code: 'mind/late' });
  });
});
