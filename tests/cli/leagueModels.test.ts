/** Leagues of language models at the project's own endpoint: requests, lessons, costs and takeovers. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { HAS_REDIS, RedisServer } from '../actors/stores/redisServer.ts';
import type { Asked } from '../support/endpoint/asked.ts';
import { always, atFirst, whenever } from '../support/endpoint/case.ts';
import { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { refusal, said } from '../support/endpoint/sent.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { aPlace, type Place } from './session.ts';
import { expectEnd, expectQuiet, glassbox, Running } from './shell.ts';

const leagueAt = (url: string, more = '') => `
name: models
seed: 3
games: 2
round: 1
players: 5
options: { max_rounds: 12 }
${more}
personas:
  - { name: one, mind: openai, model: fake-a, base_url: '${url}' }
  - { name: two, mind: openai, model: constructor, base_url: '${url}' }
  - { name: three, mind: openai, model: fake-a, base_url: '${url}', learns: false }
  - { name: four, temperament: leader }
  - { name: hot_accuser }
`;
const JOURNALS = ['0001.jsonl', '0002.jsonl'];
const PRICES = JSON.stringify({ 'fake-a': { input: 1, output: 2 } });

const personas = z.object({
  personas: z.array(
    z.object({
      persona_id: z.string(),
      learned: z.object({ lessons: z.array(z.object({ text: z.string(), from: z.string() })) }),
      stats: z.record(z.string(), z.number()),
    }),
  ),
});

const aLeague = ({ baseUrl }: FakeEndpoint, more = '', edit = (text: string) => text) =>
  aPlace({ 'cup.yaml': edit(leagueAt(baseUrl, more)), 'prices.json': PRICES }, { REDIS_URL: '' });

async function records({ done }: Place, store = '') {
  return personas.parse(JSON.parse(await done(`persona list --json${store}`))).personas;
}

/** The sum of a counter over all personas and both roles. */
function total(all: Awaited<ReturnType<typeof records>>, name: string): number {
  return all.reduce(
    (sum, { stats }) => sum + (stats[`crewmate.${name}`] ?? 0) + (stats[`impostor.${name}`] ?? 0),
    0,
  );
}

const isReflection = ({ text }: Asked) => text.includes('the game is over');

