/**
 * The folder that tables are written to: a file for each of them, and the data dictionary.
 *
 * Tables get their names when all are whole. Until then those of an earlier run stay as they were.
 */
import { join } from 'node:path';
import { namePartial, realDisk, thisWriter } from '../../actors/ports/disk.ts';
import type { DiskFile } from '../../actors/ports/ports.ts';
import { TABLE_NAMES, type TableName, type TableRow } from '../../analysis/tables/columns.ts';
import { createFailure, describeSystemError, EXIT, type Failure } from '../exit.ts';
import { isThere, readStart } from '../input.ts';
import { writeDictionary } from './dictionary.ts';
import { openTable, TABLE_FORMATS, type TableFile, type TableFormat } from './formats.ts';

/** Beside the tables, in words: by its first line a folder is known for one of ours. */
export const DICTIONARY = 'dictionary.md';
const FIRST_LINE = '# Data dictionary of glassbox tables\n';
const DICTIONARY_HEAD = `${FIRST_LINE}
Every row names the journal, the line of its file (from 1) and the hash of that line. Meetings count from 1; ticks, turns and
rounds from 0. What is not known, or there is none of, is null; in CSV that is an empty field.`;

type OpenTable = {
  readonly path: string;
  readonly part: string;
  readonly rows: TableFile;
  readonly file: DiskFile;
  count: number;
};

export class TableFolder {
  readonly #path: string;
  readonly #tables = new Map<TableName, OpenTable>();

  /** Begins the tables. Refuses a folder in which other files have their names. */
  constructor(path: string, format: TableFormat, tables: readonly TableName[]) {
    this.#path = path;
    refuseForeignFiles(path, format, tables);
    this.#try(() => {
      realDisk.makeFolder(path);
      for (const table of tables)
        this.#tables.set(table, beginTable(join(path, `${table}.${format}`), table, format));
    });
  }

  add(table: TableName, row: TableRow): void {
    const open = this.#tables.get(table);
    if (open === undefined) return;
    open.count += 1;
    this.#try(() => open.rows.add(row));
  }

  /** Ends all tables and publishes them; returns how many rows each has. */
  close(): ReadonlyMap<TableName, number> {
    this.finish();
    this.publish();
    return new Map([...this.#tables].map(([table, { count }]) => [table, count]));
  }

  /** Ends all tables, still under temporary names. */
  finish(): void {
    this.#try(() => {
      for (const { rows, file } of this.#tables.values()) {
        rows.close();
        file.close();
      }
    });
  }

  /** Gives all tables their names and writes the dictionary. */
  publish(): void {
    this.#try(() => {
      for (const { part, path } of this.#tables.values()) realDisk.move(part, path);
      const names = realDisk.list(this.#path);
      const there = TABLE_NAMES.filter((table) =>
        TABLE_FORMATS.some((format) => names.includes(`${table}.${format}`)),
      );
      const dictionary = realDisk.open(join(this.#path, DICTIONARY), 'new');
      dictionary.write(`${DICTIONARY_HEAD}\n\n${writeDictionary(there)}\n`);
      dictionary.close();
    });
  }

  /** Leaves nothing of tables that are not whole. */
  abandon(): void {
    for (const { part } of this.#tables.values()) realDisk.remove(part);
  }

  #try(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (!isOfSystem(error)) throw error;
      throw refuseTables(this.#path, error);
    }
  }
}

function beginTable(path: string, table: TableName, format: TableFormat): OpenTable {
  const part = namePartial(path, thisWriter());
  const file = realDisk.open(part, 'new');
  const rows = openTable(table, format, (bytes) => file.write(bytes));
  return { path, part, rows, file, count: 0 };
}

/** Tables of an earlier run are ours to write anew; what somebody else has put there is not. */
function refuseForeignFiles(path: string, format: TableFormat, tables: readonly TableName[]): void {
  const dictionary = join(path, DICTIONARY);
  const isOurs = isThere(dictionary) && readStart(dictionary, FIRST_LINE.length) === FIRST_LINE;
  if (isOurs) return;
  const names = [DICTIONARY, ...tables.map((table) => `${table}.${format}`)];
  const foreign = names.find((name) => isThere(join(path, name)));
  if (foreign === undefined) return;
  const text = `${join(path, foreign)} is there already and is none of ours: choose another --out, or remove it`;
  throw createFailure(EXIT.cannotWrite, 'tables/not-ours', text);
}

/** Errors of the system have a code; any other is a mistake of ours. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}

function refuseTables(path: string, error: unknown): Failure {
  const text = `the tables can't be written to ${path}: ${describeSystemError(error)}`;
  return createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
}
