/** `glassbox check`: proves the meeting that runs, or looks for violated properties in meetings that were recorded. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { RULE_SETS } from '../machines/types.ts';
import type { Combinations } from '../proofs/models/closings.ts';
import type { CheckFlags } from './check/flags.ts';
import { parseCount, parseDestination } from './flags.ts';
import { formatExamples } from './usage.ts';

/** One player alone has no one to vote for. */
const FEWEST_PLAYERS = 2;
const MOST_PLAYERS = 10;
const MOST_GHOSTS = 12;
/** A gigabyte of states, roughly. */
const MAX_STATES = 2_000_000;
const MOST_PORTS = 65_535;
const parsePlayer = parseCount(FEWEST_PLAYERS, MOST_PLAYERS);

/** Reads "4" or "3..6". */
function parsePlayers(text: string): readonly number[] {
  const [least = '', most = least, ...more] = text.split('..');
  const [first, last] = [parsePlayer(least), parsePlayer(most)];
  if (more.length > 0 || last < first) {
    throw new InvalidArgumentError(
      'expected a number of players from 2 to 10, or a range such as 3..6.',
    );
  }
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

export function addCheck(program: Command): void {
  const command = program
    .command('check')
    .description(
      'Explores every way a meeting can go, and checks every property of it. With --game it searches whole games; with --mutants it checks the properties.',
    )
    .argument('[match]', 'a YAML file, or - for standard input; without one, a plain table');
  addWorld(command);
  addSearch(command);
  addInstead(command);
  addOutput(command);
  command
    .addHelpText(
      'after',
      formatExamples(
        ['check', 'three players, both rule sets'],
        ['check --verbose', 'the same, property by property'],
        ['check --players 3..4 --faults --departures 1', 'minds fail, and a player leaves'],
        ['check --property ends --trace ends.jsonl', 'a meeting that never ends, to be watched'],
        ['check --explore', 'explore the findings in the browser'],
        ['check my.yaml --players 3', 'options and weights of your own'],
        ['check --interference', 'ghosts, thoughts and roles too'],
        ['check --game', 'whole games on a small ship'],
        ['check --mutants', 'which mutants the properties catch'],
      ),
    )
    .action(async (path: string | undefined, flags: Omit<CheckFlags, 'given'>) => {
      const { runCheck } = await import('./check/run.ts');
      process.exitCode = await runCheck(path ?? null, { ...flags, given: givenTo(command) });
    });
}

/** The flags that were written. */
function givenTo(command: Command): readonly string[] {
  return command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .flatMap(({ long }) => long ?? []);
}

/** What the world may do. */
function addWorld(command: Command): void {
  command
    .option('--players <n>', 'living players: a number, or a range such as 3..6', parsePlayers)
    .addOption(
      new Option('--rules <set>', 'rule set; without it both, or the one of the match').choices(
        RULE_SETS,
      ),
    )
    .addOption(
      new Option('--ghosts <n>', 'players who are dead from the start')
        .argParser(parseCount(0, MOST_GHOSTS))
        .default(0),
    )
    .addOption(
      new Option('--departures <n>', 'players who may leave')
        .argParser(parseCount(0, MOST_PLAYERS))
        .default(0),
    )
    .option('--faults', 'minds may fail')
    .addOption(
      new Option(
        '--combinations <which>',
        'what players hand in at once (default: all up to 3 players, then folded)',
      ).choices(['all', 'folded'] satisfies readonly Combinations[]),
    )
    .option('--stops', 'the operator may stop the run');
}

/** How it is searched. */
function addSearch(command: Command): void {
  command
    .option('--property <name...>', 'check only these properties')
    .addOption(
      new Option('--max-states <n>', 'end a search after this many states')
        .argParser(parseCount(1, Number.MAX_SAFE_INTEGER))
        .default(MAX_STATES),
    )
    .option(
      '--max-seconds <n>',
      'end a search after this many seconds',
      parseCount(1, Number.MAX_SAFE_INTEGER),
    )
    .option(
      '--max-memory <MB>',
      'end a search when the process holds this many megabytes',
      parseCount(1, Number.MAX_SAFE_INTEGER),
    )
    .option('--no-symmetry', 'treat players of one role as different')
    .option('--interference', 'check also whether what players see reveals a secret');
}

/** What is done instead of a search. */
function addInstead(command: Command): void {
  command
    .option('--game', 'check whole games on a small ship instead')
    .option('--mutants', 'break the meeting instead, and see which property fails');
}

function addOutput(command: Command): void {
  command
    .option('--verbose', 'list every property, every search and every part not reached')
    .option('--trace <file>', 'write a counterexample as a journal', parseDestination)
    .option('--page <file>', 'write a page to explore the findings', parseDestination)
    .addOption(
      new Option(
        '--explore [port]',
        'serve that page on this machine only, and open the browser',
      ).argParser(parseCount(0, MOST_PORTS)),
    )
    .option('--json', 'print the findings as NDJSON')
    .option('--junit <file>', 'write the verdicts as JUnit XML', parseDestination);
}
