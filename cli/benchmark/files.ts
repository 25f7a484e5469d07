/** What a bundle holds besides its journals: tables that are made of them, to the byte the same each time. */
import { hash } from 'node:crypto';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { JournalLost } from '../../actors/league/journals.ts';
import { realDisk } from '../../actors/ports/disk.ts';
import { type BundleFile, type BundleGame, journalOf } from '../../analysis/benchmark/bundle.ts';
import { TABLE_NAMES, type TableName } from '../../analysis/tables/columns.ts';
import { tabulate } from '../../analysis/tables/rows.ts';
import { openJournalText } from '../input.ts';
import { writeDictionary } from '../tables/dictionary.ts';
import { openTable, type TableFile } from '../tables/formats.ts';

/** Tables that are made of the journals alone: no deductions, which take ten times as long, and nothing of `why`. */
const LEFT_OUT: readonly TableName[] = [
  'deductions',
  'judgements',
  'information',
  'counterfactuals',
];
const TABLES = TABLE_NAMES.filter((name) => !LEFT_OUT.includes(name));

type MadeFile = { readonly path: string; readonly bytes: Uint8Array };

/** Makes the files of a bundle from its journals; `read` gives the text of one. */
export async function makeBundleFiles(
  games: readonly Pick<BundleGame, 'table'>[],
  read: (journal: string) => Promise<string>,
): Promise<readonly MadeFile[]> {
  const parts = new Map<TableName, Uint8Array[]>();
  const tables = new Map<TableName, TableFile>();
  for (const table of TABLES) {
    const bytes: Uint8Array[] = [];
    parts.set(table, bytes);
    // Compressed by a library, as that of the system differs from version to version.
    const file = openTable(table, 'parquet', (part) => bytes.push(part), 'SNAPPY');
    tables.set(table, file);
  }
  for (const { table: number } of games) {
    // By the plan: what a bundle calls it is for people.
    const journal = journalOf(number);
    const options = { name: journal, answers: [], deduces: false };
    tabulate(readJournal(await read(journal)), options, (table, row) => {
      tables.get(table)?.add(row);
    });
  }
  for (const table of tables.values()) table.close();
  return [
    ...TABLES.map((table) => ({
      path: `tables/${table}.parquet`,
      bytes: Buffer.concat(parts.get(table) ?? []),
    })),
    {
      path: 'tables/dictionary.md',
      bytes: Buffer.from(`${DICTIONARY_HEAD}${writeDictionary(TABLES)}\n`),
    },
  ];
}

const DICTIONARY_HEAD = `# Data dictionary of a benchmark bundle

Every row names the journal, the line of its file (from 1) and the hash of that line.

`;

/** Writes the files of a bundle; returns how they are called, and their hashes. */
export async function writeBundleFiles(
  folder: string,
  games: readonly BundleGame[],
): Promise<readonly BundleFile[]> {
  const made = await makeBundleFiles(games, (journal) => openJournalText(`${folder}/${journal}`));
  try {
    realDisk.makeFolder(`${folder}/tables`);
    for (const { path, bytes } of made) await realDisk.save(`${folder}/${path}`, [bytes]);
  } catch (error) {
    throw new JournalLost(`${folder}/tables`, error);
  }
  return made.map(({ path, bytes }) => ({ path, sha256: hash('sha256', bytes, 'hex') }));
}
