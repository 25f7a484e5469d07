/** A meeting of slow models on a live page. The endpoint answers when the test says so. */
import { afterEach, describe, expect, test } from 'vitest';
import { createMatch } from '../../../actors/engine/match.ts';
import { playMatch } from '../../../actors/engine/play.ts';
import { NO_LIMIT } from '../../../actors/minds/openai/budget.ts';
import { MatchModels } from '../../../actors/minds/openai/matchModels.ts';
import { LivePage } from '../../../cli/live.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { lensWithMoves } from '../../../visualizer/charts/machineRun.ts';
import { createLivePage } from '../../../visualizer/page/build/pages.ts';
import { createJournalRoutes } from '../../../visualizer/server/routes.ts';
import { serve } from '../../../visualizer/server/server.ts';
import { modelTable, TextSink } from '../../actors/minds/openai/slowServers.ts';
import { always } from '../../support/endpoint/case.ts';
import { FakeEndpoint } from '../../support/endpoint/fakeEndpoint.ts';
import { completionBody } from '../../support/endpoint/sent.ts';
import { streamOf } from '../../support/endpoint/streaming.ts';
import { hasBrowser, open } from './browser.ts';
import { desk } from './desk.ts';

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A meeting of six with two models, whose requests wait until `answer` lets one of them through. */
async function onAir() {
  const waiting: (() => void)[] = [];
  let isOpen = false;
  const pass = () =>
    isOpen ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve));
  const content = JSON.stringify({
    internal_thought: 'Hm.',
    desire_to_speak: 9,
    message: 'Where was everybody?',
    target: null,
    vote_action: null,
    scratchpad_updates: { meeting_scratch: '' },
  });
  const sends = streamOf(completionBody({ content }, 'stop'), { seed: 'page', mostBytes: 10_000 });
  const fake = await FakeEndpoint.open({ steps: [always(sends)], thought: pass });
  const models = new MatchModels({
    seed: 3,
    prices: {},
    budget: NO_LIMIT,
    limits: { concurrency: 8, perMinute: null },
    streams: true,
    deadlines: { tickMs: 3_600_000, waitMs: 3_600_000 },
  });
  const match = modelTable(2, 6, { max_ticks: 3, deadline_ms: 600_000 }, fake.baseUrl);
  const creation = createMatch(match, 3, models.minds);
  if (!creation.ok) throw new Error(JSON.stringify(creation.refusals));
  const host = new LivePage({ type: 'glass' }, undefined, lensWithMoves);
  const page = await createLivePage({ lens: 'glass', name: 'a test', damaged: 0 });
  const live = await serve(createJournalRoutes(host.broadcast, page), 0);
  const minds = host.startGame('', creation.ready.minds);
  const lines: Line[] = [];
  const onLine = (line: Line) => {
    host.broadcast.add(line);
    lines.push(line);
    return true;
  };
  const playing = playMatch({ ...creation.ready, minds }, { sink: new TextSink(), onLine });
  models.attach(playing, playing.recorder);
  const openAll = () => {
    isOpen = true;
    for (const go of waiting.splice(0)) go();
  };
  closing.push(
    () => fake.close(),
    () => live.close(),
    async () => {
      openAll();
      await playing.result;
    },
  );
  return { waiting, openAll, live, lines, playing };
}

describe.runIf(hasBrowser())('a live page of slow models', () => {
  const browser = desk();

  test('lights what waits, names who thinks and counts the seconds', async () => {
    const { waiting, openAll, live, lines, playing } = await onAir();
    await expect.poll(() => waiting.length).toBeGreaterThanOrEqual(1);
    const { page, errors } = await open(browser(), 'about:blank', { ready: 'html' });
    await page.clock.install();
    await page.goto(live.url);
    // For a moment only the player who was asked first is waited for.
    await expect
      .poll(() => page.textContent('#bids .waits'))
      .toMatch(/^Waiting for Red and Blue · \d+ s/);
    await expect.poll(() => page.textContent('#chart')).toContain('discussion › bidding');
    await expect.poll(() => page.locator('#bids .arrivals li').count()).toBe(6);
    await expect.poll(() => page.locator('#bids .arrivals [data-waiting]').count()).toBe(2);
    const secondsShown = async () =>
      Number(/(\d+) s/.exec((await page.textContent('#bids .waits')) ?? '')?.[1]);
    const before = await secondsShown();
    await page.clock.runFor(12_000);
    expect((await secondsShown()) - before).toBeGreaterThanOrEqual(12);
    expect(lines.some(({ type }) => type === 'tick.closed')).toBe(false);
    await page.click('#chart header button:text-is("arbiter")');
    await expect
      .poll(() => page.getAttribute('#chart [data-leaf]', 'data-node'))
      .toBe('arbiter.waiting');
    waiting.shift()?.();
    await expect
      .poll(() => page.textContent('#bids .waits'))
      .toMatch(/^Waiting for (Red|Blue) · \d+ s/);
    await expect.poll(() => page.locator('#bids .arrivals [data-waiting]').count()).toBe(1);
    await expect.poll(() => page.locator('.seat .thinking').count()).toBe(1);
    expect(errors).toEqual([]);
    openAll();
    await playing.result;
    // What was recorded has the arrivals of both models.
    const tick = lines.find(({ type }) => type === 'tick.closed');
    expect(tick?.clock?.['arrived']).toHaveLength(6);
  });
});
