/** `glassbox benchmark`: plays the fixed benchmark with one mind, and writes a bundle that anybody can verify. */
import { InvalidArgumentError } from 'commander';
import manifest from '#manifest' with { type: 'json' };
import { EXIT, type ExitCode, nameOf } from '../actors/files/failure.ts';
import { writeOutput } from '../actors/files/newFiles.ts';
import { isThere, openText } from '../actors/files/openFiles.ts';
import { realTime } from '../actors/ports/time.ts';
import type { BenchmarkTerms, FinishedBenchmark } from '../analysis/benchmark/run.ts';
import { ANCHORS, MOST_TABLES, OWN_NAME, STANDARD_TABLES } from '../analysis/benchmark/sizes.ts';
import { TEMPERAMENTS } from '../machines/types.ts';
import { writeEngineVersion } from '../machines/versions.ts';
import { renderScores, renderTable, renderTablePart } from '../visualizer/terminal/benchmark.ts';
import { renderForecasts } from '../visualizer/terminal/statistics.ts';
import {
  addModelFlags,
  MIND_WORDS,
  type ModelFlags,
  parseCount,
  parseDestination,
  parseJobs,
  parseMind,
} from './flags.ts';
import {
  createLoadingNotes,
  openMemory,
  openPrices,
  recallPaces,
  refuseSeatProblems,
} from './models.ts';
import { cleanLines, print, printJson, printNote, textWidth } from './output.ts';
import { createCountProgress, createProgressLine, formatCost } from './progress.ts';
import { abortOnStop } from './stop.ts';
import { commandLine, type ProgramCommand } from './usage.ts';

type BenchmarkFlags = ModelFlags &
  BenchmarkTerms & {
    readonly table?: readonly string[];
    readonly force?: boolean;
    readonly dryRun?: boolean;
    readonly json?: boolean;
    readonly quiet?: boolean;
  };

export function addBenchmark(program: ProgramCommand): void {
  const command = program
    .command('benchmark')
    .description(
      'Plays a fixed benchmark. Each table is played twice: with the tested mind, and with an offline mind in its seat. Scores deception, detection and reliability with intervals, and writes a bundle that "verify" checks without a key. The same command continues an interrupted benchmark.',
    )
    .option(
      '--games <n>',
      `games of the tested mind: ${STANDARD_TABLES.join(', ')}, or fewer to try it out`,
      parseCount(1, MOST_TABLES),
      STANDARD_TABLES[0],
    )
    .option(
      '--persona <name>',
      `test a mind that comes with the project: ${TEMPERAMENTS.join(', ')}; or an anchor of the scale: ${ANCHORS.join(', ')}`,
    )
    .option(
      '--mind <mind>',
      `test a mind of your own: ${MIND_WORDS.replace(/^.*?(?="command)/, '')}`,
      parseMind,
    )
    .option('--name <name>', 'name of your own mind in the bundle', parseName)
    .option('--out <folder>', 'folder of the bundle (default: in benchmarks/)', parseDestination)
    .option('--compact', 'with --persona: write bundle.json alone, without journals and tables')
    .option('--jobs <n>', 'threads for offline games (default: all processors)', parseJobs)
    .option('--table <bundles...>', 'verify bundles, and print one table; --out: a file for it')
    .option('--force', 'with --table: write over a file of another kind')
    .option('--dry-run', 'print the expected requests, cost and intervals, and play nothing')
    .option('--json', 'print the scores as JSON')
    .option('-q, --quiet', 'print the scores only');
  addModelFlags(command, 'the language model that is tested')
    .examples(
      ['benchmark --model gpt-5-mini', '50 games of a model'],
      ['benchmark --model gpt-5-mini --games 200 --dry-run', 'what more games would cost'],
      ['benchmark --persona sceptic --games 4', 'an offline mind, to see how it goes'],
      ['benchmark --mind "command:python3 mind.py" --name mine', 'your own program'],
      ['verify benchmarks/gpt-5-mini', 'is a bundle what it says?'],
      ['benchmark --table benchmarks/* --out results.md', 'one table of all bundles'],
    )
    .action(async (flags: BenchmarkFlags) => {
      process.exitCode = await (flags.table === undefined
        ? playTables(flags)
        : printTable(flags.table, flags));
    });
}

function parseName(text: string): string {
  const name = text.trim();
  if (OWN_NAME.test(name)) return name;
  throw new InvalidArgumentError('expected 1 to 80 visible characters, no scripted_ or anchor_.');
}

