/**
 * The report of some journals, written into a folder: this is the door for all that need one.
 *
 * Journals are read one by one, on several threads where there are many; of each only its numbers stay.
 */

import { dirname, relative, resolve, sep } from 'node:path';
import manifest from '#manifest' with { type: 'json' };
import type { JournalHashes } from '../../actors/stores/result.ts';
import { ReportFacts } from '../../analysis/report/facts.ts';
import { textIn } from '../../analysis/report/gameRows.ts';
import { listCells, type Report } from '../../analysis/report/model.ts';
import { buildReport } from '../../analysis/report/report.ts';
import { TABLE_NAMES } from '../../analysis/tables/columns.ts';
import { pluralize } from '../../machines/text.ts';
import { writeEngineVersion } from '../../machines/versions.ts';
import { FIGURE_NAMES, FILE_NAMES, renderReport } from '../../visualizer/report/files.ts';
import { createFailure, EXIT, type Failure, fromPlainFailure } from '../exit.ts';
import { nameOf } from '../input.ts';
import { findJournals, refuseJournals, workThrough } from '../journals.ts';
import type { TabulatedJournal } from '../tables/tabulating.ts';
import { ReportFolder } from './folder.ts';

export type ReportOptions = {
  /** What the report is called; else it is called by the number of its games. */
  readonly title?: string | undefined;
  /** The last hashes that journals must have, by path: those that results of a league name. */
  readonly hashes?: ReadonlyMap<string, JournalHashes>;
  /** Called with what an operator should know, a sentence at a time. */
  readonly onNote?: (sentence: string) => void;
  readonly onProgress?: (done: number, of: number) => void;
};

export type WrittenReport = {
  readonly report: Report;
  readonly journals: number;
  readonly numbers: number;
  /** Files of the report but for those of the tables, as seen from its folder. */
  readonly files: readonly string[];
  /** Journals that were left out, and why: one for each. Nothing is thrown for them while others are whole. */
  readonly refused: readonly Failure[];
  /** The failure that tells of them; null where there are none. */
  readonly failure: Failure | null;
};

/**
 * Writes the report of journals, and of those in folders. Throws a failure where not one of them is whole, or where the
 * folder can't be written.
 */
export async function writeReport(
  paths: readonly string[],
  folder: string,
  options: ReportOptions = {},
): Promise<WrittenReport> {
  const files = listOnce(findJournals(paths).files);
  const out = new ReportFolder(folder, [...FILE_NAMES, ...FIGURE_NAMES]);
  try {
    const reading = new ReportReading(out, options);
    const task = { type: 'tabulate', tables: TABLE_NAMES, root: findRoot(files) } as const;
    let done = 0;
    await workThrough(files, task, (outcome, path) => {
      done += 1;
      options.onProgress?.(done, files.length);
      if (outcome.type === 'refused') reading.refused.push(fromPlainFailure(outcome.failure));
      if (outcome.type === 'tabulated') reading.take(outcome, path);
    });
    const { facts, refused } = reading;
    const failure = refused.length === 0 ? null : refuseJournals(refused, files.length === 1);
    const journals = facts.counts.journals;
    if (journals === 0 && failure !== null) throw failure;
    const title = options.title ?? `Report of ${pluralize(journals, 'journal')}`;
    const report = buildReport(facts, { title, engine: writeEngineVersion(manifest.version) });
    const texts = renderReport(report);
    for (const [name, text] of texts) out.add(name, text);
    out.publish(FIGURE_NAMES);
    const numbers = listCells(report).length;
    return { report, journals, numbers, files: [...texts.keys()], refused, failure };
  } finally {
    out.abandon();
  }
}

/** What is read, journal by journal, in their order. */
class ReportReading {
  readonly facts = new ReportFacts();
  readonly refused: Failure[] = [];
  readonly #out: ReportFolder;
  readonly #options: ReportOptions;
  readonly #seen = new Map<string, string>();

  constructor(out: ReportFolder, options: ReportOptions) {
    this.#out = out;
    this.#options = options;
  }

  take({ rows, torn }: TabulatedJournal, path: string): void {
    if (torn !== null) {
      this.refused.push(fromPlainFailure(torn));
      return;
    }
    const [game = {}] = rows.get('games') ?? [];
    if (game['ended'] !== true) {
      this.refused.push(refuseUnfinished(path));
      return;
    }
    const living = textIn(game, 'living_hash');
    const ghosts = textIn(game, 'ghosts_hash');
    const named = this.#options.hashes?.get(path);
    if (named !== undefined && (named.living !== living || named.ghosts !== ghosts)) {
      this.refused.push(refuseOther(path));
      return;
    }
    const hashes = `${living} ${ghosts}`;
    const twin = this.#seen.get(hashes);
    if (twin !== undefined) {
      this.#options.onNote?.(
        `${nameOf(path)} is the same match as ${nameOf(twin)}, and is counted once`,
      );
      return;
    }
    this.#seen.set(hashes, path);
    this.facts.add(rows);
    for (const [table, list] of rows) for (const row of list) this.#out.tables.add(table, row);
  }
}

function refuseUnfinished(path: string): Failure {
  const text = `${nameOf(path)}: expected a match that was played to its end, found that it goes on: "glassbox resume" ends it`;
  return createFailure(EXIT.damaged, 'report/unfinished', text);
}

function refuseOther(path: string): Failure {
  const text = `${nameOf(path)}: expected the journal that the result of the league names, found another one: "glassbox league fetch" writes it anew`;
  return createFailure(EXIT.damaged, 'report/other-journal', text);
}

/** A journal that is named twice is one. */
function listOnce(files: readonly string[]): readonly string[] {
  const once = new Map(files.map((path) => [path === '-' ? path : resolve(path), path]));
  return [...once.values()];
}

/** The innermost folder that holds all journals: they are named from there, so that the report is the same wherever it lies. */
function findRoot(files: readonly string[]): string {
  const folders = files.filter((path) => path !== '-').map((path) => dirname(resolve(path)));
  const [first = resolve('.'), ...others] = folders;
  let root = first;
  for (const folder of others) {
    while (relative(root, folder).split(sep)[0] === '..' && dirname(root) !== root)
      root = dirname(root);
  }
  return root;
}
