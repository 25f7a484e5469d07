/** Language models in the seats, over real sockets: playing, pausing, killing, resuming, and errors. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { always, whenever } from '../support/endpoint/case.ts';
import type { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { faulty } from '../support/endpoint/faults.ts';
import { anEndpoint, modelOf } from '../support/endpoint/opened.ts';
import { page, refusal, type Sent } from '../support/endpoint/sent.ts';
import { TABLE } from '../support/endpoint/table.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, failureLine, glassbox, jsonLines, Running } from './shell.ts';

const aGame = ['run', '--seed', '6', '--json', '--out', 'out'];
const JOURNAL = 'out/0001.jsonl';

/** The number of answers in a journal, from any mind. */
function answersIn(text: string): number {
  return jsonLines(text).reduce((sum, line) => {
    const said = line['bids'] ?? line['orders'];
    return sum + (Array.isArray(said) ? said.length : 0);
  }, 0);
}

describeLong.concurrent('a whole game of models', () => {
  test.each([
    ['that behave', 0],
    ['of which three in ten replies are faulty', 0.3],
  ])('%s is played to its end, and replayed without them', async (_, share) => {
    const endpoint = await anEndpoint({ steps: faulty(share, 1) });
    const cwd = aFolder();
    // Meetings have a time limit, because players who fail three times in ten could talk for ever.
    const limited = [...aGame, '--rules', 'classic', '--players', '5'];
    const played = await glassbox([...limited, ...modelOf(endpoint)], { cwd });
    expect(played).toMatchObject({ exit: 0, err: '' });
    const [result] = jsonLines(played.out);
    expect(result?.['winner']).toMatch(/^(crew|impostors)$/);
    const calls = jsonLines(readFileSync(join(cwd, JOURNAL), 'utf8')).flatMap(callsIn);
    expect(endpoint.asked.length).toBeGreaterThan(50);
    expect(calls.length).toBeLessThanOrEqual(endpoint.asked.length);
    await endpoint.close();
    const again = await warmGlassbox(`verify ${JOURNAL}`, { cwd });
    expect(again.exit).toBe(0);
    expect(again.out).toMatch(/^the same/);
  });

  test('that was killed is gone on with, and nobody is asked twice', async () => {
    const first = await anEndpoint();
    const cwd = aFolder();
    const running = new Running([...aGame, ...modelOf(first)], { cwd });
    const path = join(cwd, JOURNAL);
    await vi.waitUntil(() => existsSync(path) && linesIn(path) > 25, { timeout: 300_000 });
    running.process.kill('SIGKILL');
    await running.finished;
    const killed = readFileSync(path, 'utf8');
    const whole = killed.slice(0, killed.lastIndexOf('\n') + 1);
    const arrived = readFileSync(`${path}.ahead`, 'utf8').split('{"ahead":"answer"').length - 1;
    const port = Number(new URL(first.baseUrl).port);
    await first.close();
    const second = await anEndpoint({ port });
    const resumed = await glassbox(`resume ${JOURNAL} --json`, { cwd });
    expect(resumed).toMatchObject({ exit: 0, err: '' });
    const text = readFileSync(path, 'utf8');
    expect(text.startsWith(whole)).toBe(true);
    expect(jsonLines(text).at(-1)?.['type']).toMatch(/^(game|gallery)\.closed$/);
    expect(arrived).toBeGreaterThanOrEqual(answersIn(whole));
    expect(second.asked.length).toBe(answersIn(text) - arrived);
    const again = await warmGlassbox(`verify ${JOURNAL}`, { cwd });
    expect(again.exit).toBe(0);
  });

  test('ends within its budget, and says so', async () => {
    const endpoint = await anEndpoint();
    const cwd = aFolder();
    const played = await glassbox([...aGame, '--max-calls', '40', ...modelOf(endpoint)], { cwd });
    expect(played.exit).toBe(0);
    expect(jsonLines(played.out)[0]).toMatchObject({ winner: null, reason: 'unfinished' });
    // A refused request ends the game before the other requests of that moment are sent.
    expect(endpoint.asked.length).toBeLessThanOrEqual(40);
    expect(endpoint.asked.length).toBeGreaterThan(40 - 8);
  });

  test('ends at Ctrl-C although the endpoint answers nobody', async () => {
    const endpoint = await anEndpoint({ steps: TABLE['59'] ?? [] });
    const cwd = aFolder();
    const running = new Running([...aGame, ...modelOf(endpoint)], { cwd });
    await vi.waitUntil(() => endpoint.asked.length > 0, { timeout: 300_000 });
    running.signal('SIGINT');
    expect((await running.finished).exit).toBe(130);
    expect(jsonLines(readFileSync(join(cwd, JOURNAL), 'utf8')).at(-1)).toMatchObject({
      type: 'game.closed',
      reason: 'interrupted',
    });
  });
});

