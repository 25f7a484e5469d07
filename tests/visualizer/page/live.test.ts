import { request } from 'node:http';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseLens, throughGlass } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { lensWithMoves, seeWithMoves } from '../../../visualizer/charts/machineRun.ts';
import { removeThoughts } from '../../../visualizer/page/build/pages.ts';
import { Broadcast } from '../../../visualizer/server/broadcast.ts';
import { createJournalRoutes, createPromptRoute } from '../../../visualizer/server/routes.ts';
import { type LiveServer, serve } from '../../../visualizer/server/server.ts';
import { recordedMeeting } from './recorded.ts';

let lines: readonly Line[] = [];
beforeAll(async () => {
  lines = await recordedMeeting('ghosts', 3);
});

let live: LiveServer | null = null;
afterEach(() => {
  live?.close();
  live = null;
});

async function onAir(
  lens: string,
  given: readonly Line[],
  isOver = true,
): Promise<{ url: string; feed: Broadcast }> {
  const feed = new Broadcast(parseLens(lens) ?? { type: 'table' }, lensWithMoves);
  for (const line of given) feed.add(line);
  if (isOver) feed.end();
  live = await serve(createJournalRoutes(feed, '<p>page</p>'), 0);
  return { url: live.url, feed };
}

function seenThrough(lens: string): readonly unknown[] {
  return seeWithMoves(lines, parseLens(lens) ?? { type: 'table' });
}

async function streamed(url: string, lens: string, after?: string) {
  const headers: Record<string, string> = after === undefined ? {} : { 'last-event-id': after };
  const response = await fetch(`${url}events?lens=${lens}`, { headers });
  const text = await response.text();
  const rows = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, row]) => JSON.parse(row ?? ''));
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  return { status: response.status, rows, ids, text };
}

function asked(url: string, options: { host?: string; method?: string; path?: string }) {
  const { port } = new URL(url);
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { host = `127.0.0.1:${port}`, method = 'GET', path = '/' } = options;
    const call = request(
      { host: '127.0.0.1', port, method, path, headers: { host } },
      (response) => {
        let text = '';
        response.on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    call.on('error', reject);
    call.end();
  });
}

describe('the server', () => {
  test.each([
    { host: 'evil.example', status: 403 },
    { host: '127.0.0.1', status: 403 },
    { host: 'localhost:1', status: 403 },
  ])('refuses the name $host', async ({ host, status }) => {
    const { url } = await onAir('glass', lines);
    const { status: found, text } = await asked(url, { host });
    expect(found).toBe(status);
    expect(text).not.toContain('page');
  });

  test('gives the page under its own names, and nothing to write', async () => {
    const { url } = await onAir('glass', lines);
    const { port } = new URL(url);
    expect((await asked(url, { host: `localhost:${port}` })).text).toBe('<p>page</p>');
    expect((await asked(url, { method: 'PUT' })).status).toBe(405);
    // A form of any page in the same browser can send this.
    expect((await asked(url, { method: 'POST' })).status).toBe(403);
    expect((await asked(url, { path: '/../etc/passwd' })).status).toBe(404);
    expect((await asked(url, { path: '/events?lens=all' })).status).toBe(400);
  });
});

describe('whatever is asked', () => {
  test.each([
    { path: '//', status: 404 },
    { path: '//events?lens=glass', status: 404 },
    { path: '/%', status: 404 },
    { path: '/?%ff=%', status: 200 },
    { path: '*', status: 400 },
    { path: 'http://[', status: 400 },
    { path: 'http://evil.example/events?lens=glass', status: 400 },
  ])('$path is answered with $status', async ({ path, status }) => {
    const { url } = await onAir('table', lines);
    expect((await asked(url, { path })).status).toBe(status);
    expect((await asked(url, {})).status).toBe(200);
  });

  test('HEAD is sent no stream', async () => {
    const { url, feed } = await onAir('glass', lines, false);
    const { status, text } = await asked(url, { path: '/events?lens=glass', method: 'HEAD' });
    expect([status, text, feed.size]).toEqual([200, '', 0]);
  });

  test('a route that breaks costs a sentence', async () => {
    live = await serve([() => Promise.reject(new Error('secret'))], 0);
    expect(await asked(live.url, {})).toEqual({ status: 500, text: 'This can’t be answered.\n' });
  });
});

