/**
 * The folder of a report: all of it gets its names when all of it is whole.
 *
 * Until then a report of an earlier run stays as it was. What somebody else has put there is never replaced: a folder is
 * known for one of ours by the beginning of its `report.json`.
 */
import { join } from 'node:path';
import { namePartial, realDisk, thisWriter } from '../../actors/ports/disk.ts';
import { TABLES_FOLDER } from '../../analysis/report/report.ts';
import { TABLE_NAMES } from '../../analysis/tables/columns.ts';
import { createFailure, describeSystemError, EXIT, type Failure } from '../exit.ts';
import { findEntry, isThere, readStart } from '../input.ts';
import { TableFolder } from '../tables/folder.ts';

const REPORT_FILE = 'report.json';
const REPORT_START = '{\n  "type": "report",';
const FIGURES = 'figures';

type StagedFile = { readonly part: string; readonly path: string };

export class ReportFolder {
  readonly tables: TableFolder;
  readonly #path: string;
  readonly #staged: StagedFile[] = [];
  /** Folders that were not there before, the outermost first. */
  readonly #made: readonly string[];

  /** Begins a report. Refuses a folder in which other files have its names. */
  constructor(path: string, names: readonly string[]) {
    this.#path = path;
    refuseForeignReport(path, names);
    this.#made = [path, join(path, FIGURES), join(path, TABLES_FOLDER)].filter(
      (folder) => !isThere(folder),
    );
    this.#try(() => {
      realDisk.makeFolder(path);
      realDisk.makeFolder(join(path, FIGURES));
    });
    this.tables = new TableFolder(join(path, TABLES_FOLDER), 'parquet', TABLE_NAMES);
  }

  /** Writes a file of the report under a temporary name; `name` may lie in a folder, as in `figures/power.svg`. */
  add(name: string, text: string): void {
    const path = join(this.#path, name);
    const part = namePartial(path, thisWriter());
    this.#staged.push({ part, path });
    this.#try(() => {
      const file = realDisk.open(part, 'new');
      try {
        file.write(text);
      } finally {
        file.close();
      }
    });
  }

  /** Gives everything its name, and takes away those of `stale` that this report does not have. */
  publish(stale: readonly string[]): void {
    this.tables.finish();
    this.tables.publish();
    this.#try(() => {
      const own = new Set(this.#staged.map(({ path }) => path));
      for (const { part, path } of this.#staged) realDisk.move(part, path);
      for (const name of stale) {
        const path = join(this.#path, name);
        if (!own.has(path)) realDisk.remove(path);
      }
    });
    this.#staged.length = 0;
  }

  /** Leaves nothing of a report that is not whole. */
  abandon(): void {
    this.tables.abandon();
    for (const { part } of this.#staged) realDisk.remove(part);
    for (const folder of this.#made.toReversed()) removeEmpty(folder);
  }

  #try(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      throw refuseReport(this.#path, error);
    }
  }
}

function removeEmpty(folder: string): void {
  try {
    realDisk.removeFolder(folder);
  } catch {
    // Something is in it.
  }
}

function refuseForeignReport(path: string, names: readonly string[]): void {
  if (readStartOf(join(path, REPORT_FILE)) === REPORT_START) return;
  const foreign = [...names, REPORT_FILE].find((name) => isThere(join(path, name)));
  if (foreign === undefined) return;
  const text = `${join(path, foreign)} is there already and is none of ours: choose another --out, or remove it`;
  throw createFailure(EXIT.cannotWrite, 'report/not-ours', text);
}

function readStartOf(path: string): string | null {
  return findEntry(path) === 'file' ? readStart(path, REPORT_START.length) : null;
}

function refuseReport(path: string, error: unknown): Failure {
  const text = `the report can't be written to ${path}: ${describeSystemError(error)}`;
  return createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
}
