/**
 * The folder of a report. All files get their names only when all of them are complete, so a report of an earlier run
 * stays until then.
 */
import { join } from 'node:path';
import { namePartial, realDisk, thisWriter } from '../../actors/ports/disk.ts';
import { TABLE_NAMES } from '../tables/columns.ts';
import { type RefuseFolder, refuseForeign, TableFolder, tryWriting } from '../tables/folder.ts';
import { QUERIES_FILE, REPORT_START } from './queries.ts';
import { TABLES_FOLDER } from './report.ts';

const PAGE = 'index.html';
const CSV_FOLDER = 'csv';

export class ReportFolder {
  readonly tables: TableFolder;
  readonly #path: string;
  readonly #refuse: RefuseFolder;
  readonly #staged: { readonly part: string; readonly path: string }[] = [];
  /** Folders that this report created, the outermost first. */
  readonly #made: readonly string[];

  constructor(path: string, refuse: RefuseFolder) {
    this.#path = path;
    this.#refuse = refuse;
    const ours = { mark: QUERIES_FILE, start: REPORT_START, refuse };
    refuseForeign(path, [PAGE, QUERIES_FILE, CSV_FOLDER], ours);
    this.#made = [path, join(path, CSV_FOLDER), join(path, TABLES_FOLDER)].filter(
      (folder) => !realDisk.has(folder),
    );
    tryWriting(path, refuse, () => realDisk.makeFolder(join(path, CSV_FOLDER)));
    const tables = { format: 'parquet', names: TABLE_NAMES } as const;
    this.tables = new TableFolder(join(path, TABLES_FOLDER), tables, refuse);
  }

  /** Writes a file of the report under a temporary name. `name` may name a folder, as in `csv/power.csv`. */
  add(name: string, text: string): void {
    const path = join(this.#path, name);
    const part = namePartial(path, thisWriter());
    this.#staged.push({ part, path });
    tryWriting(this.#path, this.#refuse, () => {
      const file = realDisk.open(part, 'new');
      try {
        file.write(text);
      } finally {
        file.close();
      }
    });
  }

  /** Gives all files their names, and removes CSV files of an earlier report that this one does not have. */
  publish(): void {
    this.tables.finish();
    this.tables.publish();
    tryWriting(this.#path, this.#refuse, () => {
      const own = new Set(this.#staged.map(({ path }) => path));
      for (const { part, path } of this.#staged) realDisk.move(part, path);
      const folder = join(this.#path, CSV_FOLDER);
      for (const path of realDisk.list(folder).map((name) => join(folder, name)))
        if (!own.has(path)) realDisk.remove(path);
    });
    this.#staged.length = 0;
  }

  abandon(): void {
    this.tables.abandon();
    for (const { part } of this.#staged) realDisk.remove(part);
    for (const folder of this.#made.toReversed()) removeEmpty(folder);
  }
}

function removeEmpty(folder: string): void {
  try {
    realDisk.removeFolder(folder);
  } catch {
    // It holds other files.
  }
}
