/**
 * The journal format can grow (docs/decisions/0027). Copies of the tables have an additional row, newer rules and a new
 * default. With them, the recorded journals replay as before.
 */
import { Worker } from 'node:worker_threads';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { replay } from '../../actors/replay/replay.ts';
import { VERSIONS } from '../../machines/versions.ts';
import { MANIFEST, readOld } from './corpus.ts';

const foundSchema = z.object({
  outcomes: z.array(z.tuple([z.string(), z.string()])),
  filled: z.array(z.record(z.string(), z.unknown())),
  buttons: z.array(z.number()),
  scores: z.array(z.record(z.string(), z.unknown())),
  own: z.object({
    options: z.record(z.string(), z.unknown()),
    rulesVersion: z.number(),
    buttons: z.number(),
    outcome: z.string(),
  }),
});

let found: z.infer<typeof foundSchema>;

beforeAll(async () => {
  const thread = new Worker(new URL('./grown/worker.ts', import.meta.url));
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  thread.once('message', resolve);
  thread.once('error', reject);
  found = foundSchema.parse(await promise);
  await thread.terminate();
}, 60_000);

test('every recorded journal plays again as it does without the new rows', async () => {
  expect(found.outcomes.map(([name]) => name)).toEqual(Object.keys(MANIFEST));
  const others = found.outcomes.filter(([, outcome]) => outcome !== 'same');
  for (const [name, outcome] of others) {
    expect([name, (await replay(readJournal(readOld(name)))).type]).toEqual([name, outcome]);
  }
  expect(others.length).toBeLessThan(found.outcomes.length / 10);
});

test('readers fill in the default of the new options and the new weight', () => {
  expect(found.filled.every(({ gavel }) => gavel === false)).toBe(true);
  const games = found.filled.filter((options) => 'impostors' in options);
  expect(games.length).toBeGreaterThan(10);
  expect(games.every(({ lifeboats }) => lifeboats === 4)).toBe(true);
  for (const { weights } of found.filled) expect(weights).toHaveProperty('late_guest');
});

test('journals of earlier rules keep the earlier default, and new ones get the new default', () => {
  expect(found.buttons.length).toBeGreaterThan(10);
  expect(new Set(found.buttons)).toEqual(new Set([1]));
  expect(found.own).toMatchObject({ rulesVersion: VERSIONS.rules + 1, buttons: 3 });
});

test('readers fill in a new term that older lines leave out as 0', () => {
  expect(found.scores.length).toBeGreaterThan(1000);
  expect(found.scores.every(({ lateGuest }) => lateGuest === 0)).toBe(true);
});

test('a match that sets them has them in its header, even where they equal a computed default', () => {
  expect(found.own).toMatchObject({
    options: { lifeboats: 4, gavel: true, weights: { late_guest: 1 } },
    outcome: 'same',
  });
});
