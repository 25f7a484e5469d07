import { afterEach, describe, expect, test } from 'vitest';
import { createMatch } from '../../../actors/engine/match.ts';
import { playMatch } from '../../../actors/engine/play.ts';
import { NO_LIMIT } from '../../../actors/minds/openai/budget.ts';
import { MatchModels } from '../../../actors/minds/openai/matchModels.ts';
import { createWritingBoard } from '../../../actors/minds/writing.ts';
import { realTime } from '../../../actors/ports/time.ts';
import { LivePage } from '../../../cli/live.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { createLivePage } from '../../../visualizer/page/build/pages.ts';
import { createJournalRoutes } from '../../../visualizer/server/routes.ts';
import { type LiveServer, serve } from '../../../visualizer/server/server.ts';
import { modelTable, TextSink } from '../../actors/minds/openai/slowServers.ts';
import { always } from '../../support/endpoint/case.ts';
import { FakeEndpoint } from '../../support/endpoint/fakeEndpoint.ts';
import { completionBody } from '../../support/endpoint/sent.ts';
import { streamOf } from '../../support/endpoint/streaming.ts';
import { hasBrowser, open } from './browser.ts';
import { desk } from './desk.ts';

const THOUGHT = 'A secret that nobody at this table may ever read before the end of it';
const MESSAGE = 'Whoever was in Electrical should say so now';

class Gate {
  #free = 0;
  #isOpen = false;
  #waiting: (() => void)[] = [];

  readonly pass = (): Promise<void> => {
    if (this.#isOpen) return Promise.resolve();
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  };

  next(): void {
    const first = this.#waiting.shift();
    if (first === undefined) this.#free += 1;
    else first();
  }

  open(): void {
    this.#isOpen = true;
    for (const go of this.#waiting.splice(0)) go();
  }
}

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A meeting with a model as Red that writes one piece at a time. */
async function onAir() {
  const gate = new Gate();
  const content = JSON.stringify({
    internal_thought: THOUGHT,
    desire_to_speak: 9,
    message: MESSAGE,
    target: null,
    vote_action: null,
    scratchpad_updates: { meeting_scratch: '' },
  });
  const sends = streamOf(completionBody({ content }, 'stop'), { seed: 'page', mostBytes: 60 });
  const fake = await FakeEndpoint.open({ steps: [always(sends)], written: gate.pass });
  const limits = { concurrency: 8, perMinute: null };
  const models = new MatchModels({
    seed: 3,
    prices: {},
    budget: NO_LIMIT,
    limits,
    streams: true,
    deadlines: { tickMs: 3_600_000, waitMs: 3_600_000 },
  });
  const match = modelTable(1, 4, { max_ticks: 1, deadline_ms: 600_000 }, fake.baseUrl);
  const creation = createMatch(match, 3, models.minds);
  if (!creation.ok) throw new Error(JSON.stringify(creation.refusals));
  const host = new LivePage({ type: 'glass' });
  const page = await createLivePage({ lens: 'glass', name: 'a test', damaged: 0 });
  const live: LiveServer = await serve(createJournalRoutes(host.broadcast, page), 0);
  const minds = host.startGame('', creation.ready.minds);
  const board = createWritingBoard(realTime);
  board.watch((writing) => host.thinking?.reportWriting(writing));
  models.onWriting = (asked, words) => board.note(asked, words);
  const lines: Line[] = [];
  const onLine = (line: Line) => {
    board.noteLine(line);
    host.broadcast.add(line);
    lines.push(line);
    return true;
  };
  const playing = playMatch({ ...creation.ready, minds }, { sink: new TextSink(), onLine });
  models.attach(playing, playing.recorder);
  closing.push(
    () => fake.close(),
    () => live.close(),
    async () => {
      gate.open();
      await playing.result;
    },
  );
  return { gate, live, host, lines, playing };
}

async function listen(url: string, lens: string) {
  const response = await fetch(`${url}events?lens=${lens}`);
  const viewer = { text: '' };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? [])
      viewer.text += decoder.decode(piece, { stream: true });
  })().catch(() => {});
  return viewer;
}

const SECRETS = ['secret', 'nobody at this', 'Electrical should'];

test('no lens but the glass is sent a word before its line', async () => {
  const { gate, live, host, lines, playing } = await onAir();
  const [glass, table, blue, red] = await Promise.all(
    ['glass', 'table', 'player:blue', 'player:red'].map((lens) => listen(live.url, lens)),
  );
  const others = [table, blue, red];
  const isClosed = () => lines.some(({ type }) => type === 'tick.closed');
  // One piece at a time, until all of the message is seen in the glass.
  await expect
    .poll(() => {
      gate.next();
      return glass?.text.includes(MESSAGE);
    })
    .toBe(true);
  expect(isClosed()).toBe(false);
  expect(glass?.text).toContain(THOUGHT);
  // The next line for the others follows everything sent so far.
  host.broadcast.add({
    seq: 10_000,
    hash: '',
    channel: 'living',
    type: 'phase.entered',
    phase: 'voting',
  });
  for (const viewer of others) {
    await expect.poll(() => viewer?.text.includes('"seq":10000')).toBe(true);
    for (const secret of SECRETS) expect(viewer?.text).not.toContain(secret);
  }
  gate.open();
  await playing.result;
  host.broadcast.end();
  await expect
    .poll(() => others.every((viewer) => viewer?.text.includes('event: over')))
    .toBe(true);
  // Published, the message is everybody's; the thought is of Red alone.
  for (const viewer of [table, blue]) expect(viewer?.text).not.toContain('secret');
  expect(isClosed()).toBe(true);
});

describe.runIf(hasBrowser())('in a browser', () => {
  const browser = desk();

  test('words appear where they are written, and are gone with the tick', async () => {
    const { gate, live, lines, playing } = await onAir();
    const { page, errors } = await open(browser(), live.url);
    const thought = page.locator('#bids .writing li[data-seat="red"] .thought');
    await expect
      .poll(async () => {
        gate.next();
        return (await thought.count()) > 0 && (await thought.textContent()) !== '';
      })
      .toBe(true);
    const shown = (await thought.textContent()) ?? '';
    expect(THOUGHT.startsWith(shown)).toBe(true);
    expect(await page.textContent('.seat[data-seat="red"] .flags')).toContain('writing…');
    expect(lines.some(({ type }) => type === 'tick.closed')).toBe(false);
    const says = page.locator('#bids .writing .says');
    await expect
      .poll(async () => {
        gate.next();
        return (await says.count()) > 0 && (await says.textContent())?.includes(MESSAGE);
      })
      .toBe(true);
    expect(await thought.textContent()).toBe(THOUGHT);
    await page.click('.lenses >> text=Table');
    await expect.poll(() => page.locator('.writing').count()).toBe(0);
    await page.click('.lenses >> text=Glass');
    await expect.poll(() => page.locator('.writing').count()).toBe(1);
    gate.open();
    await playing.result;
    await expect.poll(() => page.locator('.writing').count()).toBe(0);
    expect(await page.textContent('.seat[data-seat="red"] .flags')).not.toContain('writing…');
    expect(errors).toEqual([]);
  });
});
