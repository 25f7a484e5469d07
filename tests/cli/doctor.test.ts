/** `doctor` over real sockets: its findings, and the findings that it stores and deletes. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeSystemError } from '../../actors/files/failure.ts';
import { modeOf, tokenLimit } from '../support/endpoint/asked.ts';
import { type Step, whenever } from '../support/endpoint/case.ts';
import type { FakeEndpoint, FakeOptions } from '../support/endpoint/fakeEndpoint.ts';
import { modelOf, anEndpoint as openEndpoint } from '../support/endpoint/opened.ts';
import { completion, refusal, said } from '../support/endpoint/sent.ts';
import { testLong } from '../support/seeds.ts';
import { answersIn, FOUR } from './matches.ts';
import { aPlace } from './session.ts';
import { expectEnd, jsonLines } from './shell.ts';

const anEndpoint = (steps: readonly Step[] = [], more: FakeOptions = {}) =>
  openEndpoint({ steps, ...more });
const doctor = (endpoint: FakeEndpoint, more = '') =>
  `doctor ${modelOf(endpoint).join(' ')}${more}`;

const STATE = { GLASSBOX_STATE: 'state' };
const TOOL_ONLY = [whenever((one) => modeOf(one) !== 'tool', said('Red is suspicious.'))];
const QUESTIONS = 12;
const RULES = 'Each player is known by a colour and is secretly a crewmate or an impostor.';
const reply = (message: string) =>
  JSON.stringify({
    internal_thought: 'Hm.',
    desire_to_speak: 5,
    message,
    target: null,
    vote_action: 'purple-ish',
    scratchpad_updates: {},
  });

describe.concurrent('a trial', () => {
  test('of recorded games compares the answers with what happened, each in its own game', async () => {
    const answer = () => completion({ content: reply('I was in Electrical and I saw nobody.') });
    const endpoint = await anEndpoint([], { answer });
    const place = aPlace({}, STATE);
    const told = await place.done(doctor(endpoint, ' --exam 4 --samples 2'));
    expect(told).toMatch(/whole answers\s+100.0 % \(67.6–100.0 %\), n = 8/);
    expect(endpoint.asked.length).toBe(8);
    const exam = await place.done(doctor(endpoint, ' --exam 4 --samples 2 --json'));
    const early = await place.run(doctor(endpoint, ' --exam 4 --max-calls 2'));
    const files = {
      'exam.json': exam,
      'other.json': exam.replace('"isOwn":true', '"isOwn":false'),
      'more.json': exam.replace(/"answers":\[(\{.*?\}),\{/, '"answers":[$1,$1,{'),
      'cut.json': exam.slice(0, -9),
    };
    const judge = aPlace(files);
    const fits = await judge.done('verify exam.json');
    expect(fits).toContain('Everything fits.');
    const rows = told.split('\n').filter((row) => row.startsWith('  '));
    expect(rows.filter((row) => !fits.includes(row))).toEqual([]);
    const found = async (file: string) => {
      const { exit, out } = await judge.run(`verify ${file}`);
      return `${exit} ${out}`;
    };
    expect(await found('other.json')).toMatch(/^1 [\s\S]*expected "isOwn" to be true/);
    expect(await found('more.json')).toMatch(/^1 [\s\S]*expected 2 answers at most, found 3/);
    expectEnd(await judge.run('verify cut.json'), 65, 'exam/not-an-exam');
    expectEnd(early, 5, /Only 2 of 4 questions got an answer/);
    expect(early.out).toMatch(/whole answers\s+100.0 % \(34.2–100.0 %\), n = 2/);
  });

  testLong('says before how many requests it may take, and what it has found', async () => {
    const endpoint = await anEndpoint();
    const found = await aPlace({}, STATE).run(doctor(endpoint));
    const most = /^Asking gemma at .* up to twelve questions of a game: 32 requests at most/;
    expectEnd(found, 0, most);
    expect(endpoint.asked.length).toBe(QUESTIONS);
    const rows = ['asked as  json_schema', 'thinking  none seen', 'loading  '];
    for (const words of [
      ...rows,
      'latency',
      'speed',
      'at once',
      'context',
      'a game',
      'at this pace',
    ])
      expect(found.out).toContain(words);
    expect(found.out).toContain('answers 12 of 12 questions of a game, by 12 requests');
    expect(found.out).not.toMatch(/NaN|Infinity|undefined|null/);
  });

  testLong('asks what a game asks: eight at once, with its fields', async () => {
    const all = Promise.withResolvers<void>();
    let here = 0;
    // The last eight are answered when all of them have come.
    const thought = async (asked: number) => {
      if (asked <= QUESTIONS - 8) return;
      here += 1;
      if (here === 8) all.resolve();
      await all.promise;
    };
    const endpoint = await anEndpoint([], { thought });
    const words = ['doctor', '--json', ...modelOf(endpoint), '--extra-body', '{"top_p": 0.9}'];
    const [told] = jsonLines(await aPlace().done(words));
    expect(told).toMatchObject({ type: 'doctor', v: 1, together: 8 });
    for (const { body, text } of endpoint.asked) {
      expect(body).toMatchObject({ top_p: 0.9, temperature: 0.8 });
      expect(text).toContain('Among Us');
    }
    const kinds = endpoint.asked.map(({ text }) => /# Decide what to do next/.test(text));
    expect(kinds.filter((isShip) => isShip)).toHaveLength(1);
  });

  testLong.each<[string, readonly Step[], number, object]>([
    // Four requests for two questions until the tool mode is found.
    ['answers only by tool', TOOL_ONLY, 2 * 4 + 10, { mode: 'tool' }],
    [
      'needs room for its thoughts',
      [
        whenever(
          (one) => tokenLimit(one) < 2_000,
          completion({ content: null, reasoning: 'Who?' }, { reason: 'length' }),
        ),
      ],
      QUESTIONS + 1,
      { capabilities: { room: 4 } },
    ],
  ])('of a model that %s: the next game asks at once', async (_, steps, requests, found) => {
    const endpoint = await anEndpoint(steps);
    const { done, read } = aPlace({ 'four.yaml': FOUR }, STATE);
    const probe = doctor(endpoint, ' --json');
    expect(jsonLines(await done(probe))[0]).toMatchObject({ usable: QUESTIONS, ...found });
    expect(endpoint.asked.length).toBe(requests);
    await done(`run four.yaml --out a.jsonl -q ${modelOf(endpoint).join(' ')}`);
    const answers = answersIn(jsonLines(read('a.jsonl')));
    expect(endpoint.asked.length - requests).toBe(answers);
    // The probe ignores earlier findings, because a model may have improved.
    await done(probe);
    expect(endpoint.asked.length).toBe(requests + answers + requests);
  });

  testLong('of a model that answers less than half of its questions exits with 1', async () => {
    const endpoint = await anEndpoint([whenever(({ turn }) => turn > 0, said('No JSON today.'))]);
    const { exit, out } = await aPlace().run(doctor(endpoint));
    expect(exit).toBe(1);
    expect(endpoint.asked.length).toBeLessThanOrEqual(32);
    expect(out).toMatch(/answers \d of 12 questions .*; not answered: \d+ × endpoint\/malformed/);
  });

  test.each<[string, Step, object, readonly string[]]>([
    [
      'says the same words again and again',
      whenever(() => true, said(reply('I want to speak. I want to speak.'))),
      { messages: 11, copied: 0, repeated: 11, votes: 11, illegalVotes: 11 },
      ['half of the messages are copies or repetitions: it may be a base model'],
    ],
    [
      'recites the rules under another name',
      whenever(
        () => true,
        completion({ content: reply(RULES) }, { more: { model: 'smollm2-135m' } }),
      ),
      { messages: 11, copied: 11, repeated: 10, example: RULES },
      ['gemma was asked, and smollm2-135m answered', 'half of the messages'],
    ],
  ])('shows how a model plays that %s', async (_, step, play, warnings) => {
    const endpoint = await anEndpoint([step]);
    const place = aPlace();
    const found = await place.run(doctor(endpoint, ' --json'));
    for (const words of warnings) expect(found.err).toContain(`warning: ${words}`);
    const [told] = jsonLines(found.out);
    expect(told).toMatchObject({ play, warnings: warnings.map((w) => expect.stringContaining(w)) });
  });

  testLong('warns of nothing where a model plays well under its own name', async () => {
    const { err, out } = await aPlace().run(doctor(await anEndpoint()));
    expect(err).not.toContain('warning');
    expect(out).toMatch(/says {6}".+"\n {2}play {6}\d+ messages?, \d copied .* 0 illegal/);
  });

  test.each([
    { content: null, reasoning_content: 'Who could it be?' },
    { content: '<think>Who could it be?' },
  ])('recognises a model that only thinks by its first question: %j', async (told) => {
    const endpoint = await anEndpoint([
      whenever(() => true, completion(told, { reason: 'length' })),
    ]);
    const found = await aPlace().run(doctor(endpoint));
    expectEnd(found, 3, 'found only thoughts: set --effort none', '[endpoint/only-thinks]');
    expect(endpoint.asked.length).toBeLessThanOrEqual(8);
  });

  test.each(['Once upon a time', 'I cannot help with that.'])(
    'says with exit 3 that a model only answers "%s"',
    async (words) => {
      const endpoint = await anEndpoint([whenever(() => true, said(words))]);
      expectEnd(await aPlace().run(doctor(endpoint)), 3, endpoint.baseUrl);
    },
  );

  test.each([1, 4])('with --max-calls %i sends no more', async (calls) => {
    const endpoint = await anEndpoint();
    const found = await aPlace().run(doctor(endpoint, ` --max-calls ${calls}`));
    const most = `${calls === 1 ? '1 request' : `${calls} requests`} at most`;
    expectEnd(found, 69, most, '[endpoint/budget]');
    expect(endpoint.asked.length).toBe(calls);
  });

  test('says at once that nothing listens, and what to look at', async () => {
    const endpoint = await openEndpoint();
    const line = doctor(endpoint);
    await endpoint.close();
    const found = await aPlace().run(line);
    const refuses = 'the address refuses connections (connect ECONNREFUSED 127.0.0.1:';
    const advice =
      /: is the server running, has it finished starting, and is the port right\? \[endpoint\/unreachable]\n$/;
    expectEnd(found, 69, `No answer: ${refuses}`, advice);
    expect(found.err.split(refuses)).toHaveLength(3);
  });

  testLong('waits for a model that loads, with a line', async () => {
    const loading = refusal(503, 'Loading model', { code: 503, type: 'unavailable_error' });
    const endpoint = await anEndpoint([whenever(({ turn }) => turn < 3, loading)]);
    const waiting = /\nwaiting for gemma at \S+: \d+ s, at most 300 s \(Loading model\)\n/;
    expectEnd(await aPlace().run(doctor(endpoint)), 0, waiting);
    expect(endpoint.asked.length).toBe(3 + QUESTIONS);
  });

  testLong('leaves no key anywhere', async () => {
    const KEY = 'sk-secret-0123456789abcdef';
    const endpoint = await anEndpoint();
    const { run, path, read } = aPlace({}, { ...STATE, MY_KEY: KEY });
    const { out, err } = await run(doctor(endpoint, ' --json --key MY_KEY'));
    expect(endpoint.asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    const kept = await run('doctor --kept --json');
    const names = readdirSync(path('state/models'));
    expect(names).toHaveLength(1);
    const files = names.map((name) => name + read(`state/models/${name}`));
    for (const text of [out, err, kept.out, ...files]) expect(text).not.toContain(KEY.slice(3));
  });
});

describe.concurrent('what is kept', () => {
  testLong(
    'is shown with its age and forgotten, by model and endpoint or as a whole, and nobody is asked',
    async () => {
      const { done, path, read, write } = aPlace({}, STATE);
      const [one, other] = [await anEndpoint(TOOL_ONLY), await anEndpoint()];
      const [ofOne, ofOther] = [modelOf(one).join(' '), modelOf(other).join(' ')];
      for (const words of [ofOne, modelOf(one, 'qwen').join(' '), ofOther])
        await done(`doctor ${words}`);
      const requests = one.asked.length + other.asked.length;
      const kept = async (words = '') => {
        const { models } = JSON.parse(await done(`doctor --kept --json${words}`));
        type Kept = { readonly baseUrl: string; readonly model: string };
        return models.map(({ baseUrl, model }: Kept) => `${model} at ${baseUrl}`).toSorted();
      };
      const all = [
        `gemma at ${one.baseUrl}`,
        `qwen at ${one.baseUrl}`,
        `gemma at ${other.baseUrl}`,
      ];
      expect(await kept()).toEqual(all.toSorted());
      expect(await kept(` ${ofOne}`)).toEqual([`gemma at ${one.baseUrl}`]);
      expect(await kept(` --base-url ${other.baseUrl}`)).toEqual([`gemma at ${other.baseUrl}`]);
      expect(await kept(' --model qwen,gemma')).toHaveLength(3);
      const out = await done('doctor --kept --model qwen');
      expect(out).toMatch(
        /^This is kept in state\/models\nqwen at http:.*, learned (just now|\d+ min)/,
      );
      expect(out).toMatch(
        /asked as {2}tool\n {2}measured {2}.* alone, .* the slowest of a table, \d at once/,
      );
      const names = readdirSync(path('state/models'));
      const file = `state/models/${names.find((name) => name.startsWith('qwen'))}`;
      const days = 86_400_000;
      const learnedAt = `"learnedAt": ${Date.now() - 8 * days}`;
      write(file, read(file).replace(/"learnedAt": \d+/, learnedAt));
      write('state/models/broken.json', '{');
      const old = await done('doctor --kept --model qwen');
      expect(old).toContain('learned 8 days ago, too old to be used');
      expect(old).toContain('broken.json is damaged');
      const forget = (words = '') => done(`doctor --forget${words}`);
      const unknown = await forget(` ${modelOf(other, 'qwen').join(' ')}`);
      expect(unknown).toMatch(/^0 models are forgotten/);
      expect(await forget(` ${ofOne}`)).toMatch(/^1 model is forgotten in state\/models/);
      expect(await kept()).toHaveLength(2);
      // The damaged file counts, too.
      expect(await forget()).toMatch(/^3 models are forgotten/);
      expect(await kept()).toEqual([]);
      expect(await forget()).toMatch(/^0 models/);
      expect(one.asked.length + other.asked.length).toBe(requests);
    },
  );

  const NO_HOME = { GLASSBOX_STATE: '', HOME: '', XDG_STATE_HOME: '' };
  test.each<[string, number, string, Readonly<Record<string, string>>]>([
    [' --kept --forget', 2, 'cannot be used with', STATE],
    [' --forget --store a.db', 2, 'cannot be used with', STATE],
    [' --kept --mind scripted', 2, 'cannot be used with', STATE],
    [' --kept --provider olama', 2, 'did you mean "ollama"?', STATE],
    ['', 2, 'doctor/no-model', STATE],
    [' --kept', 78, 'doctor/no-memory', { GLASSBOX_STATE: 'none' }],
    [' --kept', 78, 'doctor/no-memory', NO_HOME],
    [' --kept', 66, 'doctor/cannot-open', { GLASSBOX_STATE: 'file' }],
    [' --forget', 66, 'doctor/cannot-open', { GLASSBOX_STATE: 'file' }],
  ])('doctor%s exits with %i', async (flags, exit, words, env) => {
    const found = await aPlace({ 'file/models': '' }, env).run(`doctor${flags}`);
    expectEnd(found, exit, words);
    expect(found.err).not.toContain('    at ');
  });
});

test.each(["EACCES: permission denied, open '/x'", "EACCES, Permission denied: /x '/x'"])(
  'an error of the system is put into words: %s',
  (message) => {
    expect(describeSystemError(new Error(message))).toBe('permission denied');
  },
);
