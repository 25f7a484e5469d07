/** The options of `why`. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { WhyTerms } from '../analysis/why/asking.ts';
import { HORIZONS } from '../analysis/why/outcome.ts';
import { REPLACEMENTS, SUBJECTS, type Subject } from '../analysis/why/questions.ts';
import type { ModelFlags } from './flags.ts';
import { parseCount, parseDestination, parseSeat, parseSeed } from './flags.ts';
import { addModelFlags } from './modelFlags.ts';

export type WhyFlags = ModelFlags &
  WhyTerms & {
    readonly all?: boolean;
    readonly json?: boolean;
    readonly quiet?: boolean;
  };

/** Asked about unless --what says otherwise. Bids are many, and most of them were in vain. */
const USUAL: readonly Subject[] = ['messages', 'ballots', 'kills', 'claims'];
const MOST_JOBS = 256;
const MOST_MEETINGS = 1_000;

/** Orders that are drawn for Shapley values, unless --orders says otherwise. */
const ORDERS = 100;
/** Every set along the orders is held at once: a few hundred thousand at most. */
const MOST_ORDERS = 2_000;
const MOST_SAMPLES = 10_000;
/** Matches from each moment, unless --continuations says otherwise. */
const CONTINUATIONS = 20;

/** Adds the options of `why` to its command. */
export function addWhyFlags(asking: Command): Command {
  addQuestionFlags(asking)
    .option(
      '--samples <n>',
      'number of matches with and without each change, for models',
      parseCount(1, MOST_SAMPLES),
    )
    .option('--stand-in', 'offline minds go on for models, people and own minds');
  addOtherQuestions(asking)
    .option('--strict', 'compare a fork without a change at every moment that is asked about')
    .option(
      '--jobs <n>',
      'threads to ask on; without it, as many as are worth it',
      parseCount(1, MOST_JOBS),
    )
    .option('--out <file>', 'file for the result', parseDestination)
    .option('--all', 'list every question, also those whose answer is "the same"')
    .option('--json', 'print the result as JSON')
    .option('-q, --quiet', 'print the result only');
  return addModelFlags(asking, 'with --samples: the language model, for all seats of models');
}

function addQuestionFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--what <kinds>', `events to take back: ${SUBJECTS.join(', ')}`)
        .argParser(parseSubjects)
        .default(USUAL, USUAL.join(',')),
    )
    .addOption(
      new Option(
        '--by <replacement>',
        'replacement; default: skip for a vote, truth for a claim, else silence',
      ).choices(REPLACEMENTS),
    )
    .addOption(
      new Option('--until <end>', 'where each match ends').choices(HORIZONS).default('end'),
    )
    .option(
      '--meeting <n>',
      'only events of this meeting, counted from 1',
      parseCount(1, MOST_MEETINGS),
    )
    .option('--player <colour>', 'only words, deeds and sightings of this player', parseSeat);
}

/** Other questions: shared credit and stakes. */
function addOtherQuestions(command: Command): Command {
  return command
    .option('--shapley', 'share the credit among the events of one meeting')
    .option(
      '--orders <n>',
      `with --shapley: orders that are drawn where there are more than six, ${MOST_ORDERS} at most`,
      parseCount(2, MOST_ORDERS),
      ORDERS,
    )
    .option('--seed <n>', 'with --shapley: seed of the orders', parseSeed, 1)
    .option('--stakes', 'estimate each side’s chance to win at each moment instead')
    .option(
      '--continuations <n>',
      'with --stakes: matches that are played on from each moment',
      parseCount(2, MOST_SAMPLES),
      CONTINUATIONS,
    );
}

function parseSubjects(text: string): readonly Subject[] {
  const words = text.split(',').map((word) => word.trim());
  const subjects = SUBJECTS.filter((subject) => words.includes(subject));
  if (words.every((word) => SUBJECTS.some((subject) => subject === word))) return subjects;
  throw new InvalidArgumentError(`expected some of ${SUBJECTS.join(', ')}, with commas between.`);
}
