/** Findings about a model carry over to the next run, over real sockets and in real processes. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { modeOf } from '../support/endpoint/asked.ts';
import { type Step, whenever } from '../support/endpoint/case.ts';
import type { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { modelOf, anEndpoint as openEndpoint } from '../support/endpoint/opened.ts';
import { said } from '../support/endpoint/sent.ts';
import { testLong } from '../support/seeds.ts';
import { answersIn, FOUR } from './matches.ts';
import { aPlace, type Place } from './session.ts';
import { expectQuiet, jsonLines } from './shell.ts';

/** A model that answers well only by tool. */
const TOOL_ONLY = [whenever((one) => modeOf(one) !== 'tool', said('Red is suspicious.'))];

async function anEndpoint(steps: readonly Step[] = TOOL_ONLY): Promise<FakeEndpoint> {
  return openEndpoint({ steps });
}

const KEY = 'sk-secret-0123456789abcdef';
const aTable = (more = {}) => aPlace({ 'four.yaml': FOUR, ...more }, { MY_KEY: KEY });

/** Plays a match with the model: the requests for each answer, its journal without clocks, and what it said. */
async function meet(endpoint: FakeEndpoint, place: Place, out: string, state = 'state') {
  const before = endpoint.asked.length;
  const model = modelOf(endpoint).join(' ');
  const line = `run four.yaml --seed 6 --out ${out} -q ${model} --key MY_KEY`;
  const { exit, err } = await place.run(line, { GLASSBOX_STATE: state });
  expect(exit, err).toBe(0);
  const lines = jsonLines(place.read(out));
  const answers = answersIn(lines);
  expect(answers).toBeGreaterThan(0);
  const journal = lines.map(({ clock: _, ...line }) => line);
  return { perAnswer: (endpoint.asked.length - before) / answers, journal, err };
}

describe.concurrent('a second process', () => {
  testLong(
    'asks at once as the first has learned, plays the same game, and replays do not care',
    async () => {
      const endpoint = await anEndpoint();
      const place = aTable();
      const first = await meet(endpoint, place, 'a.jsonl');
      const second = await meet(endpoint, place, 'b.jsonl');
      expect(first.perAnswer).toBeGreaterThan(1);
      expect(second.perAnswer).toBe(1);
      expect(second.err).toBe(first.err);
      expect(second.journal).toEqual(first.journal);
      const [name = ''] = readdirSync(place.path('state/models'));
      const path = `state/models/${name}`;
      const text = place.read(path);
      expect(JSON.parse(text)).toMatchObject({ v: 1, model: 'gemma', baseUrl: endpoint.baseUrl });
      for (const secret of [KEY, KEY.slice(3), 'transcript']) expect(text).not.toContain(secret);
      place.write(path, 'rubbish');
      const asked = endpoint.asked.length;
      const again = await place.run('verify b.jsonl', { GLASSBOX_STATE: 'state' });
      expect(expectQuiet(again)).toMatch(/^the same/);
      expect([endpoint.asked.length, place.read(path)]).toEqual([asked, 'rubbish']);
      const third = await meet(endpoint, place, 'c.jsonl');
      const damaged = `${join('state', 'models', name)} is damaged: it is learned anew`;
      expect(third.err).toContain(damaged);
      expect(third.perAnswer).toBe(first.perAnswer);
      expect((await meet(endpoint, place, 'd.jsonl')).err).toBe(first.err);
    },
  );

  test('two processes at the same time keep all findings', async () => {
    const endpoints = await Promise.all([anEndpoint(), anEndpoint([]), anEndpoint()]);
    const place = aTable();
    await Promise.all(
      [...endpoints, ...endpoints].map((one, index) => meet(one, place, `${index}.jsonl`)),
    );
    const kept = readdirSync(place.path('state/models')).map(
      (name) => JSON.parse(place.read(`state/models/${name}`)).baseUrl,
    );
    expect(kept.toSorted()).toEqual(endpoints.map(({ baseUrl }) => baseUrl).toSorted());
    for (const [index, endpoint] of endpoints.entries()) {
      const { perAnswer } = await meet(endpoint, place, `again${index}.jsonl`);
      expect(perAnswer).toBe(1);
    }
  });
});

testLong.concurrent.each(['file', 'file/below', '/proc/nowhere'])(
  'a folder for it that can’t be made (%s) costs a note and no game',
  async (state) => {
    const { err } = await meet(await anEndpoint(), aTable({ file: '' }), 'a.jsonl', state);
    expect(err.match(/what is learned of models can't be kept in/g)).toHaveLength(1);
  },
);

testLong.concurrent(
  'nothing is kept with GLASSBOX_STATE=none, and nothing by a forecast',
  async () => {
    const endpoint = await anEndpoint();
    const place = aTable();
    mkdirSync(place.path('home'));
    await meet(endpoint, place, 'a.jsonl', 'none');
    const env = { GLASSBOX_STATE: '', HOME: place.path('home') };
    await place.done(`run --dry-run ${modelOf(endpoint).join(' ')}`, env);
    expect(readdirSync(place.cwd).toSorted()).toEqual(['a.jsonl', 'four.yaml', 'home']);
    expect(readdirSync(place.path('home'))).toEqual([]);
  },
);
