import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../../actors/engine/clock.ts';
import { Budget, NO_LIMIT } from '../../../../actors/minds/openai/budget.ts';
import { ModelClients } from '../../../../actors/minds/openai/client.ts';
import { DEADLINE_LIMITS } from '../../../../actors/minds/openai/deadlines.ts';
import {
  nestGates,
  type RequestGate,
  RequestLimiter,
} from '../../../../actors/minds/openai/limiter.ts';
import { ModelRest } from '../../../../actors/minds/openai/pace.ts';
import { COLOURS } from '../../../../machines/types.ts';
import { anIdentity, crewView } from '../../../prompts/views.ts';
import { type ServerTraits, SimulatedServer } from '../../../support/endpoint/simulatedServer.ts';

const NEVER = new AbortController().signal;

async function pass(clock: SimulatedClock, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  for (;;) {
    await turnOfTheLoop();
    if (isOver || !clock.next()) break;
  }
  await over;
}

const LIMIT = 600_000;

function aRest() {
  const clock = new SimulatedClock();
  const rest = new ModelRest(clock);
  const begin = async (signal = NEVER) => rest.run('living', signal, async () => clock.elapsed);
  return { clock, rest, begin };
}

describe('a rest', () => {
  test('that nobody asked for is over', async () => {
    expect(await aRest().begin()).toBe(0);
  });

  test('is waited for to its end by all, who then begin one by one until one is answered', async () => {
    const { clock, rest, begin } = aRest();
    rest.note(20_000, LIMIT);
    const all = Promise.all([begin(), begin(), begin()]);
    await pass(clock, all);
    expect(await all).toEqual([20_000, 21_000, 22_000]);
    rest.noteAnswered(20_000);
    await pass(clock, clock.sleep(1_000));
    expect(await Promise.all([begin(), begin()])).toEqual([23_000, 23_000]);
  });

  test('is made longer by a later word, and not shorter', async () => {
    const { clock, rest, begin } = aRest();
    rest.note(20_000, LIMIT);
    rest.note(5_000, LIMIT);
    const begun = begin();
    await pass(clock, clock.sleep(10_000));
    rest.note(15_000, LIMIT);
    await pass(clock, begun);
    expect(await begun).toBe(25_000);
  });

  test('is new where no rest is on', async () => {
    const { clock, rest, begin } = aRest();
    const isNew = () => rest.note(2, LIMIT)?.isNew;
    expect([isNew(), isNew()]).toEqual([true, false]);
    await pass(clock, begin());
    expect(isNew()).toBe(true);
  });

  test('of no stated length, or of none, is as long as all rests before it since the last answer', async () => {
    const { clock, rest, begin } = aRest();
    const lengths: (number | undefined)[] = [];
    for (const wanted of [null, 0, null, 0, null, 0, null, 0, null, 3_000]) {
      lengths.push(rest.note(wanted, LIMIT)?.ms);
      await pass(clock, begin());
      if (lengths.length === 9) rest.noteAnswered(clock.elapsed);
    }
    expect(lengths).toEqual([500, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 3_000]);
  });

  test('is refused where it or all rests in a row are too long, and nobody waits for it', async () => {
    const { clock, rest, begin } = aRest();
    expect([rest.note(LIMIT + 1, LIMIT), await begin()]).toEqual([null, 0]);
    let rests = 0;
    for (; rest.note(60_000, LIMIT) !== null; rests++) await pass(clock, begin());
    expect([rests, clock.elapsed]).toEqual([10, LIMIT]);
  });

  test('is left by who does not wait any more', async () => {
    const { rest, begin } = aRest();
    const leaving = new AbortController();
    rest.note(20_000, LIMIT);
    const begun = begin(leaving.signal);
    leaving.abort();
    expect(await begun).toBe(0);
    expect(await begin(AbortSignal.abort())).toBe(0);
  });
});

