/** Answers how a record would have ended with one thing changed. First, forks without a change must reproduce it. */
import type { Journal } from '../../actors/engine/journal/reader.ts';
import { forEachAtOnce } from '../../actors/jobs/pool.ts';
import { listSeats } from '../../actors/minds/openai/seats.ts';
import { type Difference, isFromOutside, replay } from '../../actors/replay/replay.ts';
import type { WhatIf } from '../../actors/replay/whatIf.ts';
import { isPerson, isSlow } from '../../machines/rules/mindKinds.ts';
import type { Colour, Note } from '../../machines/types.ts';
import { type AnswerSample, compareOutcomes, type MatchOutcome } from './outcome.ts';
import { cutOutcome, type MatchPlayer } from './plays.ts';
import type { WhyQuestion } from './questions.ts';
import {
  type AskedUnder,
  type NullCheck,
  type SharedCredit,
  type Stakes,
  toAnswer,
  toCredit,
  toSample,
  type WhyAnswer,
} from './result.ts';
import { computeShapley, type KeptSet } from './shapley.ts';
import {
  rankSwings,
  type StakePlace,
  type StakesPlan,
  type Swing,
  swingBetween,
  weighMoment,
} from './stakes.ts';

/** Null if the journal can be asked about. */
export function findUnaskable({ lines }: Journal): Note | null {
  const [header] = lines;
  const isGame = header?.type === 'match.opened' && !('call' in header.match);
  const end = isGame ? 'game.closed' : 'meeting.closed';
  if (lines.every(({ type }) => type !== end)) {
    const text = 'the match is not over, so there is no outcome to ask about: "resume" plays it on';
    return { code: 'why/unfinished', text };
  }
  const at = lines.findIndex(isFromOutside);
  if (at < 0) return null;
  const what = lines[at]?.type === 'seat.departed' ? 'a player left' : 'the match was stopped';
  const text = `${what} from outside (line ${at + 1}), which no mind decides: expected a match that went its own way to its end`;
  return { code: 'why/from-outside', text };
}

export function findOutsideSeats({ lines }: Journal): readonly Colour[] {
  return listSeats(lines[0]).flatMap((seat) =>
    isSlow(seat) || isPerson(seat) ? [seat.colour] : [],
  );
}

export type NullOutcome =
  | { readonly type: 'identical'; readonly check: NullCheck }
  /** The program does not reproduce the record from its answers. */
  | { readonly type: 'unplayable'; readonly difference: Difference }
  /** A mind answers differently after `line`, which counts from 1. */
  | { readonly type: 'different'; readonly difference: Difference; readonly line: number };

/** Compared forks, in addition to the whole match. */
const COMPARED = 3;

/** Forks without a change are compared with the record to its end, and forks with stand-ins up to their moment. */
export async function checkUnchanged(
  record: WhatIf,
  questions: readonly WhyQuestion[],
  isStrict: boolean,
): Promise<NullOutcome> {
  const { journal } = record;
  const taped = await replay(journal);
  if (taped.type === 'different') return { type: 'unplayable', difference: taped.difference };
  const moments = [...new Set(questions.map(({ line }) => line))];
  const picked = isStrict ? moments : pickSome(moments);
  // A fork of stand-ins at the start would compare only the header.
  const starts = record.isAtOnce ? [...(record.hasStandIns ? [] : [0]), ...picked] : [];
  let compared = journal.lines.length;
  for (const line of starts) {
    const { difference, lines } = await record.compare(line);
    if (difference !== null) return { type: 'different', difference, line: line + 1 };
    compared += lines;
  }
  const check = { forks: starts.length + 1, lines: compared, identical: true } as const;
  return { type: 'identical', check };
}

function pickSome(moments: readonly number[]): readonly number[] {
  if (moments.length <= COMPARED) return moments;
  const step = (moments.length - 1) / (COMPARED - 1);
  return Array.from({ length: COMPARED }, (_, index) => moments[Math.round(index * step)] ?? 0);
}

export type Asking = AskedUnder & {
  readonly player: MatchPlayer;
  readonly was: MatchOutcome;
  /** Matches with and without each change if minds answer differently each time; 0 if one match is exact. */
  readonly samples: number;
  readonly isStopped: () => boolean;
  readonly findSamples: (question: WhyQuestion) => readonly AnswerSample[];
};

/** In order if one question is asked at a time. */
export async function answerQuestions(
  questions: readonly WhyQuestion[],
  asking: Asking,
  onAnswer: (answer: WhyAnswer) => void,
): Promise<void> {
  const { player, isStopped } = asking;
  const work = async (question: WhyQuestion) => {
    const answer = await answerQuestion(question, asking);
    if (answer !== null) onAnswer(answer);
  };
  await forEachAtOnce(questions, player.atOnce, { work, isStopped });
}

