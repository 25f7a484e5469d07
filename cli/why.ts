/** `glassbox why`: which words, votes and sights changed the outcome of a recorded match. */

import { InvalidArgumentError, Option } from 'commander';
import manifest from '#manifest' with { type: 'json' };
import { createFailure, EXIT, type ExitCode, Failure, nameOf } from '../actors/files/failure.ts';
import { findJournals, refuseJournals } from '../actors/files/foundJournals.ts';
import { seedOf } from '../actors/replay/continue.ts';
import { askWhy, type WhyFindings, type WhyTerms } from '../analysis/why/asking.ts';
import { HORIZONS } from '../analysis/why/outcome.ts';
import { ASKABLE, REPLACEMENTS, SUBJECTS, type Subject } from '../analysis/why/questions.ts';
import { writeResult } from '../analysis/why/result.ts';
import type { MatchSeat } from '../machines/setup/match.ts';
import { pluralize } from '../machines/text.ts';
import { writeEngineVersion } from '../machines/versions.ts';
import {
  renderCredit,
  renderStakes,
  renderWhy,
  summarizeStakes,
  summarizeWhy,
} from '../visualizer/terminal/why.ts';
import { describeSwings } from '../visualizer/whyNotes.ts';
import {
  addModelFlags,
  createEndpointFlag,
  type ModelFlags,
  parseCount,
  parseDestination,
  parseJobs,
  parseSeat,
  parseSeed,
} from './flags.ts';
import { createGameModels, printCost, refuseSeatProblems } from './models.ts';
import { cleanLines, print, printJson, printNote, textWidth } from './output.ts';
import { createCountProgress } from './progress.ts';
import { abortOnStop } from './stop.ts';
import type { ProgramCommand } from './usage.ts';

type WhyFlags = ModelFlags &
  WhyTerms & { readonly all?: boolean; readonly json?: boolean; readonly quiet?: boolean };

/** Asked about unless --what says otherwise. Bids are many, and most of them were in vain. */
const USUAL: readonly Subject[] = ['messages', 'ballots', 'kills', 'claims'];
const MOST_MEETINGS = 1_000;

/** Orders that are drawn for Shapley values, unless --orders says otherwise. */
const ORDERS = 100;
/** Every set along the orders is held at once: a few hundred thousand at most. */
const MOST_ORDERS = 2_000;
const MOST_SAMPLES = 10_000;
/** Matches from each moment, unless --continuations says otherwise. */
const CONTINUATIONS = 20;

function addWhyFlags(asking: ProgramCommand): ProgramCommand {
  addQuestionFlags(asking)
    .option(
      '--samples <n>',
      'number of matches with and without each change, for models',
      parseCount(1, MOST_SAMPLES),
    )
    .option('--stand-in', 'offline minds go on for models, people and own minds')
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
    )
    .option('--strict', 'compare a fork without a change at every moment that is asked about')
    .option('--jobs <n>', 'threads to ask on, one unless you say more', parseJobs)
    .option('--out <file>', 'file for the result', parseDestination)
    .option('--all', 'list every question, also those whose answer is "the same"')
    .option('--json', 'print the result as JSON; of several journals, one a line')
    .option('-q, --quiet', 'print the result only');
  asking.addOption(createEndpointFlag());
  return addModelFlags(asking, 'with --samples: the language model, for all seats of models');
}

function addQuestionFlags(command: ProgramCommand): ProgramCommand {
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
    .option('--meeting <n>', 'only this meeting, counted from 1', parseCount(1, MOST_MEETINGS))
    .option('--player <colour>', 'only words, deeds and sightings of this player', parseSeat);
}

function parseSubjects(text: string): readonly Subject[] {
  const words = text.split(',').map((word) => word.trim());
  const subjects = SUBJECTS.filter((subject) => words.includes(subject));
  if (words.every((word) => SUBJECTS.some((subject) => subject === word))) return subjects;
  throw new InvalidArgumentError(`expected some of ${SUBJECTS.join(', ')}, with commas between.`);
}

