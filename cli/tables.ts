/** `glassbox tables`: journals as tables for DuckDB, pandas, R or a spreadsheet. */

import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isTableName, TABLE_NAMES, type TableName } from '../analysis/tables/columns.ts';
import { pluralize } from '../machines/text.ts';
import { alignColumns } from '../visualizer/terminal/table.ts';
import { createFailure, EXIT, type ExitCode, type Failure, fromPlainFailure } from './exit.ts';
import { nameOf } from './input.ts';
import { findJournals, refuseJournals, workThrough } from './journals.ts';
import { print, printJson } from './output.ts';
import { createProgressLine } from './progress.ts';
import { DICTIONARY, TableFolder } from './tables/folder.ts';
import { TABLE_FORMATS, type TableFormat } from './tables/formats.ts';
import { DEDUCED } from './tables/tabulating.ts';
import { formatExamples } from './usage.ts';

type TablesFlags = {
  readonly out: string;
  readonly format: TableFormat;
  readonly only?: readonly TableName[];
  readonly deduce?: boolean;
  readonly json?: boolean;
};

export function addTables(program: Command): void {
  program
    .command('tables')
    .description(
      'Writes journals as tables: games, seats, rounds, orders, events, sightings, meetings, ticks, bids, messages, mentions, claims, ballots, calls and counterfactuals. Every row names its journal, line and hash; a data dictionary lies beside them.',
    )
    .argument('<journals...>', 'journals, folders with journals in them, or - for standard input')
    .requiredOption('-o, --out <folder>', 'folder for the tables')
    .addOption(
      new Option('--format <format>', 'the format').choices(TABLE_FORMATS).default('parquet'),
    )
    .option(
      '--only <tables>',
      'only these tables, as in games,seats; those of --deduce too',
      parseTables,
    )
    .option('--deduce', 'also what each crewmate could have known: ten times as much work')
    .option('--json', 'print what was written as JSON')
    .addHelpText(
      'after',
      formatExamples(
        ['tables journals/run-1 -o out', 'all games of a run, as Parquet'],
        ['tables journals/run-1 -o out --format csv --only games,seats', 'two tables as CSV'],
      ),
    )
    .action(async (paths: readonly string[], flags: TablesFlags) => {
      process.exitCode = await writeTables(paths, flags);
    });
}

function parseTables(text: string): readonly TableName[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !isTableName(name));
  if (wrong !== undefined) {
    throw new InvalidArgumentError(`expected some of ${TABLE_NAMES.join(', ')}, found "${wrong}"`);
  }
  return names.filter(isTableName);
}

/** Writes the tables of journals and folders; returns the exit status. */
async function writeTables(paths: readonly string[], flags: TablesFlags): Promise<ExitCode> {
  // A journal that is named twice is one.
  const named = new Map(
    findJournals(paths).files.map((path) => [path === '-' ? path : resolve(path), path]),
  );
  const files = [...named.values()];
  const tables = TABLE_NAMES.filter(
    (name) => flags.only?.includes(name) ?? (flags.deduce === true || !DEDUCED.includes(name)),
  );
  refuseInputs([...named.keys()], tables, flags);
  const folder = new TableFolder(flags.out, flags.format, tables);
  try {
    const { counts, journals, refused } = await fillTables(folder, files, tables);
    report(counts, journals, flags);
    if (refused.length === 0) return EXIT.done;
    throw refuseJournals(refused, files.length === 1);
  } finally {
    folder.abandon();
  }
}

/** A table must not take the place of a journal that it is made of. */
function refuseInputs(
  files: readonly string[],
  tables: readonly TableName[],
  { out, format }: TablesFlags,
): void {
  const own = tables.map((table) => resolve(out, `${table}.${format}`));
  const input = files.find((path) => own.includes(path));
  if (input === undefined) return;
  const text = `${nameOf(input)} is one of the journals: choose another --out`;
  throw createFailure(EXIT.cannotWrite, 'tables/not-ours', text);
}

async function fillTables(
  folder: TableFolder,
  files: readonly string[],
  tables: readonly TableName[],
) {
  const refused: Failure[] = [];
  const progress = createProgressLine();
  let [read, journals] = [0, 0];
  const task = { type: 'tabulate', tables, root: null } as const;
  await workThrough(files, task, (outcome) => {
    read += 1;
    progress.show(`${read} of ${files.length} journals`);
    if (outcome.type === 'refused') refused.push(fromPlainFailure(outcome.failure));
    if (outcome.type !== 'tabulated') return;
    journals += 1;
    for (const [table, rows] of outcome.rows) for (const row of rows) folder.add(table, row);
    if (outcome.torn !== null) refused.push(fromPlainFailure(outcome.torn));
  });
  progress.clear();
  // Tables of an earlier run are worth more than empty ones.
  if (journals === 0 && refused.length > 0) throw refuseJournals(refused, files.length === 1);
  return { counts: folder.close(), journals, refused };
}

function report(
  counts: ReadonlyMap<TableName, number>,
  journals: number,
  flags: TablesFlags,
): void {
  if (flags.json === true) {
    const { out, format } = flags;
    printJson({ type: 'tables', v: 1, out, format, journals, rows: Object.fromEntries(counts) });
    return;
  }
  const rows = [...counts].map(([table, count]) => [`${table}.${flags.format}`, String(count)]);
  print(
    [
      `${pluralize(journals, 'journal')} in ${nameOf(flags.out)}:`,
      '',
      ...alignColumns([['table', 'rows'], ...rows]),
      '',
      `what each column means: ${nameOf(join(flags.out, DICTIONARY))}`,
    ].join('\n'),
  );
}