describeLong.concurrent('Ctrl-C ends a match, however long its players may think', () => {
  // The deadline is longer than the test may take, so a test that waits for it fails.
  const patient = `name: Patience\noptions: { deadline_ms: 3600000, max_ticks: 30 }\n`;
  const seats = ['red', 'blue', 'green', 'pink'].map((colour) => `  - { colour: ${colour} }\n`);

  test.each([
    ['in the first tick of a meeting', 0],
    ['in a later one', 9],
  ])('%s', async (_, answered) => {
    const silence: Sent = { type: 'silence' };
    const steps = [{ when: ({ turn }: { turn: number }) => turn >= answered, sends: silence }];
    const endpoint = await anEndpoint({ steps });
    const cwd = aFolder({ 'm.yaml': `${patient}call: { by: red }\nseats:\n${seats.join('')}` });
    const words = ['run', 'm.yaml', '--seed', '6', '--out', 'a.jsonl', '--max-tick', '3600'];
    const running = new Running([...words, '-q', ...modelOf(endpoint)], { cwd });
    await vi.waitUntil(() => endpoint.asked.length > answered, { timeout: 300_000 });
    running.signal('SIGINT');
    expect((await running.finished).exit).toBe(130);
    const journal = jsonLines(readFileSync(join(cwd, 'a.jsonl'), 'utf8'));
    expect(journal.at(-1)).toMatchObject({ type: 'meeting.closed', outcome: 'interrupted' });
    const again = await warmGlassbox('verify a.jsonl', { cwd });
    expect(again.out).toMatch(/^the same/);
  });
});