/** Asks a server with a limit, with at most eight requests at once, until `count` are answered. */
async function askAll(calls: number, traits: Partial<ServerTraits>) {
  const clock = new SimulatedClock();
  const server = new SimulatedServer({ seed: 1, slots: 8, workMs: () => 100, ...traits }, clock);
  const clients = new ModelClients({
    time: clock,
    limits: { concurrency: 8, perMinute: null },
    open: server.open,
    prices: {},
  });
  const seat = { temperature: null, seed: 1, extra: {}, identity: anIdentity() };
  const create = clients.openGame({
    budget: new Budget(NO_LIMIT, () => clock.now()),
    ...{ onSend: () => 0, onCall: () => {}, limits: DEADLINE_LIMITS, onLoading: () => {} },
    onPause: (code, text) => expect.unreachable(`${code}: ${text}`),
  });
  const endpoint = { baseUrl: 'http://localhost:1/v1', model: 'm', apiKey: null };
  const answers = Array.from({ length: calls }, async (_, index) =>
    create({ ...seat, endpoint, colour: COLOURS[index % 8] ?? 'red' }).answer(
      { kind: 'discussion', index, view: crewView() },
      NEVER,
      () => {},
    ),
  );
  await pass(clock, Promise.all(answers));
  const failed = (await Promise.all(answers)).filter(({ ok }) => !ok);
  return { failed, refused: server.refused.length, ms: clock.elapsed };
}

describe('after a rate limit', () => {
  test.each<[name: string, calls: number, traits: Partial<ServerTraits>, idealMs: number]>([
    ['ten a second', 32, { perMinute: 10, windowMs: 1_000 }, 3_000],
    ['ten a second', 200, { perMinute: 10, windowMs: 1_000 }, 20_000],
    ['ten a second, without a word', 200, { perMinute: 10, windowMs: 1_000, isMute: true }, 20_000],
    ['twenty a minute', 120, { perMinute: 20 }, 300_000],
    ['twenty a minute, without a word', 120, { perMinute: 20, isMute: true }, 300_000],
    ['twenty a minute, slow answers', 120, { perMinute: 20, workMs: () => 5_000 }, 300_000],
    ['three a minute', 64, { perMinute: 3 }, 1_260_000],
    ['one a minute', 64, { perMinute: 1 }, 3_780_000],
  ])(
    'of %s, %i calls are paced: few are refused, and no time is lost',
    async (_, calls, traits, idealMs) => {
      const { failed, refused, ms } = await askAll(calls, traits);
      expect(failed).toEqual([]);
      expect(refused / calls).toBeLessThanOrEqual(0.2);
      expect(ms).toBeLessThan(1.5 * idealMs);
    },
  );
});

test.each([1, 3])('of a limit of %i at once few are refused, and all are used', async (most) => {
  const { failed, refused, ms } = await askAll(96, { mostAtOnce: most });
  expect(failed).toEqual([]);
  expect(refused).toBeLessThanOrEqual(10);
  expect(ms).toBeLessThan((1.3 * 96 * 100) / most + 2_000);
});

function openGate() {
  let inside = 0;
  const seen = { most: 0 };
  const gate: RequestGate = {
    run: async (_rank, _signal, work) => {
      inside += 1;
      seen.most = Math.max(seen.most, inside);
      return work().finally(() => {
        inside -= 1;
      });
    },
  };
  return { gate, seen };
}

async function crowd(gate: RequestGate, clock: SimulatedClock, requests: number) {
  const works = Array.from({ length: requests }, () =>
    gate.run('living', NEVER, () => clock.sleep(1_000)),
  );
  await pass(clock, Promise.all(works));
}

describe('a gate that many processes share', () => {
  const ENDPOINT = { baseUrl: 'http://localhost:1/v1', model: 'm', apiKey: null };

  test('is narrowed as one of this process is, when answers take long', async () => {
    const clock = new SimulatedClock();
    const { gate, seen } = openGate();
    const clients = new ModelClients({
      time: clock,
      limits: { concurrency: 8, perMinute: 1 },
      gateTo: () => gate,
      patience: { attemptMs: 1_000 },
      prices: {},
    });
    const client = clients.clientFor(ENDPOINT);
    await crowd(client.gate, clock, 16);
    // The limit of the minute is the shared one’s.
    expect([seen.most, clock.elapsed]).toEqual([8, 2_000]);
    for (let request = 0; request < 8; request++) client.width.noteSent(clock.now());
    await pass(clock, clock.sleep(60_000));
    for (let request = 0; request < 8; request++) client.width.noteEnded(clock.now(), 60_000, true);
    seen.most = 0;
    await crowd(client.gate, clock, 16);
    expect(seen.most).toBe(4);
  });

  test('has room when both have', async () => {
    const clock = new SimulatedClock();
    const limiter = (concurrency: number) =>
      new RequestLimiter({ concurrency, perMinute: null }, clock);
    for (const [outer, inner] of [
      [1, 4],
      [4, 1],
      [2, 2],
    ] as const) {
      const before = clock.elapsed;
      await crowd(nestGates(limiter(outer), limiter(inner)), clock, 4);
      expect(clock.elapsed - before).toBe((4 / Math.min(outer, inner)) * 1_000);
    }
  });
});
