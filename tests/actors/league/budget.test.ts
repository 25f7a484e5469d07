import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LeagueModels } from '../../../actors/league/models.ts';
import { prepareGame, scheduleLeague } from '../../../actors/league/plan.ts';
import { InMemoryStore } from '../../support/inMemoryStore.ts';
import { aResult } from '../stores/kept.ts';
import { aPlanOfModels, EDGE } from './leagues.ts';

test('no game begins before the spending of all earlier games is counted', async () => {
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
  class Slow extends InMemoryStore {
    override async *results(...asked: Parameters<InMemoryStore['results']>) {
      await isRead;
      yield* super.results(...asked);
    }
  }
  const store = new Slow();
  await store.record(aResult({ league: 'small', slot: 0 }), null);
  const plan = aPlanOfModels({ budget: { calls: 1 } });
  const [, ...games] = scheduleLeague(plan).map((fixture) => prepareGame(plan, fixture, {}));
  const [first, second] = games;
  if (first === undefined || second === undefined) throw new Error('expected two games');
  const counting = { tally: EDGE.count, worker: new URL('file:///none') };
  const models = new LeagueModels(first.terms, { store, prices: {}, counting });
  const begun: number[] = [];
  const prepared = [first, second].map(async (game) => {
    await models.prepareGame(game, null);
    begun.push(game.slot);
  });
  await setImmediate();
  expect(begun).toEqual([]);
  read();
  await Promise.all(prepared);
  expect(begun).toEqual([1, 2]);
});
