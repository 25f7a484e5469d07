/** `doctor` over real sockets: its findings, and the findings that it stores and deletes. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeSystemError } from '../../actors/files/failure.ts';
import { modeOf, tokenLimit } from '../support/endpoint/asked.ts';
import { type Step, whenever } from '../support/endpoint/case.ts';
import type { FakeOptions } from '../support/endpoint/fakeEndpoint.ts';
import { modelOf, anEndpoint as openEndpoint } from '../support/endpoint/opened.ts';
import { completion, refusal, said } from '../support/endpoint/sent.ts';
import { testLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, glassbox, jsonLines } from './shell.ts';

async function anEndpoint(steps: readonly Step[] = [], more: FakeOptions = {}) {
  return openEndpoint({ steps, ...more });
}

const STATE = { GLASSBOX_STATE: 'state' };
const TOOL_ONLY = [whenever((one) => modeOf(one) !== 'tool', said('Red is suspicious.'))];
const QUESTIONS = 12;

describe.concurrent('a trial', () => {
  testLong('says before how many requests it may take, and what it has found', async () => {
    const endpoint = await anEndpoint();
    const cwd = aFolder();
    const { exit, out, err } = await glassbox(['doctor', ...modelOf(endpoint)], {
      cwd,
      env: STATE,
    });
    expect([exit, endpoint.asked.length]).toEqual([0, QUESTIONS]);
    expect(err).toMatch(
      /^Asking gemma at .* up to twelve questions of a game: 32 requests at most/,
    );
    const rows = ['asked as  json_schema', 'thinking  none seen', 'loading  '];
    for (const words of [...rows, 'latency', 'speed', 'at once', 'context', 'a game', '867 times'])
      expect(out).toContain(words);
    expect(out).toContain('answers 12 of 12 questions of a game, by 12 requests');
    expect(out).not.toMatch(/NaN|Infinity|undefined|null/);
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
    const { exit, out } = await warmGlassbox(words, { cwd: aFolder() });
    expect(exit).toBe(0);
    expect(jsonLines(out)[0]).toMatchObject({ type: 'doctor', v: 1, together: 8 });
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
    const four = readFileSync(new URL('../../examples/four.yaml', import.meta.url), 'utf8');
    const cwd = aFolder({ 'four.yaml': four });
    const words = ['doctor', '--json', ...modelOf(endpoint)];
    const doctor = await warmGlassbox(words, { cwd, env: STATE });
    expect(doctor.exit).toBe(0);
    expect(jsonLines(doctor.out)[0]).toMatchObject({ usable: QUESTIONS, ...found });
    expect(endpoint.asked.length).toBe(requests);
    const meet = ['run', 'four.yaml', '--out', 'a.jsonl', '-q', ...modelOf(endpoint)];
    expect((await warmGlassbox(meet, { cwd, env: STATE })).exit).toBe(0);
    const answers = jsonLines(readFileSync(join(cwd, 'a.jsonl'), 'utf8')).reduce(
      (sum, { bids }) => sum + (Array.isArray(bids) ? bids.length : 0),
      0,
    );
    expect(endpoint.asked.length - requests).toBe(answers);
    // The probe ignores earlier findings, because a model may have improved.
    await warmGlassbox(words, { cwd, env: STATE });
    expect(endpoint.asked.length).toBe(requests + answers + requests);
  });

  testLong('of a model that answers less than half of its questions exits with 1', async () => {
    const endpoint = await anEndpoint([whenever(({ turn }) => turn > 0, said('No JSON today.'))]);
    const { exit, out } = await warmGlassbox(['doctor', ...modelOf(endpoint)], { cwd: aFolder() });
    expect(exit).toBe(1);
    expect(endpoint.asked.length).toBeLessThanOrEqual(32);
    expect(out).toMatch(/answers \d of 12 questions .*; not answered: \d+ × endpoint\/malformed/);
  });

  test.each([1, 4])('with --max-calls %i sends no more', async (calls) => {
    const endpoint = await anEndpoint();
    const words = ['doctor', ...modelOf(endpoint), '--max-calls', String(calls)];
    const { exit, err } = await warmGlassbox(words, { cwd: aFolder() });
    expect([exit, endpoint.asked.length]).toEqual([69, calls]);
    expect(err).toContain(`${calls === 1 ? '1 request' : `${calls} requests`} at most`);
    expect(err).toContain('[endpoint/budget]');
  });

  test('says at once that nothing listens, and what to look at', async () => {
    const endpoint = await openEndpoint();
    const { baseUrl } = endpoint;
    await endpoint.close();
    const words = ['doctor', '--model', 'gemma', '--base-url', baseUrl];
    const { exit, err } = await warmGlassbox(words, { cwd: aFolder() });
    const refuses = 'the address refuses connections (connect ECONNREFUSED 127.0.0.1:';
    expect(exit).toBe(69);
    expect(err.split(refuses)).toHaveLength(3);
    expect(err).toContain(`No answer: ${refuses}`);
    expect(err).toMatch(
      /: is the server running, has it finished starting, and is the port right\? \[endpoint\/unreachable]\n$/,
    );
  });

  testLong('waits for a model that loads, with a line', async () => {
    const loading = refusal(503, 'Loading model', { code: 503, type: 'unavailable_error' });
    const endpoint = await anEndpoint([whenever(({ turn }) => turn < 3, loading)]);
    const { exit, err } = await warmGlassbox(['doctor', ...modelOf(endpoint)], { cwd: aFolder() });
    expect([exit, endpoint.asked.length]).toEqual([0, 3 + QUESTIONS]);
    expect(err).toMatch(/\nwaiting for gemma at \S+: \d+ s, at most 300 s \(Loading model\)\n/);
  });

  testLong('leaves no key anywhere', async () => {
    const KEY = 'sk-secret-0123456789abcdef';
    const endpoint = await anEndpoint();
    const cwd = aFolder();
    const env = { ...STATE, MY_KEY: KEY };
    const words = ['doctor', '--json', ...modelOf(endpoint), '--key', 'MY_KEY'];
    const { out, err } = await glassbox(words, { cwd, env });
    expect(endpoint.asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    const kept = await glassbox('doctor --kept --json', { cwd, env });
    const folder = join(cwd, 'state', 'models');
    const files = readdirSync(folder).map((name) => name + readFileSync(join(folder, name)));
    expect(files).toHaveLength(1);
    for (const text of [out, err, kept.out, ...files]) expect(text).not.toContain(KEY.slice(3));
  });
});

describe.concurrent('what is kept', () => {
  async function filled() {
    const cwd = aFolder();
    const [one, other] = [await anEndpoint(TOOL_ONLY), await anEndpoint()];
    for (const words of [modelOf(one), modelOf(one, 'qwen'), modelOf(other)])
      expect((await warmGlassbox(['doctor', ...words], { cwd, env: STATE })).exit).toBe(0);
    const kept = async (...flags: readonly string[]) => {
      const { out } = await warmGlassbox(['doctor', '--kept', '--json', ...flags], {
        cwd,
        env: STATE,
      });
      const models = jsonLines(out)[0]?.['models'];
      return Array.isArray(models) ? models.map(({ baseUrl, model }) => [baseUrl, model]) : null;
    };
    return { cwd, kept, one, other };
  }

  testLong(
    'is shown with its age and forgotten, by model and endpoint or as a whole, and nobody is asked',
    async () => {
      const { cwd, kept, one, other } = await filled();
      const requests = one.asked.length + other.asked.length;
      const all = await kept();
      expect(all?.toSorted()).toEqual(
        [
          [one.baseUrl, 'gemma'],
          [one.baseUrl, 'qwen'],
          [other.baseUrl, 'gemma'],
        ].toSorted(),
      );
      expect(await kept(...modelOf(one))).toEqual([[one.baseUrl, 'gemma']]);
      expect(await kept('--base-url', other.baseUrl)).toEqual([[other.baseUrl, 'gemma']]);
      expect(await kept('--model', 'qwen,gemma')).toHaveLength(3);
      const { out } = await warmGlassbox('doctor --kept --model qwen', {
        cwd,
        env: STATE,
      });
      expect(out).toMatch(
        /^This is kept in state\/models\nqwen at http:.*, learned (just now|\d+ min)/,
      );
      expect(out).toMatch(
        /asked as {2}tool\n {2}measured {2}.* alone, .* the slowest of a table, \d at once/,
      );
      const folder = join(cwd, 'state', 'models');
      const name = readdirSync(folder).find((one) => one.startsWith('qwen')) ?? '';
      const text = readFileSync(join(folder, name), 'utf8');
      const days = 86_400_000;
      const aged = text.replace(/"learnedAt": \d+/, `"learnedAt": ${Date.now() - 8 * days}`);
      writeFileSync(join(folder, name), aged);
      writeFileSync(join(folder, 'broken.json'), '{');
      const old = await warmGlassbox('doctor --kept --model qwen', { cwd, env: STATE });
      expect(old.out).toContain('learned 8 days ago, too old to be used');
      expect(old.out).toContain('broken.json is damaged');
      const forget = async (...flags: readonly string[]) =>
        (await warmGlassbox(['doctor', '--forget', ...flags], { cwd, env: STATE })).out;
      expect(await forget(...modelOf(other, 'qwen'))).toMatch(/^0 models are forgotten/);
      expect(await forget(...modelOf(one))).toMatch(/^1 model is forgotten in state\/models/);
      expect(await kept()).toHaveLength(2);
      // The damaged file counts, too.
      expect(await forget()).toMatch(/^3 models are forgotten/);
      expect(await kept()).toEqual([]);
      expect(await forget()).toMatch(/^0 models/);
      expect(one.asked.length + other.asked.length).toBe(requests);
    },
  );

  type Row = readonly [readonly string[], number, string, Readonly<Record<string, string>>];

  test.each<Row>([
    [['--kept', '--forget'], 2, 'cannot be used with', STATE],
    [['--forget', '--store', 'a.db'], 2, 'cannot be used with', STATE],
    [['--kept', '--mind', 'scripted'], 2, 'cannot be used with', STATE],
    [['--kept', '--provider', 'olama'], 2, 'did you mean "ollama"?', STATE],
    [[], 2, 'doctor/no-model', STATE],
    [['--kept'], 78, 'doctor/no-memory', { GLASSBOX_STATE: 'none' }],
    [['--kept'], 78, 'doctor/no-memory', { GLASSBOX_STATE: '', HOME: '', XDG_STATE_HOME: '' }],
    [['--kept'], 66, 'doctor/cannot-open', { GLASSBOX_STATE: 'file' }],
    [['--forget'], 66, 'doctor/cannot-open', { GLASSBOX_STATE: 'file' }],
  ])('doctor %j exits with %i', async (flags, exit, words, env) => {
    const cwd = aFolder();
    mkdirSync(join(cwd, 'file'));
    writeFileSync(join(cwd, 'file', 'models'), '');
    const found = await warmGlassbox(['doctor', ...flags], { cwd, env });
    expect([found.exit, found.err]).toEqual([exit, expect.stringContaining(words)]);
    expect(found.err).not.toContain('    at ');
  });
});

test.each(["EACCES: permission denied, open '/x'", "EACCES, Permission denied: /x '/x'"])(
  'an error of the system is put into words: %s',
  (message) => {
    expect(describeSystemError(new Error(message))).toBe('permission denied');
  },
);
