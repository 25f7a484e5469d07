import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { Players } from '../../../actors/league/players.ts';
import { counting } from '../../../analysis/league/tally.ts';
import { SimulatedServer } from '../../support/endpoint/simulatedServer.ts';
import { InMemoryStore } from '../../support/inMemoryStore.ts';
import { aPlan, played } from './leagues.ts';

test('a league waits through a rate limit of 90 seconds, and says so', async () => {
  const clock = new SimulatedClock();
  const [LIMITED, REST_MS] = [0, 90_000];
  const body = { error: { message: 'Slow down' } };
  const server = new SimulatedServer(
    {
      ...{ seed: 1, slots: 8, workMs: () => 100 },
      fault: (nth) => (nth === LIMITED ? { status: 429, body, retryAfterMs: REST_MS } : null),
    },
    clock,
  );
  const { league } = aPlan();
  const [one, ...others] = league.personas;
  if (one === undefined) return expect.unreachable();
  const model = { ...one, mind: 'openai', model: 'm', base_url: 'http://localhost:1/v1' } as const;
  const plan = aPlan({ games: 2, personas: [model, ...others], options: { max_rounds: 12 } });
  const store = new InMemoryStore();
  const waits: number[] = [];
  const players = new Players(1, {
    ...{ store, prices: {}, counting, time: clock, open: server.open },
    onLoading: ({ ms, mostMs }) => waits.push(ms, mostMs),
  });
  let isOver = false;
  const play = (game: Parameters<Players['play']>[0]) => players.play(game, null);
  const conducted = played(plan, { store, jobs: 1, play }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await turnOfTheLoop();
    clock.next();
  }
  const { lost, results } = await conducted;
  expect({ lost, games: results.length }).toEqual({ lost: [], games: 2 });
  const [before = 0, after = 0] = server.asked.slice(LIMITED, LIMITED + 2).map(({ at }) => at);
  expect(after - before).toBeGreaterThanOrEqual(REST_MS);
  expect(waits.length).toBeGreaterThan(0);
  await players.close();
});
