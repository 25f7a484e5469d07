import { describe, expect, test, vi } from 'vitest';
import {
  type GameModels,
  type LeagueGameOutcome,
  type OpenJournal,
  playLeagueGame,
} from '../../../actors/league/game.ts';
import {
  isLeagueGame,
  type LeagueGame,
  type LeaguePlan,
  prepareGame,
  scheduleLeague,
} from '../../../actors/league/plan.ts';
import { type GamePlayer, playQueuedGame } from '../../../actors/league/worker.ts';
import { unpackJournal } from '../../../actors/stores/journal.ts';
import type { Store } from '../../../actors/stores/store.ts';
import { InMemoryStore } from '../../support/inMemoryStore.ts';
import { gathered } from '../stores/kept.ts';
import { aPlan, aPlanOfModels, EDGE, slowThinkers } from './leagues.ts';

vi.setConfig({ testTimeout: 60_000 });

function aGame(plan: LeaguePlan = aPlan()): LeagueGame {
  const [fixture] = scheduleLeague(plan);
  if (fixture === undefined) throw new Error('expected a game');
  return prepareGame(plan, fixture, {});
}

function slowly(models: GameModels): GamePlayer {
  return {
    play: (game, tape) => playLeagueGame(game, { ...EDGE, models: models }, tape),
  };
}

const quickly: GamePlayer = { play: (game) => playLeagueGame(game, EDGE) };

async function journalIn(store: Store): Promise<string | null> {
  const kept = await store.journal({ league: 'small', slot: 0 });
  return kept === null ? null : await unpackJournal(kept);
}

test('a job in the queue counts as a game only if it is one', () => {
  const game = aGame();
  expect([game, aGame(aPlanOfModels())].map(isLeagueGame)).toEqual([true, true]);
  const { match } = game;
  const others = [
    ...[
      null,
      'x',
      {},
      { league: 'small', slot: 0 },
      { ...game, slot: -1 },
      { ...game, seed: 1e308 },
    ],
    ...[{ map: '../x' }, { call: {} }, { seats: [{ colour: '__proto__' }] }].map((odd) => ({
      ...game,
      match: { ...match, ...odd },
    })),
  ];
  expect(others.filter(isLeagueGame)).toEqual([]);
});

