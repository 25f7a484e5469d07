import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SimulatedClock } from '../../../../actors/engine/clock.ts';
import {
  RequestLimiter,
  type RequestLimits,
  type RequestRank,
} from '../../../../actors/minds/openai/limiter.ts';

const NEVER = new AbortController().signal;

function stage(limits: RequestLimits) {
  const clock = new SimulatedClock();
  const sleeps: AbortSignal[] = [];
  const under: (() => void)[] = [];
  const begun: { readonly name: string; readonly at: number }[] = [];
  let most = 0;
  const limiter = new RequestLimiter(limits, {
    now: () => clock.now(),
    sleep: (ms, signal = NEVER) => {
      sleeps.push(signal);
      return clock.sleep(ms, signal).finally(() => sleeps.splice(sleeps.indexOf(signal), 1));
    },
  });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    begun,
    sleeps,
    most: () => most,
    enter: (name: string, rank: RequestRank, signal = NEVER) =>
      limiter.run(rank, signal, () => {
        if (signal.aborted) return Promise.resolve('gone');
        begun.push({ name, at: clock.now() });
        return new Promise<string>((resolve) => {
          under.push(() => resolve(name));
          most = Math.max(most, under.length);
        });
      }),
    endOne: async () => {
      await settle();
      under.shift()?.();
      await settle();
    },
    settle,
    pass: async (ms: number) => {
      await settle();
      let isOver = false;
      clock.setTimeout(() => {
        isOver = true;
      }, ms);
      while (!isOver && clock.next()) await settle();
    },
  };
}

test('a limiter keeps its concurrency, and every request gets its turn', async () => {
  const ranks = fc.array(fc.constantFrom<RequestRank>('living', 'ghost'), {
    minLength: 1,
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(ranks, fc.integer({ min: 1, max: 5 }), async (who, concurrency) => {
      const scene = stage({ concurrency, perMinute: null });
      const all = who.map((rank, index) => scene.enter(String(index), rank));
      for (const _ of who) await scene.endOne();
      await Promise.all(all);
      expect(scene.most()).toBe(Math.min(concurrency, who.length));
      expect(scene.begun).toHaveLength(who.length);
    }),
  );
});

test('the living go before ghosts, and each in the order of coming', async () => {
  const scene = stage({ concurrency: 1, perMinute: null });
  const all = [
    scene.enter('first', 'ghost'),
    scene.enter('ghost 1', 'ghost'),
    scene.enter('red', 'living'),
    scene.enter('ghost 2', 'ghost'),
    scene.enter('blue', 'living'),
  ];
  for (const _ of all) await scene.endOne();
  await Promise.all(all);
  expect(scene.begun.map(({ name }) => name)).toEqual([
    'first',
    'red',
    'blue',
    'ghost 1',
    'ghost 2',
  ]);
});

test('no more begin within a minute, and the living go first when it is over', async () => {
  const scene = stage({ concurrency: 10, perMinute: 2 });
  const all = [
    scene.enter('a', 'living'),
    scene.enter('b', 'living'),
    scene.enter('ghost', 'ghost'),
    scene.enter('c', 'living'),
  ];
  await scene.settle();
  expect(scene.begun.map(({ name }) => name)).toEqual(['a', 'b']);
  await scene.pass(59_999);
  // A request that comes a millisecond early waits too.
  all.push(scene.enter('late ghost', 'ghost'));
  await scene.settle();
  expect(scene.begun).toHaveLength(2);
  await scene.pass(1);
  expect(scene.begun.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'ghost']);
  await scene.pass(60_000);
  for (const _ of all) await scene.endOne();
  await Promise.all(all);
});

test('a limiter starts at most its limit within any minute', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.nat({ max: 40_000 }), { minLength: 1, maxLength: 12 }),
      async (perMinute, pauses) => {
        const scene = stage({ concurrency: 100, perMinute });
        const all: Promise<string>[] = [];
        for (const [index, pause] of pauses.entries()) {
          all.push(scene.enter(String(index), 'living'));
          await scene.pass(pause);
        }
        while (scene.begun.length < pauses.length) await scene.pass(60_000);
        for (const { at } of scene.begun) {
          const within = scene.begun.filter((one) => one.at >= at && one.at < at + 60_000);
          expect(within.length).toBeLessThanOrEqual(perMinute);
        }
        for (const _ of pauses) await scene.endOne();
        await Promise.all(all);
      },
    ),
  );
});

test('who gives up makes room in the queue, and the last one ends the sleep', async () => {
  const scene = stage({ concurrency: 1, perMinute: 1 });
  const first = scene.enter('first', 'living');
  await scene.endOne();
  await first;
  const leaving = new AbortController();
  const second = scene.enter('second', 'living', leaving.signal);
  await scene.settle();
  expect(scene.sleeps).toHaveLength(1);
  leaving.abort();
  expect(await second).toBe('gone');
  const third = scene.enter('third', 'living');
  await scene.pass(60_000);
  await scene.endOne();
  expect(await third).toBe('third');
  expect(scene.begun.map(({ name }) => name)).toEqual(['first', 'third']);
});

test('a sleep goes on while anybody waits, and ends with the last who does', async () => {
  const scene = stage({ concurrency: 10, perMinute: 1 });
  const first = scene.enter('first', 'living');
  const leaving = [new AbortController(), new AbortController()];
  const waiting = leaving.map(({ signal }) => scene.enter('waiting', 'living', signal));
  await scene.settle();
  const [sleep] = scene.sleeps;
  leaving[0]?.abort();
  expect(sleep?.aborted).toBe(false);
  leaving[1]?.abort();
  expect(sleep?.aborted).toBe(true);
  expect(await Promise.all(waiting)).toEqual(['gone', 'gone']);
  await scene.endOne();
  await first;
});

test('who gives up, before or while waiting, makes no room for others', async () => {
  const scene = stage({ concurrency: 1, perMinute: null });
  const leaving = new AbortController();
  const first = scene.enter('first', 'living');
  const second = scene.enter('second', 'living', leaving.signal);
  await scene.settle();
  leaving.abort();
  expect(await second).toBe('gone');
  expect(await scene.enter('third', 'living', leaving.signal)).toBe('gone');
  const others = ['a', 'b', 'c'].map((name) => scene.enter(name, 'living'));
  await scene.settle();
  expect(scene.begun.map(({ name }) => name)).toEqual(['first']);
  for (const _ of [first, ...others]) await scene.endOne();
  await Promise.all([first, ...others]);
  expect(scene.most()).toBe(1);
});

test('however many wait for the minute, there is one sleep', async () => {
  const scene = stage({ concurrency: 10, perMinute: 1 });
  const all = ['a', 'b', 'c', 'd'].map((name) => scene.enter(name, 'living'));
  await scene.settle();
  expect(scene.sleeps).toHaveLength(1);
  for (const passed of [2, 3, 4]) {
    await scene.pass(60_000);
    expect(scene.begun).toHaveLength(passed);
    expect(scene.sleeps).toHaveLength(passed === 4 ? 0 : 1);
  }
  for (const _ of all) await scene.endOne();
  await Promise.all(all);
});

test('work that fails makes room', async () => {
  const limiter = new RequestLimiter({ concurrency: 1, perMinute: null }, new SimulatedClock());
  const fails = limiter.run('living', NEVER, () => Promise.reject(new Error('broken')));
  await expect(fails).rejects.toThrow('broken');
  expect(await limiter.run('living', NEVER, async () => 'next')).toBe('next');
});
