/** `glassbox why`: which words, votes and sights changed the outcome of a recorded match. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import manifest from '#manifest' with { type: 'json' };
import { isPlayable, type Journal } from '../actors/engine/journal/reader.ts';
import { realDisk } from '../actors/ports/disk.ts';
import { seedOf } from '../actors/replay/continue.ts';
import type { WhatIf } from '../actors/replay/whatIf.ts';
import { readOutcome } from '../analysis/why/outcome.ts';
import { HORIZONS, type Horizon, type MatchPlayer } from '../analysis/why/plays.ts';
import {
  ASKABLE,
  listQuestions,
  REPLACEMENTS,
  type Replacement,
  SUBJECTS,
  type Subject,
  type WhyQuestion,
} from '../analysis/why/questions.ts';
import {
  type AskedUnder,
  addAnswers,
  addCredit,
  beginResult,
  findAnswer,
  findCredit,
  findSamples,
  findStakes,
  putStakes,
  readResult,
  type SharedCredit,
  type Stakes,
  type WhyAnswer,
  type WhyResult,
  writeResult,
} from '../analysis/why/result.ts';
import { listMoments } from '../analysis/why/stakes.ts';
import {
  answerQuestions,
  checkUnchanged,
  findOutsideSeats,
  findUnaskable,
  shareCredit,
  weighStakes,
} from '../analysis/why/why.ts';
import type { Colour } from '../machines/types.ts';
import { writeEngineVersion } from '../machines/versions.ts';
import { renderCredit, renderStakes, renderWhy } from '../visualizer/terminal/why.ts';
import { pluralize } from '../visualizer/text.ts';
import { createFailure, describeSystemError, EXIT, type ExitCode } from './exit.ts';
import { resultPathOf } from './files.ts';
import { addModelFlags, parseCount, parseDestination, parseSeat, parseSeed } from './flags.ts';
import { damagedJournal, isThere, nameOf, openJournal, openWhyText, seatedIn } from './input.ts';
import { cleanLines, createProgressLine, print, printNote, screenWidth } from './output.ts';
import { listenForStop } from './stop.ts';
import { formatExamples } from './usage.ts';
import { openWhyMinds, type WhyMindFlags, type WhyMinds } from './whyMinds.ts';

type WhyFlags = WhyMindFlags & {
  readonly what: readonly Subject[];
  readonly by?: Replacement;
  readonly until: Horizon;
  readonly meeting?: number;
  readonly player?: Colour;
  readonly strict?: boolean;
  readonly shapley?: boolean;
  readonly stakes?: boolean;
  readonly continuations: number;
  readonly orders: number;
  readonly seed: number;
  readonly out?: string;
  readonly all?: boolean;
  readonly json?: boolean;
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

export function addWhy(program: Command): void {
  const asking = program
    .command('why')
    .description(
      'Asks what changed the outcome of a recorded match: takes back one message, ballot, bid, witnessed kill or claim at a time, plays on with the same dice and the same minds, and ranks what comes of it. A fork without a change must be identical to the record first. The result is kept beside the journal, as NAME.why.json; asked again, it goes on where it was interrupted.',
    )
    .argument('<journal>', 'a journal file, or - for standard input');
  addQuestionFlags(asking)
    .option(
      '--samples <n>',
      'ask models again: so many matches with and without each change',
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
    .option('--json', 'print the result as JSON');
  addModelFlags(asking, 'with --samples: the language model, for all seats of models')
    .addHelpText(
      'after',
      formatExamples(
        ['why journals/a.jsonl', 'which words and votes decided it'],
        ['why journals/a.jsonl --what ballots --until meeting', 'which ballots decided'],
        ['why journals/a.jsonl --what claims --by truth', 'what if no one had lied?'],
        ['why journals/a.jsonl --what messages --meeting 1 --shapley', 'who shares the credit'],
        ['why journals/a.jsonl --stakes', 'when was it lost?'],
        ['why a.jsonl --meeting 1 --until meeting --samples 5', 'ask its models again'],
      ),
    )
    .action(async (path: string, flags: WhyFlags) => {
      process.exitCode = await askWhy(path, { ...flags, what: flags.what ?? USUAL });
    });
}

/** What is asked, and how far each match is played. */
function addQuestionFlags(command: Command): Command {
  return command
    .option(
      '--what <kinds>',
      `what is taken back: ${SUBJECTS.join(', ')} (default: ${USUAL.join(',')})`,
      parseSubjects,
    )
    .addOption(
      new Option(
        '--by <replacement>',
        'what is there instead; without it a vote becomes skip, a claim the truth, all else silence',
      ).choices(REPLACEMENTS),
    )
    .addOption(
      new Option('--until <end>', 'how far each match is played').choices(HORIZONS).default('end'),
    )
    .option(
      '--meeting <n>',
      'only what belongs to this meeting, counted from 1',
      parseCount(1, MOST_MEETINGS),
    )
    .option('--player <colour>', 'only what this player said, did or saw', parseSeat);
}

