/** `glassbox benchmark`: plays the fixed benchmark with one mind, and writes a bundle that anybody can verify. */
import { type Command, InvalidArgumentError } from 'commander';
import { MOST_TABLES, STANDARD_TABLES } from '../analysis/benchmark/sizes.ts';
import { TEMPERAMENTS } from '../machines/types.ts';
import type { BenchmarkFlags } from './benchmark/run.ts';
import { MIND_WORDS, parseCount, parseDestination, parseMind } from './flags.ts';
import { addModelFlags } from './modelFlags.ts';
import { formatExamples } from './usage.ts';

const MOST_JOBS = 256;

const EXAMPLES = formatExamples(
  ['benchmark --model gpt-5-mini', '50 games of a model'],
  ['benchmark --model gpt-5-mini --games 200 --dry-run', 'what more games would cost'],
  ['benchmark --persona sceptic --games 4', 'an offline mind, to see how it goes'],
  ['benchmark --mind "command:python3 mind.py" --name mine', 'your own program'],
  ['verify benchmarks/gpt-5-mini', 'is a bundle what it says?'],
);

export function addBenchmark(program: Command): void {
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
      `test a mind that comes with the project: ${TEMPERAMENTS.join(', ')}`,
    )
    .option(
      '--mind <mind>',
      `test a mind of your own: ${MIND_WORDS.replace(/^.*?(?="command)/, '')}`,
      parseMind,
    )
    .option('--name <name>', 'name of your own mind in the bundle', parseName)
    .option(
      '--out <folder>',
      'folder of the bundle (default: one in benchmarks/)',
      parseDestination,
    )
    .option('--compact', 'with --persona: write bundle.json alone, without journals and tables')
    .option(
      '--jobs <n>',
      'threads for offline games; without it, one for each processor',
      parseCount(1, MOST_JOBS),
    )
    .option('--dry-run', 'print the expected requests, cost and intervals, and play nothing')
    .option('--json', 'print the scores as JSON')
    .option('-q, --quiet', 'print the scores only');
  addModelFlags(command, 'the language model that is tested')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: BenchmarkFlags) => {
      const { runBenchmark } = await import('./benchmark/run.ts');
      process.exitCode = await runBenchmark(flags);
    });
}

const LONGEST_NAME = 80;

function parseName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= LONGEST_NAME && !/\p{C}/u.test(name)) return name;
  throw new InvalidArgumentError(`expected a name of 1 to ${LONGEST_NAME} visible characters.`);
}
