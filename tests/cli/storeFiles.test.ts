/** Stores that cannot be written or are damaged in part. */
import { chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { EXIT } from '../../actors/files/failure.ts';
import { describeLong } from '../support/seeds.ts';
import type { TriedTwice } from './otherUser.ts';
import { aPlace, type Place } from './session.ts';
import { expectEnd, failureLine, Running } from './shell.ts';

const LEAGUE = `
name: cup
games: 2
round: 1
players: 4
options: { max_rounds: 6 }
personas: [{ name: one }, { name: two }, { name: three }, { name: four }]
`;
const HOME = aPlace({ 'cup.yaml': LEAGUE });
await HOME.done('league run cup.yaml --store s.db --out games');
const STORE = readFileSync(HOME.path('s.db'));

const OTHER_USER = fileURLToPath(new URL('./otherUser.ts', import.meta.url));

const READING = [
  'league status',
  'league show --json',
  'league export',
  'verify --journals games --seed 1',
  'league fetch --out games',
  'persona list',
  'persona show scripted_one --history',
  'doctor --json',
];
const WRITING = [
  'persona new guest',
  'persona forget scripted_one',
  'league run cup.yaml --out games',
];

type Rights = { readonly folder: number; readonly file: number };

/** A folder with a prepared store and these permissions, and a copy that belongs to the current user. */
function aStore({ folder, file }: Rights, prepare: (path: string) => void = () => {}): Place {
  const place = aPlace({ 'cup.yaml': LEAGUE, 'store/s.db': STORE, 'mine/s.db': STORE });
  const { path } = place;
  cpSync(HOME.path('games'), path('games'), { recursive: true });
  prepare(path('store/s.db'));
  for (const name of readdirSync(path('store'))) chmodSync(path(`store/${name}`), file);
  chmodSync(path('store'), folder);
  for (const one of ['.', '..']) chmodSync(path(one), 0o755);
  return place;
}

/** Runs command lines with both stores. The foreign store is used as a user without special rights. */
async function tryAll({ cwd }: Place, lines: readonly string[]): Promise<readonly TriedTwice[]> {
  const words = lines.map((line) => JSON.stringify(line.split(' ')));
  const program = process.execPath;
  const running = new Running([OTHER_USER, 'mine/s.db', 'store/s.db', ...words], { cwd, program });
  const { exit, out, err } = await running.finished;
  expect({ exit, err }).toEqual({ exit: 0, err: '' });
  const rows = out.trimEnd().split('\n');
  return rows.map((line) => JSON.parse(line));
}

/** Removes the differences between two runs of the same command. */
function plain(text: string): string {
  return text.replace(/"ms":\d+/, '').replaceAll('mine/s.db', 'store/s.db');
}

/** Removes a result, and leaves the files that another process keeps beside an open store. */
function leaveChanges(path: string, beside: readonly string[]): void {
  const writer = new DatabaseSync(path);
  writer.exec('PRAGMA journal_mode = WAL; DELETE FROM result WHERE slot = 0');
  const files = ['', ...beside].map((end) => [path + end, readFileSync(path + end)] as const);
  writer.close();
  for (const [name, bytes] of files) writeFileSync(name, bytes);
}

describeLong.concurrent('a store that may only be read', () => {
  test.each([
    ['the file is read-only', { folder: 0o777, file: 0o444 }],
    ['its folder is read-only', { folder: 0o555, file: 0o666 }],
    ['both are', { folder: 0o555, file: 0o444 }],
  ])('because %s is shown as to its owner, and never written', async (_why, rights) => {
    const place = aStore(rights);
    const before = readFileSync(place.path('store/s.db'));
    const tried = await tryAll(place, READING);
    for (const { words, mine, theirs } of tried) {
      expect({ words, ...theirs, out: plain(theirs.out) }).toEqual({
        ...{ words, exit: EXIT.done },
        ...{ out: plain(mine.out), err: plain(mine.err) },
      });
    }
    expect(readFileSync(place.path('store/s.db')).equals(before)).toBe(true);
  });

  test.each([
    ['the file', { folder: 0o777, file: 0o444 }],
    ['its folder', { folder: 0o555, file: 0o666 }],
  ])('because of %s is not changed, with a sentence', async (_what, rights) => {
    const place = aStore(rights);
    for (const { words, theirs } of await tryAll(place, WRITING)) {
      expect({ words, exit: theirs.exit, err: theirs.err }).toEqual({
        ...{ words, exit: EXIT.cannotWrite },
        err: expect.stringMatching(failureLine('store/read-only: the store in store/s.db')),
      });
    }
    expect(readdirSync(place.path('store'))).toEqual(['s.db']);
  });

  test('is read with the changes beside it where it can be, and refused where it can not', async () => {
    const rights = { folder: 0o555, file: 0o444 };
    const used = aStore(rights, (path) => leaveChanges(path, ['-wal', '-shm']));
    const [seen] = await tryAll(used, ['league status']);
    expect(seen?.theirs).toMatchObject({ exit: EXIT.done, out: 'cup  1 of 2 games  open\n' });
    const left = aStore(rights, (path) => leaveChanges(path, ['-wal']));
    for (const { theirs } of await tryAll(left, READING)) {
      expect(theirs.exit).toBe(EXIT.noInput);
      expect(theirs.err).toMatch(
        failureLine('store/cannot-open: the latest changes of the store in store/s.db are in'),
      );
    }
  });
});

function changeFile(path: string, statement: string): void {
  const file = new DatabaseSync(path);
  file.exec(statement);
  file.close();
}

test.each([
  ['localhost:6379', EXIT.usage, 'write redis://localhost:6379 for a Redis there'],
  [':memory: --require-durable', EXIT.configuration, 'are gone when this command ends'],
])('the store %s is refused with the place of the results', async (store, status, words) => {
  expectEnd(await HOME.run(`league run cup.yaml --out games --store ${store}`), status, words);
});

test('a plan that is damaged is named, and the other leagues are shown', async () => {
  const { path, run } = aPlace({ 's.db': STORE });
  const copy = `INSERT INTO matter SELECT 'other', name, value FROM matter WHERE name = 'plan'`;
  changeFile(path('s.db'), copy);
  const found = await run('league status --store s.db');
  const words = 'store/damaged: the store in s.db is damaged: what was settled';
  expectEnd(found, EXIT.damaged, words);
  const rows = 'cup    2 of 2 games  over\nother  0 games       its plan is damaged\n';
  expect(found.out).toBe(rows);
});

test('a number of results that is damaged is counted anew, and a lost round is restored', async () => {
  const { path, run, done } = aPlace({ 'cup.yaml': LEAGUE, 's.db': STORE });
  changeFile(path('s.db'), "UPDATE recorded SET results = 'no number'");
  changeFile(path('s.db'), "DELETE FROM matter WHERE name = 'round:1'");
  const counted = await run('verify --discard --store s.db');
  expect(counted.out).toContain('(league/lost-count)');
  expect(counted.out).toContain('(league/lost-round)');
  expect(counted.out).toContain('The results and careers were counted again');
  const again = await run('league run cup.yaml --out games --store s.db');
  expectEnd(again, 0, 'knew in round 2 of cup');
  const verified = await done('verify --journals games --store s.db');
  expect(verified).toContain('Everything fits');
});
