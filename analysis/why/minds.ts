/** The minds that play a record on for `why`: offline minds on threads, or models that are asked again. */
import { isDeepStrictEqual } from 'node:util';
import type { Journal } from '../../actors/engine/journal/reader.ts';
import { createFailure, EXIT, nameOf } from '../../actors/files/failure.ts';
import type { MatchModels } from '../../actors/minds/openai/matchModels.ts';
import { listSeats, type SeatOverrides } from '../../actors/minds/openai/seats.ts';
import { listSeatsWith, overrideModels } from '../../actors/replay/continue.ts';
import { WhatIf } from '../../actors/replay/whatIf.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import { isRemote } from '../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import { openAnswers } from './keeper.ts';
import { type MatchPlayer, playHere, playOnThreads } from './plays.ts';
import { findOutsideSeats } from './why.ts';

export type WhyMindTerms = SeatOverrides & {
  readonly samples?: number;
  readonly standIn?: boolean;
  readonly jobs?: number;
};

export type WhyMinds = {
  readonly record: WhatIf;
  /** Matches with and without each change; 0 if one match is exact. */
  readonly samples: number;
  /** The models asked, by seat; null for none. */
  readonly models: string | null;
  readonly open: () => MatchPlayer;
  readonly close: () => Promise<void>;
};

export type WhyMindPlace = {
  /** The file of the models' answers; null if they are not stored. */
  readonly file: string | null;
  readonly engine: string;
  readonly openModels: (seats: readonly MatchSeat[], journal: Journal) => Promise<OpenedModels>;
};

type OpenedModels = { readonly models: MatchModels; readonly close: () => Promise<void> };

export async function openWhyMinds(
  path: string,
  journal: Journal,
  terms: WhyMindTerms,
  place: WhyMindPlace,
): Promise<WhyMinds> {
  const { samples = 0, standIn = false } = terms;
  refuseOutsideMinds(path, journal, terms);
  if (samples > 0) return await openModelMinds(path, journal, terms, place);
  const record = WhatIf.open(journal, { models: null, standIns: standIn });
  return {
    record,
    samples,
    models: null,
    open: () => {
      // A thread costs two CPU seconds, its code is slow at first, and it plays the record once more.
      const { jobs: threads = 1 } = terms;
      if (threads < 2) return playHere(record);
      const { lines, bodies } = journal;
      return playOnThreads({ journal: { lines, bodies }, standIns: standIn }, threads);
    },
    close: async () => {},
  };
}

function refuseOutsideMinds(
  path: string,
  journal: Journal,
  { samples = 0, standIn = false }: WhyMindTerms,
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
  const refuse = (text: string) =>
    createFailure(EXIT.usage, 'why/outside-minds', `${nameOf(path)}: ${text}`);
  if (others.length > 0) {
    throw refuse(
      `people or own minds thought for ${others.join(', ')}, and they can't be asked again: --stand-in lets offline minds go on for them`,
    );
  }
  if (samples > 0) return;
  throw refuse(
    `models thought for ${models.join(', ')}: --samples 5 asks them again, five times with and without each change, and --stand-in lets offline minds go on for them`,
  );
}

async function openModelMinds(
  path: string,
  journal: Journal,
  terms: WhyMindTerms,
  { file, engine, openModels }: WhyMindPlace,
): Promise<WhyMinds> {
  const seats = listSeatsWith(journal, terms);
  const opened = await openModels(seats, journal);
  const { models } = opened;
  const { cache, refuseUnkept, close } = await openAnswers(file, engine);
  let pause = () => {};
  // Answers still in flight would be paid for and not stored.
  cache.onFailure = () => pause();
  const record = WhatIf.open(journal, {
    models: (sample) => overrideModels(cache.keep(models.mindsOfSample(sample), sample), terms),
    standIns: false,
    onMatch: (match) => {
      models.take(match);
      pause = match.pause;
    },
  });
  const inner = playHere(record);
  const player: MatchPlayer = {
    ...inner,
    run: async (play) => {
      const outcome = await inner.run(play);
      refuseUnkept();
      refuseBroken(path, models);
      return outcome;
    },
  };
  return {
    record,
    samples: terms.samples ?? 1,
    models: describeModels(listSeats(journal.lines[0]), seats),
    open: () => player,
    close: async () => {
      close();
      await opened.close();
    },
  };
}

/** A match that a budget or an endpoint ended does not count. */
function refuseBroken(path: string, { paused, exhausted }: MatchModels): void {
  const kept = 'the answers so far are kept';
  if (paused !== null) {
    const text = `${nameOf(path)}: no model can be asked any more (${paused.text}): ${kept}, and asked again it goes on`;
    throw createFailure(EXIT.unreachable, `endpoint/${paused.code}`, text);
  }
  if (exhausted === null) return;
  const text = `the budget is spent (${exhausted}): ${kept}, and with a new budget it goes on`;
  throw createFailure(EXIT.incomplete, 'why/budget', text);
}

/** Such as "red=gemma3,blue=gemma3", with changed settings, so that answers to other requests stay apart. */
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

/** Settings of a model's seat that change its answers; the key does not. */
const ASKED_WITH = ['base_url', 'level', 'temperature', 'extra_body'] as const;
