import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  FileJournal,
  fetchJournals,
  JournalLost,
  journalPath,
  refuseOthers,
  removePartialFiles,
  saveJournalsIn,
} from '../../../actors/league/journals.ts';
import { createLocalQueue } from '../../../actors/league/localQueue.ts';
import { prepareGame, scheduleLeague } from '../../../actors/league/plan.ts';
import { realDisk } from '../../../actors/ports/disk.ts';
import type { Disk } from '../../../actors/ports/ports.ts';
import type { GameResult } from '../../../actors/stores/result.ts';
import { InMemoryStore } from '../../support/inMemoryStore.ts';
import { gathered } from '../stores/kept.ts';
import { aPlan, played } from './leagues.ts';

const GAMES = 2;
const plan = aPlan({ games: GAMES, round: GAMES, options: { max_rounds: 6 } });
const { name: league } = plan.league;

let folder = '';
let results: readonly GameResult[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glassbox-journals-'));
  const save = saveJournalsIn(folder, GAMES);
  ({ results } = await played(plan, { save: (slot, text) => save(slot, text ?? '') }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A store with the results and no journal; `old` results name none. */
async function aStoreWithoutJournals(isOld: boolean): Promise<InMemoryStore> {
  const store = new InMemoryStore();
  for (const result of results) {
    await store.record(isOld ? { ...result, journal: null, clock: {} } : result, null);
  }
  expect(await gathered(store.results(league))).toHaveLength(GAMES);
  return store;
}

const SPOILED: readonly (readonly [string, (text: string) => string])[] = [
  ['empty', () => ''],
  ['cut', (text) => text.slice(0, -10)],
  ['cut behind a whole line', (text) => `${text.split('\n').slice(0, -2).join('\n')}\n`],
  ['changed in a word', (text) => text.replace('"living"', '"Living"')],
];

test.each(SPOILED)(
  'a file that is %s is not there, and said to be unsound',
  async (_how, spoil) => {
    const path = journalPath(folder, 1, GAMES);
    const sound = readFileSync(path, 'utf8');
    for (const isOld of [false, true]) {
      const store = await aStoreWithoutJournals(isOld);
      const fetch = () => fetchJournals(store, { league, games: GAMES, folder }, [0, 1]);
      expect(await fetch()).toEqual({ written: 0, there: 2, missing: [] });
      writeFileSync(path, spoil(sound));
      const missing = [{ slot: 1, why: 'unsound' }];
      expect(await fetch()).toEqual({ written: 0, there: 1, missing });
      rmSync(path);
      expect(await fetch()).toMatchObject({ there: 1, missing: [{ slot: 1, why: 'unkept' }] });
      writeFileSync(path, sound);
    }
  },
);

test('the sound journal of another game is not the one of a result that names its own', async () => {
  const path = journalPath(folder, 1, GAMES);
  const sound = readFileSync(path, 'utf8');
  writeFileSync(path, readFileSync(journalPath(folder, 0, GAMES)));
  const store = await aStoreWithoutJournals(false);
  const fetched = await fetchJournals(store, { league, games: GAMES, folder }, [1]);
  expect(fetched.missing).toEqual([{ slot: 1, why: 'unsound' }]);
  writeFileSync(path, sound);
});

test.each([
  ['before it is listened to', 0],
  ['afterwards', 1],
])('an open journal whose disk is full %s says so once, and is no journal', (_when, after) => {
  let room = after;
  const disk: Disk = {
    ...realDisk,
    open: () => ({
      write: () => {
        room -= 1;
        if (room < 0) throw new Error('ENOSPC');
      },
      sync: () => {},
      syncLater: async () => {},
      close: () => {},
    }),
  };
  const journal = new FileJournal(join(folder, 'full.jsonl.open'), disk);
  journal.begin();
  journal.write('first\n');
  let failures = 0;
  journal.listenForFailure(() => {
    failures += 1;
  });
  journal.write('second\n');
  journal.write('third\n');
  expect(failures).toBe(1);
  expect(() => journal.expectWritten()).toThrow(JournalLost);
});

test('an open journal that is a link is begun anew in its place', () => {
  const [path, kept] = [join(folder, 'linked.open'), join(folder, 'kept')];
  writeFileSync(kept, 'mine\n');
  symlinkSync(kept, path);
  const journal = new FileJournal(path);
  journal.begin();
  journal.write('first\n');
  journal.close();
  expect([journal.past, readFileSync(kept, 'utf8')]).toEqual(['', 'mine\n']);
  expect(readFileSync(path, 'utf8')).toBe('first\n');
});

test('another file in the place of a game that is to be played is left alone', () => {
  const place = mkdtempSync(join(folder, 'others-'));
  const refuse = (over: readonly number[]) =>
    refuseOthers({ folder: place, disk: realDisk }, plan, over);
  const path = journalPath(place, 1, GAMES);
  writeFileSync(path, readFileSync(journalPath(folder, 1, GAMES)));
  refuse([]);
  const other = readFileSync(path, 'utf8').replace(`"name":"${league}, game 2"`, '"name":"x"');
  writeFileSync(path, other);
  expect(() => refuse([])).toThrow(JournalLost);
  // The same league with another player in it.
  const persona = results[0]?.seats[0]?.persona ?? '';
  writeFileSync(
    path,
    readFileSync(journalPath(folder, 1, GAMES), 'utf8').replaceAll(persona, 'Zoe'),
  );
  expect(() => refuse([])).toThrow(JournalLost);
  writeFileSync(path, 'mine\n');
  expect(() => refuse([0])).toThrow(JournalLost);
  refuse([1]);
  writeFileSync(join(place, 'film.mp4.part'), 'half');
  removePartialFiles(place, { slots: [], games: GAMES });
  expect(readFileSync(join(place, 'film.mp4.part'), 'utf8')).toBe('half');
});

test('a queue ends the games that it has begun before it reports one that failed', async () => {
  const games = scheduleLeague(plan).map((fixture) => prepareGame(plan, fixture, {}));
  const { promise: isLate, resolve: end } = Promise.withResolvers<void>();
  let ended = 0;
  const queue = createLocalQueue({
    store: new InMemoryStore(),
    gamesAtOnce: GAMES,
    player: async ({ slot }) => {
      if (slot === 0) throw new JournalLost('first', new Error('ENOSPC'));
      await isLate;
      ended += 1;
      return { type: 'aborted', slot, text: 'over' };
    },
    save: async () => {},
    close: async () => {},
  });
  const over = queue.play(games, () => {});
  queueMicrotask(end);
  await expect(over).rejects.toThrow(JournalLost);
  expect(ended).toBe(1);
});
