/** `glassbox why`: which words, votes and sights changed the outcome of a recorded match. */

import type { Command } from 'commander';
import manifest from '#manifest' with { type: 'json' };
import { isPlayable, type Journal } from '../actors/engine/journal/reader.ts';
import { createFailure, EXIT, type ExitCode, Failure, nameOf } from '../actors/files/failure.ts';
import { resultPathOf } from '../actors/files/newFiles.ts';
import {
  damagedJournal,
  describeEngine,
  openJournal,
  seatedIn,
} from '../actors/files/openFiles.ts';
import type { WhatIf } from '../actors/replay/whatIf.ts';
import { readOutcome } from '../analysis/why/outcome.ts';
import { ASKABLE, listQuestions, SUBJECTS, type WhyQuestion } from '../analysis/why/questions.ts';
import {
  beginResult,
  findAnswer,
  findCredit,
  findStakes,
  type WhyResult,
  writeResult,
} from '../analysis/why/result.ts';
import { checkUnchanged, findOutsideSeats, findUnaskable } from '../analysis/why/why.ts';
import { pluralize } from '../machines/text.ts';
import { writeEngineVersion } from '../machines/versions.ts';
import {
  renderCredit,
  renderStakes,
  renderWhy,
  summarizeStakes,
  summarizeWhy,
} from '../visualizer/terminal/why.ts';
import { findJournals, refuseJournals } from './journals.ts';
import { cleanLines, print, printNote, textWidth } from './output.ts';
import { formatExamples } from './usage.ts';
import {
  askAll,
  listenForEnd,
  openKnown,
  openWhyMinds,
  ResultKeeper,
  readUnder,
  type WhyMinds,
  weighAll,
} from './why/asking.ts';
import { addWhyFlags, type WhyFlags } from './why/flags.ts';

export function addWhy(program: Command): void {
  const asking = program
    .command('why')
    .description(
      'Finds the events that decided recorded matches. It takes back one message, ballot, bid, witnessed kill or claim at a time, plays on with the same dice and minds, and ranks the outcomes. The result is kept beside each journal as NAME.why.json, and the same command continues an interrupted search.',
    )
    .argument('<journals...>', 'journals, folders with journals in them, or - for standard input');
  addWhyFlags(asking)
    .addHelpText(
      'after',
      formatExamples(
        ['why journals/a.jsonl', 'which words and votes decided it'],
        ['why journals/a.jsonl --what ballots --until meeting', 'which ballots decided'],
        ['why journals/a.jsonl --what claims --by truth', 'what if no one had lied?'],
        ['why journals/a.jsonl --what messages --meeting 1 --shapley', 'who shares the credit'],
        ['why journals/a.jsonl --stakes', 'when was it lost?'],
        ['why study --what messages', 'every journal of a folder, a line for each'],
        ['why a.jsonl --meeting 1 --until meeting --samples 5', 'ask its models again'],
      ),
    )
    .action(async (paths: readonly string[], flags: WhyFlags) => {
      refuseIdleReplacement(flags);
      const { files, isOne } = findJournals(paths);
      const isStopped = listenForEnd('It ends after this match');
      const [first] = files;
      process.exitCode =
        isOne && first !== undefined
          ? await askWhy(first, flags, { isStopped, printResult })
          : await askEach(files, flags, isStopped);
    });
}

/** Asks of each journal in turn; one that can't be asked is named at the end, and the others are asked all the same. */
async function askEach(
  files: readonly string[],
  flags: WhyFlags,
  isStopped: () => boolean,
): Promise<ExitCode> {
  refuseOfMany(flags);
  const refused: Failure[] = [];
  for (const path of files) {
    try {
      const exit = await askWhy(path, flags, { isStopped, printResult: printSummary });
      if (exit !== EXIT.done) return exit;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refused.push(error);
    }
  }
  if (refused.length === 0) return EXIT.done;
  const journals = refused.length === 1 ? '1 journal' : `${refused.length} journals`;
  printNote(`Of ${files.length} journals, ${journals} can't be asked about:`);
  throw refuseJournals(refused, false);
}

type AskingWay = {
  readonly isStopped: () => boolean;
  readonly printResult: (path: string, printed: Printed) => void;
};

/** Answers the open questions; returns the exit status. */
async function askWhy(
  path: string,
  flags: WhyFlags,
  { isStopped, printResult: show }: AskingWay,
): Promise<ExitCode> {
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
  const checked = await checkRecord(path, minds.record, {
    known,
    questions,
    flags,
    lines: journal.lines,
  });
  const keeper = new ResultKeeper(file, checked);
  await keeper.save();
  const parts = { isStopped, minds, flags, keeper };
  const isWhole =
    flags.stakes === true ? await weighAll(journal, parts) : await askAll(questions, parts);
  show(path, { keeper, questions, flags, minds });
  if (isWhole) return EXIT.done;
  const what = flags.shapley === true ? 'begins these values anew' : 'goes on where it was';
  printNote(`Interrupted: the same command ${what}.`);
  return EXIT.interrupted;
}

type CheckedQuestions = {
  readonly known: WhyResult;
  readonly questions: readonly WhyQuestion[];
  readonly flags: WhyFlags;
  readonly lines: Journal['lines'];
};

