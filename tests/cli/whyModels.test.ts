/** `glassbox why` with models: samples from repeated requests, once each and within a budget, or from substitutes. */
import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { whyResultSchema } from '../../analysis/why/result.ts';
import { always } from '../support/endpoint/case.ts';
import { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { refusal } from '../support/endpoint/sent.ts';
import { testLong } from '../support/seeds.ts';
import { aPlace } from './session.ts';
import { aFolder, expectEnd, sh } from './shell.ts';

const endpoint = await FakeEndpoint.open();
const second = await FakeEndpoint.open();
const refusing = await FakeEndpoint.open({ steps: [always(refusal(401, 'Incorrect API key'))] });
afterAll(() => Promise.all([endpoint.close(), second.close(), refusing.close()]));

const MATCH = `name: four at a table
call: { by: red }
options: { vote_after: 2, max_ticks: 6 }
seats: [{ colour: red }, { colour: blue }, { colour: green }, { colour: pink, role: impostor }]
`;

const { cwd, run, done, path, read } = aPlace(
  { 'four.yaml': MATCH },
  { GLASSBOX_STATE: aFolder() },
);
const model = `--model gemma --base-url ${endpoint.baseUrl}`;
await done(`run four.yaml --seed 2 --out a.jsonl -q ${model}`);
const why = (words = '') => run(`why a.jsonl --what messages${words}`);
const readKept = (name: string) => whyResultSchema.parse(JSON.parse(read(name)));

testLong(
  'models are asked again only for samples, each request once, and within the budget',
  async () => {
    expectEnd(await why(), 2, '[why/outside-minds]', '--samples 5 asks them again');
    const before = endpoint.asked.length;
    expectEnd(await why(' --samples 2 --max-calls 5'), 5, '[why/budget]');
    expect(endpoint.asked.length - before).toBe(5);
    const closed = await why(` --samples 2 --base-url ${refusing.baseUrl}`);
    expectEnd(closed, 69, /the answers so far are kept.*\[endpoint\/auth\]/);
    const rich = await why(' --samples 2');
    expect(rich.exit, rich.err).toBe(0);
    expect(rich.out).toMatch(
      /models for Red, Blue, Green and Pink were asked again, 2 samples each/,
    );
    const paid = endpoint.asked.length;
    expect(paid - before).toBeGreaterThan(10);
    const again = await why(' --samples 2');
    expect([again.exit, again.out]).toEqual([0, rich.out]);
    // Without the result file, the answers of the models are still there.
    rmSync(path('a.why.json'));
    const anew = await why(' --samples 2');
    expect([anew.exit, anew.out]).toEqual([0, rich.out]);
    expect(endpoint.asked.length).toBe(paid);
    // The files beside a journal are not journals.
    await done('report --stats .');
    await done('report . --tables parquet -o out');
    expect((await run('report --deduce .')).err).toContain('Of 1 journals');
  },
);

testLong(
  'more samples, another model and another endpoint are asked anew, each for itself',
  async () => {
    const name = 'c.json';
    const askedBy = async (words: string) => {
      const before = [endpoint.asked.length, second.asked.length];
      const { exit, err, out } = await why(` --out ${name} --meeting 1 ${words}`);
      expect(exit, err).toBe(0);
      const news = endpoint.asked.slice(before[0]).map(({ body }) => body.model);
      const others = second.asked.slice(before[1]).map(({ body }) => body.model);
      return { news, others, out };
    };
    const one = await askedBy('--samples 1');
    expect(new Set(one.news)).toEqual(new Set(['gemma']));
    const two = await askedBy('--samples 2');
    expect(two.news.length).toBeGreaterThan(0);
    expect(two.out).toContain('2 samples each');
    expect(await askedBy('--samples 1')).toEqual({ ...one, news: [], others: [] });
    // Without the result file the cache answers, and it must distinguish the models.
    for (const place of ['', ` --base-url ${second.baseUrl}`]) {
      const { news, others } = await askedBy(`--samples 1 --model qwen${place}`);
      const asked = place === '' ? news : others;
      expect(news.length + others.length).toBe(asked.length);
      expect(new Set(asked)).toEqual(new Set(['qwen']));
    }
    const kept = readKept(name);
    const models = new Set(kept.answers.map((answer) => answer.models));
    expect(models.size).toBe(3);
    rmSync(path(name));
    const anew = await askedBy('--samples 1 --model qwen');
    expect([anew.news, anew.others]).toEqual([[], []]);
  },
);

test('`why` stops with an output error if it cannot write answers to disk', async () => {
  const before = endpoint.asked.length;
  // Room for the result without an answer, and for a few model answers.
  const line =
    'ulimit -f 8; $GLASSBOX why a.jsonl --what messages --samples 50 --out full.json --endpoint-from-journal';
  const words = 'cannot write answers to full.answers';
  expectEnd(await sh(line, cwd), 73, words, '[output/cannot-write]');
  expect(endpoint.asked.length - before).toBeGreaterThan(2);
  expect(endpoint.asked.length - before).toBeLessThan(60);
  expect(readKept('full.json').answers).toEqual([]);
});

test('every output names the stand-ins', async () => {
  const out = await done('why a.jsonl --what messages --stand-in --out b.json');
  expect(out).toContain('scripted stand-ins go on for Red, Blue, Green and Pink');
  expectEnd(await why(' --stand-in --shapley --out c.json'), 2, '[why/not-shared]');
  expectEnd(await why(' --stand-in --samples 2 --out c.json'), 2, '[why/idle-samples]');
});
