/** Language models in the seats, over real sockets: playing, pausing, killing, resuming, and errors. */
import { existsSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { Asked } from '../support/endpoint/asked.ts';
import { always, whenever } from '../support/endpoint/case.ts';
import type { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { faulty } from '../support/endpoint/faults.ts';
import { anEndpoint, modelOf } from '../support/endpoint/opened.ts';
import { completion, page, refusal, type Sent, said } from '../support/endpoint/sent.ts';
import { TABLE } from '../support/endpoint/table.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { answersIn, FOUR } from './matches.ts';
import { aPlace } from './session.ts';
import { expectEnd, expectQuiet, glassbox, jsonLines, Running } from './shell.ts';

const aGame = 'run --seed 6 --json --out out';
/** Where the endpoints of one's own runs are kept. */
const STATE = { GLASSBOX_STATE: 'state' };
const JOURNAL = 'out/0001.jsonl';
const asking = (endpoint: FakeEndpoint) => modelOf(endpoint).join(' ');
const callsIn = (journal: string): readonly unknown[] =>
  jsonLines(journal).flatMap((line) => Object(line['clock'])['calls'] ?? []);

test('a run tells the name under which another model answered once, and the journal records it', async () => {
  const content = JSON.stringify({ desire_to_speak: 3, message: 'Who?', vote_action: 'skip' });
  const sent = completion({ content, internal_thought: '' }, { more: { model: 'smollm2-135m' } });
  const endpoint = await anEndpoint({
    answer: ({ turn }) => (turn % 2 === 0 ? sent : said(content)),
  });
  const { done, read, run } = aPlace({ 'four.yaml': FOUR });
  const line = `run four.yaml --max-ticks 2 --out a.jsonl -q ${asking(endpoint)}`;
  const { err } = await run(line, { GLASSBOX_STATE: 'state' });
  expect(err.match(/was asked, and smollm2-135m answered/g)).toHaveLength(1);
  // Its reactions and notes are of no use, which costs nobody anything and pauses nothing.
  expect(read('a.jsonl')).toContain('"endpoint/malformed"');
  const names = callsIn(read('a.jsonl')).map((call) => Object(call)['model']);
  expect(new Set(names)).toEqual(new Set(['smollm2-135m', undefined]));
  expect(await done('verify a.jsonl')).toMatch(/^the same/);
});

describeLong.concurrent('a whole game of models', () => {
  test.each([
    ['that behave', 0],
    ['of which three in ten replies are faulty', 0.3],
  ])('%s is played to its end, and replayed without them', async (_, share) => {
    const endpoint = await anEndpoint({ steps: faulty(share, 1) });
    const { cwd, done, read } = aPlace();
    // Meetings have a time limit, because players who fail three times in ten could talk for ever.
    const limited = `${aGame} --rules classic --players 5`;
    const played = await glassbox(`${limited} ${asking(endpoint)}`, { cwd });
    expect(jsonLines(expectQuiet(played))[0]?.['winner']).toMatch(/^(crew|impostors)$/);
    expect(endpoint.asked.length).toBeGreaterThan(50);
    expect(callsIn(read(JOURNAL)).length).toBeLessThanOrEqual(endpoint.asked.length);
    await endpoint.close();
    expect(await done(`verify ${JOURNAL}`)).toMatch(/^the same/);
  });

  test('that was killed is gone on with, and nobody is asked twice', async () => {
    const first = await anEndpoint();
    const place = aPlace({}, STATE);
    const { path, done, read } = place;
    const running = new Running(`${aGame} ${asking(first)}`, place);
    const isLong = () => existsSync(path(JOURNAL)) && read(JOURNAL).split('\n').length > 26;
    await vi.waitUntil(isLong, { timeout: 300_000 });
    running.process.kill('SIGKILL');
    await running.finished;
    const killed = read(JOURNAL);
    const whole = killed.slice(0, killed.lastIndexOf('\n') + 1);
    const arrived = read(`${JOURNAL}.ahead`).split('{"ahead":"answer"').length - 1;
    const port = Number(new URL(first.baseUrl).port);
    await first.close();
    const second = await anEndpoint({ port });
    expectQuiet(await glassbox(`resume ${JOURNAL} --json`, place));
    const text = read(JOURNAL);
    expect(text.startsWith(whole)).toBe(true);
    expect(jsonLines(text).at(-1)?.['type']).toMatch(/^(game|gallery)\.closed$/);
    expect(arrived).toBeGreaterThanOrEqual(answersIn(jsonLines(whole)));
    expect(second.asked.length).toBe(answersIn(jsonLines(text)) - arrived);
    await done(`verify ${JOURNAL}`);
  });

  test('ends within its budget, and says so', async () => {
    const endpoint = await anEndpoint();
    const played = await glassbox(`${aGame} --max-calls 40 ${asking(endpoint)}`, aPlace());
    expect(played.exit).toBe(0);
    expect(jsonLines(played.out)[0]).toMatchObject({ winner: null, reason: 'unfinished' });
    // A refused request ends the game before the other requests of that moment are sent.
    expect(endpoint.asked.length).toBeLessThanOrEqual(40);
    expect(endpoint.asked.length).toBeGreaterThan(40 - 8);
  });

  test('stops at Ctrl-C although the endpoint answers nobody, and goes on with resume', async () => {
    const endpoint = await anEndpoint({ steps: TABLE['59'] ?? [] });
    const place = aPlace();
    const running = new Running(`${aGame} ${asking(endpoint)}`, place);
    await vi.waitUntil(() => endpoint.asked.length > 0, { timeout: 300_000 });
    running.signal('SIGINT');
    expect((await running.finished).exit).toBe(130);
    expect(place.read(JOURNAL)).not.toContain('game.closed');
    const other = await anEndpoint();
    expectEnd(await place.run(`resume ${JOURNAL} --max-calls 30 ${asking(other)}`), 0);
    expect(place.read(JOURNAL)).toContain('game.closed');
  });
});

describeLong.concurrent('Ctrl-C stops a match, however long its players may think', () => {
  // The deadline is longer than the test may take, so a test that waits for it fails.
  const patient = FOUR.replace(
    /^name: .*/m,
    '$&\noptions: { deadline_ms: 3600000, max_ticks: 30 }',
  );

  test.each([
    ['in the first tick of a meeting', 0],
    ['in a later one', 9],
  ])('%s', async (_, answered) => {
    const silence: Sent = { type: 'silence' };
    const endpoint = await anEndpoint({
      steps: [whenever(({ turn }) => turn >= answered, silence)],
    });
    const place = aPlace({ 'm.yaml': patient });
    const line = 'run m.yaml --seed 6 --out a.jsonl --max-tick 3600 -q';
    const running = new Running(`${line} ${asking(endpoint)}`, place);
    await vi.waitUntil(() => endpoint.asked.length > answered, { timeout: 300_000 });
    running.signal('SIGINT');
    expect((await running.finished).exit).toBe(130);
    expect(place.read('a.jsonl')).not.toContain('meeting.closed');
    const other = await anEndpoint();
    expectEnd(await place.run(`resume a.jsonl ${asking(other)}`), 0);
    expect(jsonLines(place.read('a.jsonl')).at(-1)?.['type']).toMatch(
      /^(meeting|gallery)\.closed$/,
    );
    expect(await place.done('verify a.jsonl')).toMatch(/^the same/);
  });
});

describe.concurrent('flags say who plays where', () => {
  /** The models and fields of the requests in a game that ends early. */
  async function requestsOf(endpoint: FakeEndpoint, flags: readonly string[], place = aPlace()) {
    const words = 'run electrical --seed 6 --out a.jsonl -q --max-calls 12'.split(' ');
    await place.done([...words, ...flags]);
    const [header] = jsonLines(place.read('a.jsonl'));
    return { header: JSON.stringify(header), bodies: endpoint.asked.map(({ body }) => body) };
  }

  test('several models take seats one after the other', async () => {
    const endpoint = await anEndpoint();
    const flags = ['--model', 'gemma, qwen,phi', '--base-url', endpoint.baseUrl];
    const { header } = await requestsOf(endpoint, flags);
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
    const place = aPlace({ '.env': 'MY_KEY="sk-of-the-file-000"\nPATH=nowhere\n' });
    const keyed = `${asking(endpoint)} --key MY_KEY --dotenv .env`;
    await requestsOf(endpoint, keyed.split(' '), place);
    expect(endpoint.asked[0]?.headers.authorization).toBe('Bearer sk-of-the-file-000');
    const line = `run electrical --seed 6 --out b.jsonl -q --max-calls 1 ${keyed}`;
    await place.run(line, { MY_KEY: 'sk-of-the-shell-00' });
    expect(endpoint.asked.at(-1)?.headers.authorization).toBe('Bearer sk-of-the-shell-00');
  });

  test.each([
    ['--provider olama', 2, /expected one of openai, .*, found "olama"; did you mean "ollama"\?/],
    ['--provider constructor', 2, 'found "constructor"'],
    ['--model a,,b', 2, '--model: expected the name of a model, or several: a,b,c, found "a,,b"'],
    ['--seat red=', 2, '--seat: expected a model after "=", as in red=gpt-5-mini, found "red="'],
    ['--seat red', 2, '--seat says where --mind or --model goes: add one of them'],
    ['--temperature 2.1', 2, '--temperature: expected a number from 0 to 2, found "2.1"'],
    ['--extra-body [1]', 2, /--extra-body: expected a JSON object such as .*, found "\[1\]"/],
    ['--headers {"a":"b-c"}', 2, /--headers: expected the name of an environment variable/],
    ['--headers {"a:":"B"}', 2, /--headers: expected names of headers, such as/],
    ['--dotenv nowhere', 66, 'cannot read nowhere: no such file or folder'],
  ])('%s is refused', async (line, exit, words) => {
    expectEnd(await aPlace().run(`run ${line}`), exit, words);
  });
});

describe.concurrent('the last lines of a run', () => {
  const OVERFLOW = refusal(400, "This model's maximum context length is 1024 tokens.", {});

  test('name what went wrong with models in every lens, the price, and the limit that ended it', async () => {
    const isLate = ({ text, turn }: Asked) => text.includes('You are cyan,') && turn > 3;
    const endpoint = await anEndpoint({ steps: [whenever(isLate, OVERFLOW)] });
    const place = aPlace({ 'four.yaml': FOUR });
    const line = `run four.yaml --seed 6 --lens table --max-calls 14 --seat cyan,lime,purple`;
    const { out, err } = await place.run(`${line} ${asking(endpoint)}`);
    expect(err).toMatch(/\n1\d requests, [\d,]+ tokens in, [\d,]+ out.*, price unknown\n/);
    expect(err).toMatch(/\d × context-overflow: the prompt was too long; .*--ctx-size/);
    expect(err).toContain('It ended early: the budget of 14 calls is spent.');
    expect(out).not.toContain('the limit of rounds');
  });

  test('name the limit in the result as JSON', async () => {
    const endpoint = await anEndpoint();
    const place = aPlace({ 'four.yaml': FOUR });
    const found = await place.run(`run four.yaml --json -q --max-calls 3 ${asking(endpoint)}`);
    const limit = 'the budget of 3 calls is spent';
    expect(jsonLines(found.out).at(-1)).toMatchObject({ type: 'meeting.result', limit });
  });

  test('name it where a game pauses, too', async () => {
    const endpoint = await anEndpoint({ steps: [always(OVERFLOW)] });
    const held = await aPlace().run(`${aGame} ${asking(endpoint)}`);
    expect(held.err).toMatch(/\d × context-overflow: .*--ctx-size of llama-server/);
  });

  testLong('are preceded by one warning when a game passes twice its forecast', async () => {
    const endpoint = await anEndpoint({ steps: [always(said(IDLE))] });
    const line = `run --seed 1 --players 4 --rules classic -q --out out ${asking(endpoint)}`;
    const { err } = await glassbox(line, aPlace());
    const [, most = ''] = /asked models more than (\d+) times, twice the forecast/.exec(err) ?? [];
    expect(err.match(/twice the forecast/g)).toHaveLength(1);
    expect(endpoint.asked.length).toBeGreaterThan(Number(most));
  });
});

const IDLE = '{"internal_thought": "I wait", "action": null, "scratchpad_updates": {}}';

describe.concurrent('what no further request can mend pauses a game', () => {
  const LIMIT = refusal(429, 'Rate limit exceeded: free-models-per-day', { code: 429 });
  test.each([
    ['a daily limit', LIMIT, 'daily-limit'],
    ['a wrong key', refusal(401, 'Incorrect API key provided', { code: 401 }), 'auth'],
    ['no credit', refusal(402, 'Insufficient credits', { code: 402 }), 'credits'],
    ['an unknown model', refusal(404, 'model "gemma" not found', {}), 'not-found'],
  ])('%s, with a sentence and exit 69', async (_, sends, code) => {
    const endpoint = await anEndpoint({ steps: [always(sends)] });
    const played = await aPlace().run(`${aGame} ${asking(endpoint)}`);
    expectEnd(played, 69, `endpoint/${code}: the game is paused`, 'resume out/0001.jsonl');
  });
});

testLong.concurrent.each([
  {
    what: 'that never answers',
    steps: TABLE['59'] ?? [],
    flags: '--max-wait 2s',
    reason: 'the model is not ready (gemma at ',
    limit: 'was not ready after 2 s; --max-wait allows more)',
  },
  {
    what: 'that answers once and falls silent',
    steps: [whenever(({ turn }) => turn > 0, { type: 'silence' } as const)],
    flags: '--max-tick 5s',
    reason: 'no request was answered in time (3 of 4 players asked at ',
    limit: 'got no answer within 5 s; --max-tick allows more)',
  },
])('an endpoint $what pauses a meeting', async ({ steps, flags, reason, limit }) => {
  const endpoint = await anEndpoint({ steps });
  const place = aPlace({ 'four.yaml': `${FOUR}options: { deadline_ms: 5000 }\n` }, STATE);
  const meet = `run four.yaml --out x.jsonl ${flags} ${asking(endpoint)}`;
  const held = await glassbox(meet, place);
  expectEnd(held, 69, `${reason}${endpoint.baseUrl}`, limit, 'resume x.jsonl');
  const port = Number(new URL(endpoint.baseUrl).port);
  await endpoint.close();
  await anEndpoint({ port });
  expectEnd(await glassbox('resume x.jsonl', place), 0);
});

describe.concurrent('a model that gives no usable answer', () => {
  test.each([['electrical'], ['--players 5']])('pauses run %s with exit 3', async (match) => {
    const endpoint = await anEndpoint({ steps: [always(said('Once upon a time'))] });
    const place = aPlace();
    const found = await place.run(`run ${match} --seed 6 --out a.jsonl ${asking(endpoint)}`);
    const text = `gemma at ${endpoint.baseUrl} gave no usable answer in 2 ticks in a row`;
    expectEnd(found, 3, 'a model cannot play', text, 'resume a.jsonl', 'endpoint/unusable');
    expect(place.read('a.jsonl')).not.toMatch(/seat\.departed|(?:game|meeting)\.closed/);
  });
});

test.each(['run electrical', 'run --players 5'])(
  '%s has no result if no mind answers',
  async (line) => {
    expectEnd(await aPlace().run(`${line} --seed 6 --mind silent`), 3, 'match/no-answers');
  },
);

describe.concurrent('what is wrong before anybody is asked', () => {
  test.each([
    ['--model m --max-calls 0', 78, 'model/no-budget'],
    ['--model m --key NO_SUCH_KEY', 78, 'model/no-key'],
    ['--model gpt-5-mini', 78, 'OPENAI_API_KEY, which is not set'],
    ['--model m --max-cost 1', 78, 'no-price'],
    ['--model m --base-url foo', 2, 'usage/invalid-argument'],
    ['--model m --key sk-12', 2, 'usage/invalid-argument'],
    ['--model m --prices prices.json', 78, 'prices/not-valid'],
    ['--model m --prices no.json', 66, 'cannot-read'],
    ['lobby.yaml', 78, 'model/no-name'],
  ])('%s', async (words, exit, code) => {
    const seats = ['red', 'blue', 'green', 'pink'].map(
      (colour) => `{ colour: ${colour}, mind: openai }`,
    );
    const files = {
      'prices.json': '{"m": {"inptu": 1}}',
      'lobby.yaml': `name: Models\nseats: [${seats.join(', ')}]\n`,
    };
    const at = words.includes('--model m') ? ' --base-url http://127.0.0.1:1/v1' : '';
    const place = aPlace(files, { OPENAI_API_KEY: '' });
    const played = await place.run(`run --seed 1${at} ${words}`);
    expectEnd(played, exit, code);
    expect(played.err).not.toContain('    at ');
  });

  test('the doctor says that a key is missing before it sends anything', async () => {
    const found = await aPlace({}, { OPENAI_API_KEY: '' }).run('doctor --model gpt-5-mini');
    expectEnd(found, 78, 'OPENAI_API_KEY, which is not set');
    expect(found.err).not.toContain('asking again');
  });

  test.each([
    ['run --seed 1 --max-cost 1', 'name it with --prices'],
    ['run four.yaml --max-cost 1', '--max-calls or --max-tokens'],
    ['league run cup.yaml', 'limit the league with calls or tokens'],
  ])('%s in dollars wants a price, and says what else would limit it', async (line, way) => {
    const endpoint = await anEndpoint();
    const { baseUrl } = endpoint;
    const personas = ['a', 'b', 'c', 'd', 'e'].map(
      (name) => `{ name: ${name}, mind: openai, model: m, base_url: '${baseUrl}' }`,
    );
    const cup = `name: cup\ngames: 1\nplayers: 5\nbudget: { dollars: 1 }\npersonas: [${personas.join(', ')}]\n`;
    const model = line.startsWith('league') ? '' : ` --model m --base-url ${baseUrl}`;
    const found = await aPlace({ 'four.yaml': FOUR, 'cup.yaml': cup }).run(`${line}${model}`);
    expectEnd(found, 78, 'expected the price of m, found none', way);
    expect(endpoint.asked).toEqual([]);
  });

  test('a shipped list price limits what --max-cost allows, and its age is printed', async () => {
    const endpoint = await anEndpoint();
    const { run } = aPlace({ 'prices.json': '{"gpt-5-mini": {"input": 1, "output": 4}}' });
    const models = `--model gpt-5-mini --base-url ${endpoint.baseUrl}`;
    const line = `${aGame} --players 5 ${models} --max-cost 0.02`;
    const listed = await run(line);
    const age = /gpt-5-mini is the list price of 20\d\d-\d\d-\d\d, \d+ (days|months) old/;
    expectEnd(listed, 0, age);
    expect(jsonLines(listed.out)[0]).toMatchObject({ reason: 'unfinished' });
    const requests = endpoint.asked.length;
    expect(requests).toBeGreaterThan(0);
    expectQuiet(await run(`${line} --prices prices.json --out priced`));
    // A higher price allows fewer requests.
    expect(endpoint.asked.length - requests).toBeLessThan(requests);
  });

  testLong('the doctor sends the fields that flags name, as a game would', async () => {
    const endpoint = await anEndpoint();
    const fields = ['--temperature', '0.2', '--effort', 'low', '--extra-body', '{"top_p": 0.9}'];
    await aPlace().done(['doctor', ...modelOf(endpoint), ...fields]);
    const expected = { temperature: 0.2, reasoning_effort: 'low', top_p: 0.9 };
    expect(endpoint.asked[0]?.body).toMatchObject(expected);
  });

  test('the doctor says that prices can’t be read before it sends anything', async () => {
    const endpoint = await anEndpoint();
    const line = `doctor ${asking(endpoint)} --prices nowhere.json`;
    expectEnd(await aPlace().run(line), 66);
    expect(endpoint.asked).toEqual([]);
  });

  testLong('the doctor says what is wrong with an endpoint', async () => {
    const { run, done } = aPlace();
    const web = await anEndpoint({ steps: [always(page(404, '<html>Not Found</html>'))] });
    const found = await run(`doctor ${asking(web)}`);
    expect([69, 78]).toContain(found.exit);
    expect(found.err).toContain(web.baseUrl);
    const well = await anEndpoint({ steps: TABLE['05'] ?? [] });
    const counts = { calls: 16, questions: 12, usable: 12 };
    const [healthy] = jsonLines(await done(`doctor --json ${asking(well)}`));
    expect(healthy).toMatchObject({ type: 'doctor', mode: 'text', ...counts });
  });
});
