/** The tables of the embedded store, and upgrades of older files. */
import { z } from 'zod';
import { canonical } from '../../machines/journal/canonical.ts';
import { parseObject, Recount, seatSchema } from './result.ts';
import { seal } from './seal.ts';
import { numberOf, type SqliteFile, type SqliteSteps, textOf } from './sqlite.ts';
import { countRecorded, writeCareer } from './sqliteStore.ts';

export const STORE_STEPS: SqliteSteps = [
  `
  CREATE TABLE persona (id TEXT PRIMARY KEY, model TEXT NOT NULL, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE counter (
    persona TEXT NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL,
    PRIMARY KEY (persona, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE memory (
    persona TEXT NOT NULL, version INTEGER NOT NULL, change TEXT NOT NULL,
    PRIMARY KEY (persona, version)
  ) STRICT;
  CREATE TABLE matter (
    league TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (league, name)
  ) STRICT;
  CREATE TABLE epoch (
    league TEXT NOT NULL, slot INTEGER NOT NULL, epoch INTEGER NOT NULL,
    PRIMARY KEY (league, slot)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE piece (
    league TEXT NOT NULL, slot INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (league, slot, at)
  ) STRICT;
  CREATE TABLE result (
    league TEXT NOT NULL, slot INTEGER NOT NULL, body TEXT NOT NULL, clock TEXT NOT NULL,
    PRIMARY KEY (league, slot)
  ) STRICT;
  `,
  `
  CREATE TABLE career (id TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE latest (persona TEXT PRIMARY KEY, version TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE recorded (league TEXT PRIMARY KEY, results TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  sealEverything,
  'DROP TABLE persona; DROP TABLE counter;',
  `
  CREATE TABLE lead (
    league TEXT PRIMARY KEY, term TEXT NOT NULL, runner TEXT NOT NULL, ends INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE journal (
    league TEXT NOT NULL, slot INTEGER NOT NULL, digest TEXT NOT NULL, packed BLOB,
    PRIMARY KEY (league, slot)
  ) STRICT;
  `,
];

const oldResultSchema = z.object({
  winner: z.enum(['crew', 'impostors']).nullable(),
  seats: z.array(seatSchema),
});

/** Seals the texts of an earlier version. Its results name no journals. */
function sealEverything(file: SqliteFile): void {
  // Careers are counted anew: they counted seats as games.
  const counted = new Recount();
  for (const row of file.rows('SELECT body FROM result')) {
    const old = oldResultSchema.safeParse(parseObject(textOf(row, 'body')));
    if (old.success) counted.add(old.data);
  }
  for (const row of file.rows('SELECT id, model, name FROM persona')) {
    const persona = { model: textOf(row, 'model'), name: textOf(row, 'name') };
    const counters = counted.get(textOf(row, 'id'))?.counters ?? {};
    writeCareer(file, { persona, counters });
  }
  const heads = 'SELECT persona, max(version) AS version FROM memory GROUP BY persona';
  for (const row of file.rows(heads)) {
    const id = textOf(row, 'persona');
    const head = seal(['latest', id], String(numberOf(row, 'version')));
    file.change('INSERT INTO latest VALUES (?, ?)', id, head);
  }
  for (const row of file.rows('SELECT persona, version, change FROM memory')) {
    const [id, version] = [textOf(row, 'persona'), numberOf(row, 'version')];
    const text = seal(['memory', id, version], textOf(row, 'change'));
    const update = 'UPDATE memory SET change = ? WHERE persona = ? AND version = ?';
    file.change(update, text, id, version);
  }
  for (const row of file.rows('SELECT league, name, value FROM matter')) {
    const [league, name] = [textOf(row, 'league'), textOf(row, 'name')];
    const text = seal(['matter', league, name], textOf(row, 'value'));
    file.change('UPDATE matter SET value = ? WHERE league = ? AND name = ?', text, league, name);
  }
  for (const row of file.rows('SELECT league, slot, body FROM result')) {
    const [league, slot] = [textOf(row, 'league'), numberOf(row, 'slot')];
    // Of a text that is no JSON object only these three keys remain, and a reader reports it as damaged.
    const kept = parseObject(textOf(row, 'body'));
    const text = canonical({ ...kept, v: 2, engine: '0.1.0', journal: null });
    const body = seal(['result', league, slot], text);
    const clock = seal(['clock', league, slot], '{}');
    const update = 'UPDATE result SET body = ?, clock = ? WHERE league = ? AND slot = ?';
    file.change(update, body, clock, league, slot);
  }
  const counts = 'SELECT league, count(*) AS results FROM result GROUP BY league';
  for (const row of file.rows(counts))
    countRecorded(file, textOf(row, 'league'), numberOf(row, 'results'));
}
