/** `glassbox why`: which words, votes and sights changed the outcome of a recorded match. */
import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import manifest from '#manifest' with { type: 'json' };
import { isPlayable, type Journal } from '../actors/engine/journal/reader.ts';
import { realDisk } from '../actors/ports/disk.ts';
import { WhatIf } from '../actors/replay/whatIf.ts';
import { readOutcome } from '../analysis/why/outcome.ts';
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
  beginResult,
  findAnswer,
  HORIZONS,
  type Horizon,
  readResult,
  type WhyAnswer,
  type WhyResult,
  writeResult,
} from '../analysis/why/result.ts';
import {
  answerQuestions,
  checkUnchanged,
  findOutsideSeats,
  findUnaskable,
} from '../analysis/why/why.ts';
import { writeEngineVersion } from '../machines/versions.ts';
import { renderWhy } from '../visualizer/terminal/why.ts';
import { createFailure, describeSystemError, EXIT, type ExitCode, type Failure } from './exit.ts';
import { parseCount, parseDestination } from './flags.ts';
import { damagedJournal, findEntry, isThere, nameOf, openJournal, openWhyText } from './input.ts';
import { cleanLines, createProgressLine, print, printNote, screenWidth } from './output.ts';
import { listenForStop } from './stop.ts';
import { commandLine, formatExamples } from './usage.ts';

type WhyFlags = {
  readonly what: readonly Subject[];
  readonly by?: Replacement;
  readonly until: Horizon;
  readonly meeting?: number;
  readonly strict?: boolean;
  readonly standIn?: boolean;
  readonly jobs?: number;
  readonly out?: string;
  readonly all?: boolean;
  readonly json?: boolean;
};

/** Asked about unless --what says otherwise. Bids are many, and most of them were in vain. */
const USUAL: readonly Subject[] = ['messages', 'ballots', 'kills', 'claims'];
const MOST_JOBS = 256;
const MOST_MEETINGS = 1_000;

export function addWhy(program: Command): void {
  program
    .command('why')
    .description(
      'Asks what changed the outcome of a recorded match: takes back one message, ballot, bid, witnessed kill or claim at a time, plays on with the same dice and the same minds, and ranks what comes of it. A fork without a change must be identical to the record first. The result is kept beside the journal, as NAME.why.json; asked again, it goes on where it was interrupted.',
    )
    .argument('<journal>', 'a journal file, or - for standard input')
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
    .option('--strict', 'compare a fork without a change at every moment that is asked about')
    .option('--stand-in', 'offline minds go on for models, people and own minds')
    .option(
      '--jobs <n>',
      'threads to ask on; without it, as many as are worth it',
      parseCount(1, MOST_JOBS),
    )
    .option('--out <file>', 'file for the result', parseDestination)
    .option('--all', 'list every question, also those whose answer is "the same"')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      formatExamples(
        ['why journals/a.jsonl', 'which words and votes decided it'],
        ['why journals/a.jsonl --what ballots --until meeting', 'which ballots decided'],
        ['why journals/a.jsonl --what claims --by truth', 'what if no one had lied?'],
      ),
    )
    .action(async (path: string, flags: WhyFlags) => {
      process.exitCode = await askWhy(path, { ...flags, what: flags.what ?? USUAL });
    });
}

