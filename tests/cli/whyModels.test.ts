/** `glassbox why` with models: samples from repeated requests, once each and within a budget, or stand-ins. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { whyResultSchema } from '../../analysis/why/result.ts';
import { always } from '../support/endpoint/case.ts';
import { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { refusal } from '../support/endpoint/sent.ts';
import { testLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, sh } from './shell.ts';

const endpoint = await FakeEndpoint.open();
const second = await FakeEndpoint.open();
const refusing = await FakeEndpoint.open({ steps: [always(refusal(401, 'Incorrect API key'))] });
afterAll(() => Promise.all([endpoint.close(), second.close(), refusing.close()]));

const MATCH = `name: four at a table
call: { by: red }
options: { vote_after: 2, max_ticks: 6 }
seats: [{ colour: red }, { colour: blue }, { colour: green }, { colour: pink, role: impostor }]
`;

const cwd = aFolder({ 'four.yaml': MATCH });
const model = ['--model', 'gemma', '--base-url', endpoint.baseUrl];
const played = warmGlassbox(
  ['run', 'four.yaml', '--seed', '2', '--out', 'a.jsonl', '--lens', 'table', ...model],
  { cwd },
);

async function why(...args: readonly string[]) {
  const { exit, err } = await played;
  expect(exit, err).toBe(0);
  return warmGlassbox(['why', 'a.jsonl', '--what', 'messages', ...args], { cwd });
}

testLong(
  'models are asked again only for samples, each request once, and within the budget',
  async () => {
    const refused = await why();
    expect(refused.exit).toBe(2);
    expect(refused.err).toContain('[why/outside-minds]');
    expect(refused.err).toContain('--samples 5 asks them again');
    const before = endpoint.asked.length;
    const poor = await why('--samples', '2', '--max-calls', '5');
    expect([poor.exit, poor.err]).toEqual([5, expect.stringContaining('[why/budget]')]);
    expect(endpoint.asked.length - before).toBe(5);
    const closed = await why('--samples', '2', '--base-url', refusing.baseUrl);
    expect([closed.exit, closed.err]).toEqual([
      69,
      expect.stringMatching(/what has been answered is kept.*\[endpoint\/auth\]/),
    ]);
    const rich = await why('--samples', '2');
    expect(rich.exit, rich.err).toBe(0);
    expect(rich.out).toMatch(/models for red, blue, green, pink were asked again, 2 samples each/);
    const paid = endpoint.asked.length;
    expect(paid - before).toBeGreaterThan(10);
    const again = await why('--samples', '2');
    expect([again.exit, again.out]).toEqual([0, rich.out]);
    // Without the result file, the answers of the models are still there.
    rmSync(join(cwd, 'a.why.json'));
    const anew = await why('--samples', '2');
    expect([anew.exit, anew.out]).toEqual([0, rich.out]);
    expect(endpoint.asked.length).toBe(paid);
    // The files beside a journal are not journals.
    for (const command of [
      ['report', '--stats', '.'],
      ['report', '.', '--tables', 'parquet', '-o', 'out'],
    ]) {
      const { exit, err } = await warmGlassbox(command, { cwd });
      expect(exit, err).toBe(0);
    }
    const deduced = await warmGlassbox('report --deduce .', { cwd });
    expect(deduced.err).toContain('Of 1 journals');
  },
);

testLong(
  'more samples, another model and another endpoint are asked anew, each for itself',
  async () => {
    const name = 'c.json';
    const askedBy = async (...args: readonly string[]) => {
      const before = [endpoint.asked.length, second.asked.length];
      const { exit, err, out } = await why('--out', name, '--meeting', '1', ...args);
      expect(exit, err).toBe(0);
      const news = endpoint.asked.slice(before[0]).map(({ body }) => body.model);
      const others = second.asked.slice(before[1]).map(({ body }) => body.model);
      return { news, others, out };
    };
    const one = await askedBy('--samples', '1');
    expect(new Set(one.news)).toEqual(new Set(['gemma']));
    const two = await askedBy('--samples', '2');
    expect(two.news.length).toBeGreaterThan(0);
    expect(two.out).toContain('2 samples each');
    expect(await askedBy('--samples', '1')).toEqual({ ...one, news: [], others: [] });
    // Without the result file the cache answers, and it must distinguish the models.
    for (const args of [
      ['--model', 'qwen'],
      ['--model', 'qwen', '--base-url', second.baseUrl],
    ]) {
      const { news, others } = await askedBy('--samples', '1', ...args);
      const asked = args.length === 2 ? news : others;
      expect(news.length + others.length).toBe(asked.length);
      expect(new Set(asked)).toEqual(new Set(['qwen']));
    }
    const kept = whyResultSchema.parse(JSON.parse(readFileSync(join(cwd, name), 'utf8')));
    const models = new Set(kept.answers.map((answer) => answer.models));
    expect(models.size).toBe(3);
    rmSync(join(cwd, name));
    const anew = await askedBy('--samples', '1', '--model', 'qwen');
    expect([anew.news, anew.others]).toEqual([[], []]);
  },
);

test('answers that can not be kept end it, and are no fault of the model', async () => {
  await played;
  const before = endpoint.asked.length;
  // Room for the result without an answer, and for a few model answers.
  const line = `ulimit -f 8; $GLASSBOX why a.jsonl --what messages --samples 50 --out full.json`;
  const { exit, err } = await sh(line, cwd);
  expect([exit, err]).toEqual([73, expect.stringContaining('cannot keep answers in full.answers')]);
  expect(err).toContain('[output/cannot-write]');
  expect(endpoint.asked.length - before).toBeGreaterThan(2);
  expect(endpoint.asked.length - before).toBeLessThan(60);
  const { answers } = whyResultSchema.parse(
    JSON.parse(readFileSync(join(cwd, 'full.json'), 'utf8')),
  );
  expect(answers).toEqual([]);
});

test('every output names the stand-ins', async () => {
  const { exit, out } = await why('--stand-in', '--out', 'b.json');
  expect(exit).toBe(0);
  expect(out).toContain('scripted stand-ins go on for red, blue, green, pink');
  const shared = await why('--stand-in', '--shapley', '--out', 'c.json');
  expect([shared.exit, shared.err]).toEqual([2, expect.stringContaining('[why/not-shared]')]);
  const both = await why('--stand-in', '--samples', '2', '--out', 'c.json');
  expect([both.exit, both.err]).toEqual([2, expect.stringContaining('[why/idle-samples]')]);
});
