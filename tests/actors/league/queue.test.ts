import { hostname } from 'node:os';
import { Redis as Client } from 'ioredis';
import { describe, expect, test } from 'vitest';
import {
  type GameModels,
  type LostLeagueGame,
  playLeagueGame,
} from '../../../actors/league/game.ts';
import { type LeagueGame, type LeaguePlan, settleLeague } from '../../../actors/league/plan.ts';
import { RedisGameQueue, RedisGameWorker } from '../../../actors/league/queue.ts';
import { createRemoteQueue } from '../../../actors/league/remoteQueue.ts';
import { playLeague } from '../../../actors/league/runner.ts';
import { type GamePlayer, playQueuedGame } from '../../../actors/league/worker.ts';
import { StoreLost } from '../../../actors/stores/errors.ts';
import { unpackJournal } from '../../../actors/stores/journal.ts';
import { testLong } from '../../support/seeds.ts';
import { gathered, opened } from '../stores/kept.ts';
import { HAS_REDIS, RedisServer } from '../stores/redisServer.ts';
import { aPlan, aPlanOfModels, EDGE, played, slowThinkers } from './leagues.ts';

const ANSWERS = 40;

/** A server with a league that is settled in its store, and the run's side of its queue. */
async function atServer(plan: LeaguePlan) {
  const server = await RedisServer.start();
  const store = await opened(server.url);
  const jobs = new RedisGameQueue(server.url, plan.engine);
  const journals = new Map<number, string | null>();
  const fetch = async (slots: readonly number[]) => {
    for (const slot of slots) {
      const kept = await store.journal({ league: plan.league.name, slot });
      journals.set(slot, kept === null ? null : await unpackJournal(kept));
    }
  };
  const queue = createRemoteQueue({ league: plan.league.name, store, jobs, fetch });
  const takers: RedisGameWorker[] = [];
  const end = async () => {
    await Promise.all(takers.map((taker) => taker.close()));
    await queue.close();
    await store.close();
    await server.end();
  };
  return {
    ...{ server, store, jobs, queue, journals },
    take: async (
      engine: string,
      gamesAtOnce: number,
      play: (game: LeagueGame) => Promise<void>,
    ) => {
      const taker = new RedisGameWorker(server.url, engine, gamesAtOnce, play);
      takers.push(taker);
      await taker.ready();
    },
    play: async () => {
      expect(await settleLeague(store, plan)).toBeNull();
      return await playLeague({ plan, store, queue, onOutcome: () => {} });
    },
    results: () => gathered(store.results(plan.league.name)),
    end,
  };
}

