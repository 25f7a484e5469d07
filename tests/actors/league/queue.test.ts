import { hostname } from 'node:os';
import { Redis as Client } from 'ioredis';
import { describe, expect, test } from 'vitest';
import {
  type GameModels,
  type LostLeagueGame,
  playLeagueGame,
} from '../../../actors/league/game.ts';
import { settleLeague } from '../../../actors/league/plan.ts';
import { RedisGameQueue, RedisGameWorker } from '../../../actors/league/queue.ts';
import { RemoteQueue } from '../../../actors/league/remoteQueue.ts';
import { playLeague } from '../../../actors/league/runner.ts';
import { type GamePlayer, playQueuedGame } from '../../../actors/league/worker.ts';
import { createScriptedMind } from '../../../actors/minds/scripted/mind.ts';
import { StoreLost } from '../../../actors/stores/errors.ts';
import { unpackJournal } from '../../../actors/stores/journal.ts';
import { personaOf } from '../../../machines/setup/prepare.ts';
import { testLong } from '../../support/seeds.ts';
import { gathered, opened } from '../stores/kept.ts';
import { HAS_REDIS, RedisServer } from '../stores/redisServer.ts';
import { aPlan, EDGE, played } from './leagues.ts';

const ANSWERS = 40;

/** Models that think like the offline minds, one step later. `act` runs in the middle of the game. */
function thinkSlowly(
  seed: number,
  act: () => Promise<unknown>,
  onBreak: (breakOff: () => void) => void,
): GameModels {
  let answers = 0;
  return {
    minds: (seat, index) => {
      const mind = createScriptedMind(seed, seat.colour, personaOf(seat, index).temperament);
      return {
        pace: 'in-time',
        answer: async (request) => {
          await Promise.resolve();
          answers += 1;
          if (answers === ANSWERS) await act();
          return mind.answer(request);
        },
      };
    },
    attach: (game) => onBreak(() => game.pause()),
    paused: () => null,
    close: async () => {},
    reflect: async () => ({ learned: [], cost: {} }),
  };
}