describe.concurrent('flags say who plays where', () => {
  /** The models and fields of the requests in a game that ends early. */
  async function requestsOf(endpoint: FakeEndpoint, flags: readonly string[], cwd = aFolder()) {
    const words = [
      'run',
      'electrical',
      '--seed',
      '6',
      '--out',
      'a.jsonl',
      '-q',
      '--max-calls',
      '12',
    ];
    const { exit, err } = await warmGlassbox([...words, ...flags], { cwd });
    expect({ exit, err }).toEqual({ exit: 0, err: expect.any(String) });
    const [header] = jsonLines(readFileSync(join(cwd, 'a.jsonl'), 'utf8'));
    return { header: JSON.stringify(header), bodies: endpoint.asked.map(({ body }) => body) };
  }

  test('several models take seats one after the other', async () => {
    const endpoint = await anEndpoint();
    const { header } = await requestsOf(endpoint, [
      ...['--model', 'gemma, qwen,phi', '--base-url', endpoint.baseUrl],
    ]);
    const models = [...header.matchAll(/"model":"(\w+)"/g)].map(([, model]) => model);
    expect(models.slice(0, 4)).toEqual(['gemma', 'qwen', 'phi', 'gemma']);
  });

  testLong('one seat has a model of its own, and no other seat has one', async () => {
    const endpoint = await anEndpoint();
    const flags = ['--seat', 'red=org/gemma:3=b', '--base-url', endpoint.baseUrl];
    const { header, bodies } = await requestsOf(endpoint, flags);
    expect(header.match(/"model":/g)).toHaveLength(1);
    expect(new Set(bodies.map(({ model }) => model))).toEqual(new Set(['org/gemma:3=b']));
  });

  test('each request carries the fields, the effort and the temperature', async () => {
    const endpoint = await anEndpoint();
    const fields = ['--extra-body', '{"top_p": 0.9, "seed": null}'];
    const flags = [...modelOf(endpoint), '--temperature', '1.5', '--effort', 'low', ...fields];
    const { bodies } = await requestsOf(endpoint, flags);
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) {
      expect(body).toMatchObject({ temperature: 1.5, reasoning_effort: 'low', top_p: 0.9 });
      expect(body).not.toHaveProperty('seed');
    }
  });

  testLong('a key comes from a file, and a variable that is set goes before it', async () => {
    const endpoint = await anEndpoint();
    const cwd = aFolder({ '.env': 'MY_KEY="sk-of-the-file-000"\nPATH=nowhere\n' });
    const flags = [...modelOf(endpoint), '--key', 'MY_KEY', '--dotenv', '.env'];
    await requestsOf(endpoint, flags, cwd);
    expect(endpoint.asked[0]?.headers.authorization).toBe('Bearer sk-of-the-file-000');
    const words = [
      'run',
      'electrical',
      '--seed',
      '6',
      '--out',
      'b.jsonl',
      '-q',
      '--max-calls',
      '1',
      ...flags,
    ];
    await warmGlassbox(words, { cwd, env: { MY_KEY: 'sk-of-the-shell-00' } });
    expect(endpoint.asked.at(-1)?.headers.authorization).toBe('Bearer sk-of-the-shell-00');
  });

  test.each([
    ['--provider olama', 'expected one of openai, .*, found "olama"; did you mean "ollama"\\?'],
    ['--provider constructor', 'found "constructor"'],
    ['--model a,,b', '--model: expected the name of a model, or several: a,b,c, found "a,,b"'],
    ['--seat red=', '--seat: expected a model after "=", as in red=gpt-5-mini, found "red="'],
    ['--seat red', '--seat says where --mind or --model goes: add one of them'],
    ['--temperature 2.1', '--temperature: expected a number from 0 to 2, found "2.1"'],
    ['--extra-body [1]', '--extra-body: expected a JSON object such as .*, found "\\[1\\]"'],
    ['--dotenv nowhere', 'cannot read nowhere: no such file or folder'],
  ])('%s is refused', async (line, words) => {
    const { exit, err } = await warmGlassbox(['run', ...line.split(' ')]);
    expect([2, 66]).toContain(exit);
    expect(err).toMatch(new RegExp(words));
  });
});

describe.concurrent('what no further request can mend pauses a game', () => {
  const LIMIT = refusal(429, 'Rate limit exceeded: free-models-per-day', { code: 429 });
  test.each([
    ['a daily limit', LIMIT, 'daily-limit'],
    ['a wrong key', refusal(401, 'Incorrect API key provided', { code: 401 }), 'auth'],
    ['no credit', refusal(402, 'Insufficient credits', { code: 402 }), 'credits'],
    ['an unknown model', refusal(404, 'model "gemma" not found', {}), 'not-found'],
  ])('%s, with a sentence and exit 69', async (_, sends, code) => {
    const endpoint = await anEndpoint({ steps: [always(sends)] });
    const cwd = aFolder();
    const played = await warmGlassbox([...aGame, ...modelOf(endpoint)], { cwd });
    expect(played.exit).toBe(69);
    expect(played.err).toMatch(failureLine(`endpoint/${code}: the game is paused`));
    expect(played.err).toContain('resume out/0001.jsonl');
  });
});