describe.skipIf(!HAS_REDIS)('a league over a queue', () => {
  const PLAN = aPlan({ games: 6, round: 6 });

  /** Two workers play the league, and the poisoned game always breaks or pauses, until it is mended. */
  async function overQueue(poisoned?: number, type: LostLeagueGame['type'] = 'broken') {
    const there = await atServer(PLAN);
    let isMended = false;
    const player: GamePlayer = {
      play: async (game) => {
        if (game.slot === poisoned && !isMended) return { type, slot: game.slot, text: 'poison' };
        return await playLeagueGame(game, EDGE);
      },
    };
    for (let worker = 0; worker < 2; worker++) {
      await there.take(PLAN.engine, 2, async (game) => {
        await playQueuedGame(there.store, game, player);
      });
    }
    const mend = () => {
      isMended = true;
    };
    return { ...there, ...(await there.play()), results: await there.results(), mend };
  }

  test('is the same as in one process', async () => {
    const { open, results, journals, end } = await overQueue();
    const alone = await played(PLAN);
    expect(open).toBe(0);
    expect(results.map(({ clock: _clock, ...body }) => body)).toEqual(
      alone.results.map(({ clock: _clock, ...body }) => body),
    );
    expect([...journals.keys()].toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
    for (const text of journals.values()) expect(text).toContain('game.closed');
    await end();
  });

  test.each([
    ['is stopped takes the games that wait out of the queue', 'stop', 0],
    ['has lost its lead leaves them to the run that leads now', 'leave', 3],
  ] as const)('and a run that %s', async (_words, how, waiting) => {
    const plan = aPlan({ games: 3, round: 3 });
    const { server, queue, play, end } = await atServer(plan);
    const playing = play();
    const client = new Client(server.url);
    const count = () => client.llen(`{glassbox-queue}:games-${plan.engine}:wait`);
    await expect.poll(count).toBe(3);
    queue[how]();
    expect((await playing).open).toBe(3);
    expect(await count()).toBe(waiting);
    client.disconnect();
    await end();
  });

  test('says of a game that is paused that it is paused, and plays its neighbours', async () => {
    const { lost, results, end } = await overQueue(3, 'aborted');
    expect(lost).toEqual([{ type: 'aborted', slot: 3, text: 'poison' }]);
    expect(results.length).toBe(5);
    await end();
  });

  testLong('gives a poisoned game up, and plays all its neighbours', async () => {
    const { open, lost, results, mend, ...there } = await overQueue(3);
    expect(open).toBe(1);
    expect(lost).toEqual([{ type: 'broken', slot: 3, text: 'poison' }]);
    expect(results.map(({ slot }) => slot)).toEqual([0, 1, 2, 4, 5]);
    // Mended, it is played in its place.
    mend();
    expect((await there.play()).open).toBe(0);
    expect((await gathered(there.store.results('small'))).map(({ slot }) => slot)).toEqual([
      0, 1, 2, 3, 4, 5,
    ]);
    await there.end();
  });

  test('is played by workers of its own version, and by no other', async () => {
    const plan = aPlan({ games: 4, round: 4 });
    const { store, jobs, take, play, end } = await atServer(plan);
    const games: string[] = [];
    for (const engine of ['older', plan.engine]) {
      await take(engine, 2, async (game) => {
        games.push(engine);
        await playQueuedGame(store, game, {
          play: (one) => playLeagueGame(one, EDGE),
        });
      });
    }
    expect(await jobs.workers()).toEqual([`process ${process.pid} on ${hostname()}`]);
    expect(await play()).toEqual({ open: 0, lost: [] });
    expect(games).toEqual(Array(4).fill(plan.engine));
    await end();
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
      'it is a replica, which takes no writes',
      ['REPLICAOF', '127.0.0.1', '1'],
      ['REPLICAOF', 'NO', 'ONE'],
    ],
  ] as const;

  test.each(REFUSALS)(
    'whose server refuses a piece of a journal, since %s, plays the game once more',
    async (_words, reason, [ill, ...illWords], [well, ...wellWords]) => {
      const plan = aPlanOfModels({ games: 1, round: 1 });
      const { server, store, take, play, end } = await atServer(plan);
      const client = new Client(server.url);
      const refusals: string[] = [];
      const pasts: string[] = [];
      const player: GamePlayer = {
        play: async (game, journal, onBreak) => {
          pasts.push(journal?.past ?? '');
          const { models } = slowThinkers(game.seed, async (answers) => {
            if (pasts.length > 1 || answers !== ANSWERS) return;
            // The first piece has arrived: the next one is refused.
            while ((await store.pieces(game)).pieces === 0);
            await client.call(ill, ...illWords);
          });
          const attach: GameModels['attach'] = (played) => onBreak(() => played.pause());
          return await playLeagueGame(game, { ...EDGE, models: { ...models, attach } }, journal);
        },
      };
      await take(plan.engine, 1, async (game) => {
        try {
          await playQueuedGame(store, game, player);
        } catch (error) {
          refusals.push(error instanceof StoreLost ? error.message : `no refusal: ${error}`);
          await client.call(well, ...wellWords);
          throw error;
        }
      });
      expect(await play()).toEqual({ open: 0, lost: [] });
      expect(refusals).toEqual([expect.stringContaining(`refuses: ${reason}`)]);
      // The second attempt goes on with what had arrived.
      expect(pasts).toEqual(['', expect.stringMatching(/^\{"channel":"living","format"/)]);
      client.disconnect();
      await end();
    },
  );
});
