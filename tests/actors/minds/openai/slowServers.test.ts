import { describe, expect, test } from 'vitest';
import { uniform } from '../../../support/endpoint/pick.ts';
import type { ServerTraits } from '../../../support/endpoint/simulatedServer.ts';
import { everyNth, IS_LONG, seeds } from '../../../support/seeds.ts';
import {
  departuresOf,
  faultsOf,
  goOnAt,
  isClosed,
  meetAt,
  modelTable,
  type Played,
} from './slowServers.ts';

const S = 1000;

function steady(seconds: number, slots: number, more: Partial<ServerTraits> = {}): ServerTraits {
  return { seed: 1, slots, workMs: () => seconds * S, ...more };
}

/** All were answered in time, each was asked once, and nothing was worked on in vain. */
function expectCalm(played: Played): void {
  const { server, models } = played;
  expect(faultsOf(played)).toEqual([]);
  expect(departuresOf(played)).toEqual([]);
  expect(models.paused).toBeNull();
  expect(isClosed(played)).toBe(true);
  expect(server.asked.length).toBe(server.finished);
  expect(server.wasted).toBe(0);
}

describe.each([1, 2, 8])('eight players at a server with %i slots', (slots) => {
  test.each(everyNth([0.1, 5, 10, 20, 50], 4))(
    'that takes %d s for an answer are never late',
    async (seconds) => {
      expectCalm(await meetAt(steady(seconds, slots), modelTable(8)));
    },
  );
});

test(`eight players are never late at ${seeds(3, 400)} servers of any pace, cold or warm, that think or don’t`, async () => {
  for (let seed = 0; seed < seeds(3, 400); seed++) {
    const slots = 1 + Math.floor(uniform(`${seed} slots`) * 8);
    const [least, most] = [0.1, 0.1 + 19.9 * uniform(`${seed} most`)];
    const isCold = uniform(`${seed} cold`) < 0.5;
    const load = {
      ms: 280 * S * uniform(`${seed} load`),
      how: seed % 2 === 0 ? '503' : 'silence',
    } as const;
    const traits: ServerTraits = {
      seed,
      slots,
      thoughts:
        uniform(`${seed} thinks`) < 0.5 ? 0 : Math.floor(4_000 * uniform(`${seed} thoughts`)),
      workMs: (nth) => S * (least + (most - least) * uniform(`${seed} work ${nth}`)),
      ...(isCold ? { load } : {}),
    };
    const perMinute = seed % 3 === 0 ? 5 + (seed % 7) : null;
    const concurrency = 1 + (seed % 8);
    const played = await meetAt(traits, modelTable(8), { seed, concurrency, perMinute });
    const { server, models } = played;
    const refused = models.spent.calls - server.finished;
    // A model that thinks is found out once, and has its room from then on: four times as much, or sixteen times.
    expect({ seed, isFoundOut: server.cut <= 2 }).toEqual({ seed, isFoundOut: true });
    expect({ seed, faults: faultsOf(played), wasted: server.wasted }).toEqual({
      seed,
      faults: [],
      wasted: 0,
    });
    expect({ seed, paused: models.paused, isClosed: isClosed(played) }).toEqual({
      seed,
      paused: null,
      isClosed: true,
    });
    // Only requests that were refused during loading are asked again.
    expect({ seed, again: server.asked.length - server.finished }).toEqual({
      seed,
      again: refused,
    });
    if (!isCold || load.how === 'silence') expect({ seed, refused }).toEqual({ seed, refused: 0 });
  }
});

test('waiting for a minute with room, of an hour for eight requests, makes nobody late', async () => {
  expectCalm(await meetAt(steady(1, 8), modelTable(8, 8, { max_ticks: 2 }), { perMinute: 1 }));
});

test('a server that is slower than the deadline gets more time, up to --max-tick', async () => {
  const slow = steady(5, 8, { workMs: (nth) => (nth === 0 ? 5 * S : 290 * S) });
  const played = await meetAt(slow, modelTable(8, 8, { max_ticks: 2 }));
  expect(faultsOf(played)).toEqual([]);
  expect(isClosed(played)).toBe(true);
});

test.each([{ perMinute: 20 }, { perMinute: 8 }, { perMinute: 3 }, { perMinute: 1 }])(
  'at an endpoint with $perMinute requests a minute, all requests wait together',
  async (at) => {
    const played = await meetAt(
      steady(2, 8, at),
      modelTable(8, 8, { max_ticks: 8, vote_after: 8 }),
    );
    const { server, models } = played;
    expect(faultsOf(played)).toEqual([]);
    expect(models.paused).toBeNull();
    expect(isClosed(played)).toBe(true);
    expect(server.refused.length).toBeGreaterThan(0);
    const early = server.refused.flatMap((refusal) =>
      server.asked.filter(
        ({ at: asked }) => asked > refusal.at && asked < refusal.at + refusal.waitMs,
      ),
    );
    expect(early).toEqual([]);
  },
);

