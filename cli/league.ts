/** `glassbox league`: many games that count, here or on many machines. */
import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { createFailure, EXIT, type ExitCode } from './exit.ts';
import type { ExportPageFlags } from './league/exportPage.ts';
import type { RunFlags } from './league/run.ts';
import type { ShowFlags } from './league/show.ts';
import type { ViewFlags } from './league/view.ts';
import type { WorkerFlags } from './league/worker.ts';
import { formatExamples, parseCount, parseDestination } from './options.ts';

const MOST_JOBS = 256;
const MOST_PORTS = 65_535;
const PRICES = ['--prices <file>', 'dollars for a million tokens of each model, JSON'] as const;
const JSON_OPTION = ['--json', 'print it as JSON'] as const;

export function addLeague(program: Command): void {
  const league = program
    .command('league')
    .usage('<command>')
    .helpCommand('help [command]', 'explain a command')
    .summary('play leagues, and see who leads them')
    .description(
      'Plays leagues of many games, and says who plays how well. Each game counts once, whatever is killed on the way; a league that was stopped goes on when it is run again.',
    );
  addRun(league);
  addWorker(league);
  addViews(league);
  addExport(league);
  addPage(league);
}

/** Where results are kept. */
export function storeOption(): Option {
  return new Option(
    '--store <place>',
    'a file, or the URL of a Redis; without it REDIS_URL, or else a file in journals/',
  );
}

function addRun(league: Command): void {
  league
    .command('run')
    .summary('play all that is open in a league')
    .description('Plays all games of a league that have no result yet, and prints the leaderboard.')
    .argument('<file>', 'a league in YAML, or - for standard input')
    .addOption(storeOption())
    .addOption(
      new Option('--redis <url>', 'let workers play: put the games into a queue on this Redis')
        // Results are kept there too, and workers know the prices of what they spend.
        .conflicts(['store', 'prices']),
    )
    .option(
      '--jobs <n>',
      'games at once in this process',
      parseCount(1, MOST_JOBS),
      availableParallelism(),
    )
    .option('--mirror', 'play each table twice, with the personas exchanged')
    .option('--require-durable', 'refuse a store that may lose results')
    .option('--out <folder>', 'where the journals go', parseDestination)
    .option(...PRICES)
    .option(...JSON_OPTION)
    .option('-q, --quiet', 'print the leaderboard only')
    .addHelpText(
      'after',
      formatExamples(
        ['league run examples/league.yaml', 'two hundred games'],
        ['league run my.yaml --redis redis://localhost', 'by workers'],
      ),
    )
    .action(async (path: string, flags: RunFlags) => {
      const { runLeague } = await import('./league/run.ts');
      process.exitCode = await runLeague(path, flags);
    });
}

function addWorker(league: Command): void {
  league
    .command('worker')
    .summary('play games of leagues that run elsewhere')
    .description(
      'Takes games out of the queue on a Redis and plays them until it is told to stop. Any number of workers may run, on any machine.',
    )
    .requiredOption('--redis <url>', 'where the queue is')
    .option('--concurrency <n>', 'games at once', parseCount(1, MOST_JOBS), availableParallelism())
    .option(...PRICES)
    .option('-q, --quiet', 'say nothing')
    .addHelpText(
      'after',
      formatExamples(['league worker --redis redis://localhost', 'one more worker']),
    )
    .action(async (flags: WorkerFlags) => {
      const { work } = await import('./league/worker.ts');
      process.exitCode = await work(flags);
    });
}

const NAME = ['[name]', 'the name of the league; not needed where there is only one'] as const;

function addViews(league: Command): void {
  league
    .command('status')
    .summary('see how far leagues are')
    .description(
      'Says how many games of each league have a result, and whether the store is sound.',
    )
    .argument(...NAME)
    .addOption(storeOption())
    .option(...JSON_OPTION)
    .action(async (name: string | undefined, flags: ShowFlags) => {
      const { tellStatus } = await import('./league/show.ts');
      process.exitCode = await tellStatus(name, flags);
    });
  league
    .command('show')
    .summary('see who leads a league')
    .description('Prints the leaderboard of a league, counted from its results.')
    .argument(...NAME)
    .addOption(storeOption())
    .option('--stats', 'how everybody plays, role by role')
    .option('--versus', 'who wins against whom')
    .option('--levels', 'what levels of strategy are worth')
    .option(...JSON_OPTION)
    .action(async (name: string | undefined, flags: ShowFlags) => {
      const { showLeague } = await import('./league/show.ts');
      process.exitCode = await showLeague(name, flags);
    });
  league
    .command('rebuild')
    .summary('count all careers anew')
    .description('Counts the careers of all personas anew from the results of all leagues.')
    .addOption(storeOption())
    .option(...JSON_OPTION)
    .action(async (flags: ShowFlags) => {
      const { rebuildCareers } = await import('./league/show.ts');
      process.exitCode = await rebuildCareers(flags);
    });
}

function addExport(league: Command): void {
  league
    .command('export')
    .summary('print a league for other programs, or write it as a page')
    .description(
      'Prints the leaderboard as comma-separated values, or everything as JSON; or writes one HTML file, which opens from disk and asks the network for nothing.',
    )
    .argument(...NAME)
    .addOption(storeOption())
    .addOption(new Option('--format <format>', 'what it is').choices(FORMATS).default('csv'))
    .option('-o, --out <file>', 'where the page goes', parseDestination)
    .option(...JOURNALS)
    .action(async (name: string | undefined, flags: ExportFlags) => {
      process.exitCode = await exported(name, flags);
    });
}

const JOURNALS = ['--journals <folder>', 'where the journals of its games are'] as const;

function addPage(league: Command): void {
  league
    .command('view')
    .summary('show a league in the browser')
    .description(
      'Serves the leaderboard, a page of each persona and the games of a league, on this machine only, until Ctrl-C. A league that is being played is followed.',
    )
    .argument(...NAME)
    .addOption(storeOption())
    .option('-p, --port <n>', 'where to serve; 0 takes a free one', parseCount(0, MOST_PORTS), 0)
    .option(...JOURNALS)
    .option('--no-open', 'only print the link')
    .addHelpText('after', formatExamples(['league view spring', 'opens the browser']))
    .action(async (name: string | undefined, flags: ViewFlags) => {
      const { viewLeague } = await import('./league/view.ts');
      process.exitCode = await viewLeague(name, flags);
    });
}

const FORMATS = ['csv', 'json', 'html'] as const;
type ExportFlags = ShowFlags & ExportPageFlags & { readonly format: (typeof FORMATS)[number] };

async function exported(name: string | undefined, flags: ExportFlags): Promise<ExitCode> {
  const { format } = flags;
  if (format === 'html') {
    const { exportLeaguePage } = await import('./league/exportPage.ts');
    return await exportLeaguePage(name, flags);
  }
  if (flags.out !== undefined) {
    const text = `--out is for --format html: ${format} is printed`;
    throw createFailure(EXIT.usage, 'league/out', text);
  }
  const { exportLeague } = await import('./league/show.ts');
  return await exportLeague(name, { ...flags, format });
}
