import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LeagueModels } from '../../../actors/league/models.ts';
import { prepareGame, scheduleLeague } from '../../../actors/league/plan.ts';
import { aReflection } from '../../prompts/views.ts';
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

test('the result of a game counts the request for lessons that a killed attempt had sent', async () => {
  const plan = aPlanOfModels();
  const [fixture] = scheduleLeague(plan);
  const game = fixture && prepareGame(plan, fixture, {});
  const [seat, other] = game?.seats ?? [];
  if (game === undefined || seat === undefined || other === undefined)
    throw new Error('expected a game');
  const counting = { tally: EDGE.count, worker: new URL('file:///none') };
  const message = { content: '{"internal_thought": "", "learned": ["Listen."]}' };
  const usage = { prompt_tokens: 900, completion_tokens: 10 };
  const body = { choices: [{ message, finish_reason: 'stop' }], usage };
  const send = async () => ({ type: 'body', status: 200, body, retryAfterMs: null }) as const;
  const resources = { store: new InMemoryStore(), prices: {}, counting, open: () => ({ send }) };
  const models = new LeagueModels(game.terms, resources);
  const request = { seat: seat.colour, requestKind: 'reflection', index: 0, mode: 'json_schema' };
  const ahead = `${JSON.stringify({ ahead: 'sent', id: 0, request })}\n`;
  const journal = { past: '', ahead, begin: () => {}, write: () => {} };
  const { reflect } = await models.prepareGame(game, journal);
  const requests = [seat, other].map(
    async (one) => (await reflect(one, aReflection('crewmate'))).cost,
  );
  expect(await Promise.all(requests)).toMatchObject([{ requests: 2 }, { requests: 1 }]);
});
