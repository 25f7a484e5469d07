/** Tables and the report of a bundle, made from its journals. The same journals give the same bytes. */
import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { openText } from '../../actors/files/openFiles.ts';
import { JournalLost } from '../../actors/league/journals.ts';
import { realDisk } from '../../actors/ports/disk.ts';
import { TableDatabase } from '../report/database.ts';
import { removeEarlier } from '../report/folder.ts';
import type { Report } from '../report/model.ts';
import { buildReport } from '../report/report.ts';
import { REPORTED, type TableName } from '../tables/columns.ts';
import { writeDictionary } from '../tables/dictionary.ts';
import { openTable, type TableFile } from '../tables/formats.ts';
import { tabulate } from '../tables/rows.ts';
import { type BundleFile, type BundleGame, journalOf } from './bundle.ts';

export type ReportWriter = {
  readonly engine: string;
  readonly renderReport: (report: Report) => ReadonlyMap<string, string>;
};

export async function makeBundleFiles(
  games: readonly Pick<BundleGame, 'table'>[],
  read: (journal: string) => Promise<string>,
  writer: ReportWriter,
): Promise<readonly { readonly path: string; readonly bytes: Uint8Array }[]> {
  const tables = new Map<TableName, { readonly file: TableFile; readonly parts: Uint8Array[] }>();
  const database = new TableDatabase();
  for (const table of REPORTED) {
    const parts: Uint8Array[] = [];
    // A library compresses: the system's compression differs between versions.
    const file = openTable(table, 'parquet', (part) => parts.push(part), 'SNAPPY');
    tables.set(table, { file, parts });
  }
  for (const { table: number } of games) {
    const journal = journalOf(number);
    const options = { name: journal, answers: [], deduces: true };
    tabulate(readJournal(await read(journal)), options, (table, row) => {
      tables.get(table)?.file.add(row);
      database.add(table, row);
    });
  }
  for (const { file } of tables.values()) file.close();
  const title = 'Games of the tested mind';
  const report = buildReport(database, { title, engine: writer.engine, tables: '../tables' });
  const dictionary = Buffer.from(`${DICTIONARY_HEAD}${writeDictionary(REPORTED)}\n`);
  return [
    ...[...tables].map(([table, { parts }]) => {
      return { path: `tables/${table}.parquet`, bytes: Buffer.concat(parts) };
    }),
    { path: 'tables/dictionary.md', bytes: dictionary },
    ...[...writer.renderReport(report)].map(([name, text]) => {
      return { path: `${REPORT}/${name}`, bytes: Buffer.from(text) };
    }),
  ];
}

const REPORT = 'report';
const DICTIONARY_HEAD = `# Data dictionary of a benchmark bundle

Every row names the journal, the line of its file (from 1) and the hash of that line.

`;

export async function writeBundleFiles(
  folder: string,
  games: readonly BundleGame[],
  writer: ReportWriter,
): Promise<readonly BundleFile[]> {
  const read = (journal: string) => openText(`${folder}/${journal}`, 'game');
  const made = await makeBundleFiles(games, read, writer);
  try {
    for (const part of ['tables', REPORT, `${REPORT}/csv`])
      realDisk.makeFolder(`${folder}/${part}`);
    for (const { path, bytes } of made) await realDisk.save(`${folder}/${path}`, [bytes]);
    // An earlier report may have had a table that this one lacks.
    const names = made.map(({ path }) => basename(path));
    removeEarlier(`${folder}/${REPORT}/csv`, names);
  } catch (error) {
    throw new JournalLost(`${folder}/tables`, error);
  }
  return made.map(({ path, bytes }) => ({ path, sha256: hash('sha256', bytes, 'hex') }));
}