describe.skipIf(!HAS_REDIS)('a league over a queue', () => {
  async function overQueue(
    server: RedisServer,
    poisoned: number | null = null,
    type: LostLeagueGame['type'] = 'broken',
  ) {
    const plan = aPlan({ games: 6, round: 6 });
    const store = await opened(server.url);
    const player: GamePlayer = {
      isSlow: () => false,
      play: async (game) => {
        if (game.slot === poisoned) return { type, slot: game.slot, text: 'poison' };
        return await playLeagueGame(game, EDGE);
      },
    };
    const takers = [1, 2].map(
      () =>
        new RedisGameWorker(server.url, plan.engine, 2, async (game) => {
          await playQueuedGame(store, game, player);
        }),
    );
    await Promise.all(takers.map((taker) => taker.ready()));
    const journals = new Map<number, string | null>();
    const counter = new RedisGameQueue(server.url, plan.engine);
    const fetch = async (slots: readonly number[]) => {
      for (const slot of slots) {
        const kept = await store.journal({ league: plan.league.name, slot });
        journals.set(slot, kept === null ? null : await unpackJournal(kept));
      }
    };
    const queue = new RemoteQueue({ league: plan.league.name, store, jobs: counter, fetch });
    expect(await settleLeague(store, plan)).toBeNull();
    const conducted = await playLeague({ plan, store, queue, onOutcome: () => {} });
    const results = await gathered(store.results(plan.league.name));
    await Promise.all(takers.map((taker) => taker.close()));
    await queue.close();
    await store.close();
    return { ...conducted, results, journals };
  }

  test('is the same as in one process', async () => {
    const server = await RedisServer.start();
    const { open, results, journals } = await overQueue(server);
    const alone = await played(aPlan({ games: 6, round: 6 }));
    expect(open).toBe(0);
    expect(results.map(({ clock: _clock, ...body }) => body)).toEqual(
      alone.results.map(({ clock: _clock, ...body }) => body),
    );
    expect([...journals.keys()].toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
    for (const text of journals.values()) expect(text).toContain('game.closed');
    await server.end();
  });

  test.each([
    ['is stopped takes the games that wait out of the queue', 'stop', 0],
    ['has lost its lead leaves them to the run that leads now', 'leave', 3],
  ] as const)('and a run that %s', async (_words, how, waiting) => {
    const server = await RedisServer.start();
    const plan = aPlan({ games: 3, round: 3 });
    const store = await opened(server.url);
    const redisQueue = new RedisGameQueue(server.url, plan.engine);
    const { name: league } = plan.league;
    const queue = new RemoteQueue({ league, store, jobs: redisQueue, fetch: async () => {} });
    expect(await settleLeague(store, plan)).toBeNull();
    const playing = playLeague({ plan, store, queue, onOutcome: () => {} });
    const client = new Client(server.url);
    const count = () => client.llen(`{glassbox-queue}:games-${plan.engine}:wait`);
    await expect.poll(count).toBe(3);
    queue[how]();
    expect((await playing).open).toBe(3);
    expect(await count()).toBe(waiting);
    client.disconnect();
    await queue.close();
    await store.close();
    await server.end();
  });

  test('says of a game that is paused that it is paused, and plays its neighbours', async () => {
    const server = await RedisServer.start();
    const { lost, results } = await overQueue(server, 3, 'aborted');
    expect(lost).toEqual([{ type: 'aborted', slot: 3, text: 'poison' }]);
    expect(results.length).toBe(5);
    await server.end();
  });

  testLong('gives a poisoned game up, and plays all its neighbours', async () => {
    const server = await RedisServer.start();
    const { open, lost, results } = await overQueue(server, 3);
    expect(open).toBe(1);
    expect(lost).toEqual([{ type: 'broken', slot: 3, text: 'poison' }]);
    expect(results.map(({ slot }) => slot)).toEqual([0, 1, 2, 4, 5]);
    // Mended, it is played in its place.
    const mended = await overQueue(server);
    expect(mended.open).toBe(0);
    expect(mended.results.map(({ slot }) => slot)).toEqual([0, 1, 2, 3, 4, 5]);
    await server.end();
  });

  test('is played by workers of its own version, and by no other', async () => {
    const server = await RedisServer.start();
    const plan = aPlan({ games: 4, round: 4 });
    const store = await opened(server.url);
    const games: string[] = [];
    const taker = (engine: string) =>
      new RedisGameWorker(server.url, engine, 2, async (game) => {
        games.push(engine);
        await playQueuedGame(store, game, {
          isSlow: () => false,
          play: (one) => playLeagueGame(one, EDGE),
        });
      });
    const takers = ['older', plan.engine].map(taker);
    await Promise.all(takers.map((one) => one.ready()));
    const counter = new RedisGameQueue(server.url, plan.engine);
    expect(await counter.workers()).toEqual([`process ${process.pid} on ${hostname()}`]);
    const queue = new RemoteQueue({
      league: plan.league.name,
      store,
      jobs: counter,
      fetch: async () => {},
    });
    expect(await settleLeague(store, plan)).toBeNull();
    expect(await playLeague({ plan, store, queue, onOutcome: () => {} })).toEqual({
      open: 0,
      lost: [],
    });
    expect(games).toEqual(Array(4).fill(plan.engine));
    await Promise.all(takers.map((one) => one.close()));
    await queue.close();
    await store.close();
    await server.end();
  });

  const REFUSALS = [
    [
      'its memory is full',
      'OOM',
      ['CONFIG', 'SET', 'maxmemory', '1'],
      ['CONFIG', 'SET', 'maxmemory', '0'],
    ],
    [
      'it has become a replica',
      'READONLY',
      ['REPLICAOF', '127.0.0.1', '1'],
      ['REPLICAOF', 'NO', 'ONE'],
    ],
  ] as const;

  test.each(REFUSALS)(
    'whose server refuses a piece of a journal, since %s, plays the game once more',
    async (_words, reason, [ill, ...illWords], [well, ...wellWords]) => {
      const server = await RedisServer.start();
      const client = new Client(server.url);
      const { league } = aPlan();
      const personas = league.personas.map((member) => ({
        ...member,
        mind: 'openai' as const,
        model: 'model',
      }));
      const plan = aPlan({ personas, games: 1, round: 1, options: { max_rounds: 30 } });
      const store = await opened(server.url);
      const refusals: string[] = [];
      const pasts: string[] = [];
      let attempts = 0;
      const player: GamePlayer = {
        isSlow: () => true,
        play: async (game, journal, onBreak) => {
          attempts += 1;
          const act = async () => {
            if (attempts > 1) return;
            // The first piece has arrived: the next one is refused.
            while ((await store.pieces(game)).pieces === 0);
            await client.call(ill, ...illWords);
          };
          const models = thinkSlowly(game.seed, act, onBreak);
          pasts.push(journal?.past ?? '');
          return await playLeagueGame(game, { ...EDGE, models }, journal);
        },
      };
      const taker = new RedisGameWorker(server.url, plan.engine, 1, async (game) => {
        try {
          await playQueuedGame(store, game, player);
        } catch (error) {
          refusals.push(error instanceof StoreLost ? error.message : `no refusal: ${error}`);
          await client.call(well, ...wellWords);
          throw error;
        }
      });
      await taker.ready();
      const redisQueue = new RedisGameQueue(server.url, plan.engine);
      const queue = new RemoteQueue({
        league: plan.league.name,
        store,
        jobs: redisQueue,
        fetch: async () => {},
      });
      expect(await settleLeague(store, plan)).toBeNull();
      expect(await playLeague({ plan, store, queue, onOutcome: () => {} })).toEqual({
        open: 0,
        lost: [],
      });
      expect(refusals).toEqual([expect.stringContaining(`refuses: ${reason}`)]);
      expect(attempts).toBe(2);
      // The second attempt goes on with what had arrived.
      expect(pasts).toEqual(['', expect.stringMatching(/^\{"channel":"living","format"/)]);
      await taker.close();
      await queue.close();
      await store.close();
      client.disconnect();
      await server.end();
    },
  );
});
