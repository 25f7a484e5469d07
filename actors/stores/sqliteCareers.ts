/** Careers in the embedded store: who is enrolled, and their counters. */
import type { Counters } from './career.ts';
import { type PersonaName, personaId } from './personaId.ts';
import { numberIn, type SqliteFile, textIn } from './sqlite.ts';
import type { Enrolment } from './store.ts';

/** Within a transaction of the caller. */
export function enrol(file: SqliteFile, persona: PersonaName): Enrolment {
  if (isTaken(file, persona)) return 'taken';
  const { model, name } = persona;
  const query = 'INSERT INTO persona VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
  return file.change(query, personaId(persona), model, name) === 0 ? 'known' : 'new';
}

/** Whether the id belongs to another pair of model and name. */
export function isTaken(file: SqliteFile, { model, name }: PersonaName): boolean {
  const row = file.row('SELECT model, name FROM persona WHERE id = ?', personaId({ model, name }));
  return row !== null && (row['model'] !== model || row['name'] !== name);
}

export function counters(file: SqliteFile, id: string): Counters {
  const rows = file.rows('SELECT name, value FROM counter WHERE persona = ?', id);
  return Object.fromEntries(rows.map((row) => [textIn(row, 'name'), numberIn(row, 'value')]));
}

/** Adds to counters; one that is not there begins at 0. */
export function addTo(file: SqliteFile, id: string, added: Counters): void {
  for (const [name, value] of Object.entries(added)) file.change(ADD, id, name, value);
}

const ADD =
  'INSERT INTO counter VALUES (?, ?, ?) ON CONFLICT (persona, name) DO UPDATE SET value = value + excluded.value';