test('a rest of nine minutes is waited for with one report, and a longer one pauses the game at once', async () => {
  const rest = (seconds: number) =>
    steady(1, 8, { fault: (nth) => (nth === 9 ? refuseFor(seconds * S) : null) });
  const match = modelTable(8, 8, { max_ticks: 4 });
  const played = await meetAt(rest(540), match);
  expectCalm({
    ...played,
    server: Object.assign(played.server, { asked: played.server.asked.slice(1) }),
  });
  expect(played.loading.map(({ ms, mostMs }) => [ms, mostMs])).toEqual([[0, 540 * S]]);
  const stopped = await meetAt(rest(601), match);
  expect(stopped.models.paused).toMatchObject({
    code: 'rate-limit',
    text: expect.stringContaining('601 s'),
  });
  expect(stopped.time.elapsed).toBeLessThan(60 * S);
  expect(isClosed(await goOnAt(steady(1, 8), stopped.journal))).toBe(true);
});

function refuseFor(retryAfterMs: number) {
  return { status: 429, body: { error: { message: 'Slow down' } }, retryAfterMs };
}

describe('a gate', () => {
  test('lets fewer into a serial server that takes long, and is as fast', async () => {
    const played = await meetAt(steady(20, 1), modelTable(8));
    expectCalm(played);
    const { asked } = played.server;
    // The first request is alone. Then a tick at 8, at 4, at 2, and from then on 1 waits at the server.
    const lastTick = asked.slice(-16).map(({ at }) => at);
    expect(new Set(lastTick).size).toBe(lastTick.length);
    expect(played.time.elapsed).toBe(asked.length * 20 * S);
  });

  test('stays wide at a server that works on all of them at once', async () => {
    const played = await meetAt(steady(40, 8), modelTable(8));
    expectCalm(played);
    // The first request is alone, the rest of its tick follows; a tick at 4 has shown that more are better.
    const sent = Map.groupBy(played.server.asked, ({ at }) => at);
    expect([...sent.values()].slice(0, 6).map(({ length }) => length)).toEqual([1, 7, 4, 4, 8, 8]);
    expect(Math.max(...[...sent.values()].slice(6).map(({ length }) => length))).toBe(8);
  });
});

test('the seats are sent in an order that rotates by tick', async () => {
  const played = await meetAt(steady(1, 1), modelTable(5, 5, { max_ticks: 5, vote_after: 5 }));
  const firsts = [
    ...Map.groupBy(
      played.server.asked.slice(4),
      ({ text }) => /Tick (\d+)/.exec(text)?.[1],
    ).values(),
  ].map(([first]) => /You are (\w+)/.exec(first?.text ?? '')?.[1]);
  expect(new Set(firsts).size).toBe(5);
});

/** A player who has answered before: the model can play. */
const ANSWERED = 2;
const ofSeat = (seat: string) => (nth: number, text: string) =>
  nth >= ANSWERED * 8 && text.includes(`You are ${seat},`) ? ('hangs' as const) : null;

test('one player whose requests are lost among others who are answered is late, and gone in the end', async () => {
  const played = await meetAt(
    steady(2, 8, { fault: ofSeat('blue') }),
    modelTable(8, 8, { vote_after: 10, max_ticks: 20 }),
  );
  const late = faultsOf(played).filter((fault) => fault === 'blue mind/late');
  expect(late.length).toBeGreaterThanOrEqual(5);
  expect(faultsOf(played)).toEqual(late);
  expect(departuresOf(played)).toEqual(['blue']);
  expect(played.models.paused).toBeNull();
  // Each time it was asked twice: a request that others overtake is taken for lost and made again.
  expect(played.server.asked.filter(({ text }) => text.includes('You are blue,')).length).toBe(
    ANSWERED + late.length * 2,
  );
});

const FAILINGS = [
  { name: 'hangs', models: 8, code: 'timeout', fault: 'hangs' },
  { name: 'hangs', models: 1, code: 'timeout', fault: 'hangs' },
  { name: 'is gone', models: 8, code: 'upstream', fault: 'refused' },
  { name: 'is gone', models: 1, code: 'upstream', fault: 'refused' },
  { name: 'takes no more requests', models: 8, code: 'rate-limit', fault: 'limited' },
  { name: 'takes no more requests', models: 1, code: 'rate-limit', fault: 'limited' },
] as const;

