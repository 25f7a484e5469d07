import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conductLeague } from '../../../actors/league/conduct.ts';
import { playLeagueGame } from '../../../actors/league/game.ts';
import { journalPath, saveJournalsIn } from '../../../actors/league/journals.ts';
import { createLocalQueue } from '../../../actors/league/localQueue.ts';
import { prepareGame, scheduleLeague, settleLeague } from '../../../actors/league/plan.ts';
import type { GameResult } from '../../../actors/stores/result.ts';
import { InMemoryStore } from '../../support/inMemoryStore.ts';
import { gathered } from '../stores/kept.ts';
import { aPlanOfModels, EDGE, played, slowThinkers } from './leagues.ts';

const GAMES = 2;
const plan = aPlanOfModels({ games: GAMES, options: { max_rounds: 8 } });
const folder = mkdtempSync(join(tmpdir(), 'glassbox-recovery-'));
const first = journalPath(folder, 0, GAMES);
let whole: Awaited<ReturnType<typeof played>>;
let text = '';

beforeAll(async () => {
  const save = saveJournalsIn(folder, GAMES);
  whole = await played(plan, {
    save: async (slot, journal) => await save(slot, journal ?? ''),
    play: (game) => playLeagueGame(game, { ...EDGE, models: slowThinkers(game.seed).models }),
  });
  text = readFileSync(first, 'utf8');
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the league in a store that has lost all results, while no game may begin. */
async function runAgain(store = new InMemoryStore()) {
  expect(await settleLeague(store, plan)).toBeNull();
  const [begun, notes]: [number[], string[]] = [[], []];
  const queue = createLocalQueue({
    ...{ store, gamesAtOnce: 1, save: async () => {}, close: async () => {} },
    player: async ({ slot }) => {
      begun.push(slot);
      return { type: 'aborted', slot, text: 'the budget is spent' };
    },
  });
  const outcome = await conductLeague({
    ...{ plan, store, folder, ownsFolder: true, signal: new AbortController().signal },
    ...{ count: EDGE.count, openQueue: async () => queue, onWait: async () => {} },
    onLead: () => ({ onOutcome: () => {}, onNote: (note) => notes.push(note), onPlayed: () => {} }),
    onMissing: () => {},
  });
  const results = await gathered<GameResult>(store.results(plan.league.name));
  return { begun, notes, results, open: outcome?.open, wrong: (await store.rebuild()).changed };
}

test('games with a whole journal and no result are recorded from it, without a call', async () => {
  const again = await runAgain();
  expect(again).toMatchObject({ begun: [], open: 0, wrong: 0 });
  expect(again.notes).toEqual([expect.stringContaining('recorded again from the whole journal')]);
  const asked = { learned: null, tally: expect.anything() };
  for (const [at, result] of whole.results.entries()) {
    const seats = result.seats.map((seat) => ({ ...seat, ...asked }));
    expect(again.results[at]).toEqual({ ...result, seats });
  }
});

test.each([
  ['whole', (sound: string) => sound, []],
  ['damaged', (sound: string) => sound.replace('"seq":2', '"seq":9'), [0]],
  ['cut', (sound: string) => sound.split('\n').slice(0, -20).join('\n'), [0]],
  ['of another game', () => readFileSync(journalPath(folder, 1, GAMES), 'utf8'), [0]],
  ['empty', () => '', [0]],
])(
  'a game whose journal is %s goes on from it, or is played again',
  async (_what, spoil, begun) => {
    writeFileSync(first, spoil(text));
    expect((await runAgain()).begun).toEqual(begun);
    writeFileSync(first, text);
  },
);

test('a journal that only the store has serves as well', async () => {
  const store = new InMemoryStore();
  const kept = whole.store.journal.bind(whole.store);
  rmSync(first);
  const again = await runAgain(Object.assign(store, { journal: kept }));
  expect(again.begun).toEqual([]);
  writeFileSync(first, text);
});

test('games that ask no model are played before one that a spent budget pauses', async () => {
  const games = scheduleLeague(plan).map((fixture) => prepareGame(plan, fixture, {}));
  const begun: number[] = [];
  const queue = createLocalQueue({
    ...{ store: new InMemoryStore(), gamesAtOnce: 2 },
    ...{ save: async () => {}, close: async () => {}, countPast: async (all) => all.slice(1) },
    player: async ({ slot }) => {
      begun.push(slot);
      return { type: slot === 0 ? 'aborted' : 'broken', slot, text: '' };
    },
  });
  await queue.play(games, () => {});
  expect(begun).toEqual([1, 1, 1, 0]);
});
