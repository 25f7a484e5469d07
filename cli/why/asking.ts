/** Plays the matches of the open questions of `why`, shows progress, and keeps the answers. */

import { availableParallelism } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Journal } from '../../actors/engine/journal/reader.ts';
import { createFailure, describeSystemError, EXIT, nameOf } from '../../actors/files/failure.ts';
import { isThere, openWhyText } from '../../actors/files/openFiles.ts';
import { listSeats } from '../../actors/minds/openai/seats.ts';
import { realDisk } from '../../actors/ports/disk.ts';
import { AnswerCache } from '../../actors/replay/answerCache.ts';
import { listSeatsWith, overrideModels, seedOf } from '../../actors/replay/continue.ts';
import { WhatIf } from '../../actors/replay/whatIf.ts';
import { type MatchPlayer, playHere, playOnThreads, playRecord } from '../../analysis/why/plays.ts';
import type { WhyQuestion } from '../../analysis/why/questions.ts';
import {
  type AskedUnder,
  addAnswers,
  addCredit,
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
} from '../../analysis/why/result.ts';
import { listMoments } from '../../analysis/why/stakes.ts';
import {
  answerQuestions,
  findOutsideSeats,
  shareCredit,
  weighStakes,
} from '../../analysis/why/why.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import { isRemote } from '../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import { pluralize } from '../../machines/text.ts';
import { refuseSeatProblems } from '../continueGame.ts';
import { createGameModels, printCost, type ShownModels } from '../models.ts';
import { printNote } from '../output.ts';
import { createProgressLine } from '../progress.ts';
import { listenForStop } from '../stop.ts';
import type { WhyFlags, WhyMindFlags } from './flags.ts';

/** The conditions of the questions. */
export function readUnder(
  { until, standIn, samples = 1 }: WhyFlags,
  { models }: WhyMinds,
): AskedUnder & { samples: number } {
  return { until, continued: standIn === true ? 'stand-ins' : 'minds', models, samples };
}

type AskingParts = {
  /** Whether the operator has asked for the end. */
  readonly isStopped: () => boolean;
  readonly minds: WhyMinds;
  readonly flags: WhyFlags;
  readonly keeper: ResultKeeper;
};

/** Answers after which the file is written again, so that little is lost with the process. */
const SAVED_EVERY = 100;

