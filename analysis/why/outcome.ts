/** The outcome of a match, recorded or played, and the differences between two outcomes. */
import { z } from 'zod';
import type { HeardBelief, MatchHappening } from '../../actors/replay/whatIf.ts';
import { DRAWS, VICTORIES, WINNERS } from '../../machines/rules/ship/world.ts';
import { COLOURS, OUTCOMES } from '../../machines/types.ts';
import { meanOf } from '../counts/numeric.ts';

/** How far a match is played: to its end, or to the end of the meeting in question. */
export const HORIZONS = ['end', 'meeting'] as const;
export type Horizon = (typeof HORIZONS)[number];

const seat = z.enum(COLOURS);
const ballot = z.enum([...COLOURS, 'skip']);

const meetingOutcomeSchema = z.strictObject({
  /** Null for an unfinished meeting. */
  outcome: z.enum(OUTCOMES).nullable(),
  ejected: seat.nullable(),
  ballots: z.partialRecord(seat, ballot),
  ticks: z.int().nonnegative(),
  /** The living crewmates' mean suspicion when the poll closed, from 0 to 1; absent if nobody was asked. */
  suspicion: z.partialRecord(seat, z.number().min(0).max(1)).optional(),
});
export type MeetingOutcome = z.infer<typeof meetingOutcomeSchema>;

export const matchOutcomeSchema = z.strictObject({
  /** Null without a winner, for a meeting on its own, and for an unfinished match. */
  winner: z.enum(WINNERS).nullable(),
  reason: z.enum([...VICTORIES, ...DRAWS]).nullable(),
  rounds: z.int().nonnegative(),
  meetings: z.array(meetingOutcomeSchema),
});
export type MatchOutcome = z.infer<typeof matchOutcomeSchema>;

export class OutcomeReader {
  readonly #meetings: MeetingOutcome[] = [];
  #heard: HeardBelief[] = [];
  #end: MatchEnd = { winner: null, reason: null, rounds: 0 };

  get meetingsOver(): number {
    return this.#meetings.filter(({ outcome }) => outcome !== null).length;
  }

  get outcome(): MatchOutcome {
    return { ...this.#end, meetings: this.#meetings };
  }

  read(happenings: readonly MatchHappening[]): void {
    for (const one of happenings) this.#readOne(one);
  }

  #readOne(one: MatchHappening): void {
    if (one.type === 'meeting.called') {
      this.#meetings.push({ outcome: null, ejected: null, ballots: {}, ticks: 0 });
      this.#heard = [];
    }
    if (one.type === 'belief.heard') {
      this.#heard.push(one);
      this.#change(() => ({ suspicion: averageSuspicion(this.#heard) }));
    }
    if (one.type === 'tick.closed' && ['discussion', 'voting'].includes(one.requestKind))
      this.#change(({ ticks }) => ({ ticks: ticks + 1 }));
    if (one.type === 'vote.locked')
      this.#change(({ ballots }) => ({ ballots: { ...ballots, [one.seat]: one.ballot } }));
    if (one.type === 'vote.cleared')
      this.#change(({ ballots: { [one.seat]: _cleared, ...ballots } }) => ({ ballots }));
    if (one.type === 'meeting.closed')
      this.#change(() => ({ outcome: one.outcome, ejected: one.ejected }));
    if (one.type === 'round.closed') this.#end = { ...this.#end, rounds: this.#end.rounds + 1 };
    if (one.type === 'game.closed')
      this.#end = { winner: one.winner, reason: one.reason, rounds: this.#end.rounds };
  }

  #change(change: (meeting: MeetingOutcome) => Partial<MeetingOutcome>): void {
    const meeting = this.#meetings.at(-1);
    if (meeting !== undefined)
      this.#meetings[this.#meetings.length - 1] = { ...meeting, ...change(meeting) };
  }
}

function averageSuspicion(heard: readonly HeardBelief[]): NonNullable<MeetingOutcome['suspicion']> {
  const means = COLOURS.map((of) => {
    const found = heard.flatMap(({ probabilities }) => probabilities[of] ?? []);
    return [of, meanOf(found, (one) => one)] as const;
  });
  return Object.fromEntries(means.filter(([, mean]) => mean !== null));
}

export function readOutcome(happenings: readonly MatchHappening[]): MatchOutcome {
  const reader = new OutcomeReader();
  reader.read(happenings);
  return reader.outcome;
}

const comingSchema = z.strictObject({
  ...matchOutcomeSchema.pick({ winner: true, reason: true, rounds: true }).shape,
  /** Null without a meeting. */
  ...meetingOutcomeSchema.pick({ outcome: true, ejected: true }).shape,
});

/** A match without a change (`was`) and one with it (`is`). */
export const sampleSchema = z.strictObject({
  was: comingSchema,
  is: comingSchema,
  /** Voters of the meeting whose ballots differ; null without a ballot. */
  ballots: z.array(z.strictObject({ voter: seat, was: ballot.nullable(), is: ballot.nullable() })),
  /** Changed suspicions before the reveal, the greatest change first; null if nobody was asked. */
  suspicion: z.array(z.strictObject({ of: seat, was: z.number(), is: z.number() })).nullable(),
});
export type AnswerSample = z.infer<typeof sampleSchema>;

