/** Leagues of language models at the project's own endpoint: requests, lessons, costs and takeovers. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { HAS_REDIS, RedisServer } from '../actors/stores/redisServer.ts';
import type { Asked } from '../support/endpoint/asked.ts';
import { always, atFirst, whenever } from '../support/endpoint/case.ts';
import { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { refusal } from '../support/endpoint/sent.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, glassbox, Running } from './shell.ts';

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

const inFolder = (endpoint: FakeEndpoint, more = '') => {
  const files = { 'cup.yaml': leagueAt(endpoint.baseUrl, more), 'prices.json': PRICES };
  return { cwd: aFolder(files), env: { REDIS_URL: '' } };
};
type Place = ReturnType<typeof inFolder>;

async function records(place: Place, store: readonly string[] = []) {
  const { out } = await warmGlassbox(['persona', 'list', '--json', ...store], place);
  return personas.parse(JSON.parse(out)).personas;
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
    const place = inFolder(endpoint);
    const args = ['league', 'run', 'cup.yaml', '--jobs', '2', '--prices', 'prices.json'];
    const { exit, out, err } = await glassbox(args, place);
    expect([exit, err]).toEqual([0, expect.stringMatching(/2 of 2 games.*\$0\.\d\d/)]);
    expect(out).toContain('models: 2 of 2 games');
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
      const place = inFolder(endpoint, 'budget: { calls: 12 }');
      const args = ['league', 'run', 'cup.yaml', '--jobs', '1'];
      const asked: number[] = [];
      for (const _ of ['at first', 'again']) {
        const { exit, err } = await glassbox(args, place);
        expect([exit, err]).toEqual([
          69,
          expect.stringContaining('the budget of 12 calls is spent'),
        ]);
        asked.push(endpoint.asked.length);
      }
      // Requests in flight when the budget was spent are cancelled and may not have arrived.
      expect(asked[0]).toBeLessThanOrEqual(12);
      expect(asked[1]).toBe(asked[0]);
      const larger = aFolder({ 'cup.yaml': leagueAt(endpoint.baseUrl, 'budget: { calls: 500 }') });
      const { exit, err } = await glassbox(
        ['league', 'run', `${larger}/cup.yaml`, '--jobs', '1', '--quiet'],
        place,
      );
      expect([exit, err]).toEqual([0, '']);
      expect(readdirSync(`${place.cwd}/journals/league-models`)).toEqual(JOURNALS);
      await endpoint.close();
    },
  );

  testLong('waits for a model for as long as its file allows, and says so', async () => {
    const loading = refusal(503, 'Loading model', { code: 503, type: 'unavailable_error' });
    const endpoint = await FakeEndpoint.open({ steps: [atFirst(loading)] });
    const place = inFolder(endpoint, 'limits: { wait_for_model_ms: 600000 }');
    const { exit, err } = await glassbox(['league', 'run', 'cup.yaml', '--jobs', '1'], place);
    expect(exit).toBe(0);
    expect(err).toMatch(/waiting for \S+ at \S+: \d+ s, at most 600 s \(.*Loading model/);
    await endpoint.close();
  });

  testLong(
    'waits for a model for as long as a flag allows, which goes before its file',
    async () => {
      const endpoint = await FakeEndpoint.open({ steps: [always({ type: 'silence' })] });
      const args = ['league', 'run', 'cup.yaml', '--jobs', '1', '--wait-for-model', '1.5s'];
      const place = inFolder(endpoint, 'limits: { wait_for_model_ms: 600000 }');
      const { exit, err } = await glassbox(args, place);
      expect(exit).toBe(69);
      expect(err).toMatch(/not ready after 1.5 s; --wait-for-model allows more/);
      await endpoint.close();
    },
  );

  test('says before the first game which key is missing', async () => {
    const cwd = aFolder({
      'cup.yaml': leagueAt('http://127.0.0.1:1/v1').replace("/v1'", "/v1', key: GLASSBOX_NO_KEY"),
    });
    const { exit, err } = await warmGlassbox(['league', 'run', 'cup.yaml'], { cwd });
    expect([exit, err]).toEqual([78, expect.stringContaining('GLASSBOX_NO_KEY, which is not set')]);
  });
});

describeLong.skipIf(!HAS_REDIS).concurrent('over a Redis', () => {
  test('a worker waits for an answer for as long as the run of the league allows', async () => {
    const server = await RedisServer.start();
    const silent = whenever(({ turn }) => turn >= 9, { type: 'silence' } as const);
    const endpoint = await FakeEndpoint.open({ steps: [silent] });
    const place = {
      ...inFolder(endpoint),
      cwd: aFolder({
        'cup.yaml': leagueAt(endpoint.baseUrl).replace(
          'max_rounds: 12',
          'max_rounds: 12, deadline_ms: 5000, round_deadline_ms: 5000',
        ),
      }),
    };
    const worker = new Running(
      ['league', 'worker', '--redis', server.url, '--concurrency', '1'],
      place,
    );
    const waits = ['--max-tick', '5s', '--wait-for-model', '30s'];
    const args = ['league', 'run', 'cup.yaml', '--redis', server.url, ...waits];
    const { exit, err } = await glassbox(args, place);
    expect([exit, err]).toEqual([
      69,
      expect.stringMatching(/got no answer within 5 s; --max-tick allows more/),
    ]);
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
    const place = inFolder(endpoint, 'limits: { concurrency: 2, per_minute: 1000 }');
    const worker = ['league', 'worker', '--redis', server.url, '--concurrency', '1'];
    victim = new Running(worker, place);
    const run = new Running(['league', 'run', 'cup.yaml', '--redis', server.url, '--json'], place);
    await victim.finished;
    const heir = new Running(worker, place);
    expect((await run.finished).exit).toBe(0);
    heir.process.kill('SIGTERM');
    expect((await heir.finished).exit).toBe(0);
    const asked = endpoint.asked.length;

    const alone = inFolder(endpoint);
    const single = await glassbox(['league', 'run', 'cup.yaml', '--json'], alone);
    expect(single.exit).toBe(0);
    // Only requests in flight at the kill are repeated: two at most, and the last answer if the store did not have it
    // yet.
    const whole = endpoint.asked.length - asked;
    expect(asked).toBeGreaterThanOrEqual(whole);
    expect(asked - whole).toBeLessThanOrEqual(3);
    const lessons = async (store: readonly string[]) =>
      (await records(alone, store)).map(({ persona_id, learned }) => [persona_id, learned]);
    expect(await lessons(['--store', server.url])).toEqual(await lessons([]));
    expect(readdirSync(`${place.cwd}/journals/league-models`)).toEqual(JOURNALS);
    await Promise.all([endpoint.close(), server.end()]);
  });
});
