/** `glassbox report` as files: the page with its numbers, or the tables alone. */
import { basename, join, resolve } from 'node:path';
import manifest from '#manifest' with { type: 'json' };
import {
  createFailure,
  EXIT,
  type ExitCode,
  type Failure,
  fromPlainFailure,
  nameOf,
} from '../../actors/files/failure.ts';
import { findJournals, refuseJournals } from '../../actors/files/foundJournals.ts';
import { workThroughFiles } from '../../actors/jobs/ordered.ts';
import { TableDatabase } from '../../analysis/report/database.ts';
import { DICTIONARY, ReportFolder, TableFolder } from '../../analysis/report/folder.ts';
import { listCells, REPORT_VERSION, type Report } from '../../analysis/report/model.ts';
import { buildReport } from '../../analysis/report/report.ts';
import { REPORTED, TABLE_NAMES, type TableName } from '../../analysis/tables/columns.ts';
import type { TableFormat } from '../../analysis/tables/formats.ts';
import { DEDUCED } from '../../analysis/tables/rows.ts';
import { pluralize } from '../../machines/text.ts';
import { writeEngineVersion } from '../../machines/versions.ts';
import { renderReport } from '../../visualizer/report/files.ts';
import { alignColumns } from '../../visualizer/terminal/table.ts';
import { createJournalWork, type JournalOutcome } from '../journalWork.ts';
import { cleanLines, print, printJson, printNote } from '../output.ts';
import { createProgressLine } from '../progress.ts';
import type { ReportedJournals } from './league.ts';

export type WriteFlags = {
  readonly out?: string;
  readonly title?: string;
  readonly only?: readonly TableName[];
  readonly deduce?: boolean;
  readonly json?: boolean;
};

/** Incomplete journals are left out and fail the command afterwards. */
export async function writePage(
  { paths, title, hashes }: ReportedJournals,
  { out = 'report', json, ...flags }: WriteFlags,
): Promise<ExitCode> {
  const files = listOnce(findJournals(paths).files);
  using folder = new ReportFolder(out);
  using progress = createProgressLine();
  const onNote = (sentence: string) => {
    progress.clear();
    printNote(cleanLines(sentence));
  };
  const { take, database, seen } = createReading(folder, hashes, onNote);
  const refused = await tabulate(files, REPORTED, progress, take);
  const journals = seen.size;
  const failure = refused.length === 0 ? null : refuseJournals(refused, files.length === 1);
  if (journals === 0 && failure !== null) throw failure;
  const report = buildReport(database, {
    title: flags.title ?? title ?? `Report of ${pluralize(journals, 'journal')}`,
    engine: writeEngineVersion(manifest.version),
  });
  const texts = renderReport(report);
  for (const [name, text] of texts) folder.add(name, text);
  folder.publish();
  progress.clear();
  announce(report, [...texts.keys()], { out, json });
  if (failure !== null) throw failure;
  return EXIT.done;
}

function announce(
  report: Report,
  files: readonly string[],
  { out, json }: { readonly out: string; readonly json: boolean | undefined },
): void {
  const { title, data } = report;
  const numbers = listCells(report).length;
  const counts = `${pluralize(numbers, 'number')} of ${pluralize(data.journals, 'journal')}`;
  if (json) printJson({ type: 'report', v: REPORT_VERSION, out, title, ...data, numbers, files });
  else print(cleanLines(`${counts} in ${nameOf(out)}: open ${nameOf(join(out, 'index.html'))}`));
}

/** The database of a report. `take` adds the rows of a journal to it, or returns why they don't count. */
function createReading(
  folder: ReportFolder,
  leagueHashes: ReportedJournals['hashes'],
  onNote: (sentence: string) => void,
) {
  const database = new TableDatabase();
  /** The paths of the journals that count, by their last hashes. */
  const seen = new Map<string, string>();
  const take = ({ rows, torn }: TabulatedJournal, path: string): Failure | null => {
    if (torn !== null) return fromPlainFailure(torn);
    const [game = {}] = rows.get('games') ?? [];
    if (game['ended'] !== true) {
      const text = `${nameOf(path)}: expected a match that was played to its end, found that it goes on: "glassbox resume" ends it`;
      return createFailure(EXIT.damaged, 'report/unfinished', text);
    }
    const { living_hash: living, ghosts_hash: ghosts } = game;
    const named = leagueHashes.get(path);
    if (named !== undefined && (named.living !== living || named.ghosts !== ghosts)) {
      const text = `${nameOf(path)}: expected the journal that the result of the league names, found another one: "glassbox league fetch" writes it anew`;
      return createFailure(EXIT.damaged, 'report/other-journal', text);
    }
    const hashes = `${living} ${ghosts}`;
    const twin = seen.get(hashes);
    if (twin !== undefined) {
      onNote(`${nameOf(path)} is the same match as ${nameOf(twin)}, and is counted once`);
      return null;
    }
    seen.set(hashes, path);
    for (const [table, list] of rows)
      for (const row of list) {
        database.add(table, row);
        folder.tables.add(table, row);
      }
    return null;
  };
  return { database, seen, take };
}

