import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreDamaged, StoreUnreadable } from '../../../actors/stores/errors.ts';
import { openStore } from '../../../actors/stores/open.ts';
import { aLesson, aResult, gathered, opened } from './kept.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glassbox-sqlite-'));
  path = join(folder, 'store.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function change(...statements: readonly string[]): void {
  const file = new DatabaseSync(path);
  for (const statement of statements) file.exec(statement);
  file.close();
}

const FIRST_VERSION = `
  CREATE TABLE persona (id TEXT PRIMARY KEY, model TEXT NOT NULL, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE counter (persona TEXT NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (persona, name)) STRICT, WITHOUT ROWID;
  CREATE TABLE memory (persona TEXT NOT NULL, version INTEGER NOT NULL, change TEXT NOT NULL, PRIMARY KEY (persona, version)) STRICT;
  CREATE TABLE matter (league TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (league, name)) STRICT;
  CREATE TABLE epoch (league TEXT NOT NULL, slot INTEGER NOT NULL, epoch INTEGER NOT NULL, PRIMARY KEY (league, slot)) STRICT, WITHOUT ROWID;
  CREATE TABLE piece (league TEXT NOT NULL, slot INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (league, slot, at)) STRICT;
  CREATE TABLE result (league TEXT NOT NULL, slot INTEGER NOT NULL, body TEXT NOT NULL, clock TEXT NOT NULL, PRIMARY KEY (league, slot)) STRICT;
  PRAGMA user_version = 1;`;

test('a file of the first version is brought up, and nothing in it is lost', async () => {
  const { journal: _journal, ...old } = aResult({ slot: 3 });
  const body = JSON.stringify({ ...old, v: 1 }).replaceAll("'", "''");
  const lesson = JSON.stringify({ lessons: [aLesson('one')], why: 'taught', barrier: '' });
  change(
    FIRST_VERSION,
    `INSERT INTO persona VALUES ('scripted_leader', 'scripted', 'leader')`,
    `INSERT INTO counter VALUES ('scripted_leader', 'games', 1), ('scripted_leader', 'wins', 0)`,
    `INSERT INTO memory VALUES ('scripted_leader', 4, '${lesson}'), ('scripted_leader', 5, '${lesson}')`,
    `INSERT INTO matter VALUES ('spring', 'plan', 'a plan')`,
    `INSERT INTO result VALUES ('spring', 3, '${body}', '{}')`,
  );
  // Versions before the fourth were not kept any more: a memory of that time begins with what there was.
  change(`DELETE FROM memory WHERE version = 4`, `UPDATE memory SET version = 1`);
  for (let time = 0; time < 2; time++) {
    const store = await opened(path);
    expect(await gathered(store.results('spring'))).toEqual([aResult({ slot: 3, clock: {} })]);
    expect(await store.settled('spring', 'plan')).toBe('a plan');
    expect(await store.career('scripted_leader')).toEqual({
      persona: { model: 'scripted', name: 'leader' },
      counters: expect.objectContaining({ games: 1, seats: 1, wins: 0 }),
    });
    expect((await store.memory('scripted_leader'))?.lessons).toEqual([aLesson('one')]);
    expect((await store.audit('spring')).missing).toBe(0);
    await store.close();
  }
});

test('a file of a newer version is refused, and not touched', async () => {
  await (await opened(path)).close();
  const file = new DatabaseSync(path);
  const { user_version: version } = { ...file.prepare('PRAGMA user_version').get() };
  file.exec(`PRAGMA user_version = ${Number(version) + 1}`);
  file.close();
  const opening = openStore(path, { isPatient: false });
  await expect(opening).rejects.toThrow(StoreDamaged);
  await expect(opening).rejects.toMatchObject({ code: 'store/version' });
  await expect(opening).rejects.toThrow('newer version');
  change(`PRAGMA user_version = ${Number(version)}`);
  await (await opened(path)).close();
});

