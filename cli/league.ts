/** `glassbox league`: many games that count, on this machine or on many. */
import { availableParallelism } from 'node:os';
import { InvalidArgumentError, Option } from 'commander';
import { createFailure, EXIT } from '../actors/files/failure.ts';
import { type PermittedHost, readPermittedHost } from '../actors/league/permit.ts';
import type { MindChoice } from '../actors/minds/openai/seats.ts';
import { isOwn } from '../machines/rules/mindKinds.ts';
import {
  addWaitFlags,
  createStoreOption,
  FORCE_OPTION,
  parseCount,
  parseDestination,
  parseJobs,
  parseMind,
  parsePort,
  WIDE_OPTION,
} from './flags.ts';
import type { LeagueRunFlags, WorkerFlags } from './league/run.ts';
import type { FetchFlags, ShowFlags } from './league/show.ts';
import type { ExportPageFlags, ViewFlags } from './league/view.ts';
import type { ProgramCommand } from './usage.ts';

const PRICES = ['--prices <file>', 'JSON file with prices in dollars per million tokens'] as const;
const MOST_SECONDS = 86_400;
const WAIT_SECONDS = 60;
const WAIT = [
  '--wait <seconds>',
  'seconds to wait at the start for a Redis that does not answer',
  parseCount(0, MOST_SECONDS),
  WAIT_SECONDS,
] as const;
const JSON_OPTION = ['--json', 'print the result as JSON'] as const;

export function addLeague(program: ProgramCommand): void {
  const league = program
    .command('league')
    .usage('<command>')
    .helpCommand('help [command]', 'show help')
    .description(
      'Plays leagues of many games and ranks the personas in them. Each game counts once, even when processes are killed on the way; a league that was stopped continues when it is run again.',
    );
  addRun(league);
  addWorker(league);
  addFetch(league);
  addViews(league);
  addPages(league);
}

function addRun(league: ProgramCommand): void {
  const run = league
    .command('run')
    .summary('play the games of a league that have no result')
    .description(
      'Plays all games of a league that have no result yet, then prints the leaderboard.',
    )
    .argument('<file>', 'a league in YAML, or - for standard input')
    .addOption(createStoreOption())
    .addOption(
      new Option('--redis <url>', 'queue on a Redis, from which workers take the games')
        // Results are kept there too.
        .conflicts(['store']),
    )
    .option(...WAIT)
    .option('--jobs <n>', 'games at once in this process', parseJobs, availableParallelism())
    .option('--mirror', 'play each table twice, with the personas exchanged')
    .option('--require-durable', 'refuse a store that can lose results')
    .option('--out <folder>', 'folder for journals', parseDestination)
    .option(...PRICES)
    .option('--dry-run', 'print the expected requests and cost of all games, and play nothing');
  addWaitFlags(run)
    .option(...JSON_OPTION)
    .option('-q, --quiet', 'print the leaderboard only')
    .examples(
      ['league run examples/league.yaml', 'play two hundred games'],
      ['league run my.yaml --redis redis://localhost', 'let workers play'],
    )
    .action(async (path: string, flags: LeagueRunFlags) => {
      const { runLeague } = await import('./league/run.ts');
      process.exitCode = await runLeague(path, flags);
    });
}

function addWorker(league: ProgramCommand): void {
  league
    .command('worker')
    .summary('play games of leagues that run elsewhere')
    .description(
      'Takes games from the queue on a Redis and plays them until you stop it. Any number of workers can run, on any machine.',
    )
    .requiredOption('--redis <url>', 'Redis with the queue')
    .option('--concurrency <n>', 'games at once', parseJobs, availableParallelism())
    .option('--run-minds <minds...>', `own minds that leagues may use: ${OWN_MINDS}`, addMind)
    .option('--allow-host <hosts...>', `hosts of models that leagues may ask: ${HOSTS}`, addHost)
    .option(...WAIT)
    .option(...PRICES)
    .option('-q, --quiet', 'print nothing')
    .examples(['league worker --redis redis://localhost', 'start one more worker'])
    .action(async (flags: WorkerFlags) => {
      const { runWorker } = await import('./league/run.ts');
      process.exitCode = await runWorker(flags);
    });
}

const OWN_MINDS = '"command:PROGRAM", http://URL or module:FILE';
const HOSTS = 'api.openai.com, or my.host=MY_KEY with the variable of its key';

function addMind(text: string, before: readonly MindChoice[] = []): readonly MindChoice[] {
  const mind = parseMind(text);
  if (!isOwn(mind)) throw new InvalidArgumentError(`expected ${OWN_MINDS}.`);
  return [...before, mind];
}

