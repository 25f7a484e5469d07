/** Who goes on in the matches of `why`: offline minds, here or on other threads, or models that are asked for samples. */
import { availableParallelism } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Journal } from '../../actors/engine/journal/reader.ts';
import { listSeats } from '../../actors/minds/openai/seats.ts';
import { realDisk } from '../../actors/ports/disk.ts';
import { AnswerCache } from '../../actors/replay/answerCache.ts';
import { listSeatsWith, overrideModels, seedOf } from '../../actors/replay/continue.ts';
import { WhatIf } from '../../actors/replay/whatIf.ts';
import { type MatchPlayer, playHere, playOnThreads } from '../../analysis/why/plays.ts';
import { findOutsideSeats } from '../../analysis/why/why.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import { isRemote } from '../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import { refuseSeatProblems } from '../continueGame.ts';
import { createFailure, describeSystemError, EXIT } from '../exit.ts';
import type { ModelFlags } from '../flags.ts';
import { isThere, nameOf, openWhyText } from '../input.ts';
import { createGameModels, printCost, type ShownModels } from '../models.ts';

export type WhyMindFlags = ModelFlags & {
  readonly samples?: number;
  readonly standIn?: boolean;
  readonly jobs?: number;
};

/** The record and who plays it on. */
export type WhyMinds = {
  readonly record: WhatIf;
  /** Matches with and without each change; 0 where one match is exact. */
  readonly samples: number;
  /** The models that are asked, by seat; null where none is. */
  readonly models: string | null;
  /** The player for so many matches, and how many it is worth handing it at once. */
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
  const text = `${nameOf(path)} can't be played: ${opened.text}`;
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

/** Models that are asked again; what they have answered before is not asked for a second time. */
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

/** A match that a budget or an endpoint has ended says nothing of the change. */
function refuseBroken(path: string, { paused, exhausted }: ShownModels): void {
  const kept = 'what has been answered is kept';
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
    const text = `answers can't be kept in ${nameOf(file)}: ${describeSystemError(error)}`;
    return createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
  };
  try {
    const handle = realDisk.open(file, 'append');
    // What was torn would be glued to the next line.
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