/** What is asked instead of taking back one thing at a time. */
function addOtherQuestions(command: Command): Command {
  return command
    .option('--shapley', 'share the credit among what is asked about in one meeting')
    .option(
      '--orders <n>',
      `with --shapley: orders that are drawn where there are more than six, ${MOST_ORDERS} at most`,
      parseCount(2, MOST_ORDERS),
      ORDERS,
    )
    .option('--seed <n>', 'with --shapley: seed of the orders', parseSeed, 1)
    .option('--stakes', 'weigh each moment instead: the chance of each side, from continuations')
    .option(
      '--continuations <n>',
      'with --stakes: matches that are played on from each moment',
      parseCount(2, MOST_SAMPLES),
      CONTINUATIONS,
    );
}

/** Asks what has not been asked before; returns the exit status. */
async function askWhy(path: string, flags: WhyFlags): Promise<ExitCode> {
  refuseIdleReplacement(flags);
  const journal = await openAskable(path);
  const questions = listQuestions(journal.lines, flags.what, flags.by ?? null).filter(
    ({ meeting, seat }) =>
      (flags.meeting === undefined || meeting === flags.meeting - 1) &&
      (flags.player === undefined || seat === flags.player),
  );
  refuseAbsentPlace(path, journal, flags);
  if (flags.stakes === true) refuseUnweighable(path, journal, flags);
  if (flags.shapley === true) refuseUnshared(questions, flags);
  const file = flags.out ?? resultPathOf(path);
  const cacheFile = file === null ? null : `${file.replace(/\.json$/, '')}.answers`;
  const engine = writeEngineVersion(manifest.version);
  const minds = await openWhyMinds(path, journal, flags, { file: cacheFile, engine });
  const fresh = beginResult(journal, {
    engine,
    outside: findOutsideSeats(journal),
    record: readOutcome(journal.lines),
  });
  const known = file === null ? fresh : await openKnown(file, fresh);
  const checked = await checkRecord(path, minds.record, { known, questions, flags });
  const keeper = new ResultKeeper(file, checked);
  await keeper.save();
  const parts = { minds, flags, keeper };
  const isWhole =
    flags.stakes === true ? await weighAll(journal, parts) : await askAll(questions, parts);
  printResult(path, { keeper, questions, flags, minds });
  if (isWhole) return EXIT.done;
  const what = flags.shapley === true ? 'begins these values anew' : 'goes on where it was';
  printNote(`Interrupted: the same command ${what}.`);
  return EXIT.interrupted;
}

/** Under what the questions of a command line are asked. */
function readUnder(
  { until, standIn, samples = 1 }: WhyFlags,
  { models }: WhyMinds,
): AskedUnder & { samples: number } {
  return { until, continued: standIn === true ? 'stand-ins' : 'minds', models, samples };
}

type Printed = {
  readonly keeper: ResultKeeper;
  readonly questions: readonly WhyQuestion[];
  readonly flags: WhyFlags;
  readonly minds: WhyMinds;
};

