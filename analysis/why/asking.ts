/** A search of `why` in one journal: opens it, checks that it plays as recorded, asks the open questions, keeps the answers. */
import { isPlayable, type Journal } from '../../actors/engine/journal/reader.ts';
import { createFailure, EXIT, nameOf } from '../../actors/files/failure.ts';
import { resultPathOf } from '../../actors/files/newFiles.ts';
import {
  damagedJournal,
  describeEngine,
  openJournal,
  seatedIn,
} from '../../actors/files/openFiles.ts';
import { seedOf } from '../../actors/replay/continue.ts';
import type { WhatIf } from '../../actors/replay/whatIf.ts';
import { pluralize } from '../../machines/text.ts';
import type { Colour } from '../../machines/types.ts';
import { sumOf } from '../counts/numeric.ts';
import { keepResult, openKnown, type ResultKeeper } from './keeper.ts';
import { openWhyMinds, type WhyMindPlace, type WhyMinds, type WhyMindTerms } from './minds.ts';
import { type Horizon, readOutcome } from './outcome.ts';
import { type MatchPlayer, playRecord } from './plays.ts';
import { listQuestions, type Replacement, type Subject, type WhyQuestion } from './questions.ts';
import {
  type AskedUnder,
  addCredit,
  beginResult,
  findAnswer,
  findCredit,
  findKept,
  findStakes,
  putStakes,
  type SharedCredit,
  type Stakes,
  type WhyAnswer,
  type WhyResult,
} from './result.ts';
import { listMoments } from './stakes.ts';
import {
  answerQuestions,
  checkUnchanged,
  findOutsideSeats,
  findUnaskable,
  shareCredit,
  weighStakes,
} from './why.ts';

export type WhyTerms = WhyMindTerms & {
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
};

type CountProgress = { show(done: number): void; clear(): void };

type AskingDisplay = Omit<WhyMindPlace, 'file'> & {
  readonly isStopped: () => boolean;
  readonly note: (text: string) => void;
  /** Progress of something that is counted. `before` were done earlier. */
  readonly count: (what: string, of: number, before: number) => CountProgress;
};

export type WhyFindings = {
  readonly result: WhyResult;
  readonly lines: Journal['lines'];
  /** The file with the result; null if it was not kept. */
  readonly file: string | null;
  readonly isWhole: boolean;
} & (
  | { readonly type: 'answers'; readonly answers: readonly WhyAnswer[] }
  /** Undefined if the search was interrupted. */
  | { readonly type: 'credit'; readonly credit: SharedCredit | undefined }
  | { readonly type: 'stakes'; readonly stakes: Stakes }
);

export async function askWhy(
  path: string,
  terms: WhyTerms,
  display: AskingDisplay,
): Promise<WhyFindings> {
  const journal = await openAskable(path);
  const questions = listQuestions(journal.lines, terms.what, terms.by ?? null).filter(
    ({ meeting, seat }) =>
      (terms.meeting === undefined || meeting === terms.meeting - 1) &&
      (terms.player === undefined || seat === terms.player),
  );
  refuseAbsentPlace(path, journal, terms);
  if (terms.stakes === true) refuseUnweighable(path, journal, terms);
  if (terms.shapley === true) refuseUnshared(questions, terms);
  const file = terms.out ?? resultPathOf(path);
  const answers = file === null ? null : `${file.replace(/\.json$/, '')}.answers`;
  const { engine, openModels } = display;
  const minds = await openWhyMinds(path, journal, terms, { file: answers, engine, openModels });
  const outside = findOutsideSeats(journal);
  const fresh = beginResult(journal, { engine, outside, record: readOutcome(journal.lines) });
  const known = await openKnown(file, fresh);
  const check = await checkRecord(path, minds.record, questions, terms);
  const keeper = keepResult(file, { ...known, check });
  await keeper.save();
  const { until, samples = 1 } = terms;
  const continued = terms.standIn === true ? 'stand-ins' : 'minds';
  const under = { until, continued, models: minds.models, samples } as const;
  const search = { ...display, minds, terms, under, keeper };
  const isWhole =
    terms.stakes === true ? await weighAll(journal, search) : await askAll(questions, search);
  const { result } = keeper;
  const found = { result, lines: journal.lines, file, isWhole };
  const asked = { ...under, ...terms };
  if (terms.stakes === true) return { ...found, type: 'stakes', stakes: findStakes(result, asked) };
  if (terms.shapley === true)
    return { ...found, type: 'credit', credit: findCredit(result, questions, asked) };
  const listed = questions.flatMap((one) => findAnswer(result, one, under) ?? []);
  return { ...found, type: 'answers', answers: listed };
}

async function openAskable(path: string): Promise<Journal> {
  const journal = await openJournal(path);
  if (!isPlayable(journal) || journal.damageCount > 0) throw damagedJournal(path, journal);
  const problem = findUnaskable(journal);
  if (problem === null) return journal;
  throw createFailure(EXIT.usage, problem.code, `${nameOf(path)}: ${problem.text}`);
}

async function checkRecord(
  path: string,
  record: WhatIf,
  questions: readonly WhyQuestion[],
  { strict = false }: WhyTerms,
): Promise<WhyResult['check']> {
  const outcome = await checkUnchanged(record, questions, strict);
  if (outcome.type === 'identical') return outcome.check;
  const { difference } = outcome;
  const engine = describeEngine(record.journal.lines);
  if (outcome.type === 'unplayable') {
    const text = `${nameOf(path)}: played again it differs at line ${difference.line}, so nothing can be asked of it here. ${engine}. "verify" shows the difference; the version that made it can ask`;
    throw createFailure(EXIT.found, 'journal/differs', text);
  }
  const text = `${nameOf(path)}: a fork without a change behind line ${outcome.line} differs from the record at line ${difference.line}: the minds do not answer as they did, so nothing can be asked. ${engine}`;
  throw createFailure(EXIT.found, 'why/not-identical', text);
}

