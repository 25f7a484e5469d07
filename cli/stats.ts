/** `glassbox stats`: what happened in recorded games, counted. */
import type { Command } from 'commander';
import { formatExamples } from './options.ts';
import type { StatsFlags } from './stats/count.ts';

export function addStats(program: Command): void {
  program
    .command('stats')
    .summary('count what happened in recorded games')
    .description(
      'Counts what happened in recorded games: wins, votes, speaking, survival, and claims that were not true; and how minds behaved: leaks, messages to other machines, votes that did not count, mended replies, faults, and what models have cost. One journal is told player by player; of several, or of a folder, all games are added up, and of meetings on their own how minds behaved.',
    )
    .argument('<journals...>', 'journals, and folders with journals in them')
    .option('--prices <file>', 'dollars for a million tokens of each model, JSON')
    .option('--json', 'print the numbers as JSON')
    .addHelpText(
      'after',
      formatExamples(
        ['stats journals/run-1', 'all games of a run'],
        ['stats journals/game-7.jsonl', 'one game, player by player'],
        ['stats journals/game-7.jsonl --prices prices.json', 'what models have cost'],
      ),
    )
    .action(async (paths: readonly string[], flags: StatsFlags) => {
      const { stats } = await import('./stats/count.ts');
      process.exitCode = await stats(paths, flags);
    });
}