function printResult(path: string, { keeper, questions, flags, minds }: Printed): void {
  const { result, file } = keeper;
  if (flags.json === true) {
    process.stdout.write(writeResult(result));
    return;
  }
  const under = readUnder(flags, minds);
  const view = { name: nameOf(path), result, width: screenWidth() };
  if (flags.stakes === true) {
    const { continuations } = flags;
    print(renderStakes({ ...view, stakes: findStakes(result, { ...under, continuations }) }));
  } else if (flags.shapley === true) {
    // There is none where it was interrupted.
    const credit = findCredit(result, questions, { ...under, ...flags });
    if (credit !== undefined) print(renderCredit({ ...view, credit }));
  } else {
    const answers = questions.flatMap((one) => findAnswer(result, one, under) ?? []);
    print(renderWhy({ ...view, answers, isWhole: flags.all === true }));
  }
  if (file !== null) printNote(cleanLines(`\nKept in ${nameOf(file)}`));
}

/** A journal that is whole, and that went its own way to its end. */
async function openAskable(path: string): Promise<Journal> {
  const journal = await openJournal(path);
  if (!isPlayable(journal) || journal.damageCount > 0) throw damagedJournal(path, journal);
  const problem = findUnaskable(journal);
  if (problem === null) return journal;
  throw createFailure(EXIT.usage, problem.code, `${nameOf(path)}: ${problem.text}`);
}

function refuseIdleReplacement({ what, by }: WhyFlags): void {
  if (by === undefined) return;
  const able = SUBJECTS.filter((subject) => ASKABLE[subject].some((way) => way === by));
  if (what.some((subject) => able.includes(subject))) return;
  const text = `--by ${by} is for ${able.join(' and ')}, found --what ${what.join(',')}`;
  throw createFailure(EXIT.usage, 'why/idle-replacement', text);
}

/** Refuses a meeting that was not held, and a player who was not there. */
function refuseAbsentPlace(path: string, { lines }: Journal, { meeting, player }: WhyFlags): void {
  const seated = seatedIn(lines) ?? [];
  if (player !== undefined && !seated.includes(player)) {
    const text = `--player: ${nameOf(path)} has no player ${player} (there are: ${seated.join(', ')})`;
    throw createFailure(EXIT.usage, 'why/no-such-player', text);
  }
  const meetings = lines.filter(({ type }) => type === 'meeting.called').length;
  // What is seen in the rounds behind the last meeting belongs to one that was not held.
  if (meeting === undefined || meeting <= meetings + 1) return;
  const text = `--meeting: ${nameOf(path)} has ${pluralize(meetings, 'meeting')}, found ${meeting}`;
  throw createFailure(EXIT.usage, 'why/no-such-meeting', text);
}

/** Refuses to weigh what has no winner, and what only models could go on with. */
function refuseUnweighable(path: string, { lines }: Journal, flags: WhyFlags): void {
  const refuse = (text: string) =>
    createFailure(EXIT.usage, 'why/not-weighed', `--stakes: ${text}`);
  if (lines.every(({ type }) => type !== 'game.closed')) {
    throw refuse(`expected a game, found that ${nameOf(path)} is a meeting on its own`);
  }
  if (flags.shapley === true) throw refuse('it is another question than --shapley');
  if (flags.samples !== undefined)
    throw refuse('models go on by --stand-in only; leave --samples out');
}

/** Refuses to share credit among what can't be taken back together, or does not belong together. */
function refuseUnshared(questions: readonly WhyQuestion[], flags: WhyFlags): void {
  const { what, samples, standIn = false } = flags;
  const refuse = (text: string) =>
    createFailure(EXIT.usage, 'why/not-shared', `--shapley: ${text}`);
  const [subject] = what;
  if (
    what.length !== 1 ||
    subject === undefined ||
    !['messages', 'bids', 'kills'].includes(subject)
  ) {
    throw refuse(`expected --what messages, bids or kills, found ${what.join(',')}`);
  }
  if (samples !== undefined || standIn) {
    throw refuse('expected offline minds: models and stand-ins would not say again what is valued');
  }
  const meetings = new Set(questions.map(({ meeting }) => meeting + 1));
  if (meetings.size > 1) {
    throw refuse(
      `expected one meeting, found ${[...meetings].join(', ')}: name one with --meeting`,
    );
  }
  if (questions.length === 0) throw refuse(`there are no ${subject} to share the credit among`);
}