describe('a shift', () => {
  test('hands a game in with its journal, once', async () => {
    const [store, game] = [new InMemoryStore(), aGame()];
    expect(await playQueuedGame(store, game, quickly)).toBe('recorded');
    expect(await playQueuedGame(store, game, quickly)).toBe('late');
    expect((await gathered(store.results('small'))).length).toBe(1);
    expect(await journalIn(store)).toContain('game.closed');
    expect((await store.pieces({ league: 'small', slot: 0 })).pieces).toBe(0);
  });

  test('that was taken for dead and comes back finds the door shut', async () => {
    const [store, game] = [new InMemoryStore(), aGame()];
    const overtaken: GamePlayer = {
      play: async (one) => {
        const outcome = await playLeagueGame(one, EDGE);
        // Meanwhile somebody else takes the game over, plays it and hands it in.
        expect(await playQueuedGame(store, game, quickly)).toBe('recorded');
        return outcome;
      },
    };
    expect(await playQueuedGame(store, game, overtaken)).toBe('late');
    expect((await store.career('scripted_one'))?.counters['games']).toBe(1);
  });

  test('that breaks down says so, and another one plays the game', async () => {
    const [store, game] = [new InMemoryStore(), aGame()];
    const broken: LeagueGameOutcome = { type: 'broken', slot: 0, text: 'out of memory' };
    const breaking: GamePlayer = { play: async () => broken };
    await expect(playQueuedGame(store, game, breaking)).rejects.toThrow('out of memory');
    expect(await playQueuedGame(store, game, quickly)).toBe('recorded');
  });

  test('goes on with the journal of a dead one, asking nobody twice', async () => {
    const game = aGame(aPlanOfModels());
    const whole = slowThinkers(game.seed);
    const untouched = new InMemoryStore();
    expect(await playQueuedGame(untouched, game, slowly(whole.models))).toBe('recorded');

    const store = new InMemoryStore();
    const first = slowThinkers(game.seed, (answers, breakOff) => {
      if (answers === Math.floor(whole.told.answers / 2)) breakOff();
    });
    await expect(playQueuedGame(store, game, slowly(first.models))).rejects.toThrow('broken off');
    const { pieces } = await store.pieces({ league: 'small', slot: 0 });
    expect(pieces).toBeGreaterThan(1);

    const second = slowThinkers(game.seed);
    expect(await playQueuedGame(store, game, slowly(second.models))).toBe('recorded');
    const bodies = async (from: Store) =>
      (await gathered(from.results('small'))).map(({ clock: _clock, ...body }) => body);
    expect(await bodies(store)).toEqual(await bodies(untouched));
    // Only the questions of the interrupted step are asked again.
    const asked = first.told.answers + second.told.answers;
    expect(asked - whole.told.answers).toBeLessThanOrEqual(game.seats.length);
    expect(second.told.reflections).toBe(game.seats.length);
  });

  test('a game starts again if its partial record belongs to another game', async () => {
    const game = aGame(aPlanOfModels());
    const store = new InMemoryStore();
    const epoch = await store.claim(game);
    await store.append(game, epoch, 0, '{"no":"journal"}\n');
    const { models } = slowThinkers(game.seed);
    expect(await playQueuedGame(store, game, slowly(models))).toBe('recorded');
    expect(await journalIn(store)).toMatch(/^\{"channel":"living","format"/);
  });

  test('a game starts again if its partial record names other endpoints than the league', async () => {
    const game = aGame(aPlanOfModels());
    const seats = game.match.seats.map((seat) => ({ ...seat, base_url: 'http://evil.host/v1' }));
    const evil = { ...game, match: { ...game.match, seats } };
    const store = new InMemoryStore();
    const begun = slowThinkers(game.seed, (answers, breakOff) => {
      if (answers === 40) breakOff();
    });
    await expect(playQueuedGame(store, evil, slowly(begun.models))).rejects.toThrow('broken off');
    const { models } = slowThinkers(game.seed);
    const hosts = new Set<string | undefined>();
    const minds: GameModels['minds'] = (seat, index, times) => {
      hosts.add(seat.base_url);
      return models.minds(seat, index, times);
    };
    expect(await playQueuedGame(store, game, slowly({ ...models, minds }))).toBe('recorded');
    expect([...hosts]).toEqual([undefined]);
  });

  test('whose tape was taken away breaks the game off', async () => {
    const game = aGame(aPlanOfModels());
    const store = new InMemoryStore();
    const { models, told } = slowThinkers(game.seed);
    const robbed: GamePlayer = {
      play: async (one, tape, onBreak) => {
        await store.claim(game);
        const attach: GameModels['attach'] = (played, recorder) => {
          onBreak(() => played.pause());
          models.attach(played, recorder);
        };
        return await playLeagueGame(one, { ...EDGE, models: { ...models, attach } }, tape);
      },
    };
    expect(await playQueuedGame(store, game, robbed)).toBe('late');
    expect(told.answers).toBeLessThan(200);
    expect(await store.slots('small')).toEqual([]);
  });
});

test('a game that is paused before its first step ends', async () => {
  const game = aGame(aPlanOfModels());
  const { models, told } = slowThinkers(game.seed);
  const attach: GameModels['attach'] = (played) => played.pause();
  const outcome = await playLeagueGame(game, { ...EDGE, models: { ...models, attach } }, null);
  expect(outcome.type).toBe('aborted');
  expect(told.answers).toBeLessThanOrEqual(game.seats.length);
});

test("a model's lessons are cleaned and kept", async () => {
  const game = aGame(aPlanOfModels());
  const { models } = slowThinkers(game.seed);
  const unclean = {
    ...models,
    close: async () => {},
    reflect: async () => ({ learned: ['  one\u200b\n', '', 'one'], cost: {} }),
  };
  const nothing: OpenJournal | null = null;
  const outcome = await playLeagueGame(game, { ...EDGE, models: unclean }, nothing);
  if (outcome.type !== 'played') throw new Error(outcome.text);
  for (const { learned } of outcome.result.seats) expect(learned).toEqual(['one']);
});