describe.concurrent('a league of models', () => {
  testLong('learns in their words, and counts every request and what it cost', async () => {
    const endpoint = await FakeEndpoint.open();
    const place = aLeague(endpoint);
    const line = 'league run cup.yaml --jobs 2 --prices prices.json';
    const found = await glassbox(line, place);
    expectEnd(found, 0, /2 of 2 games.*\$0\.\d\d/);
    expect(found.out).toContain('models: 2 of 2 games');
    const all = await records(place);
    expect(total(all, 'requests')).toBe(endpoint.asked.length);
    expect(endpoint.asked.filter(isReflection).length).toBe(4);
    const one = all.find(({ persona_id }) => persona_id === 'fake-a_one');
    expect(one?.learned.lessons[0]?.from).toBe('models, game 1, as crewmate');
    const [lesson = ''] = one?.learned.lessons.map(({ text }) => text) ?? [];
    const reminded = endpoint.asked.filter(
      (asked) => !isReflection(asked) && asked.text.includes(lesson),
    );
    expect(reminded.length).toBeGreaterThan(0);
    const silent = all.find(({ persona_id }) => persona_id === 'fake-a_three');
    expect(silent?.learned.lessons).toEqual([]);
    for (const { persona_id, stats } of all) {
      const dollars = (stats['crewmate.microdollars'] ?? 0) + (stats['impostor.microdollars'] ?? 0);
      expect(dollars > 0).toBe(persona_id.startsWith('fake-a'));
    }
    await endpoint.close();
  });

  testLong(
    'stops at its budget, spends no more when it is run again, and goes on with a larger one',
    async () => {
      const endpoint = await FakeEndpoint.open();
      const place = aLeague(endpoint, 'budget: { calls: 12 }');
      const asked: number[] = [];
      for (const _ of ['at first', 'again']) {
        const found = await glassbox('league run cup.yaml --jobs 1', place);
        expectEnd(found, 69, 'the budget of 12 calls is spent');
        asked.push(endpoint.asked.length);
      }
      // Requests in flight when the budget was spent are cancelled and may not have arrived.
      expect(asked[0]).toBeLessThanOrEqual(12);
      expect(asked[1]).toBe(asked[0]);
      const { cwd } = aLeague(endpoint, 'budget: { calls: 500 }');
      expectQuiet(await glassbox(`league run ${cwd}/cup.yaml --jobs 1 --quiet`, place));
      expect(readdirSync(place.path('journals/league-models'))).toEqual(JOURNALS);
      await endpoint.close();
    },
  );

  const WAITING = /waiting for \S+ at \S+: \d+ s, at most 600 s \(.*Loading model/;

  testLong.each([
    [
      'its file allows, and says so',
      atFirst(refusal(503, 'Loading model', { code: 503, type: 'unavailable_error' })),
      ...(['', 0, WAITING] as const),
    ],
    [
      'a flag allows, which goes before its file',
      always({ type: 'silence' }),
      ...([' --max-wait 1.5s', 69, 'not ready after 1.5 s; --max-wait'] as const),
    ],
  ])('waits for a model for as long as %s', async (_, step, flag, status, words) => {
    const endpoint = await FakeEndpoint.open({ steps: [step] });
    const place = aLeague(endpoint, 'limits: { wait_for_model_ms: 600000 }');
    expectEnd(await glassbox(`league run cup.yaml --jobs 1${flag}`, place), status, words);
    await endpoint.close();
  });

  test.each([
    ['cannot play', 3, said('Once upon a time')],
    ['rests too long', 69, refusal(429, 'Slow down', {}, { 'retry-after': '900' })],
  ])('pauses at a model that %s, with exit %i', async (_, status, sent) => {
    const endpoint = await FakeEndpoint.open({ steps: [always(sent)] });
    const found = await aLeague(endpoint).run('league run cup.yaml --jobs 1');
    expectEnd(found, status, 'the game is paused', '[league/paused]');
    await endpoint.close();
  });

  test('says before the first game which key is missing', async () => {
    const league = leagueAt('http://127.0.0.1:1/v1');
    const keyed = league.replace("/v1'", "/v1', key: GLASSBOX_NO_KEY");
    const found = await aPlace({ 'cup.yaml': keyed }).run('league run cup.yaml');
    expectEnd(found, 78, 'GLASSBOX_NO_KEY, which is not set');
  });
});

/** A worker whose operator allows the endpoint. */
const workerOf = (server: RedisServer, endpoint: FakeEndpoint) =>
  `league worker --redis ${server.url} --concurrency 1 --allow-host ${endpoint.baseUrl}`;

describeLong.skipIf(!HAS_REDIS).concurrent('over a Redis', () => {
  test('a worker waits for an answer for as long as the run of the league allows', async () => {
    const server = await RedisServer.start();
    const silent = whenever(({ turn }) => turn >= 9, { type: 'silence' } as const);
    const endpoint = await FakeEndpoint.open({ steps: [silent] });
    const deadlines = 'max_rounds: 12, deadline_ms: 5000, round_deadline_ms: 5000';
    const place = aLeague(endpoint, '', (text) => text.replace('max_rounds: 12', deadlines));
    const worker = new Running(workerOf(server, endpoint), place);
    const waits = '--max-tick 5s --max-wait 30s';
    const line = `league run cup.yaml --redis ${server.url} ${waits}`;
    expectEnd(await glassbox(line, place), 69, 'got no answer within 5 s; --max-tick allows more');
    worker.process.kill('SIGTERM');
    expect((await worker.finished).exit).toBe(0);
    await Promise.all([endpoint.close(), server.end()]);
  });

  test('a game of a killed worker is gone on with, and nobody is asked twice', async () => {
    const server = await RedisServer.start();
    let victim: Running | null = null;
    const LAST = 10;
    const endpoint = await FakeEndpoint.open({
      steps: [
        {
          when: ({ turn }) => {
            if (turn === LAST) victim?.process.kill('SIGKILL');
            return false;
          },
          sends: { type: 'silence' },
        },
      ],
    });
    const place = aLeague(endpoint, 'limits: { concurrency: 2, per_minute: 1000 }');
    const worker = workerOf(server, endpoint);
    victim = new Running(worker, place);
    const run = new Running(`league run cup.yaml --redis ${server.url} --json`, place);
    await victim.finished;
    const heir = new Running(worker, place);
    expect((await run.finished).exit).toBe(0);
    heir.process.kill('SIGTERM');
    expect((await heir.finished).exit).toBe(0);
    const asked = endpoint.asked.length;

    const alone = aLeague(endpoint);
    const single = await glassbox('league run cup.yaml --json', alone);
    expect(single.exit).toBe(0);
    // Only requests in flight at the kill are repeated: two at most, and the last answer if the store did not have it
    // yet.
    const whole = endpoint.asked.length - asked;
    expect(asked).toBeGreaterThanOrEqual(whole);
    expect(asked - whole).toBeLessThanOrEqual(3);
    const lessons = async (store = '') =>
      (await records(alone, store)).map(({ persona_id, learned }) => [persona_id, learned]);
    expect(await lessons(` --store ${server.url}`)).toEqual(await lessons());
    expect(readdirSync(place.path('journals/league-models'))).toEqual(JOURNALS);
    await Promise.all([endpoint.close(), server.end()]);
  });
});