/** What has been asked before; refuses a file that holds something else, and leaves it as it is. */
async function openKnown(file: string, fresh: WhyResult): Promise<WhyResult> {
  if (!isThere(file)) return fresh;
  const reading = readResult(await openWhyText(file), fresh);
  if (reading.ok) return reading.result;
  const text = `${nameOf(file)}: ${reading.text}: remove it, or choose another file with --out`;
  throw createFailure(EXIT.damaged, reading.code, text);
}

type CheckedQuestions = {
  readonly known: WhyResult;
  readonly questions: readonly WhyQuestion[];
  readonly flags: WhyFlags;
};

/** Compares forks without a change with the record; refuses to go on where one differs. */
async function checkRecord(
  path: string,
  record: WhatIf,
  { known, questions, flags }: CheckedQuestions,
): Promise<WhyResult> {
  const outcome = await checkUnchanged(record, questions, flags.strict === true);
  if (outcome.type === 'identical') return { ...known, check: outcome.check };
  const { difference } = outcome;
  if (typeof difference === 'string') {
    const text = `${nameOf(path)} can't be played: ${difference}`;
    throw createFailure(EXIT.damaged, 'journal/unplayable', text);
  }
  const engine = writeEngineVersion(manifest.version);
  if (outcome.type === 'unplayable') {
    const text = `${nameOf(path)}: played again it differs at line ${difference.line}, so another version than this one (${engine}) has made it: nothing can be asked of it here. "replay" shows the difference; the version that made it can ask`;
    throw createFailure(EXIT.found, 'journal/differs', text);
  }
  const text = `${nameOf(path)}: a fork without a change behind line ${outcome.line} differs from the record at line ${difference.line}: the minds do not answer as they did, so nothing can be asked. Offline minds of another version than this one (${engine}) have played it`;
  throw createFailure(EXIT.found, 'why/not-identical', text);
}

/** Keeps a result in its file, in one piece. */
class ResultKeeper {
  readonly file: string | null;
  #result: WhyResult;
  #news: WhyAnswer[] = [];
  #saving: Promise<void> = Promise.resolve();

  constructor(file: string | null, result: WhyResult) {
    this.file = file;
    this.#result = result;
  }

  get result(): WhyResult {
    return this.#result;
  }

  add(answer: WhyAnswer): void {
    this.#news.push(answer);
  }

  putStakes(stakes: Stakes): void {
    this.#result = putStakes(this.#result, stakes);
  }

  addCredit(credit: SharedCredit): void {
    this.#result = addCredit(this.#result, credit);
  }

  /** What fails now fails again at the end, where it is said. */
  saveSoon(): void {
    this.#saving = this.#saving.then(() => this.#write()).catch(() => {});
  }

  async save(): Promise<void> {
    await this.#saving;
    await this.#write();
  }