/** Plays one exact match, or as many pairs with and without the change as are missing; null if stopped. */
export async function answerQuestion(
  question: WhyQuestion,
  asking: Asking,
): Promise<WhyAnswer | null> {
  const { player, was, until, continued, models, samples, isStopped, findSamples } = asking;
  const { line, intervention, meeting } = question;
  const play = { line, until, meeting, hearsBeliefs: meeting };
  const taken = [...findSamples(question)];
  for (let sample = taken.length; sample < Math.max(1, samples); sample++) {
    if (isStopped()) return null;
    // Stand-ins and models would not reproduce the record without the change.
    const isRecord = samples === 0 && continued === 'minds';
    const before = isRecord
      ? cutOutcome(was, play)
      : await player.run({ ...play, interventions: [], sample });
    if (!isRecord && isStopped()) return null;
    const is = await player.run({ ...play, interventions: [intervention], sample });
    taken.push(toSample(question, before, is));
  }
  return toAnswer(question, { until, continued, models }, taken);
}

export async function shareCredit(
  questions: readonly WhyQuestion[],
  { player, was, until, continued, isStopped }: Asking,
  { orders, seed }: { readonly orders: number; readonly seed: number },
): Promise<SharedCredit | null> {
  const [first] = questions;
  if (first === undefined) return null;
  const { meeting } = first;
  const record = cutOutcome(was, { until, meeting });
  const measure = async (sets: readonly KeptSet[]) => {
    const measured: (readonly number[])[] = sets.map(() => []);
    const work = async (index: number) => {
      const kept = sets[index] ?? [];
      const silenced = questions.filter((_, at) => kept[at] === false);
      const line = Math.min(...silenced.map((one) => one.line));
      const interventions = silenced.map(({ intervention }) => intervention);
      const is =
        silenced.length === 0 ? record : await player.run({ line, interventions, until, meeting });
      const { was: before, is: after } = compareOutcomes(record, is, meeting);
      // 1 or 0 each: whether the ejection and the winner agree with the record.
      measured[index] = [
        Number(before.ejected === after.ejected),
        Number(before.winner === after.winner),
      ];
    };
    await forEachAtOnce([...sets.keys()], player.atOnce, { work, isStopped });
    return measured;
  };
  const found = await computeShapley({ size: questions.length, orders, seed, measure });
  if (isStopped()) return null;
  return toCredit(questions, found, { until, continued, seed });
}

/** A half-weighed moment is dropped. */
type StakesAsking = Omit<StakesPlan, 'continuations' | 'first'> & {
  readonly onMoment: (stakes: Stakes) => void;
};

export async function weighStakes(
  places: readonly StakePlace[],
  known: Stakes,
  { onMoment, ...asking }: StakesAsking,
): Promise<Stakes> {
  const { continuations } = known;
  const plan = { ...asking, continuations, first: 0 };
  let stakes = known;
  for (const place of places.slice(known.moments.length)) {
    if (asking.isStopped()) return stakes;
    const last = stakes.moments.at(-1);
    const { isSame, line, ...rest } = place;
    const moment =
      isSame && last !== undefined
        ? { ...last, ...rest, line: line + 1 }
        : await weighMoment(place, plan);
    if (moment === null) return stakes;
    stakes = { ...stakes, moments: [...stakes.moments, moment] };
    onMoment(stakes);
  }
  if (stakes.swings !== null) return stakes;
  const again = { ...plan, first: continuations, continuations: continuations * SWING_TRIALS };
  const find = (line: number) => places.find((place) => place.line === line - 1);
  const tried: Swing[] = [];
  for (const swing of rankSwings(stakes.moments).slice(0, SWINGS_TRIED)) {
    const [before, after] = [find(swing.before.line), find(swing.after.line)];
    if (before === undefined || after === undefined || swing.by === 0) continue;
    if (asking.isStopped()) return stakes;
    const from = await weighMoment(before, again);
    const to = from === null ? null : await weighMoment(after, again);
    if (from === null || to === null) return stakes;
    tried.push(swingBetween(from, to));
  }
  const swings = tried
    .toSorted((one, other) => Math.abs(other.by) - Math.abs(one.by))
    .map(({ before, after }) => ({ before, after }));
  return { ...stakes, swings };
}

/** The greatest of many swings looks greater than it is, so these are tried again, more often. */
const SWINGS_TRIED = 5;
const SWING_TRIALS = 4;