/** Asks what has not been asked before; returns the exit status. */
async function askWhy(path: string, flags: WhyFlags): Promise<ExitCode> {
  refuseIdleReplacement(flags);
  const journal = await openAskable(path);
  const under: AskedUnder = {
    until: flags.until,
    continued: flags.standIn === true ? 'stand-ins' : 'minds',
  };
  const outside = findOutsideSeats(journal);
  refuseOutsideMinds(path, outside, flags);
  const record = WhatIf.open(journal, { models: null, standIns: flags.standIn === true });
  if (record.type === 'unplayable') throw unplayable(path, record.text);
  const was = readOutcome(journal.lines);
  const engine = writeEngineVersion(manifest.version);
  const fresh = beginResult(journal, { engine, outside, record: was });
  const file = flags.out ?? destinationOf(path);
  const known = file === null ? fresh : await openKnown(file, fresh);
  const questions = listQuestions(journal.lines, flags.what, flags.by ?? null).filter(
    ({ meeting }) => flags.meeting === undefined || meeting === flags.meeting - 1,
  );
  const unasked = questions.filter((one) => findAnswer(known, one, under) === undefined);
  const checked = await checkRecord(path, record, { known, questions, flags });
  const keeper = new ResultKeeper(file, checked);
  await keeper.save();
  const isWhole = await askAll(unasked, { record, under, was, journal, keeper, jobs: flags.jobs });
  const { result } = keeper;
  if (flags.json === true) process.stdout.write(writeResult(result));
  else {
    const answers = questions.flatMap((one) => findAnswer(result, one, under) ?? []);
    const view = { name: nameOf(path), result, answers, isWhole: flags.all === true };
    print(renderWhy({ ...view, width: screenWidth() }));
    if (file !== null) printNote(cleanLines(`\nKept in ${nameOf(file)}`));
  }
  if (isWhole) return EXIT.done;
  printNote(cleanLines(`Interrupted: ${commandLine('why', path)} goes on where it was.`));
  return EXIT.interrupted;
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

function refuseOutsideMinds(path: string, outside: readonly string[], { standIn }: WhyFlags): void {
  if (outside.length === 0 || standIn === true) return;
  const text = `${nameOf(path)}: models, people or own minds thought for ${outside.join(', ')}, and they can't be asked again for nothing: --stand-in lets offline minds go on for them`;
  throw createFailure(EXIT.usage, 'why/outside-minds', text);
}

function unplayable(path: string, text: string): Failure {
  return createFailure(
    EXIT.damaged,
    'journal/unplayable',
    `${nameOf(path)} can't be played: ${text}`,
  );
}

/** Where the result of a journal lies; null for one from standard input. */
function destinationOf(path: string): string | null {
  if (path === '-' || findEntry(path) !== 'file') return null;
  return `${path.replace(/\.jsonl(?:\.gz|\.zst)?$/, '')}.why.json`;
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
  if (typeof difference === 'string') throw unplayable(path, difference);
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
  readonly #file: string | null;
  #result: WhyResult;
  #news: WhyAnswer[] = [];

  constructor(file: string | null, result: WhyResult) {
    this.#file = file;
    this.#result = result;
  }

  get result(): WhyResult {
    return this.#result;
  }

  add(answer: WhyAnswer): void {
    this.#news.push(answer);
  }

  async save(): Promise<void> {
    this.#result = addAnswers(this.#result, this.#news);
    this.#news = [];
    if (this.#file === null) return;
    try {
      await realDisk.save(this.#file, writeResult(this.#result));
    } catch (error) {
      const text = `the result can't be written to ${nameOf(this.#file)}: ${describeSystemError(error)}`;
      throw createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
    }
  }
}

type Asking = {
  readonly record: WhatIf;
  readonly under: AskedUnder;
  readonly was: ReturnType<typeof readOutcome>;
  readonly journal: Journal;
  readonly keeper: ResultKeeper;
  readonly jobs: number | undefined;
};

/** Questions for each thread at least: to start one costs as much as to answer some of them. */
const WORTH_A_THREAD = 20;
/** Answers after which the file is written again, so that little is lost with the process. */
const SAVED_EVERY = 100;

/** Asks all questions; whether none is left. */
async function askAll(
  questions: readonly WhyQuestion[],
  { record, under, was, journal, keeper, jobs }: Asking,
): Promise<boolean> {
  const worth = Math.max(1, Math.floor(questions.length / WORTH_A_THREAD));
  const progress = createProgressLine();
  let answered = 0;
  let saving = Promise.resolve();
  const plan = { ...under, was, journal: { lines: journal.lines, bodies: journal.bodies } };
  const running = answerQuestions(questions, {
    record,
    plan,
    jobs: jobs ?? Math.min(availableParallelism(), worth),
    onAnswer: (answer) => {
      keeper.add(answer);
      answered += 1;
      progress.show(`${answered} of ${questions.length} questions`);
      if (answered % SAVED_EVERY === 0) saving = saving.then(() => keeper.save());
    },
  });
  // A file that can't be written any more ends the asking; the last save says why.
  saving.catch(() => running.stop());
  listenForStop({ sink: null, isReal: false, words: 'It ends after this question' })(running);
  const lost = await running.result;
  progress.clear();
  await saving;
  await keeper.save();
  const [first] = lost;
  if (first !== undefined) {
    throw createFailure(EXIT.internal, 'internal/unexpected', `${first.id}: ${first.text}`);
  }
  return answered === questions.length;
}

function parseSubjects(text: string): readonly Subject[] {
  const words = text.split(',').map((word) => word.trim());
  const subjects = SUBJECTS.filter((subject) => words.includes(subject));
  if (words.every((word) => SUBJECTS.some((subject) => subject === word))) return subjects;
  throw new InvalidArgumentError(`expected some of ${SUBJECTS.join(', ')}, with commas between.`);
}