function refuseAbsentPlace(path: string, { lines }: Journal, { meeting, player }: WhyTerms): void {
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

function refuseUnweighable(path: string, { lines }: Journal, terms: WhyTerms): void {
  const refuse = (text: string) =>
    createFailure(EXIT.usage, 'why/not-weighed', `--stakes: ${text}`);
  if (lines.every(({ type }) => type !== 'game.closed'))
    throw refuse(`expected a game, found that ${nameOf(path)} is a meeting on its own`);
  if (terms.shapley === true) throw refuse('it is another question than --shapley');
  if (terms.samples !== undefined) throw refuse('models need --stand-in here: leave --samples out');
}

const SHARED: readonly Subject[] = ['messages', 'bids', 'kills'];

function refuseUnshared(questions: readonly WhyQuestion[], terms: WhyTerms): void {
  const { what, samples, standIn = false } = terms;
  const refuse = (text: string) =>
    createFailure(EXIT.usage, 'why/not-shared', `--shapley: ${text}`);
  const [subject] = what;
  if (what.length !== 1 || subject === undefined || !SHARED.includes(subject))
    throw refuse(`expected --what messages, bids or kills, found ${what.join(',')}`);
  if (samples !== undefined || standIn) {
    throw refuse(
      'expected offline minds, found models or stand-ins: their words would not be the same again',
    );
  }
  const meetings = new Set(questions.map(({ meeting }) => meeting + 1));
  if (meetings.size > 1) {
    const found = [...meetings].join(', ');
    throw refuse(`expected one meeting, found ${found}: name one with --meeting`);
  }
  if (questions.length === 0) throw refuse(`there are no ${subject} to share the credit among`);
}

type Search = Pick<AskingDisplay, 'isStopped' | 'note' | 'count'> & {
  readonly minds: WhyMinds;
  readonly terms: WhyTerms;
  readonly under: AskedUnder & { readonly samples: number };
  readonly keeper: ResultKeeper;
};

/** Answers between two saves of the file, so that little is lost with the process. */
const SAVED_EVERY = 100;

async function askAll(questions: readonly WhyQuestion[], search: Search): Promise<boolean> {
  const { isStopped, minds, terms, under, keeper } = search;
  const known = keeper.result;
  const unasked = questions.filter((one) => findAnswer(known, one, under) === undefined);
  const isShared = terms.shapley === true;
  if (isShared && findCredit(known, questions, { ...under, ...terms }) !== undefined) return true;
  const matches = isShared ? terms.orders * questions.length : unasked.length;
  const progress = search.count('matches', matches, 0);
  const { samples, record } = minds;
  const isExact = record.isAtOnce && !record.hasStandIns;
  const asking = {
    ...under,
    samples,
    was: isExact ? await playRecord(record) : known.record,
    isStopped,
    findSamples: (one: WhyQuestion) => findKept(known, one, under)?.samples ?? [],
  };
  if (samples > 0) {
    // The number of requests, before any model is asked.
    const forks = 2 * sumOf(unasked, (one) => samples - asking.findSamples(one).length);
    search.note(
      `${pluralize(unasked.length, 'question')} to ask, with ${forks} matches from their moments on; answers that are kept are not asked for again`,
    );
  }
  return await playAll(search, progress, async (player) => {
    // With models the line shows their cost.
    const playing = { ...asking, player: samples > 0 ? player : countPlays(player, progress) };
    if (isShared) {
      const credit = await shareCredit(questions, playing, terms);
      if (credit !== null) keeper.result = addCredit(keeper.result, credit);
      return;
    }
    let answered = 0;
    await answerQuestions(unasked, playing, (answer) => {
      keeper.add(answer);
      answered += 1;
      if (samples > 0 || answered % SAVED_EVERY === 0) keeper.saveSoon();
    });
  });
}

/** Plays, saves the answers, and closes threads, endpoints and files even if that fails. Whether it was not stopped. */
async function playAll(
  { minds, keeper, isStopped }: Search,
  progress: CountProgress,
  play: (player: MatchPlayer) => Promise<void>,
): Promise<boolean> {
  await using _closed = { [Symbol.asyncDispose]: () => minds.close() };
  await using player = minds.open();
  try {
    await play(player);
  } finally {
    progress.clear();
    await keeper.save();
  }
  return !isStopped();
}

async function weighAll(journal: Journal, search: Search): Promise<boolean> {
  const { isStopped, terms, under, keeper } = search;
  const places = listMoments(journal.lines);
  const known = findStakes(keeper.result, { ...under, ...terms });
  const progress = search.count('moments', places.length, known.moments.length);
  return await playAll(search, progress, async (player) => {
    const stakes = await weighStakes(places, known, {
      player,
      seed: seedOf(journal),
      isStopped,
      onMoment: (weighed) => {
        keeper.result = putStakes(keeper.result, weighed);
        progress.show(weighed.moments.length);
        if (weighed.moments.length % SAVED_EVERY === 0) keeper.saveSoon();
      },
    });
    keeper.result = putStakes(keeper.result, stakes);
  });
}

function countPlays(player: MatchPlayer, progress: CountProgress): MatchPlayer {
  let plays = 0;
  return {
    atOnce: player.atOnce,
    run: async (play) => {
      const outcome = await player.run(play);
      plays += 1;
      progress.show(plays);
      return outcome;
    },
    [Symbol.asyncDispose]: () => player[Symbol.asyncDispose](),
  };
}
