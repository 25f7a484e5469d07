/** `glassbox run`: plays whole games, tells one of them or counts many, and keeps their journals. */

import { type Command, Option } from 'commander';
import { RULE_SETS } from '../machines/types.ts';
import { createFailure, EXIT, type Failure } from './exit.ts';
import {
  addMindFlags,
  addModelFlags,
  addPlayFlags,
  createBeliefsOption,
  createLensOption,
  createLiveOption,
  createSpeedOption,
  parseCount,
  parseDestination,
  parseRate,
  parseSeed,
} from './flags.ts';
import type { RunFlags } from './games.ts';
import { shorten } from './output.ts';
import { createUnknownCommand, formatExamples } from './usage.ts';

/** Where journals go by default. */
const FOLDER = 'journals';
/** More than this is a slip of the finger, and would not fit on a disk. */
const MOST_GAMES = 1_000_000;
const MOST_JOBS = 256;
/** So many may be asked for; how many may sit down is a matter of the rules. */
const MOST_NAMED = 99;

type Flags = Omit<RunFlags, 'folder' | 'isAsked'>;

const EXAMPLES = formatExamples(
  ['run', 'a game of eight, with another seed each time'],
  ['run --seed 7 --lens table', 'only what was public at the table'],
  ['run --play', 'a game with you in it'],
  ['run --mind "command:python3 mind.py" --seat red', 'your own program as Red'],
  ['run -n 200 --seed 1 --jobs 2', 'two hundred games, and who won how often'],
  ['run --config my.yaml --rules classic', 'your match, other rules'],
);

export function addRun(program: Command): void {
  const run = program
    .command('run', { isDefault: true })
    .description(
      'Plays whole games between offline minds or language models and keeps their journals. A single game is printed as it happens; of several, each gets a line.',
    )
    .usage('[options]')
    .argument('[word]')
    .option('-n, --games <n>', 'how many games', parseCount(1, MOST_GAMES), 1)
    .option('--players <n>', 'players, 4 to 15; without it, 8', parseCount(0, MOST_NAMED))
    .option('--impostors <n>', 'impostors, 1 to 3', parseCount(0, MOST_NAMED))
    .option('--seed <n>', 'seed of all chance; the same seed gives the same games', parseSeed)
    .option('--config <file>', 'a match file in YAML, or - for standard input')
    .addOption(new Option('--rules <set>', 'rule set').choices(RULE_SETS))
    .option(
      '--jobs <n>',
      'threads to play on; each more takes some 120 MB',
      parseCount(1, MOST_JOBS),
      1,
    )
    .option('--fault-rate <p>', 'share of replies that go wrong, from 0 to 1', parseRate)
    .option(
      '--out <folder>',
      `folder for journals (default: a new one in ${FOLDER}/)`,
      parseDestination,
    )
    .addOption(createLensOption())
    .addOption(createBeliefsOption())
    .addOption(createSpeedOption('; normal on a terminal, else max'))
    .addOption(createLiveOption())
    .option('--no-live', 'do not open the browser; a single game on a terminal opens it')
    .option('--json', 'print a line of JSON for each game and for all of them')
    .option('-q, --quiet', 'print the result only');
  addPlayFlags(run);
  addMindFlags(run);
  addModelFlags(run);
  run.option(
    '--dry-run',
    'print how many requests a game would make and what it would cost, and make none',
  );
  run.addHelpText('after', EXAMPLES);
  run.action(async (word: string | undefined, flags: Flags, self: Command) => {
    if (word !== undefined) throw await misplaced(word, program);
    const isSaid = (name: string) => self.getOptionValueSource(name) === 'cli';
    // Without a word the program shows a game, on a pipe too.
    const isAsked = self.parent?.args[0] !== 'run' || isSaid('lens') || isSaid('speed');
    const { runGames } = await import('./games.ts');
    process.exitCode = await runGames({ folder: FOLDER, isAsked, ...flags });
  });
}

/** A word where there should be a command or an option: a file, or a slip of the finger. */
async function misplaced(word: string, program: Command): Promise<Failure> {
  const { isThere } = await import('./input.ts');
  if (!isThere(word)) return createUnknownCommand(word, program, true);
  const text = `expected a command before ${JSON.stringify(shorten(word))}: "meet" for a match that starts at the table, "run --config" for a whole game, "watch" for a journal`;
  return createFailure(EXIT.usage, 'usage/no-command', text);
}
