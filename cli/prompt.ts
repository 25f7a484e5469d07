/** `glassbox prompt`: exactly what a model would be sent. */
import { type Command, Option } from 'commander';
import { LEVELS } from '../machines/types.ts';
import { formatExamples, parseCount, parseSeat, parseSeed } from './options.ts';
import type { PromptFlags } from './showPrompt.ts';

/** No meeting and no game has more ticks or rounds. */
const MOST = 100_000;

/** What can be asked for by name; without it, the talk of the tick. */
const OCCASIONS = ['discussion', 'voting', 'reaction', 'consolidation', 'ghost'] as const;

export function addPrompt(program: Command): void {
  program
    .command('prompt')
    .summary('print what a model would be sent')
    .description(
      'Plays a meeting with the offline minds and prints exactly what a model in the place of one of them would be sent at a tick; with --round, of a whole game.',
    )
    .argument(
      '<scenario>',
      'a scenario or, with --round, a lobby, - for standard input; or a journal, for what was sent in it',
    )
    .requiredOption('--player <colour>', 'whose prompt', parseSeat)
    .option('--tick <n>', 'the tick of the meeting, or the turn of the ghosts', parseCount(0, MOST))
    .option('--round <n>', 'the round of a game', parseCount(0, MOST))
    .option('--meeting <n>', 'which meeting of a journal, from 1', parseCount(1, MOST))
    .option('--seed <n>', 'seed of all chance', parseSeed, 1)
    .addOption(new Option('--level <level>', 'strategy that the player is told').choices(LEVELS))
    .addOption(new Option('--occasion <occasion>', 'what is asked for').choices(OCCASIONS))
    .option('--json', 'print it as one JSON object, with the schema of the reply')
    .addHelpText(
      'after',
      formatExamples(
        ['prompt my.yaml --player red --tick 12', 'tick 12, as red would read it'],
        ['prompt my.yaml --player red --tick 0 --level none', 'rules only'],
        ['prompt my.yaml --player red --occasion reaction', 'after the reveal'],
        ['prompt lobby.yaml --player red --round 0', 'on the ship'],
        ['prompt journals/a.jsonl --player red --tick 4 --meeting 2', 'what was sent in a game'],
      ),
    )
    .action(async (path: string, flags: PromptFlags) => {
      const { printPrompt } = await import('./showPrompt.ts');
      await printPrompt(path, flags);
    });
}
