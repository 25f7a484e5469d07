/**
 * A folder of tables with a data dictionary. Tables get their names only when all are complete, so the tables of an
 * earlier run stay until then.
 */
import { join } from 'node:path';
import { namePartial, realDisk, thisWriter } from '../../actors/ports/disk.ts';
import type { DiskFile } from '../../actors/ports/ports.ts';
import { inspectPath, readStart } from '../../actors/ports/reading.ts';
import { TABLE_NAMES, type TableName, type TableRow } from './columns.ts';
import { writeDictionary } from './dictionary.ts';
import { openTable, TABLE_FORMATS, type TableFile, type TableFormat } from './formats.ts';

/** The first line of this file identifies our folders. */
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

/** Makes the error for a folder that cannot be written. `error` is the system's. */
export type RefuseFolder = (code: string, text: string, error?: unknown) => Error;

export class TableFolder {
  readonly #path: string;
  readonly #refuse: RefuseFolder;
  readonly #tables = new Map<TableName, OpenTable>();

  /** Refuses a folder with foreign files of the same names. */
  constructor(
    path: string,
    tables: { readonly format: TableFormat; readonly names: readonly TableName[] },
    refuse: RefuseFolder,
  ) {
    const { format, names } = tables;
    this.#path = path;
    this.#refuse = refuse;
    refuseForeign(path, [DICTIONARY, ...names.map((table) => `${table}.${format}`)], {
      mark: DICTIONARY,
      start: FIRST_LINE,
      refuse,
    });
    this.#try(() => {
      realDisk.makeFolder(path);
      for (const table of names)
        this.#tables.set(table, beginTable(join(path, `${table}.${format}`), table, format));
    });
  }

  add(table: TableName, row: TableRow): void {
    const open = this.#tables.get(table);
    if (open === undefined) return;
    open.count += 1;
    this.#try(() => open.rows.add(row));
  }

  /** Publishes all tables and returns their numbers of rows. */
  close(): ReadonlyMap<TableName, number> {
    this.finish();
    this.publish();
    return new Map([...this.#tables].map(([table, { count }]) => [table, count]));
  }

  /** Completes all tables under temporary names. */
  finish(): void {
    this.#try(() => {
      for (const { rows, file } of this.#tables.values()) {
        rows.close();
        file.close();
      }
    });
  }

  /** Renames all tables and writes the dictionary. */
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

  abandon(): void {
    for (const { part } of this.#tables.values()) realDisk.remove(part);
  }

  #try(write: () => void): void {
    tryWriting(this.#path, this.#refuse, write);
  }
}

function beginTable(path: string, table: TableName, format: TableFormat): OpenTable {
  const part = namePartial(path, thisWriter());
  const file = realDisk.open(part, 'new');
  const rows = openTable(table, format, (bytes) => file.write(bytes));
  return { path, part, rows, file, count: 0 };
}

/** Refuses foreign files with these names. Files beside our mark, a file with a known start, are ours. */
export function refuseForeign(
  path: string,
  names: readonly string[],
  ours: { readonly mark: string; readonly start: string; readonly refuse: RefuseFolder },
): void {
  if (readStart(join(path, ours.mark), ours.start.length) === ours.start) return;
  const foreign = names.map((name) => join(path, name)).find(isThere);
  if (foreign === undefined) return;
  const text = `${foreign} exists and was not written by glassbox: choose another --out, or remove it`;
  throw ours.refuse('output/not-ours', text);
}

function isThere(path: string): boolean {
  return !['nothing', 'hidden'].includes(inspectPath(path).type);
}

/** Converts an error of the system. Other errors are bugs and pass through. */
export function tryWriting(path: string, refuse: RefuseFolder, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw refuse('output/cannot-write', `cannot write to ${path}`, error);
  }
}
