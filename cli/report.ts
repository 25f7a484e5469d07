/** `glassbox report`: journals or a league as a page with numbers, as tables, or as statistics in the terminal. */
import { InvalidArgumentError, Option } from 'commander';
import { createFailure, EXIT, type ExitCode, type Failure } from '../actors/files/failure.ts';
import { isTableName, TABLE_NAMES, type TableName } from '../analysis/tables/columns.ts';
import { TABLE_FORMATS, type TableFormat } from '../analysis/tables/formats.ts';
import { createStoreOption, WIDE_OPTION } from './flags.ts';
import type { LeaguePlace, ReportedJournals } from './report/league.ts';
import type { PrintFlags } from './report/terminal.ts';
import type { WriteFlags } from './report/write.ts';
import type { ProgramCommand } from './usage.ts';

type ReportFlags = LeaguePlace &
  PrintFlags &
  WriteFlags & { readonly tables?: TableFormat; readonly stats?: boolean };

export function addReport(program: ProgramCommand): void {
  program
    .command('report')
    .description(
      'Writes a report of a league or of journals into a folder: one page that opens from disk, a CSV file beside each of its tables, the query of each number, and the tables that the queries read. With --tables it writes only the tables. With --stats or --deduce it prints statistics in the terminal instead.',
    )
    .argument(
      '<journals...>',
      'journals and folders with journals in them, - for standard input, or the name of a league',
    )
    .option('-o, --out <folder>', 'folder to write to (default: report, or tables with --tables)')
    .option('--title <text>', 'title of the report')
    .addOption(createStoreOption())
    .option('--journals <folder>', 'folder with the journals of the league')
    .addOption(
      new Option(
        '--tables <format>',
        'write only the tables: every row names its journal, line and hash, and a data dictionary explains the columns',
      ).choices(TABLE_FORMATS),
    )
    .option('--only <tables>', 'write only some of the tables, such as games,seats', parseTables)
    .option(
      '--stats',
      'print statistics: one journal player by player, several added up; wins, votes, speaking, claims that are not true, faults and costs',
    )
    .option(
      '--deduce',
      'print what each crewmate could have known, and how they voted by it: one journal meeting by meeting, several added up by persona; with --tables, write it as tables (ten times the work)',
    )
    .option('--prices <file>', 'for --stats: JSON file with prices in dollars per million tokens')
    .option('--recount', 'for --stats: read every journal again, even if it has not changed')
    .option(...WIDE_OPTION)
    .option('--json', 'print the result, or what was written, as JSON')
    .examples(
      ['report spring -o report', 'a league that was played'],
      ['report journals/run-1 -o report', 'all games of a run'],
      ['report journals/run-1 --tables csv -o out', 'its tables as CSV'],
      ['report journals/game-7.jsonl --stats', 'one game, player by player'],
    )
    .action(async (words: readonly string[], flags: ReportFlags) => {
      process.exitCode = await runReport(words, flags);
    });
}

function parseTables(text: string): readonly TableName[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !isTableName(name));
  if (wrong === undefined) return names.filter(isTableName);
  throw new InvalidArgumentError(`expected some of ${TABLE_NAMES.join(', ')}, found "${wrong}"`);
}

async function runReport(words: readonly string[], flags: ReportFlags): Promise<ExitCode> {
  refuseMisplaced(flags);
  const { findReported } = await import('./report/league.ts');
  const found = await findReported(words, flags);
  const exit = await runPart(found, flags);
  if (found.failure !== null) throw found.failure;
  return exit;
}

async function runPart(found: ReportedJournals, flags: ReportFlags): Promise<ExitCode> {
  const { paths } = found;
  const { tables, stats, deduce } = flags;
  if (tables === undefined && (stats || deduce)) {
    const { countJournals, judgeJournals } = await import('./report/terminal.ts');
    return await (stats ? countJournals(paths, flags) : judgeJournals(paths, flags));
  }
  const { writePage, writeTables } = await import('./report/write.ts');
  return await (tables ? writeTables(paths, tables, flags) : writePage(found, flags));
}

const NEEDS: readonly (readonly [keyof ReportFlags, readonly (keyof ReportFlags)[]])[] = [
  ['only', ['tables']],
  ['prices', ['stats']],
  ['recount', ['stats']],
  ['wide', ['stats', 'deduce']],
];

function refuseMisplaced(flags: ReportFlags): void {
  const isGiven = (flag: keyof ReportFlags) => flags[flag] !== undefined;
  const lone = NEEDS.find(([flag, others]) => isGiven(flag) && !others.some(isGiven));
  if (lone !== undefined) {
    const [flag, others] = lone;
    throw refuse(`--${flag}: add ${others.map((one) => `--${one}`).join(' or ')}`);
  }
  const { stats = false, deduce = false, tables, out, title } = flags;
  if (stats && (deduce || tables !== undefined))
    throw refuse('expected one of --stats, --deduce and --tables, found several');
  const isPrinted = tables === undefined && (stats || deduce);
  if (isPrinted && out !== undefined)
    throw refuse(`--out: nothing is written with --${stats ? 'stats' : 'deduce'}`);
  if (title !== undefined && (isPrinted || tables !== undefined))
    throw refuse('--title: only the page has a title');
}

function refuse(text: string): Failure {
  return createFailure(EXIT.usage, 'usage/report-flags', text);
}