export function addWhy(program: ProgramCommand): void {
  const asking = program
    .command('why')
    .description(
      'Finds the events that decided recorded matches. It takes back one message, ballot, bid, witnessed kill or claim at a time, plays on with the same dice and minds, and ranks the outcomes. The result is kept beside each journal as NAME.why.json, and the same command continues an interrupted search.',
    )
    .argument('<journals...>', 'journals, folders with journals in them, or - for standard input');
  addWhyFlags(asking)
    .examples(
      ['why journals/a.jsonl', 'which words and votes decided it'],
      ['why journals/a.jsonl --what ballots --until meeting', 'which ballots decided'],
      ['why journals/a.jsonl --what claims --by truth', 'what if no one had lied?'],
      ['why journals/a.jsonl --what messages --meeting 1 --shapley', 'who shares the credit'],
      ['why journals/a.jsonl --stakes', 'when was it lost?'],
      ['why study --what messages', 'every journal of a folder, a line for each'],
      ['why a.jsonl --meeting 1 --until meeting --samples 5', 'ask its models again'],
    )
    .action(async (paths: readonly string[], flags: WhyFlags) => {
      refuseIdleReplacement(flags);
      const { files, isOne } = findJournals(paths);
      const stopped = abortOnStop('It ends after this match');
      const [first] = files;
      const ask = async (path: string) => await askOne(path, flags, isOne, () => stopped.aborted);
      process.exitCode =
        isOne && first !== undefined ? await ask(first) : await askEach(files, flags, ask);
    });
}

/** Asks about each journal in turn. A journal that can't be asked about is named at the end. */
async function askEach(
  files: readonly string[],
  flags: WhyFlags,
  ask: (path: string) => Promise<ExitCode>,
): Promise<ExitCode> {
  refuseOfMany(flags);
  const refused: Failure[] = [];
  for (const path of files) {
    try {
      const exit = await ask(path);
      if (exit !== EXIT.done) return exit;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refused.push(error);
    }
  }
  if (refused.length === 0) return EXIT.done;
  const journals = pluralize(refused.length, 'journal');
  printNote(`Of ${files.length} journals, ${journals} can't be asked about:`);
  throw refuseJournals(refused, false);
}

async function askOne(
  path: string,
  flags: WhyFlags,
  isAlone: boolean,
  isStopped: () => boolean,
): Promise<ExitCode> {
  const findings = await askWhy(path, flags, {
    engine: writeEngineVersion(manifest.version),
    isStopped,
    note: flags.quiet === true ? () => {} : printNote,
    count: (what, of, before) =>
      createCountProgress(what, of, { before, isQuiet: flags.quiet === true }),
    openModels: async (seats: readonly MatchSeat[], journal) => {
      await refuseSeatProblems(seats, flags, path);
      const models = await createGameModels(flags, seedOf(journal));
      const close = async () => {
        models.costLine.end();
        await models.close();
        if (flags.quiet !== true) await printCost(models, null);
      };
      return { models, close };
    },
  });
  if (flags.json === true && isAlone) process.stdout.write(writeResult(findings.result));
  else if (flags.json === true) printJson(findings.result);
  else if (isAlone) printFindings(path, findings, flags);
  else print(cleanLines(`${nameOf(path)}: ${summarize(findings)}`));
  if (findings.isWhole) return EXIT.done;
  const what = flags.shapley === true ? 'begins these values anew' : 'goes on where it was';
  printNote(`Interrupted: the same command ${what}.`);
  return EXIT.interrupted;
}

function summarize(findings: WhyFindings): string {
  if (findings.type === 'stakes') return summarizeStakes(findings.stakes);
  return summarizeWhy(findings.type === 'answers' ? findings.answers : []);
}

function printFindings(
  path: string,
  findings: WhyFindings,
  { all = false, quiet }: WhyFlags,
): void {
  const { result, file } = findings;
  const view = { name: nameOf(path), result, width: textWidth() };
  if (findings.type === 'stakes') {
    const { stakes, lines } = findings;
    print(renderStakes({ ...view, stakes, told: describeSwings(stakes, lines) }));
  } else if (findings.type === 'answers')
    print(renderWhy({ ...view, answers: findings.answers, isWhole: all }));
  else if (findings.credit !== undefined) print(renderCredit({ ...view, credit: findings.credit }));
  if (file !== null && quiet !== true) printNote(cleanLines(`\nKept in ${nameOf(file)}`));
}

function refuseIdleReplacement({ what, by }: WhyFlags): void {
  if (by === undefined) return;
  const able = SUBJECTS.filter((subject) => ASKABLE[subject].some((way) => way === by));
  if (what.some((subject) => able.includes(subject))) return;
  const text = `--by ${by} is for ${able.join(' and ')}, found --what ${what.join(',')}`;
  throw createFailure(EXIT.usage, 'why/idle-replacement', text);
}

const SINGLE = ['out', 'samples', 'shapley', 'meeting', 'player'] as const;

function refuseOfMany(flags: WhyFlags): void {
  const single = SINGLE.filter((name) => flags[name] !== undefined).map((name) => `--${name}`);
  if (single.length === 0) return;
  const text = `${single.join(' and ')}: expected one journal, found several or a folder`;
  throw createFailure(EXIT.usage, 'why/one-journal', text);
}