function addHost(text: string, before: readonly PermittedHost[] = []): readonly PermittedHost[] {
  const host = readPermittedHost(text);
  if (host === null) throw new InvalidArgumentError(`expected ${HOSTS}.`);
  return [...before, host];
}

const NAME = ['[name]', 'the name of the league; not needed if there is only one'] as const;

function addFetch(league: ProgramCommand): void {
  league
    .command('fetch')
    .summary('write the journals of a league into a folder')
    .description(
      'Writes the journals of all games that have a result into a folder, from any machine and as often as you want. The store keeps them, whichever process has played a game.',
    )
    .argument(...NAME)
    .addOption(createStoreOption())
    .option('--out <folder>', 'folder for journals', parseDestination)
    .option('--drop', 'delete the journals from the store after writing them')
    .option(...JSON_OPTION)
    .examples(['league fetch cup --store redis://localhost', 'fetch them from a Redis'])
    .action(async (name: string | undefined, flags: FetchFlags) => {
      await (await import('./league/show.ts')).fetchLeague(name, flags);
    });
}

function addViews(league: ProgramCommand): void {
  league
    .command('status')
    .summary('see how many games of each league are played')
    .description(
      'Prints how many games of each league have a result, and warns if the store can lose results.',
    )
    .argument(...NAME)
    .addOption(createStoreOption())
    .option(...JSON_OPTION)
    .action(async (name: string | undefined, flags: ShowFlags) => {
      await (await import('./league/show.ts')).showStatus(name, flags);
    });
  league
    .command('show')
    .summary('print the leaderboard of a league')
    .description('Prints the leaderboard of a league, computed from its results.')
    .argument(...NAME)
    .addOption(createStoreOption())
    .option('--stats', 'statistics of each persona, by role')
    .option('--versus', 'wins of each persona against each other one')
    .option('--levels', 'a comparison of the levels of strategy')
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .action(async (name: string | undefined, flags: ShowFlags) => {
      await (await import('./league/show.ts')).showLeague(name, flags);
    });
  league
    .command('rebuild')
    .summary('recount all careers')
    .description('Recounts the careers of all personas from the results of all leagues.')
    .addOption(createStoreOption())
    .option(...JSON_OPTION)
    .action(async (flags: ShowFlags) => {
      await (await import('./league/show.ts')).rebuildCareers(flags);
    });
}

const JOURNALS = ['--journals <folder>', 'folder with the journals of the games'] as const;

function addPages(league: ProgramCommand): void {
  league
    .command('export')
    .summary('print a league for other programs, or write it as a page')
    .description(
      'Prints the leaderboard as comma-separated values or everything as JSON, or writes one HTML file that opens from disk and needs no network.',
    )
    .argument(...NAME)
    .addOption(createStoreOption())
    .addOption(
      new Option('--format <format>', 'format of the output').choices(FORMATS).default('csv'),
    )
    .option('-o, --out <file>', 'file for the page', parseDestination)
    .option(...FORCE_OPTION)
    .option(...JOURNALS)
    .action(exported);
  league
    .command('view')
    .summary('show a league in the browser')
    .description(
      'Serves the leaderboard, a page of each persona and the games of a league on this machine, until Ctrl-C. The page follows a league that is being played.',
    )
    .argument(...NAME)
    .addOption(createStoreOption())
    .option('-p, --port <n>', 'port to serve on; 0 takes a free one', parsePort, 0)
    .option(...JOURNALS)
    .option('--no-open', 'print the link without opening a browser')
    .option('--json', 'print the address as JSON')
    .examples(['league view spring', 'open it in the browser'])
    .action(async (name: string | undefined, flags: ViewFlags) => {
      await (await import('./league/view.ts')).viewLeague(name, flags);
    });
}

const FORMATS = ['csv', 'json', 'html'] as const;
type ExportFlags = ShowFlags & ExportPageFlags & { readonly format: (typeof FORMATS)[number] };

async function exported(name: string | undefined, flags: ExportFlags): Promise<void> {
  const { format } = flags;
  if (format === 'html')
    return await (await import('./league/view.ts')).exportLeaguePage(name, flags);
  if (flags.out !== undefined) {
    const text = `--out is for --format html; ${format} goes to the standard output`;
    throw createFailure(EXIT.usage, 'league/out', text);
  }
  await (await import('./league/show.ts')).exportLeague(name, { ...flags, format });
}