testLong.concurrent.each([
  {
    what: 'that never answers',
    steps: TABLE['59'] ?? [],
    flags: ['--wait-for-model', '2s'],
    reason: 'the model does not load (gemma at ',
    limit: 'was not ready after 2 s; --wait-for-model allows more)',
  },
  {
    what: 'that answers once and falls silent',
    steps: [whenever(({ turn }) => turn > 0, { type: 'silence' } as const)],
    flags: ['--max-tick', '5s'],
    reason: 'no request was answered in time (3 of 4 players asked at ',
    limit: 'got no answer within 5 s; --max-tick allows more)',
  },
])('an endpoint $what pauses a meeting', async ({ steps, flags, reason, limit }) => {
  const endpoint = await anEndpoint({ steps });
  const four = readFileSync(new URL('../../examples/four.yaml', import.meta.url), 'utf8');
  const cwd = aFolder({ 'four.yaml': `${four}options: { deadline_ms: 5000 }\n` });
  const meet = ['run', 'four.yaml', '--out', 'x.jsonl', ...flags, ...modelOf(endpoint)];
  const held = await glassbox(meet, { cwd });
  expect(held.exit).toBe(69);
  expect(held.err).toContain(`${reason}${endpoint.baseUrl}`);
  expect(held.err).toContain(limit);
  expect(held.err).toContain('resume x.jsonl');
  const port = Number(new URL(endpoint.baseUrl).port);
  await endpoint.close();
  await anEndpoint({ port });
  expect((await glassbox('resume x.jsonl', { cwd })).exit).toBe(0);
});