type TabulatedJournal = Extract<JournalOutcome, { type: 'tabulated' }>;

/** Reads journals in their order and shows progress; returns the failures, those of `take` among them. */
async function tabulate(
  files: readonly string[],
  tables: readonly TableName[],
  progress: ReturnType<typeof createProgressLine>,
  take: (journal: TabulatedJournal, path: string) => Failure | null,
): Promise<readonly Failure[]> {
  const refused: Failure[] = [];
  let read = 0;
  const named = Map.groupBy(files, (path) => basename(path));
  const shared = [...named].flatMap(([name, those]) => (those.length > 1 ? [name] : []));
  const work = createJournalWork({ type: 'tabulate', tables, shared });
  await workThroughFiles(files, work, (outcome, path) => {
    read += 1;
    progress.show(`${read} of ${files.length} journals`);
    const failure =
      outcome.type === 'refused'
        ? fromPlainFailure(outcome.failure)
        : outcome.type === 'tabulated' && take(outcome, path);
    if (failure) refused.push(failure);
  });
  progress.clear();
  return refused;
}

function listOnce(files: readonly string[]): readonly string[] {
  const once = new Map(files.map((path) => [path === '-' ? path : resolve(path), path]));
  return [...once.values()];
}

export async function writeTables(
  paths: readonly string[],
  format: TableFormat,
  { out = 'tables', ...flags }: WriteFlags,
): Promise<ExitCode> {
  const files = listOnce(findJournals(paths).files);
  const tables = TABLE_NAMES.filter(
    (name) =>
      flags.only?.includes(name) ??
      (REPORTED.includes(name) && (flags.deduce === true || !DEDUCED.includes(name))),
  );
  const place = { out, format };
  refuseInputs(files, tables, place);
  using folder = new TableFolder(out, format, tables);
  const { counts, journals, refused } = await fillTables(folder, files, tables);
  announceTables(counts, journals, { ...place, json: flags.json });
  if (refused.length === 0) return EXIT.done;
  throw refuseJournals(refused, files.length === 1);
}

type TablesPlace = { readonly out: string; readonly format: TableFormat };

/** A table must not replace one of its journals. */
function refuseInputs(
  files: readonly string[],
  tables: readonly TableName[],
  { out, format }: TablesPlace,
): void {
  const own = tables.map((table) => resolve(out, `${table}.${format}`));
  const input = files.find((path) => own.includes(resolve(path)));
  if (input === undefined) return;
  const text = `${nameOf(input)} is one of the journals: choose another --out`;
  throw createFailure(EXIT.cannotWrite, 'output/not-ours', text);
}

async function fillTables(
  folder: TableFolder,
  files: readonly string[],
  tables: readonly TableName[],
) {
  const progress = createProgressLine();
  const seen = new Set<string>();
  const refused = await tabulate(files, tables, progress, ({ name, rows, torn }) => {
    if (seen.has(name)) {
      progress.clear();
      printNote(cleanLines(`${name}: a copy in another folder is counted once`));
      return null;
    }
    seen.add(name);
    for (const [table, list] of rows) for (const row of list) folder.add(table, row);
    return torn && fromPlainFailure(torn);
  });
  // Tables of an earlier run are worth more than empty ones.
  if (seen.size === 0 && refused.length > 0) throw refuseJournals(refused, files.length === 1);
  return { counts: folder.close(), journals: seen.size, refused };
}

function announceTables(
  counts: ReadonlyMap<TableName, number>,
  journals: number,
  { out, format, json }: TablesPlace & { readonly json: boolean | undefined },
): void {
  const rows = [...counts].map(([table, count]) => [`${table}.${format}`, String(count)]);
  const lines = [
    `${pluralize(journals, 'journal')} in ${nameOf(out)}:`,
    '',
    ...alignColumns([['table', 'rows'], ...rows]),
    '',
    `what each column means: ${nameOf(join(out, DICTIONARY))}`,
  ];
  if (json === true)
    printJson({ type: 'tables', v: 1, out, format, journals, rows: Object.fromEntries(counts) });
  else print(lines.join('\n'));
}