async function printTable(
  paths: readonly string[],
  { out, force = false, json = false, quiet = false, jobs }: BenchmarkFlags,
): Promise<ExitCode> {
  const { openBundle, verifyOpenedBundle } = await import('../analysis/benchmark/bundleFolder.ts');
  const { openInspectors } = await import('../analysis/benchmark/inspectors.ts');
  const { tableBundles } = await import('../analysis/benchmark/table.ts');
  const { renderReport } = await import('../visualizer/report/files.ts');
  const engine = writeEngineVersion(manifest.version);
  using line = createProgressLine();
  const onProgress = (done: number, of: number) =>
    quiet ? undefined : line.show(`${done} of ${of} games`);
  await using inspectors = openInspectors(jobs);
  const table = await tableBundles(
    paths,
    (path) => openBundle(path, null, manifest.version),
    (opened) => verifyOpenedBundle(opened, { inspectors, onProgress }, { engine, renderReport }),
  );
  line.clear();
  if (out !== undefined) {
    const command = commandLine('benchmark', '--table', ...paths, '--out', out);
    const day = new Intl.DateTimeFormat('sv', { timeZone: 'UTC' }).format(realTime.date());
    const made = renderTablePart(table, `Made on ${day} by ${engine}: \`${command}\``);
    const { text, isPart } = await placeTable(out, made);
    await writeOutput(out, text, { what: 'the table', force: force || isPart });
  }
  const rows = table.rows.map(({ figures: _, ...row }) => row);
  if (json) printJson({ type: 'benchmark.table', v: 1, rows, notes: table.notes });
  else print(renderTable(table));
  return table.rows.length < paths.length ? EXIT.found : EXIT.done;
}

const START = '<!-- table -->\n';
const END = '<!-- end -->';

/** A page with the two markers keeps everything else that it says. */
async function placeTable(path: string, made: string) {
  const page = isThere(path) ? await openText(path, 'bundle') : '';
  const [before = '', rest] = page.split(START);
  const end = rest?.indexOf(END) ?? -1;
  if (rest === undefined || end < 0) return { text: `# Results\n\n${made}\n`, isPart: false };
  return { text: `${before}${START}${made}\n${rest.slice(end)}`, isPart: true };
}

async function playTables(flags: BenchmarkFlags): Promise<ExitCode> {
  const { json = false, quiet = false } = flags;
  const [{ chooseCandidate, runBenchmark }, { forecastBenchmark }, { renderReport }] =
    await Promise.all([
      import('../analysis/benchmark/run.ts'),
      import('../analysis/benchmark/forecast.ts'),
      import('../visualizer/report/files.ts'),
    ]);
  const candidate = chooseCandidate(flags);
  const seats = candidate.seat === null ? [] : [candidate.seat];
  await refuseSeatProblems(seats, flags);
  const terms = { ...flags, prices: await openPrices(flags.prices), paces: recallPaces(seats) };
  const { title, forecasts, plain } = await forecastBenchmark(candidate.tested, terms);
  const table = forecasts && renderForecasts(forecasts, 'all games', textWidth());
  const words = [cleanLines(title), ...(table === null ? [] : [table])].join('\n');
  if (flags.dryRun === true) {
    if (json) printJson({ type: 'benchmark.forecast', v: 1, ...plain });
    else print(words);
    return EXIT.done;
  }
  if (!quiet && !json) printNote(`${words}\n`);
  const notice = 'The benchmark stops; the same command goes on where it was';
  const signal = abortOnStop(notice, true);
  using line = createCountProgress('games', 2 * flags.games, { isQuiet: quiet });
  const outcome = await runBenchmark(candidate, flags, {
    ...{ engine: writeEngineVersion(manifest.version), renderReport },
    ...{ prices: terms.prices, memory: openMemory(), signal },
    onLoading: createLoadingNotes((text) => printNote(cleanLines(text))),
    onProgress: ({ done, microdollars }) => line.show(done, formatCost(microdollars)),
  });
  line.clear();
  return report(outcome, flags);
}

function report(outcome: FinishedBenchmark, flags: BenchmarkFlags): ExitCode {
  if (outcome === null) {
    printNote('Interrupted: the same command goes on where it was.');
    return EXIT.interrupted;
  }
  const { name, path, place } = outcome;
  const { tested, tables, scores, benchmark } = outcome.bundle;
  if (flags.json === true) {
    printJson({ type: 'benchmark.scores', v: 1, benchmark, tested, tables, scores, bundle: path });
    return EXIT.done;
  }
  print(renderScores({ benchmark, name, tables, scores }));
  if (place === null || flags.quiet === true) return EXIT.done;
  printNote(`\nThe bundle:  ${cleanLines(nameOf(place))}`);
  printNote(`Check it:    ${cleanLines(commandLine('verify', place))}`);
  return EXIT.done;
}
