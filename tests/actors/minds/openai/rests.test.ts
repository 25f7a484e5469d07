import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../../actors/engine/clock.ts';
import { ModelClients } from '../../../../actors/minds/openai/client.ts';
import {
  nestGates,
  type RequestGate,
  RequestLimiter,
} from '../../../../actors/minds/openai/limiter.ts';
import { ModelRest } from '../../../../actors/minds/openai/pace.ts';

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

function aRest() {
  const clock = new SimulatedClock();
  return { clock, rest: new ModelRest(clock) };
}

describe('a rest', () => {
  test('that nobody asked for is over', async () => {
    const { clock, rest } = aRest();
    await rest.end(NEVER);
    expect([clock.elapsed, rest.inARow]).toEqual([0, 0]);
  });

  test('is waited for to its end, by all', async () => {
    const { clock, rest } = aRest();
    rest.note(20_000);
    await pass(clock, Promise.all([rest.end(NEVER), rest.end(NEVER)]));
    expect(clock.elapsed).toBe(20_000);
    await rest.end(NEVER);
    expect(clock.elapsed).toBe(20_000);
  });

  test('is made longer by a later word, and not shorter', async () => {
    const { clock, rest } = aRest();
    rest.note(20_000);
    rest.note(5_000);
    const ended = rest.end(NEVER);
    await pass(clock, clock.sleep(10_000));
    rest.note(15_000);
    await pass(clock, ended);
    expect(clock.elapsed).toBe(25_000);
  });

  test('several refusals during a rest are one rest', async () => {
    const { clock, rest } = aRest();
    for (const ms of [20_000, 10_000, 20_000]) rest.note(ms);
    expect(rest.inARow).toBe(1);
    await pass(clock, rest.end(NEVER));
    rest.note(1);
    expect(rest.inARow).toBe(2);
    rest.noteAnswered();
    expect(rest.inARow).toBe(0);
  });

  test('is the same rest up to its last millisecond, and then another one', async () => {
    const { clock, rest } = aRest();
    rest.note(2);
    await pass(clock, clock.sleep(1));
    rest.note(0);
    expect(rest.inARow).toBe(1);
    await pass(clock, rest.end(NEVER));
    expect(clock.elapsed).toBe(2);
    rest.note(0);
    expect(rest.inARow).toBe(2);
  });

  test('a rest delays work, and returns its result', async () => {
    const { clock, rest } = aRest();
    rest.note(1);
    const work = rest.run('living', NEVER, async () => `done at ${clock.elapsed}`);
    await pass(clock, work);
    expect(await work).toBe('done at 1');
  });

  test('is left by who does not wait any more', async () => {
    const { clock, rest } = aRest();
    const leaving = new AbortController();
    rest.note(20_000);
    const ended = rest.end(leaving.signal);
    leaving.abort();
    await ended;
    expect(clock.elapsed).toBe(0);
    await rest.end(AbortSignal.abort());
    expect(clock.elapsed).toBe(0);
  });
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
      patience: { attemptMs: 1_000, waitMs: 1_000 },
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