/** Compares forks without a change with the record; refuses to go on where one differs. */
async function checkRecord(
  path: string,
  record: WhatIf,
  { known, questions, flags, lines }: CheckedQuestions,
): Promise<WhyResult> {
  const outcome = await checkUnchanged(record, questions, flags.strict === true);
  if (outcome.type === 'identical') return { ...known, check: outcome.check };
  const { difference } = outcome;
  if (typeof difference === 'string') {
    const text = `${nameOf(path)} cannot be played: ${difference}`;
    throw createFailure(EXIT.damaged, 'journal/unplayable', text);
  }
  const engine = describeEngine(lines);
  if (outcome.type === 'unplayable') {
    const text = `${nameOf(path)}: played again it differs at line ${difference.line}, so nothing can be asked of it here. ${engine}. "verify" shows the difference; the version that made it can ask`;
    throw createFailure(EXIT.found, 'journal/differs', text);
  }
  const text = `${nameOf(path)}: a fork without a change behind line ${outcome.line} differs from the record at line ${difference.line}: the minds do not answer as they did, so nothing can be asked. ${engine}`;
  throw createFailure(EXIT.found, 'why/not-identical', text);
}

type Printed = {
  readonly keeper: ResultKeeper;
  readonly questions: readonly WhyQuestion[];
  readonly flags: WhyFlags;
  readonly minds: WhyMinds;
};

/** A line for a journal of many. */
function printSummary(path: string, { keeper, questions, flags, minds }: Printed): void {
  const { result } = keeper;
  if (flags.json === true) {
    process.stdout.write(writeResult(result));
    return;
  }
  const under = readUnder(flags, minds);
  const { continuations } = flags;
  const summary =
    flags.stakes === true
      ? summarizeStakes(findStakes(result, { ...under, continuations }))
      : summarizeWhy(questions.flatMap((one) => findAnswer(result, one, under) ?? []));
  print(cleanLines(`${nameOf(path)}: ${summary}`));
}

function printResult(path: string, { keeper, questions, flags, minds }: Printed): void {
  const { result, file } = keeper;
  if (flags.json === true) {
    process.stdout.write(writeResult(result));
    return;
  }
  const under = readUnder(flags, minds);
  const view = { name: nameOf(path), result, width: textWidth() };
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
export async function openAskable(path: string): Promise<Journal> {
  const journal = await openJournal(path);
  if (!isPlayable(journal) || journal.damageCount > 0) throw damagedJournal(path, journal);
  const problem = findUnaskable(journal);
  if (problem === null) return journal;
  throw createFailure(EXIT.usage, problem.code, `${nameOf(path)}: ${problem.text}`);
}

export function refuseIdleReplacement({ what, by }: WhyFlags): void {
  if (by === undefined) return;
  const able = SUBJECTS.filter((subject) => ASKABLE[subject].some((way) => way === by));
  if (what.some((subject) => able.includes(subject))) return;
  const text = `--by ${by} is for ${able.join(' and ')}, found --what ${what.join(',')}`;
  throw createFailure(EXIT.usage, 'why/idle-replacement', text);
}

/** Refuses flags that need a single journal. */
export function refuseOfMany({ out, samples, shapley, meeting, player }: WhyFlags): void {
  const single = [
    ...(out === undefined ? [] : ['--out']),
    ...(samples === undefined ? [] : ['--samples']),
    ...(shapley === undefined ? [] : ['--shapley']),
    ...(meeting === undefined ? [] : ['--meeting']),
    ...(player === undefined ? [] : ['--player']),
  ];
  if (single.length === 0) return;
  const text = `${single.join(' and ')}: expected one journal, found several or a folder`;
  throw createFailure(EXIT.usage, 'why/one-journal', text);
}

/** Refuses a meeting that was not held, and a player who was not there. */
export function refuseAbsentPlace(
  path: string,
  { lines }: Journal,
  { meeting, player }: WhyFlags,
): void {
  const seated = seatedIn(lines) ?? [];
  if (player !== undefined && !seated.includes(player)) {
    const text = `--player: ${nameOf(path)} has no player ${player} (there are: ${seated.join(', ')})`;
    throw createFailure(EXIT.usage, 'why/no-such-player', text);
  }
  const meetings = lines.filter(({ type }) => type === 'meeting.called').length;
  // Sightings after the last meeting count for the next one, which was not held.
  if (meeting === undefined || meeting <= meetings + 1) return;
  const text = `--meeting: ${nameOf(path)} has ${pluralize(meetings, 'meeting')}, found ${meeting}`;
  throw createFailure(EXIT.usage, 'why/no-such-meeting', text);
}

/** Refuses --stakes for a meeting, and with flags of other questions. */
export function refuseUnweighable(path: string, { lines }: Journal, flags: WhyFlags): void {
  const refuse = (text: string) =>
    createFailure(EXIT.usage, 'why/not-weighed', `--stakes: ${text}`);
  if (lines.every(({ type }) => type !== 'game.closed')) {
    throw refuse(`expected a game, found that ${nameOf(path)} is a meeting on its own`);
  }
  if (flags.shapley === true) throw refuse('it is another question than --shapley');
  if (flags.samples !== undefined) throw refuse('models need --stand-in here: leave --samples out');
}

/** Refuses --shapley for events that cannot be taken back together. */
export function refuseUnshared(questions: readonly WhyQuestion[], flags: WhyFlags): void {
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
    throw refuse(
      'expected offline minds, found models or stand-ins: their words would not be the same again',
    );
  }
  const meetings = new Set(questions.map(({ meeting }) => meeting + 1));
  if (meetings.size > 1) {
    throw refuse(
      `expected one meeting, found ${[...meetings].join(', ')}: name one with --meeting`,
    );
  }
  if (questions.length === 0) throw refuse(`there are no ${subject} to share the credit among`);
}
