/** `glassbox run` and `glassbox play`: a game, the match of a file, or many games, with a person in a seat for `play`. */

import { type Command, Option } from 'commander';
import { rangeOf } from '../machines/rules/options.ts';
import { type Colour, RULE_SETS } from '../machines/types.ts';
import {
  addModelFlags,
  addShowFlags,
  createBeliefsOption,
  createFromOption,
  createLensOption,
  createSpeedOption,
  parseCount,
  parseDestination,
  parseJobs,
  parseMind,
  parseRate,
  parseSeat,
  parseSeats,
  parseSeed,
  THINK,
} from './flags.ts';
import type { MatchFlags } from './match.ts';
import type { ProgramCommand } from './usage.ts';

/** More than this is a slip of the finger, and would not fit on a disk. */
const MOST_GAMES = 1_000_000;
/** So many may be asked for; how many may sit down is a matter of the rules. */
const MOST_NAMED = 99;

const MOST_THINKING = 3600;
const THINKING = `time that a person may think; default: ${THINK}`;

const MATCH_WORDS = 'match file in YAML, - for standard input, or "electrical"';

export function addRun(program: ProgramCommand): void {
  const run = program
    .command('run', { isDefault: true })
    .description('Plays games, or the match of a file, and keeps their journals.')
    .argument('[match]', MATCH_WORDS)
    .option('-n, --games <n>', 'number of games', parseCount(1, MOST_GAMES), 1);
  addMatchFlags(run).addOption(createFromOption());
  addShowFlags(run)
    .option('--jobs <n>', 'threads for many games, 120 MB each', parseJobs, 1)
    .option('--dry-run', 'print the expected requests and cost, and play nothing');
  addModelFlags(run, 'language model for every seat; a,b,c take turns').examples(
    ['run --seed 7 --lens glass', 'a game with thoughts and bids'],
    ['run my.yaml --rules classic', 'your own match, other rules'],
    ['run -n 200 --seed 1 --jobs 2', 'how often each side wins'],
  );
  run.action(async (match: string | undefined, flags: MatchFlags, self: Command) => {
    const isSaid = (name: string) => self.getOptionValueSource(name) === 'cli';
    // Without the name of a command the program shows a game, also in a pipe.
    const isAsked = self.parent?.args[0] !== 'run' || isSaid('lens') || isSaid('speed');
    const { runMatches } = await import('./match.ts');
    process.exitCode = await runMatches(match, { ...flags, isAsked });
  });
}

function parseTicks(option: 'voteAfter' | 'maxTicks') {
  const { least, most } = rangeOf(option);
  return parseCount(least, most);
}

function addMatchFlags<C extends Command>(command: C): C {
  return command
    .option('--players <n>', 'players of a game, 4 to 15; default: 8', parseCount(0, MOST_NAMED))
    .option('--impostors <n>', 'impostors of a game, 1 to 3', parseCount(0, MOST_NAMED))
    .option('--seed <n>', 'seed of all chance: same seed, same games', parseSeed)
    .addOption(new Option('--rules <set>', 'rule set').choices(RULE_SETS))
    .option('--vote-after <n>', 'ticks of talk before a timed vote opens', parseTicks('voteAfter'))
    .option('--max-ticks <n>', 'ticks until a meeting ends without a vote', parseTicks('maxTicks'))
    .option('--fault-rate <p>', 'share of replies that go wrong, from 0 to 1', parseRate)
    .option('--mind <mind>', 'mind for every seat; see "glassbox help models"', parseMind)
    .option('--seat <colours>', 'for --mind or --model: red,blue or red=gpt-5-mini', parseSeats)
    .option('--out <path>', 'folder for journals, or one file: game.jsonl', parseDestination)
    .addOption(createBeliefsOption())
    .addOption(createLensOption())
    .addOption(createSpeedOption());
}

type PlayCommandFlags = Omit<MatchFlags, 'games' | 'jobs' | 'play'> & { readonly as?: Colour };

export function addPlay(program: ProgramCommand): void {
  const play = program
    .command('play')
    .description('Plays a game, or the match of a file, with you in one of the seats.')
    .argument('[match]', MATCH_WORDS)
    .option('--as <colour>', 'seat to take; default: the first one', parseSeat)
    .option('--terminal', 'play in this terminal instead of the browser')
    .option('--think <seconds>', THINKING, parseCount(1, MOST_THINKING));
  addMatchFlags(play);
  addModelFlags(addShowFlags(play), 'language model for the other seats; a,b,c take turns')
    .examples(
      ['play', 'a game of eight, in the browser'],
      ['play --as red --terminal', 'as Red, in this terminal'],
      ['play electrical --model gemma3 --provider ollama', 'a meeting with models'],
    )
    .action(async (match: string | undefined, { as, ...flags }: PlayCommandFlags) => {
      const { runMatches } = await import('./match.ts');
      const one = { games: 1, jobs: 1, isAsked: false };
      process.exitCode = await runMatches(match, { ...flags, ...one, play: as ?? true });
    });
}