describe.concurrent('what is wrong before anybody is asked', () => {
  test.each([
    ['a budget of nothing', ['--model', 'm', '--max-calls', '0'], 78, 'model/no-budget'],
    ['a key that is not there', ['--model', 'm', '--key', 'NO_SUCH_KEY'], 78, 'model/no-key'],
    ['no key for OpenAI', ['--model', 'gpt-5-mini'], 78, 'OPENAI_API_KEY, which is not set'],
    ['dollars for a model without a price', ['--model', 'm', '--max-cost', '1'], 78, 'no-price'],
    ['a URL that is none', ['--model', 'm', '--base-url', 'foo'], 2, 'usage/invalid-argument'],
    ['a key in place of its name', ['--model', 'm', '--key', 'sk-12'], 2, 'usage/invalid-argument'],
    ['prices with a typo', ['--model', 'm', '--prices', 'prices.json'], 78, 'prices/not-valid'],
    ['prices that are not there', ['--model', 'm', '--prices', 'no.json'], 66, 'cannot-read'],
    ['no name of a model', ['lobby.yaml'], 78, 'model/no-name'],
  ])('%s', async (_, flags, exit, code) => {
    const seats = ['red', 'blue', 'green', 'pink'].map(
      (colour) => `{ colour: ${colour}, mind: openai }`,
    );
    const cwd = aFolder({
      'prices.json': '{"m": {"inptu": 1}}',
      'lobby.yaml': `name: Models\nseats: [${seats.join(', ')}]\n`,
    });
    const env = { OPENAI_API_KEY: '' };
    const at = flags.includes('m') ? ['--base-url', 'http://127.0.0.1:1/v1'] : [];
    const played = await warmGlassbox(['run', '--seed', '1', ...at, ...flags], { cwd, env });
    expect(played.exit).toBe(exit);
    expect(played.err).toContain(code);
    expect(played.err).not.toContain('    at ');
  });

  test('the doctor says that a key is missing before it sends anything', async () => {
    const { exit, err } = await warmGlassbox('doctor --model gpt-5-mini', {
      env: { OPENAI_API_KEY: '' },
    });
    expect([exit, err]).toEqual([78, expect.stringContaining('OPENAI_API_KEY, which is not set')]);
    expect(err).not.toContain('asking again');
  });

  test.each([
    ['run', ['run', '--seed', '1', '--max-cost', '1'], 'name it with --prices'],
    ['run', ['run', 'four.yaml', '--max-cost', '1'], '--max-calls or --max-tokens'],
    ['a league', ['league', 'run', 'cup.yaml'], 'limit the league with calls or tokens'],
  ])('%s in dollars wants a price, and says what else would limit it', async (_, args, way) => {
    const endpoint = await anEndpoint();
    const four = readFileSync(new URL('../../examples/four.yaml', import.meta.url), 'utf8');
    const persona = (name: string) =>
      `{ name: ${name}, mind: openai, model: m, base_url: '${endpoint.baseUrl}' }`;
    const cup = `name: cup\ngames: 1\nplayers: 5\nbudget: { dollars: 1 }\npersonas: [${['a', 'b', 'c', 'd', 'e'].map(persona).join(', ')}]\n`;
    const cwd = aFolder({ 'four.yaml': four, 'cup.yaml': cup });
    const model = args[0] === 'league' ? [] : ['--model', 'm', '--base-url', endpoint.baseUrl];
    const { exit, err } = await warmGlassbox([...args, ...model], { cwd });
    expect([exit, err]).toEqual([
      78,
      expect.stringContaining('expected the price of m, found none'),
    ]);
    expect(err).toContain(way);
    expect(endpoint.asked).toEqual([]);
  });

  test('a price of the table that comes along binds, and its age is said', async () => {
    const endpoint = await anEndpoint();
    const cwd = aFolder({ 'prices.json': '{"gpt-5-mini": {"input": 1, "output": 4}}' });
    const models = ['--model', 'gpt-5-mini', '--base-url', endpoint.baseUrl];
    const args = [...aGame, '--players', '5', ...models, '--max-cost', '0.02'];
    const listed = await warmGlassbox(args, { cwd });
    expect(listed.exit).toBe(0);
    expect(listed.err).toMatch(
      /gpt-5-mini is the list price of 20\d\d-\d\d-\d\d, \d+ (days|months) old/,
    );
    expect(jsonLines(listed.out)[0]).toMatchObject({ reason: 'unfinished' });
    const requests = endpoint.asked.length;
    expect(requests).toBeGreaterThan(0);
    const own = await warmGlassbox([...args, '--prices', 'prices.json'], { cwd });
    expect([own.exit, own.err]).toEqual([0, '']);
    // A higher price allows fewer requests.
    expect(endpoint.asked.length - requests).toBeLessThan(requests);
  });

  testLong('the doctor sends the fields that flags name, as a game would', async () => {
    const endpoint = await anEndpoint();
    const fields = ['--temperature', '0.2', '--effort', 'low', '--extra-body', '{"top_p": 0.9}'];
    expect((await warmGlassbox(['doctor', ...modelOf(endpoint), ...fields])).exit).toBe(0);
    const expected = { temperature: 0.2, reasoning_effort: 'low', top_p: 0.9 };
    expect(endpoint.asked[0]?.body).toMatchObject(expected);
  });

  test('the doctor says that prices can’t be read before it sends anything', async () => {
    const endpoint = await anEndpoint();
    const words = ['doctor', ...modelOf(endpoint), '--prices', 'nowhere.json'];
    expect((await warmGlassbox(words)).exit).toBe(66);
    expect(endpoint.asked).toEqual([]);
  });

  testLong('the doctor says what is wrong with an endpoint', async () => {
    const web = await anEndpoint({ steps: [always(page(404, '<html>Not Found</html>'))] });
    const found = await warmGlassbox(['doctor', ...modelOf(web)]);
    expect([69, 78]).toContain(found.exit);
    expect(found.err).toContain(web.baseUrl);
    const well = await anEndpoint({ steps: TABLE['05'] ?? [] });
    const healthy = await warmGlassbox(['doctor', '--json', ...modelOf(well)]);
    expect(healthy.exit).toBe(0);
    const counts = { calls: 16, questions: 12, usable: 12 };
    expect(jsonLines(healthy.out)[0]).toMatchObject({ type: 'doctor', mode: 'text', ...counts });
  });
});

function linesIn(path: string): number {
  return readFileSync(path, 'utf8').split('\n').length - 1;
}

function callsIn(line: Readonly<Record<string, unknown>>): readonly unknown[] {
  const calls: unknown = Reflect.get(Object(line['clock']), 'calls');
  return Array.isArray(calls) ? calls : [];
}
