/** Asking: plays the matches of the questions that are still open, says how far it is, and keeps what comes of it. */

import type { Journal } from '../../actors/engine/journal/reader.ts';
import { seedOf } from '../../actors/replay/continue.ts';
import { type MatchPlayer, playRecord } from '../../analysis/why/plays.ts';
import type { WhyQuestion } from '../../analysis/why/questions.ts';
import {
  type AskedUnder,
  findAnswer,
  findCredit,
  findSamples,
  findStakes,
} from '../../analysis/why/result.ts';
import { listMoments } from '../../analysis/why/stakes.ts';
import { answerQuestions, shareCredit, weighStakes } from '../../analysis/why/why.ts';
import { pluralize } from '../../machines/text.ts';
import { printNote } from '../output.ts';
import { createProgressLine } from '../progress.ts';
import { listenForStop } from '../stop.ts';
import type { WhyFlags } from './flags.ts';
import type { ResultKeeper } from './keeper.ts';
import type { WhyMinds } from './minds.ts';

/** Under what the questions of a command line are asked. */
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