test.each([
  ['one table', 0, 'CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES (1)'],
  [
    'tables of the same names',
    3,
    'CREATE TABLE persona (id, face); CREATE TABLE counter (a); CREATE TABLE result (id)',
  ],
  ['a version and nothing else', 2, ''],
])('a database of another program with %s is left as it is', async (_what, version, tables) => {
  change(`PRAGMA user_version = ${version}`, tables);
  const before = readFileSync(path);
  for (const isReader of [false, true]) {
    const opening = openStore(path, { isPatient: false, isReader });
    await expect(opening).rejects.toThrow(StoreUnreadable);
    await expect(opening).rejects.toThrow('another program');
  }
  expect(readFileSync(path).equals(before)).toBe(true);
});

test.each([
  ['a result', `UPDATE result SET body = replace(body, 'impostors', 'crew')`],
  ['the clock of a result', `UPDATE result SET clock = replace(clock, '7', '8')`],
])('%s that was changed is a damage, and reading it throws', async (_what, statement) => {
  const store = await opened(path);
  await store.record(aResult({ clock: { ms: 7 } }), null);
  change(statement);
  const { results, damages, missing } = await store.audit('spring');
  expect([results, missing]).toEqual([[], 0]);
  expect(damages.map(({ slot, code }) => [slot, code])).toEqual([[0, 'league/damaged-result']]);
  await expect(gathered(store.results('spring'))).rejects.toThrow(StoreDamaged);
  await store.discard('spring', [0]);
  expect(await store.record(aResult(), null)).toBe('recorded');
  await store.close();
});

test('two results that were exchanged are two damages', async () => {
  const store = await opened(path);
  for (const slot of [0, 1]) await store.record(aResult({ slot, rounds: slot }), null);
  change(
    'UPDATE result SET slot = 9 WHERE slot = 0',
    'UPDATE result SET slot = 0 WHERE slot = 1',
    'UPDATE result SET slot = 1 WHERE slot = 9',
  );
  const { damages } = await store.audit('spring');
  expect(damages.map(({ slot }) => slot)).toEqual([0, 1]);
  await store.close();
});

test.each([
  ['gone', 'DELETE FROM result WHERE slot = 1', 1],
  ['of another league', `UPDATE result SET league = 'sprinh' WHERE slot = 1`, 1],
  [
    'there twice',
    'INSERT INTO result SELECT league, 7, body, clock FROM result WHERE slot = 1',
    -1,
  ],
])('a result that is %s is missed', async (_what, statement, missing) => {
  const store = await opened(path);
  for (const slot of [0, 1, 2]) await store.record(aResult({ slot }), null);
  change(statement);
  expect((await store.audit('spring')).missing).toBe(missing);
  await store.close();
});

test.each([
  ['the latest version', 'DELETE FROM memory WHERE version = 3'],
  ['a version in between', 'DELETE FROM memory WHERE version = 2'],
  ['its number', 'DELETE FROM latest'],
  ['a word of it', `UPDATE memory SET change = replace(change, 'two', 'ten')`],
  ['a version of another persona', `UPDATE memory SET persona = 'other' WHERE version = 1`],
])('a memory without %s is damaged', async (_what, statement) => {
  const store = await opened(path);
  for (const [seen, text] of ['one', 'two', 'three'].entries()) {
    await store.teach('m_n', seen, { lessons: [aLesson(text)], why: 'taught', barrier: '' });
  }
  change(statement);
  await expect(store.history('m_n')).rejects.toThrow(StoreDamaged);
  await store.close();
});

test.each([
  ['a career', `UPDATE career SET text = replace(text, ':1', ':9')`],
  [
    'a persona of another id',
    `UPDATE career SET id = 'scripted_reader' WHERE id = 'scripted_leader'`,
  ],
])('%s that was changed is found, and counted anew', async (_what, statement) => {
  const store = await opened(path);
  await store.record(aResult(), null);
  const before = await store.career('scripted_leader');
  change(statement);
  const read = () =>
    Promise.all(['scripted_leader', 'scripted_reader'].map((id) => store.career(id)));
  await expect(read()).rejects.toThrow(StoreDamaged);
  expect((await store.rebuild()).changed).toBeGreaterThan(0);
  expect(await read()).toEqual([before, null]);
  await store.close();
});
