/** The folder that tables are written to: a file for each of them, and the data dictionary when all are whole. */
import { join } from 'node:path';
import { realDisk } from '../../actors/ports/disk.ts';
import type { DiskFile } from '../../actors/ports/ports.ts';
import type { TableName, TableRow } from '../../analysis/tables/columns.ts';
import { createFailure, describeSystemError, EXIT, type Failure } from '../exit.ts';
import { isThere } from '../input.ts';
import { writeDictionary } from './dictionary.ts';
import { openTable, type TableFile, type TableFormat } from './formats.ts';

/** Beside the tables, in words. It is written last: without it the tables are not whole. */
export const DICTIONARY = 'dictionary.md';

export class TableFolder {
  readonly #path: string;
  readonly #tables: ReadonlyMap<TableName, OpenTable>;

  /** Begins the files. Tables of an earlier run are written anew, and any other file is left alone. */
  constructor(path: string, format: TableFormat, tables: readonly TableName[]) {
    this.#path = path;
    const dictionary = join(path, DICTIONARY);
    const names = tables.map((table) => join(path, `${table}.${format}`));
    const foreign = isThere(dictionary) ? undefined : names.find(isThere);
    if (foreign !== undefined) {
      const text = `${foreign} is there already, without the ${DICTIONARY} of an earlier run: choose another --out, or remove it`;
      throw createFailure(EXIT.cannotWrite, 'tables/not-ours', text);
    }
    this.#tables = new Map(
      this.#try(() => {
        realDisk.makeFolder(path);
        realDisk.remove(dictionary);
        return tables.map((table, index) => [table, openFile(table, format, names[index] ?? '')]);
      }),
    );
  }

  add(table: TableName, row: TableRow): void {
    const open = this.#tables.get(table);
    if (open === undefined) return;
    open.count += 1;
    this.#try(() => open.rows.add(row));
  }

  /** Ends all files and writes the dictionary; returns how many rows each table has. */
  close(): ReadonlyMap<TableName, number> {
    this.#try(() => {
      for (const { rows, file } of this.#tables.values()) {
        rows.close();
        file.close();
      }
      const dictionary = realDisk.open(join(this.#path, DICTIONARY), 'new');
      dictionary.write(`${DICTIONARY_HEAD}\n\n${writeDictionary([...this.#tables.keys()])}\n`);
      dictionary.close();
    });
    return new Map([...this.#tables].map(([table, { count }]) => [table, count]));
  }

  #try<T>(write: () => T): T {
    try {
      return write();
    } catch (error) {
      throw refuseTables(this.#path, error);
    }
  }
}

const DICTIONARY_HEAD = `# Data dictionary

Every row names the journal, the line of its file (from 1) and the hash of that line. Meetings count from 1; ticks, turns and
rounds from 0. What is not known, or there is none of, is null; in CSV that is an empty field.`;

type OpenTable = { readonly rows: TableFile; readonly file: DiskFile; count: number };

function openFile(table: TableName, format: TableFormat, path: string): OpenTable {
  const file = realDisk.open(path, 'new');
  return { rows: openTable(table, format, (bytes) => file.write(bytes)), file, count: 0 };
}

function refuseTables(path: string, error: unknown): Failure {
  const text = `the tables can't be written to ${path}: ${describeSystemError(error)}`;
  return createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
}
