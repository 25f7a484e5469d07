/** `glassbox verify`: counts and plays a bundle of the benchmark again, and names what was edited. */
import type { Command } from 'commander';
import type { BundleFlags } from './benchmark/verify.ts';
import { parseCount } from './flags.ts';
import { formatExamples } from './usage.ts';

const MOST_JOBS = 256;

export function addVerify(program: Command): void {
  program
    .command('verify')
    .description(
      'Checks a bundle of "benchmark" without a key and without the network: its seal, its plan and its files; every game is played again, offline minds to the byte, a model with the answers of its journal; results, scores and tables are counted anew. What does not fit is named, with its file, line and table.',
    )
    .argument(
      '<bundle>',
      'the folder of a bundle, the JSON file of a compact one, or - for standard input',
    )
    .option('--jobs <n>', 'threads; without it, one for each processor', parseCount(1, MOST_JOBS))
    .option('--json', 'print the findings and scores as JSON')
    .addHelpText(
      'after',
      formatExamples(
        ['verify benchmarks/gpt-5-mini', 'is this bundle what it says?'],
        ['verify examples/benchmark/sceptic.json', 'the same without journals: all is played anew'],
      ),
    )
    .action(async (path: string, flags: BundleFlags) => {
      const { verifyPath } = await import('./benchmark/verify.ts');
      process.exitCode = await verifyPath(path, flags);
    });
}
