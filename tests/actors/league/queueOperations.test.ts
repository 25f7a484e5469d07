import { describe, expect, onTestFinished, test } from 'vitest';
import type { LeagueGameOutcome } from '../../../actors/league/game.ts';
import { createLocalQueue, MOST_ATTEMPTS } from '../../../actors/league/localQueue.ts';
import { type LeagueGame, prepareGame, scheduleLeague } from '../../../actors/league/plan.ts';
import { RedisGameQueue, RedisGameWorker } from '../../../actors/league/queue.ts';
import { createRemoteQueue } from '../../../actors/league/remoteQueue.ts';
import { playQueuedGame } from '../../../actors/league/worker.ts';
import { packJournal } from '../../../actors/stores/journal.ts';
import type { Store } from '../../../actors/stores/store.ts';
import { Chance } from '../../support/chance.ts';
import { InMemoryStore } from '../../support/inMemoryStore.ts';
import { SEED, seeds } from '../../support/seeds.ts';
import { aResult, aSeat, gathered, opened } from '../stores/kept.ts';
import { HAS_REDIS, RedisServer } from '../stores/redisServer.ts';
import { aPlan } from './leagues.ts';

type Fate = {
  readonly game: LeagueGame;
  readonly breaks: number;
  /** Whether another run has recorded it: with the same result, or with another one. */
  readonly before: 'nothing' | 'same' | 'other';
};

function drawFates(chance: Chance, games: readonly LeagueGame[]): readonly Fate[] {
  return games.map((game) => ({
    game,
    breaks: chance.pick([0, 0, 0, 1, MOST_ATTEMPTS - 1, MOST_ATTEMPTS]),
    before: chance.pick(['nothing', 'nothing', 'nothing', 'same', 'other'] as const),
  }));
}

function resultOf({ league, slot, game }: LeagueGame) {
  return aResult({ league, slot, game, rounds: slot, seats: [aSeat({ won: slot % 2 === 0 })] });
}

async function recordBefore(store: Store, fates: readonly Fate[]): Promise<void> {
  for (const { game, before } of fates) {
    const result = resultOf(game);
    const kept = await packJournal(`game ${game.slot}\n`);
    if (before === 'same') await store.record(result, null, kept);
    if (before === 'other') await store.record({ ...result, rounds: 1000 }, null, kept);
  }
}

/** Plays games as their fates have it; games that were recorded before they were begun are never given up. */
function playing(fates: readonly Fate[]) {
  const attempts = new Map<number, number>();
  return async ({ slot }: LeagueGame): Promise<LeagueGameOutcome> => {
    const fate = fates.find(({ game }) => game.slot === slot);
    if (fate === undefined) throw new Error(`no fate of game ${slot}`);
    const attempt = (attempts.get(slot) ?? 0) + 1;
    attempts.set(slot, attempt);
    if (attempt <= fate.breaks && fate.before === 'nothing') {
      return { type: 'broken', slot, text: `broke down ${attempt} times` };
    }
    return { type: 'played', slot, result: resultOf(fate.game), journal: `game ${slot}\n` };
  };
}

async function comeTo(store: Store, league: string, outcomes: readonly LeagueGameOutcome[]) {
  const ids = await store.personas();
  return {
    lost: outcomes
      .flatMap((one) => (one.type === 'played' ? [] : [one]))
      .toSorted((one, other) => one.slot - other.slot),
    played: outcomes.flatMap((one) => (one.type === 'played' ? [one.slot] : [])).toSorted(),
    results: await gathered(store.results(league)),
    careers: await Promise.all(ids.map((id) => store.career(id))),
    journals: [...(await store.journals(league))].toSorted(([one], [other]) => one - other),
    pieces: await Promise.all(
      (await store.slots(league)).map((slot) => store.pieces({ league, slot })),
    ),
  };
}

async function playHere(league: string, fates: readonly Fate[]) {
  const store = new InMemoryStore();
  await recordBefore(store, fates);
  const outcomes: LeagueGameOutcome[] = [];
  const queue = createLocalQueue({
    store,
    gamesAtOnce: 3,
    save: async () => {},
    player: playing(fates),
    close: async () => {},
  });
  await queue.play(
    fates.map(({ game }) => game),
    (outcome) => outcomes.push(outcome),
  );
  await queue.close();
  return await comeTo(store, league, outcomes);
}

async function playOver(server: RedisServer, league: string, fates: readonly Fate[]) {
  const store = await opened(server.url);
  await recordBefore(store, fates);
  const play = playing(fates);
  const workers = [1, 2].map(
    () =>
      new RedisGameWorker(server.url, 'test', 4, async (game) => {
        await playQueuedGame(store, game, { play: (one) => play(one) });
      }),
  );
  await Promise.all(workers.map((worker) => worker.ready()));
  const jobs = new RedisGameQueue(server.url, 'test');
  const queue = createRemoteQueue({ league, store, jobs, fetch: async () => {} });
  const outcomes: LeagueGameOutcome[] = [];
  await queue.play(
    fates.map(({ game }) => game),
    (outcome) => outcomes.push(outcome),
  );
  await Promise.all(workers.map((worker) => worker.close()));
  await queue.close();
  const came = await comeTo(store, league, outcomes);
  await store.close();
  return came;
}

const GAMES = 40;

describe.skipIf(!HAS_REDIS)('the queues', () => {
  const leagues = seeds(1, 200);

  test(`both queues play ${leagues} drawn leagues to the same result`, async () => {
    const server = await RedisServer.start({ durable: false });
    onTestFinished(() => server.end());
    for (let number = 0; number < leagues; number++) {
      const league = `league ${number}`;
      const plan = aPlan({ name: league, games: GAMES, round: GAMES });
      const games = scheduleLeague(plan).map((fixture) => prepareGame(plan, fixture, {}));
      const fates = drawFates(new Chance(`${SEED} ${number}`), games);
      const here = await playHere(league, fates);
      expect(here.lost.length).toBeGreaterThan(0);
      expect(await playOver(server, league, fates), `FC_SEED=${SEED}, ${league}`).toEqual(here);
    }
  });
});
