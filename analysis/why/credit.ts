/**
 * Causal credit: what each message and vote of a seat did to the outcome (ruling 64). Other matches are played with the
 * message silenced or the vote a skip, with all dice fixed. There outside seats reply as recorded; where the record has
 * nothing they wait, stay silent and skip. The credits are Shapley values.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Journal, readJournal } from '../../actors/engine/journal/reader.ts';
import { MatchRefused } from '../../actors/library.ts';
import type { Answer, LightMind, MindRequest } from '../../actors/minds/port.ts';
import {
  findRecorded,
  type Recording,
  readRecording,
} from '../../actors/replay/recordedReplies.ts';
import { WhatIf } from '../../actors/replay/whatIf.ts';
import { isPerson } from '../../machines/rules/mindKinds.ts';
import type { Colour, Role } from '../../machines/types.ts';
import { type AnswerSample, compareOutcomes, type MatchOutcome, readOutcome } from './outcome.ts';
import { playHere, playRecord } from './plays.ts';
import { listQuestions, type WhyQuestion } from './questions.ts';
import { computeShapley, type KeptSet } from './shapley.ts';
import { findOutsideSeats, findUnaskable } from './why.ts';

/** A message or a vote of the seat, and its share in the outcome. Meetings and ticks count from 0. */
export type Credit = Pick<WhyQuestion, 'seat' | 'meeting' | 'tick' | 'words'> & {
  readonly what: 'message' | 'vote';
  /** From -2 to 2: a loss is -1, a win is 1. */
  readonly credit: number;
  /** The standard error; 0 for an exact credit. */
  readonly error: number;
  /** The match without this act alone (`is`) against the record (`was`): ballots, suspicion, ejection, winner. */
  readonly effect: AnswerSample;
};

export type CreditReport = {
  readonly credits: readonly Credit[];
  /** The outcome for the seat, and without all its acts. The credits add up to the difference. */
  readonly outcome: number;
  readonly without: number;
  readonly matches: number;
};

export type CreditOptions = {
  /** Orders that are drawn for more than six acts; 20 without it. */
  readonly orders?: number;
  readonly seed?: number;
  readonly signal?: AbortSignal;
};

const ORDERS = 20;

/**
 * @param text the journal of a match that is over
 * @throws MatchRefused if it cannot be played with changes: damaged, unfinished, or with models or own minds in it
 */
export async function creditActs(
  text: string,
  seat: Colour,
  { orders = ORDERS, seed = 1, signal }: CreditOptions = {},
): Promise<CreditReport> {
  const { record, value } = openRecord(readJournal(text), seat);
  const acts = listQuestions(record.journal.lines, ['messages', 'ballots'], null).filter(
    (one) => one.seat === seat && !(one.what === 'ballots' && one.words === 'skip'),
  );
  const was = await playRecord(record);
  const played = { ...was, meetings: was.meetings.map(({ suspicion: _, ...one }) => one) };
  if (!isDeepStrictEqual(played, readOutcome(record.journal.lines)))
    throw refuse('why/not-identical', 'played again without a change, the match ends otherwise');
  const player = playHere(record);
  const outcomes = new Map<string, MatchOutcome>();
  const play = async (kept: KeptSet): Promise<MatchOutcome> => {
    signal?.throwIfAborted();
    const left = acts.filter((_, at) => kept[at] === false);
    if (left.length === 0) return was;
    const key = kept.join();
    const line = Math.min(...left.map((one) => one.line));
    const interventions = left.map(({ intervention }) => intervention);
    // Beliefs cost as much as the match, and only the effect of a single act shows them.
    const [first] = left;
    const hearsBeliefs = left.length === 1 && first !== undefined ? first.meeting : false;
    const change = { line, interventions, until: 'end', meeting: 0, hearsBeliefs } as const;
    const outcome = outcomes.get(key) ?? (await player.run(change));
    outcomes.set(key, outcome);
    return outcome;
  };
  const measure = async (sets: readonly KeptSet[]) => {
    const measured: number[][] = [];
    for (const kept of sets) measured.push([value(await play(kept))]);
    return measured;
  };
  const found = await computeShapley({ size: acts.length, orders, seed, measure });
  const credits: Credit[] = [];
  for (const [at, { meeting, tick, words, what }] of acts.entries()) {
    const without = await play(acts.map((_, other) => other !== at));
    const { value: credit = 0, error = 0 } = found.values[0]?.[at] ?? {};
    credits.push({
      ...{ seat, what: what === 'messages' ? 'message' : 'vote', meeting, tick, words },
      ...{ credit, error, effect: compareOutcomes(was, without, meeting) },
    });
  }
  const without = await play(acts.map(() => false));
  return { credits, outcome: value(was), without: value(without), matches: outcomes.size };
}

const refuse = (code: string, text: string) => new MatchRefused([{ code, text }]);

function openRecord(journal: Journal, seat: Colour) {
  const [header] = journal.lines;
  if (header?.type !== 'match.opened' || journal.damageCount > 0)
    throw refuse('journal/damaged', 'the journal is damaged');
  const problem = findUnaskable(journal);
  if (problem !== null) throw refuse(problem.code, problem.text);
  const seats: readonly { colour: Colour; role?: Role | undefined }[] = header.match.seats;
  const roles = new Map(seats.map(({ colour, role }) => [colour, role]));
  if (!roles.has(seat)) throw refuse('match/no-such-seat', `${seat} has no seat`);
  const slow = findOutsideSeats(journal).filter((colour) => {
    return !header.match.seats.some((one) => one.colour === colour && isPerson(one));
  });
  if (slow.length > 0) {
    const text = `expected offline minds in the other seats, found models or own minds in ${slow.join(', ')}`;
    throw refuse('why/outside-minds', text);
  }
  const recording = readRecording(journal.lines);
  const isGame = !('call' in header.match);
  const models = () => (one: { colour: Colour }) => replyAsRecorded(recording, one.colour, isGame);
  const record = WhatIf.open(journal, { models, standIns: false });
  const isImpostor = roles.get(seat) === 'impostor';
  const value = ({ winner, meetings }: MatchOutcome): number => {
    const ejected = meetings.at(-1)?.ejected ?? null;
    if (isGame ? winner === null : ejected === null) return 0;
    const isLost = isGame
      ? winner === 'crew'
      : ejected !== null && roles.get(ejected) === 'impostor';
    return isLost === isImpostor ? -1 : 1;
  };
  return { record, value };
}

function replyAsRecorded(recording: Recording, seat: Colour, isGame: boolean): LightMind {
  return {
    pace: 'at-once',
    answer: (request) => {
      const meeting = isGame ? countMeetings(request) : 0;
      return findRecorded(recording, seat, request, meeting)?.answer ?? waitOut(request);
    },
  };
}

function countMeetings({ kind, view }: MindRequest): number {
  if (kind === 'action') return 0;
  return (kind === 'ghost' ? view.truth : view.table).record.meetings.length;
}

function waitOut({ kind }: MindRequest): Answer {
  if (kind === 'action') return { ok: true, received: { action: { type: 'wait' } } };
  return { ok: true, received: { desire_to_speak: 0, message: '', vote_action: 'skip' } };
}
