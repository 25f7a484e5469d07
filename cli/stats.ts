/** `glassbox stats`: what happened in recorded games, counted. */
import type { Command } from 'commander';
import { examples } from './help.ts';

export function addStats(program: Command): void {
  program
    .command('stats')
    .summary('count what happened in recorded games')
    .description(
      'Counts what happened in recorded games: wins, votes, speaking, survival, and claims that were not true. One journal is told player by player; of several, or of a folder, all games are added up.',
    )
    .argument('<journals...>', 'journals of games, and folders with journals in them')
    .option('--json', 'print the numbers as JSON')
    .addHelpText(
      'after',
      examples(
        ['stats journals/run-1', 'all games of a run'],
        ['stats journals/game-7.jsonl', 'one game, player by player'],
      ),
    )
    .action(async (paths: readonly string[], { json = false }: { readonly json?: boolean }) => {
      const { stats } = await import('./stats/count.ts');
      process.exitCode = await stats(paths, json);
    });
}