const REFUSALS = [
  [401, { error: { message: 'Incorrect API key provided.' } }, 'auth'],
  [402, { error: { message: 'Insufficient Balance' } }, 'credits'],
  [404, { error: { message: 'The model `m` does not exist' } }, 'not-found'],
  [404, '404 page not found', 'not-endpoint'],
  [200, '<!doctype html><html></html>', 'not-endpoint'],
  [429, { error: { message: 'Rate limit exceeded: free-models-per-day.' } }, 'daily-limit'],
  [429, { error: { message: 'Slow down' } }, 'rate-limit'],
  [500, { error: { message: 'CUDA error: out of memory' } }, 'upstream'],
  [502, '<html>Bad Gateway</html>', 'upstream'],
  [503, { error: { message: 'Loading model' } }, 'loading'],
] as const;

describe.each(REFUSALS)('a server that answers %i %j', (status, body, code) => {
  const cases = (IS_LONG ? [8, 1] : [8]).flatMap((models) =>
    (IS_LONG ? [0, 1, 9, 20] : [9]).map((after) => ({ models, after })),
  );
  test.each(cases)(
    `to $models players after $after requests pauses the game as ${code}, and resume goes on`,
    async ({ models, after }) => {
      const match = modelTable(models, 8, { vote_after: 30, max_ticks: 24 });
      const fault = (nth: number) => (nth >= after ? { status, body } : null);
      const stopped = await meetAt(steady(3, 4, { fault }), match);
      expect(stopped.models.paused?.code).toBe(code);
      expect(stopped.models.paused?.text).toMatch(/\S+ \S+/);
      expect(departuresOf(stopped)).toEqual([]);
      expect(isClosed(stopped)).toBe(false);
      const resumed = await goOnAt(steady(3, 4), stopped.journal);
      expect(isClosed(resumed)).toBe(true);
      expect(departuresOf(resumed)).toEqual([]);
      expect(resumed.models.paused).toBeNull();
    },
  );
});

describe.each(FAILINGS)('a server that $name for $models players', ({ models, code, fault }) => {
  test.each(everyNth([0, 1, 9, 20], 2))(
    `pauses the game as ${code} after %i requests, and resume goes on`,
    async (after) => {
      const match = modelTable(models, 8, { vote_after: 30, max_ticks: 24 });
      const traits = steady(3, 4, { fault: (nth) => (nth >= after ? fault : null) });
      const stopped = await meetAt(traits, match);
      const expected = after === 0 && fault === 'hangs' ? 'loading' : code;
      expect(stopped.models.paused?.code).toBe(expected);
      expect(stopped.models.paused?.text).toMatch(/\S+ \S+/);
      expect(departuresOf(stopped)).toEqual([]);
      // A server that takes no connections fails nobody, although it answered some at that tick.
      if (fault === 'refused') expect(faultsOf(stopped)).toEqual([]);
      expect(isClosed(stopped)).toBe(false);
      // In simulated time: nobody waits for longer than the two limits together.
      const last = stopped.server.asked.at(after)?.at ?? 0;
      expect(stopped.time.elapsed - last).toBeLessThanOrEqual(600 * S);
      const resumed = await goOnAt(steady(3, 4), stopped.journal);
      expect(isClosed(resumed)).toBe(true);
      expect(departuresOf(resumed)).toEqual([]);
      expect(resumed.models.paused).toBeNull();
    },
  );
});

describe.each(['503', 'silence'] as const)('a model that loads with %s', (how) => {
  const load = (seconds: number) => steady(1, 1, { load: { ms: seconds * S, how } });
  const match = modelTable(8, 8, { max_ticks: 2 });

  test('is waited for, with reports of it', async () => {
    const played = await meetAt(load(290), match);
    expect(faultsOf(played)).toEqual([]);
    expect(isClosed(played)).toBe(true);
    expect(played.loading.length).toBeGreaterThan(10);
    const ms = played.loading.map((one) => one.ms);
    expect(ms).toEqual(ms.toSorted((one, other) => one - other));
    expect(played.loading.at(-1)).toMatchObject({ model: 'm', mostMs: 600 * S });
  });

  test('and is never there pauses the game after --max-wait, and resume goes on', async () => {
    const stopped = await meetAt(load(100_000), match, { deadlines: { waitMs: 40 * S } });
    expect(stopped.models.paused?.code).toBe('loading');
    expect(stopped.models.paused?.text).toContain('not ready after 40 s');
    expect(stopped.time.elapsed).toBeGreaterThanOrEqual(40 * S);
    expect(stopped.time.elapsed).toBeLessThan(60 * S);
    expect(
      isClosed(await goOnAt(load(30), stopped.journal, { deadlines: { waitMs: 40 * S } })),
    ).toBe(true);
  });
});