  async #write(): Promise<void> {
    this.#result = addAnswers(this.#result, this.#news);
    this.#news = [];
    if (this.file === null) return;
    try {
      await realDisk.save(this.file, writeResult(this.#result));
    } catch (error) {
      const text = `the result can't be written to ${nameOf(this.file)}: ${describeSystemError(error)}`;
      throw createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
    }
  }
}

type AskingParts = {
  readonly minds: WhyMinds;
  readonly flags: WhyFlags;
  readonly keeper: ResultKeeper;
};

/** Answers after which the file is written again, so that little is lost with the process. */
const SAVED_EVERY = 100;

/** Asks all questions that have not been asked before; whether none is left. */
async function askAll(
  questions: readonly WhyQuestion[],
  { minds, flags, keeper }: AskingParts,
): Promise<boolean> {
  const under = readUnder(flags, minds);
  const unasked = questions.filter((one) => findAnswer(keeper.result, one, under) === undefined);
  const isShared = flags.shapley === true;
  if (isShared && findCredit(keeper.result, questions, { ...under, ...flags }) !== undefined)
    return true;
  const { player, atOnce } = minds.open(
    isShared ? flags.orders * questions.length : unasked.length,
  );
  const isStopped = listenForEnd('It ends after this match');
  const { samples } = minds;
  const was = keeper.result.record;
  const progress = createProgressLine();
  // Where models are asked, the line says what they have cost.
  const onPlayed = (plays: number) => progress.show(`${plays} matches were played`);
  const counted = samples > 0 ? player : countPlays(player, onPlayed);
  const known = keeper.result;
  const asking = {
    ...under,
    samples,
    player: counted,
    was,
    atOnce,
    isStopped,
    findSamples: (question: WhyQuestion) => findSamples(known, question, under),
  };
  if (samples > 0) {
    const missing = unasked.map((one) => samples - asking.findSamples(one).length);
    printNote(describeEffort(missing));
  }
  try {
    if (isShared) {
      const credit = await shareCredit(questions, asking, flags);
      if (credit !== null) keeper.addCredit(credit);
    } else {
      let answered = 0;
      await answerQuestions(unasked, asking, (answer) => {
        keeper.add(answer);
        answered += 1;
        if (samples > 0 || answered % SAVED_EVERY === 0) keeper.saveSoon();
      });
    }
  } finally {
    progress.clear();
    await closeAll(player, { minds, keeper });
  }
  return !isStopped();
}

/** Writes what there is, and lets go of threads, endpoints and files also where it can't be written. */
async function closeAll(
  player: MatchPlayer,
  { minds, keeper }: Pick<AskingParts, 'minds' | 'keeper'>,
): Promise<void> {
  try {
    await keeper.save();
  } finally {
    await player.close();
    await minds.close();
  }
}

/** Says before any model is asked how much that will be; `missing` are the samples that each question lacks. */
function describeEffort(missing: readonly number[]): string {
  const matches = 2 * missing.reduce((sum, samples) => sum + samples, 0);
  return `${pluralize(missing.length, 'question')} to ask, with ${matches} matches from their moments on; answers that are kept are not asked for again`;
}

/** Listens for Ctrl-C; the function that is returned says whether it came. */
function listenForEnd(words: string): () => boolean {
  let isStopped = false;
  listenForStop({ sink: null, isReal: false, words })({
    stop: () => {
      isStopped = true;
    },
  });
  return () => isStopped;
}

/** Weighs all moments that have not been weighed before; whether none is left. */
async function weighAll(journal: Journal, { minds, flags, keeper }: AskingParts): Promise<boolean> {
  const places = listMoments(journal.lines);
  const { continued } = readUnder(flags, minds);
  const { continuations } = flags;
  const known = findStakes(keeper.result, { continued, continuations });
  const { player, atOnce } = minds.open(continuations * (places.length - known.moments.length));
  const isStopped = listenForEnd('It ends after this match');
  const progress = createProgressLine();
  try {
    const stakes = await weighStakes(places, known, {
      player,
      atOnce,
      seed: seedOf(journal),
      isStopped,
      onMoment: (weighed) => {
        keeper.putStakes(weighed);
        progress.show(`${weighed.moments.length} of ${places.length} moments`);
        if (weighed.moments.length % SAVED_EVERY === 0) keeper.saveSoon();
      },
    });
    keeper.putStakes(stakes);
  } finally {
    progress.clear();
    await closeAll(player, { minds, keeper });
  }
  return !isStopped();
}

/** A player that says how many matches it has played. */
function countPlays(player: MatchPlayer, onPlayed: (plays: number) => void): MatchPlayer {
  let plays = 0;
  return {
    play: async (play) => {
      const outcome = await player.play(play);
      plays += 1;
      onPlayed(plays);
      return outcome;
    },
    close: () => player.close(),
  };
}

function parseSubjects(text: string): readonly Subject[] {
  const words = text.split(',').map((word) => word.trim());
  const subjects = SUBJECTS.filter((subject) => words.includes(subject));
  if (words.every((word) => SUBJECTS.some((subject) => subject === word))) return subjects;
  throw new InvalidArgumentError(`expected some of ${SUBJECTS.join(', ')}, with commas between.`);
}
