/** Folders of tables and of reports. Files get their names once all are complete, so those of an earlier run stay. */
import { basename, join } from 'node:path';
import {
  createFailure,
  describeSystemError,
  EXIT,
  type Failure,
} from '../../actors/files/failure.ts';
import {
  findLink,
  isAbandoned,
  isPartial,
  namePartial,
  realDisk,
  thisWriter,
} from '../../actors/ports/disk.ts';
import { inspectPath, readStart } from '../../actors/ports/reading.ts';
import { REPORTED, TABLE_NAMES, type TableName, type TableRow } from '../tables/columns.ts';
import { writeDictionary } from '../tables/dictionary.ts';
import { openTable, TABLE_FORMATS, type TableFormat } from '../tables/formats.ts';
import { CSV_COLUMNS, QUERIES_FILE, REPORT_START } from './queries.ts';
import { TABLES_FOLDER } from './report.ts';

/** The first line of this file identifies our folders. */
export const DICTIONARY = 'dictionary.md';
const FIRST_LINE = '# Data dictionary of glassbox tables\n';
const DICTIONARY_HEAD = `${FIRST_LINE}
Every row names the journal, the line of its file (from 1) and the hash of that line. Meetings count from 1; ticks, turns and
rounds from 0. What is not known, or there is none of, is null; in CSV that is an empty field.`;

export class TableFolder {
  readonly #path: string;
  readonly #tables = new Map<TableName, ReturnType<typeof beginTable>>();

  constructor(path: string, format: TableFormat, names: readonly TableName[]) {
    this.#path = path;
    const files = names.map((table) => `${table}.${format}`);
    refuseForeign(path, [DICTIONARY, ...files], FIRST_LINE);
    tryWriting(path, () => {
      realDisk.makeFolder(path);
      // A process that was killed has left them.
      for (const name of realDisk.list(path))
        if (isPartial(name) && isAbandoned(name)) realDisk.remove(join(path, name));
      for (const table of names)
        this.#tables.set(table, beginTable(join(path, `${table}.${format}`), table, format));
    });
  }

  add(table: TableName, row: TableRow): void {
    const open = this.#tables.get(table);
    if (open === undefined) return;
    open.count += 1;
    tryWriting(this.#path, () => open.rows.add(row));
  }

  close(): ReadonlyMap<TableName, number> {
    tryWriting(this.#path, () => {
      for (const { rows, file } of this.#tables.values()) {
        rows.close();
        file.close();
      }
      for (const { part, path } of this.#tables.values()) realDisk.move(part, path);
      const names = realDisk.list(this.#path);
      const there = TABLE_NAMES.filter((table) =>
        TABLE_FORMATS.some((format) => names.includes(`${table}.${format}`)),
      );
      writeNew(join(this.#path, DICTIONARY), `${DICTIONARY_HEAD}\n\n${writeDictionary(there)}\n`);
    });
    return new Map([...this.#tables].map(([table, { count }]) => [table, count]));
  }

  [Symbol.dispose](): void {
    for (const { part } of this.#tables.values()) realDisk.remove(part);
  }
}

function writeNew(path: string, text: string): void {
  const file = realDisk.open(path, 'new');
  try {
    file.write(text);
  } finally {
    file.close();
  }
}

function beginTable(path: string, table: TableName, format: TableFormat) {
  const part = namePartial(path, thisWriter());
  const file = realDisk.open(part, 'new');
  const rows = openTable(table, format, (bytes) => file.write(bytes));
  return { path, part, rows, file, count: 0 };
}

/** Refuses foreign files with these names. Files beside our mark, the first one with a known start, are ours. */
function refuseForeign(path: string, names: readonly string[], start: string): void {
  const [mark = ''] = names;
  if (readStart(join(path, mark), start.length) === start) return;
  const isThere = (file: string) => !['nothing', 'hidden'].includes(inspectPath(file).type);
  const foreign = names.map((name) => join(path, name)).find(isThere);
  if (foreign === undefined) return;
  throw refuseOther(`${foreign} exists and was not written by glassbox`);
}

function refuseOther(found: string): Failure {
  const text = `${found}: choose another --out, or remove it`;
  return createFailure(EXIT.cannotWrite, 'output/not-ours', text);
}

/** Converts an error of the system. Other errors are bugs and pass through. */
function tryWriting(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const text = `cannot write to ${path}: ${describeSystemError(error)}`;
    throw createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
  }
}

const PAGE = 'index.html';
const CSV_FOLDER = 'csv';

export class ReportFolder {
  readonly tables: TableFolder;
  readonly #path: string;
  readonly #staged: { readonly part: string; readonly path: string }[] = [];
  /** Folders that this report created, the outermost first. */
  readonly #made: readonly string[];

  constructor(path: string) {
    this.#path = path;
    refuseForeign(path, [QUERIES_FILE, PAGE, CSV_FOLDER], REPORT_START);
    const link = findLink([join(path, CSV_FOLDER), join(path, TABLES_FOLDER)]);
    if (link !== undefined) throw refuseOther(`${link} is a link to another folder`);
    this.#made = [path, join(path, CSV_FOLDER), join(path, TABLES_FOLDER)].filter(
      (folder) => !realDisk.has(folder),
    );
    tryWriting(path, () => realDisk.makeFolder(join(path, CSV_FOLDER)));
    this.tables = new TableFolder(join(path, TABLES_FOLDER), 'parquet', REPORTED);
  }

  /** Writes a file of the report under a temporary name. `name` may name a folder, as in `csv/power.csv`. */
  add(name: string, text: string): void {
    const path = join(this.#path, name);
    const part = namePartial(path, thisWriter());
    this.#staged.push({ part, path });
    tryWriting(this.#path, () => writeNew(part, text));
  }

  publish(): void {
    this.tables.close();
    tryWriting(this.#path, () => {
      for (const { part, path } of this.#staged) realDisk.move(part, path);
      const own = this.#staged.map(({ path }) => basename(path));
      removeEarlier(join(this.#path, CSV_FOLDER), own);
    });
    this.#staged.length = 0;
  }

  [Symbol.dispose](): void {
    this.tables[Symbol.dispose]();
    for (const { part } of this.#staged) realDisk.remove(part);
    for (const folder of this.#made.toReversed()) removeEmpty(folder);
  }
}

/** Removes the CSV files of an earlier report that this one lacks. Files of others stay. */
export function removeEarlier(folder: string, own: readonly string[]): void {
  for (const name of realDisk.list(folder)) {
    const path = join(folder, name);
    const [head = ''] = readStart(path, HEAD_BYTES)?.split('\n', 1) ?? [];
    if (!own.includes(name) && head.includes(`,${CSV_COLUMNS}`)) realDisk.remove(path);
  }
}

const HEAD_BYTES = 4096;

function removeEmpty(folder: string): void {
  try {
    realDisk.removeFolder(folder);
  } catch {
    // It holds other files.
  }
}
