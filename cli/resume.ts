/** `glassbox resume`: goes on with a meeting or a game that was broken off, asking nobody twice. */
import type { Command } from 'commander';
import {
  continueGame,
  cutTorn,
  exitOf,
  modelsWith,
  openPlayable,
  refuseLacks,
  refuseOver,
  seatsWith,
  seedOf,
  sentenceOf,
} from './continueGame.ts';
import { createGameModels, printCost } from './gameModels.ts';
import { addModelFlags, type ModelFlags } from './modelFlags.ts';
import { commandLine, formatExamples } from './options.ts';
import { print, printJson, printNote } from './output.ts';

export function addResume(program: Command): void {
  const resume = program
    .command('resume')
    .summary('go on with a game that was broken off')
    .description(
      'Goes on with a meeting or a game that was broken off. Whatever was answered is in the journal and is not asked for again. Budgets are those of the whole game: what its journal says was spent is counted. With --model, --base-url, --key or --level the seats of models are asked so from here on.',
    )
    .argument('<journal>', 'a journal file')
    .option('--json', 'print what came of it as JSON');
  addModelFlags(resume, 'the language model for all seats of models')
    .addHelpText(
      'after',
      formatExamples(
        ['resume journals/a.jsonl', 'the same past, and how it goes on'],
        ['resume journals/a.jsonl --max-calls 500', 'with 500 requests in all'],
      ),
    )
    .action(async (path: string, flags: ModelFlags & { readonly json?: boolean }) => {
      const { json = false } = flags;
      const journal = await openPlayable(path);
      refuseOver(path, journal);
      refuseLacks(seatsWith(journal, flags), flags);
      cutTorn(path, journal);
      const thinking = createGameModels(flags, seedOf(journal));
      thinking.remember(journal);
      const models = modelsWith(thinking, flags);
      const onward = await continueGame(path, journal, (minds) => minds, { thinking, models });
      if (json) printJson({ v: 1, type: 'resumed', ...onward, end: onward.end?.type ?? null });
      else print(sentenceOf(onward));
      if (!json) printCost(thinking);
      if (!json) printNote(`\nSee it: ${commandLine('watch', path)}`);
      process.exitCode = exitOf(onward);
    });
}