/** Asks all questions that have not been asked before; whether none is left. */
export async function askAll(
  questions: readonly WhyQuestion[],
  { isStopped, minds, flags, keeper }: AskingParts,
): Promise<boolean> {
  const under = readUnder(flags, minds);
  const unasked = questions.filter((one) => findAnswer(keeper.result, one, under) === undefined);
  const isShared = flags.shapley === true;
  if (isShared && findCredit(keeper.result, questions, { ...under, ...flags }) !== undefined)
    return true;
  const { player, atOnce } = minds.open(
    isShared ? flags.orders * questions.length : unasked.length,
  );
  const { samples } = minds;
  const { record } = minds;
  const isExact = record.isAtOnce && !record.hasStandIns;
  const was = isExact ? await playRecord(record) : keeper.result.record;
  const progress = createProgressLine();
  // With models the line shows their cost.
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
export function listenForEnd(words: string): () => boolean {
  let isStopped = false;
  listenForStop({ sink: null, isReal: false, words })({
    stop: () => {
      isStopped = true;
    },
  });
  return () => isStopped;
}

/** Weighs all moments that have not been weighed before; whether none is left. */
export async function weighAll(
  journal: Journal,
  { isStopped, minds, flags, keeper }: AskingParts,
): Promise<boolean> {
  const places = listMoments(journal.lines);
  const { continued } = readUnder(flags, minds);
  const { continuations } = flags;
  const known = findStakes(keeper.result, { continued, continuations });
  const { player, atOnce } = minds.open(continuations * (places.length - known.moments.length));
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

/** The record and who plays it on. */
export type WhyMinds = {
  readonly record: WhatIf;
  /** Matches with and without each change; 0 where one match is exact. */
  readonly samples: number;
  /** The models that are asked, by seat; null where none is. */
  readonly models: string | null;
  /** The player for this number of matches, and how many it takes at once. */
  readonly open: (matches: number) => { readonly player: MatchPlayer; readonly atOnce: number };
  /** Says what it has cost. */
  readonly close: () => Promise<void>;
};

/** Where the answers of models are kept, null where they are not, and what asks for them. */
type CachePlace = {
  readonly file: string | null;
  /** The program with its versions. */
  readonly engine: string;
};

export async function openWhyMinds(
  path: string,
  journal: Journal,
  flags: WhyMindFlags,
  cachePlace: CachePlace,
): Promise<WhyMinds> {
  const { samples = 0, standIn = false } = flags;
  refuseOutsideMinds(path, journal, flags);
  if (samples > 0) return await openModels(path, journal, flags, cachePlace);
  const record = openRecord(path, WhatIf.open(journal, { models: null, standIns: standIn }));
  return {
    record,
    samples,
    models: null,
    open: (matches) => {
      const worth = Math.max(1, Math.floor(matches / WORTH_A_THREAD));
      const threads = flags.jobs ?? Math.min(availableParallelism(), worth);
      if (threads < 2) return { player: playHere(record), atOnce: 1 };
      const { lines, bodies } = journal;
      const plan = { journal: { lines, bodies }, standIns: standIn };
      return { player: playOnThreads(plan, threads), atOnce: threads * IN_HAND };
    },
    close: async () => {},
  };
}

/** Matches for each thread at least: to start one costs as much as to play some of them. */
const WORTH_A_THREAD = 20;
/** Matches for each thread at once, so that none waits for the next one. */
const IN_HAND = 4;

function openRecord(path: string, opened: ReturnType<typeof WhatIf.open>): WhatIf {
  if (opened.type === 'playable') return opened;
  const text = `${nameOf(path)} cannot be played: ${opened.text}`;
  throw createFailure(EXIT.damaged, 'journal/unplayable', text);
}

function refuseOutsideMinds(
  path: string,
  journal: Journal,
  { samples = 0, standIn = false }: WhyMindFlags,
): void {
  const outside = findOutsideSeats(journal);
  if (samples > 0 && (standIn || outside.length === 0)) {
    const why = standIn ? 'stand-ins' : 'the minds of this journal';
    const text = `--samples is for models, whose answers differ from one time to the next; ${why} answer alike each time, and one match is exact`;
    throw createFailure(EXIT.usage, 'why/idle-samples', text);
  }
  if (outside.length === 0 || standIn) return;
  const models = listSeats(journal.lines[0])
    .filter(isRemote)
    .map(({ colour }) => colour);
  const others = outside.filter((colour) => !models.includes(colour));
  if (others.length > 0) {
    const text = `${nameOf(path)}: people or own minds thought for ${others.join(', ')}, and they can't be asked again: --stand-in lets offline minds go on for them`;
    throw createFailure(EXIT.usage, 'why/outside-minds', text);
  }
  if (samples > 0) return;
  const text = `${nameOf(path)}: models thought for ${models.join(', ')}: --samples 5 asks them again, five times with and without each change, and --stand-in lets offline minds go on for them`;
  throw createFailure(EXIT.usage, 'why/outside-minds', text);
}

/** Models that are asked again. Recorded answers are reused. */
async function openModels(
  path: string,
  journal: Journal,
  flags: WhyMindFlags,
  cachePlace: CachePlace,
): Promise<WhyMinds> {
  const seats = listSeatsWith(journal, flags);
  await refuseSeatProblems(seats, flags);
  const thinking = await createGameModels(flags, seedOf(journal));
  const { cache, refuseUnkept, close } = await openCache(cachePlace);
  let pause = () => {};
  // The answers that are still to come would be paid for and not kept.
  cache.onFailure = () => pause();
  const record = openRecord(
    path,
    WhatIf.open(journal, {
      models: (sample) => overrideModels(cache.keep(thinking.mindsOfSample(sample), sample), flags),
      standIns: false,
      onMatch: (match) => {
        thinking.take(match);
        pause = match.pause;
      },
    }),
  );
  const inner = playHere(record);
  const player: MatchPlayer = {
    play: async (play) => {
      const outcome = await inner.play(play);
      refuseUnkept();
      refuseBroken(path, thinking);
      return outcome;
    },
    close: inner.close,
  };
  return {
    record,
    samples: flags.samples ?? 1,
    models: describeModels(listSeats(journal.lines[0]), seats),
    open: () => ({ player, atOnce: 1 }),
    close: async () => {
      thinking.costLine.end();
      close();
      await thinking.close();
      printCost(thinking);
    },
  };
}

/** A match that a budget or an endpoint ended does not count. */
function refuseBroken(path: string, { paused, exhausted }: ShownModels): void {
  const kept = 'the answers so far are kept';
  if (paused !== null) {
    const text = `${nameOf(path)}: no model can be asked any more (${paused.text}): ${kept}, and asked again it goes on`;
    throw createFailure(EXIT.unreachable, `endpoint/${paused.code}`, text);
  }
  if (exhausted === null) return;
  const text = `the budget is spent (${exhausted}): ${kept}, and with a new budget it goes on`;
  throw createFailure(EXIT.incomplete, 'why/budget', text);
}

/**
 * The models that are asked: "red=gemma3,blue=gemma3", each with what flags have changed of how it is asked, so that answers
 * to other requests are not taken for these.
 */
function describeModels(recorded: readonly MatchSeat[], seats: readonly MatchSeat[]): string {
  return seats
    .filter(isRemote)
    .map((seat) => {
      const { colour, model = '' } = seat;
      const past = recorded.find((one) => one.colour === colour);
      const changed = ASKED_WITH.filter((name) => !isDeepStrictEqual(seat[name], past?.[name]));
      const flagged = Object.fromEntries(changed.map((name) => [name, seat[name]]));
      return `${colour}=${model}${changed.length === 0 ? '' : canonical(flagged)}`;
    })
    .join();
}

/** What flags can change of how a model is asked; the key that pays for it changes no answer. */
const ASKED_WITH = ['base_url', 'level', 'temperature', 'extra_body'] as const;

type OpenCache = {
  readonly cache: AnswerCache;
  /** Throws where an answer could not be kept. */
  readonly refuseUnkept: () => void;
  readonly close: () => void;
};

async function openCache({ file, engine }: CachePlace): Promise<OpenCache> {
  if (file === null) {
    const cache = new AnswerCache(engine, '', () => {});
    return { cache, refuseUnkept: () => {}, close: () => {} };
  }
  const past = isThere(file) ? await openWhyText(file) : '';
  const refuse = (error: unknown) => {
    const text = `cannot keep answers in ${nameOf(file)}: ${describeSystemError(error)}`;
    return createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
  };
  try {
    const handle = realDisk.open(file, 'append');
    // A torn line would join the next one.
    if (past !== '' && !past.endsWith('\n')) handle.write('\n');
    const cache = new AnswerCache(engine, past, (line) => handle.write(line));
    const refuseUnkept = () => {
      if (cache.failure !== null) throw refuse(cache.failure);
    };
    return { cache, refuseUnkept, close: () => handle.close() };
  } catch (error) {
    throw refuse(error);
  }
}

/** The earlier result. Refuses any other file. */
export async function openKnown(file: string, fresh: WhyResult): Promise<WhyResult> {
  if (!isThere(file)) return fresh;
  const reading = readResult(await openWhyText(file), fresh);
  if (reading.ok) return reading.result;
  const text = `${nameOf(file)}: ${reading.text}: remove it, or choose another file with --out`;
  throw createFailure(EXIT.damaged, reading.code, text);
}

/** Keeps a result in its file, in one piece. */
export class ResultKeeper {
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
      const text = `cannot write the result to ${nameOf(this.file)}: ${describeSystemError(error)}`;
      throw createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
    }
  }
}
