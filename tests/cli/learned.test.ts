/** Findings about a model carry over to the next run, over real sockets and in real processes. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { modeOf } from '../support/endpoint/asked.ts';
import { type Step, whenever } from '../support/endpoint/case.ts';
import type { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { modelOf, anEndpoint as openEndpoint } from '../support/endpoint/opened.ts';
import { said } from '../support/endpoint/sent.ts';
import { testLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, jsonLines } from './shell.ts';

/** A model that answers well only by tool. */
const TOOL_ONLY = [whenever((one) => modeOf(one) !== 'tool', said('Red is suspicious.'))];

async function anEndpoint(steps: readonly Step[] = TOOL_ONLY): Promise<FakeEndpoint> {
  return openEndpoint({ steps });
}

const KEY = 'sk-secret-0123456789abcdef';

type Met = {
  readonly perAnswer: number;
  readonly journal: readonly Readonly<Record<string, unknown>>[];
  readonly err: string;
};

async function meet(
  endpoint: FakeEndpoint,
  { cwd, out, state = 'state' }: { cwd: string; out: string; state?: string },
): Promise<Met> {
  const before = endpoint.asked.length;
  const model = [...modelOf(endpoint), '--key', 'MY_KEY'];
  const { exit, err } = await warmGlassbox(
    ['run', 'four.yaml', '--seed', '6', '--out', out, '-q', ...model],
    { cwd, env: { GLASSBOX_STATE: state, MY_KEY: KEY } },
  );
  expect({ exit, err }).toEqual({ exit: 0, err: expect.any(String) });
  const journal = jsonLines(readFileSync(join(cwd, out), 'utf8'));
  const answers = journal.reduce(
    (sum, { bids }) => sum + (Array.isArray(bids) ? bids.length : 0),
    0,
  );
  expect(answers).toBeGreaterThan(0);
  return { perAnswer: (endpoint.asked.length - before) / answers, journal, err };
}

const FOUR = readFileSync(new URL('../../examples/four.yaml', import.meta.url), 'utf8');
const withoutClock = (lines: Met['journal']) => lines.map(({ clock: _, ...line }) => line);

describe.concurrent('a second process', () => {
  testLong(
    'asks at once as the first has learned, plays the same game, and replays do not care',
    async () => {
      const endpoint = await anEndpoint();
      const cwd = aFolder({ 'four.yaml': FOUR });
      const first = await meet(endpoint, { cwd, out: 'a.jsonl' });
      const second = await meet(endpoint, { cwd, out: 'b.jsonl' });
      expect(first.perAnswer).toBeGreaterThan(1);
      expect(second.perAnswer).toBe(1);
      expect(second.err).toBe(first.err);
      expect(withoutClock(second.journal)).toEqual(withoutClock(first.journal));
      const [name = ''] = readdirSync(join(cwd, 'state', 'models'));
      const path = join(cwd, 'state', 'models', name);
      const text = readFileSync(path, 'utf8');
      expect(JSON.parse(text)).toMatchObject({ v: 1, model: 'gemma', baseUrl: endpoint.baseUrl });
      for (const secret of [KEY, KEY.slice(3), 'transcript']) expect(text).not.toContain(secret);
      writeFileSync(path, 'rubbish');
      const asked = endpoint.asked.length;
      const again = await warmGlassbox(['verify', 'b.jsonl'], {
        cwd,
        env: { GLASSBOX_STATE: 'state' },
      });
      expect(again).toMatchObject({ exit: 0, err: '', out: expect.stringMatching(/^the same/) });
      expect([endpoint.asked.length, readFileSync(path, 'utf8')]).toEqual([asked, 'rubbish']);
      const third = await meet(endpoint, { cwd, out: 'c.jsonl' });
      expect(third.err).toContain(
        `${join('state', 'models', name)} is damaged: it is learned anew`,
      );
      expect(third.perAnswer).toBe(first.perAnswer);
      expect((await meet(endpoint, { cwd, out: 'd.jsonl' })).err).toBe(first.err);
    },
  );

  test('two processes at the same time keep all findings', async () => {
    const endpoints = await Promise.all([anEndpoint(), anEndpoint([]), anEndpoint()]);
    const cwd = aFolder({ 'four.yaml': FOUR });
    const all = [...endpoints, ...endpoints].map((endpoint, index) =>
      meet(endpoint, { cwd, out: `${index}.jsonl` }),
    );
    await Promise.all(all);
    const folder = join(cwd, 'state', 'models');
    const kept = readdirSync(folder).map((name) =>
      JSON.parse(readFileSync(join(folder, name), 'utf8')),
    );
    expect(kept.map(({ baseUrl }) => baseUrl).toSorted()).toEqual(
      endpoints.map(({ baseUrl }) => baseUrl).toSorted(),
    );
    for (const [index, endpoint] of endpoints.entries()) {
      const { perAnswer } = await meet(endpoint, { cwd, out: `again${index}.jsonl` });
      expect(perAnswer).toBe(1);
    }
  });
});

testLong.concurrent.each(['file', 'file/below', '/proc/nowhere'])(
  'a folder for it that can’t be made (%s) costs a note and no game',
  async (state) => {
    const endpoint = await anEndpoint();
    const cwd = aFolder({ 'four.yaml': FOUR, file: '' });
    const { err } = await meet(endpoint, { cwd, out: 'a.jsonl', state });
    expect(err.match(/what is learned of models can't be kept in/g)).toHaveLength(1);
  },
);

testLong.concurrent(
  'nothing is kept with GLASSBOX_STATE=none, and nothing by a forecast',
  async () => {
    const endpoint = await anEndpoint();
    const cwd = aFolder({ 'four.yaml': FOUR });
    mkdirSync(join(cwd, 'home'));
    await meet(endpoint, { cwd, out: 'a.jsonl', state: 'none' });
    const model = modelOf(endpoint);
    const env = { GLASSBOX_STATE: '', HOME: join(cwd, 'home') };
    expect((await warmGlassbox(['run', '--dry-run', ...model], { cwd, env })).exit).toBe(0);
    expect(readdirSync(cwd).toSorted()).toEqual(['a.jsonl', 'four.yaml', 'home']);
    expect(readdirSync(join(cwd, 'home'))).toEqual([]);
  },
);