/** Compares two matches with a common beginning. `meeting` counts from 0. */
export function compareOutcomes(
  was: MatchOutcome,
  is: MatchOutcome,
  meeting: number,
): AnswerSample {
  const [before, after] = [was.meetings[meeting], is.meetings[meeting]];
  return {
    was: comingOf(was, before),
    is: comingOf(is, after),
    ballots: COLOURS.flatMap((voter) => {
      const [first = null, second = null] = [before?.ballots[voter], after?.ballots[voter]];
      return first === second ? [] : [{ voter, was: first, is: second }];
    }),
    suspicion: compareSuspicion(before, after),
  };
}

function comingOf(
  { winner, reason, rounds }: MatchOutcome,
  { outcome = null, ejected = null }: Partial<MeetingOutcome> = {},
): AnswerSample['was'] {
  return { winner, reason, rounds, outcome, ejected };
}

type MatchEnd = Pick<MatchOutcome, 'winner' | 'reason' | 'rounds'>;

/** `rounds` are additional rounds. */
export function compareEnds(was: MatchEnd, is: MatchEnd) {
  const isWinnerOther = was.winner !== is.winner;
  const isReasonOther = !isWinnerOther && was.reason !== is.reason;
  return { isWinnerOther, isReasonOther, rounds: is.rounds - was.rounds };
}

/** Smaller changes are rounding: a belief has four digits. */
const LEAST_SHIFT = 0.0005;

function compareSuspicion(
  was: MeetingOutcome | undefined,
  is: MeetingOutcome | undefined,
): AnswerSample['suspicion'] {
  if (was?.suspicion === undefined || is?.suspicion === undefined) return null;
  const [before, after] = [was.suspicion, is.suspicion];
  return COLOURS.flatMap((of) => {
    const [first, second] = [before[of], after[of]];
    // A player who is dead in one of the matches has only one suspicion.
    if (first === undefined || second === undefined) return [];
    const shift = { of, was: first, is: second };
    return sizeOf(shift) < LEAST_SHIFT ? [] : [shift];
  }).toSorted((one, other) => sizeOf(other) - sizeOf(one));
}

function sizeOf({ was, is }: { readonly was: number; readonly is: number }): number {
  return Math.abs(is - was);
}

/** The mean effect of a change over its samples. Offline minds have one exact sample. */
export const effectSchema = z.strictObject({
  samples: z.int().nonnegative(),
  /** Samples with another winner, and with another ejection. */
  winner: z.int().nonnegative(),
  ejected: z.int().nonnegative(),
  /** Mean number of other ballots that differ. */
  ballots: z.number(),
  reason: z.int().nonnegative(),
  /** Mean number of additional rounds. */
  rounds: z.number(),
  /** Mean of the greatest change of a suspicion, from 0 to 1; null if nobody was asked. */
  suspicion: z.number().nullable(),
});
export type ChangeEffect = z.infer<typeof effectSchema>;

export function sumUpSamples(samples: readonly AnswerSample[]): ChangeEffect {
  const ends = samples.map(({ was, is }) => compareEnds(was, is));
  return {
    samples: samples.length,
    winner: ends.filter(({ isWinnerOther }) => isWinnerOther).length,
    ejected: samples.filter(({ was, is }) => was.ejected !== is.ejected).length,
    ballots: meanOf(samples, ({ ballots }) => ballots.length) ?? 0,
    reason: ends.filter(({ isReasonOther }) => isReasonOther).length,
    rounds: meanOf(ends, ({ rounds }) => rounds) ?? 0,
    suspicion: samples.every(({ suspicion }) => suspicion === null)
      ? null
      : meanOf(samples, ({ suspicion }) => sizeOf(suspicion?.[0] ?? { was: 0, is: 0 })),
  };
}

/** Whether a change left the outcome as it was, apart from beliefs. */
export function isWithoutEffect({ suspicion: _, ...effect }: ChangeEffect): boolean {
  return weigh({ ...effect, suspicion: null }).every((weight) => weight === 0);
}

/** Orders effects, the greater first: by winner, ejection, number of ballots, reason, length, beliefs. */
export function rankEffects(one: ChangeEffect, other: ChangeEffect): number {
  const others = weigh(other);
  const differences = weigh(one).map((weight, index) => (others[index] ?? 0) - weight);
  return differences.find((difference) => difference !== 0) ?? 0;
}

function weigh(effect: ChangeEffect): readonly number[] {
  const { winner, ejected, ballots, reason, rounds, suspicion } = effect;
  const cases = Math.max(1, effect.samples);
  const shares = [winner / cases, ejected / cases, ballots, reason / cases];
  return [...shares, Math.abs(rounds), suspicion ?? 0];
}