test('a page that cannot be built answers with an error, and the lines still arrive', async () => {
  const feed = new Broadcast({ type: 'glass' });
  for (const line of lines) feed.add(line);
  feed.end();
  live = await serve(
    createJournalRoutes(feed, () => Promise.reject(new Error('no disk'))),
    0,
  );
  const { status, text } = await asked(live.url, {});
  expect(status).toBe(500);
  expect(text).toMatch(/^The page could not be built/);
  expect((await streamed(live.url, 'glass')).rows).toHaveLength(lines.length);
});

describe('the prompt of a player', () => {
  const made = { system: 'rules', user: 'moment' };
  test.each([
    { widest: 'glass', query: 'player=red&channel=living&seq=3', status: 200, says: 'moment' },
    {
      widest: 'glass',
      query: 'player=red&channel=living&seq=4',
      status: 404,
      says: 'can’t be made',
    },
    { widest: 'glass', query: 'player=nobody&seq=3', status: 400, says: 'Expected a player' },
    { widest: 'glass', query: 'player=red&seq=-1', status: 400, says: 'Expected a player' },
    {
      widest: 'table',
      query: 'player=red&channel=living&seq=3',
      status: 403,
      says: 'another lens',
    },
    { widest: 'player:red', query: 'player=red&seq=3', status: 403, says: 'another lens' },
  ])('$query through $widest is $status', async ({ widest, query, status, says }) => {
    const feed = new Broadcast(parseLens(widest) ?? { type: 'table' });
    live = await serve([createPromptRoute(feed, async ({ seq }) => (seq === 3 ? made : null))], 0);
    const found = await asked(live.url, { path: `/prompt?${query}` });
    expect(found.status).toBe(status);
    expect(found.text).toContain(says);
  });
});

test('a server that shuts down lets readers finish', async () => {
  const { url, feed } = await onAir('glass', lines.slice(0, 5), false);
  const reading = streamed(url, 'glass');
  await expect.poll(() => feed.size).toBe(1);
  for (const line of lines.slice(5)) feed.add(line);
  feed.end();
  await live?.leave();
  expect((await reading).rows).toEqual(seenThrough('glass'));
  await expect(fetch(url)).rejects.toThrow();
});

describe('a lens', () => {
  test.each(['glass', 'table', 'player:red'])('%s gets exactly what it shows', async (lens) => {
    const { url } = await onAir('glass', lines);
    const { rows } = await streamed(url, lens);
    expect(rows).toEqual(seenThrough(lens));
  });

  test('that is narrow is not widened', async () => {
    const { url } = await onAir('table', lines);
    for (const lens of ['glass', 'player:red']) {
      const { status, text } = await streamed(url, lens);
      expect(status).toBe(403);
      expect(text).not.toContain('data:');
    }
    const { text } = await streamed(url, 'table');
    for (const secret of ['internal_thought', 'impostor"', 'scratch', '"role"', 'turn.closed'])
      expect(text).not.toContain(secret);
  });
});

describe('a cut connection', () => {
  test('goes on after the last line that came', async () => {
    const { url } = await onAir('glass', lines);
    const { rows } = await streamed(url, 'glass', '9');
    expect(rows).toEqual(seenThrough('glass').slice(10));
    expect((await streamed(url, 'glass', 'nonsense')).rows).toHaveLength(lines.length);
  });

  test('lines that come later reach everybody, in order', async () => {
    const { url, feed } = await onAir('glass', lines.slice(0, 5), false);
    const viewers = [streamed(url, 'glass'), streamed(url, 'glass'), streamed(url, 'table')];
    await expect.poll(() => feed.streamThrough({ type: 'glass' })?.size).toBe(2);
    await expect.poll(() => feed.streamThrough({ type: 'table' })?.size).toBe(1);
    for (const line of lines.slice(5)) feed.add(line);
    feed.end();
    const [one, other, table] = await Promise.all(viewers);
    expect(one?.rows).toEqual(seenThrough('glass'));
    expect(other?.rows).toEqual(seenThrough('glass'));
    expect(table?.rows).toEqual(seenThrough('table'));
  });
});

test('without thoughts no word of a mind is left', () => {
  const text = JSON.stringify(lines.flatMap((line) => removeThoughts(throughGlass(line)) ?? []));
  for (const line of lines) {
    if (line.type !== 'tick.closed') continue;
    for (const { received } of line.bids) {
      if (typeof received !== 'object' || received === null) continue;
      if (!('internal_thought' in received) || received.internal_thought === '') continue;
      expect(text).not.toContain(JSON.stringify(received.internal_thought));
    }
  }
  for (const secret of ['internal_thought', 'scratchpad_updates', 'scratchpads.updated'])
    expect(text).not.toContain(secret);
});
