/** The tables of a report in SQLite, where its queries run. This is the only file of this room that opens a database. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { z } from 'zod';
import { columnsOf, REPORTED, type TableName, type TableRow } from '../tables/columns.ts';
import { VIEWS } from './queries.ts';

const TYPES = { text: 'text', whole: 'integer', number: 'double', flag: 'integer' } as const;

export class TableDatabase {
  /** A private database without a name: SQLite moves what exceeds its cache to a temporary file. */
  readonly #database = new DatabaseSync('');
  readonly #inserts = new Map<TableName, StatementSync>();
  #isQueried = false;

  constructor() {
    this.#database.exec('pragma journal_mode = off; pragma synchronous = off; begin');
    for (const table of REPORTED) {
      const columns = columnsOf(table).map(({ name, type }) => `"${name}" ${TYPES[type]}`);
      this.#database.exec(`create table ${table} (${columns.join(', ')})`);
      const values = columns.map(() => '?').join(', ');
      this.#inserts.set(table, this.#database.prepare(`insert into ${table} values (${values})`));
    }
  }

  add(table: TableName, row: TableRow): void {
    const values = columnsOf(table).map(({ name }) => row[name] ?? null);
    this.#inserts
      .get(table)
      ?.run(...values.map((value) => (typeof value === 'boolean' ? Number(value) : value)));
  }

  /** The rows of a query. After the first query no rows can be added. */
  ask<Row>(row: z.ZodType<Row>, sql: string): readonly Row[] {
    if (!this.#isQueried) this.#createViews();
    return this.#database
      .prepare(sql)
      .all()
      .map((one) => row.parse(one));
  }

  /** Views are kept as tables with an index, because every query reads them. */
  #createViews(): void {
    this.#isQueried = true;
    const tables = [...REPORTED, ...VIEWS.map(([name]) => name)];
    for (const [name, select] of VIEWS) this.#database.exec(`create table ${name} as ${select}`);
    for (const name of tables)
      this.#database.exec(`create index ${name}_journal on ${name} (journal)`);
    this.#database.exec('commit; analyze');
  }
}
