/**
 * The outcome of a match, and the differences between two outcomes.
 *
 * Recorded and played matches are read in the same way.
 */
import { z } from 'zod';
import type { HeardBelief, MatchHappening } from '../../actors/replay/whatIf.ts';
import { VICTORIES, WINNERS } from '../../machines/rules/ship/world.ts';
import { type Ballot, COLOURS, type Colour, OUTCOMES } from '../../machines/types.ts';

/** How far a match is played: to its end, or to the end of the meeting in question. */
export const HORIZONS = ['end', 'meeting'] as const;
export type Horizon = (typeof HORIZONS)[number];

const seat = z.enum(COLOURS);
const ballot = z.enum([...COLOURS, 'skip']);

const meetingOutcomeSchema = z.strictObject({
  /** Null for an unfinished meeting. */
  outcome: z.enum(OUTCOMES).nullable(),
  ejected: seat.nullable(),
  /** The locked ballots by voter. */
  ballots: z.partialRecord(seat, ballot),
  ticks: z.int().nonnegative(),
  /**
   * The mean suspicion of each player by the living crewmates when the poll closed, from 0 to 1; absent if nobody was
   * asked.
   */
  suspicion: z.partialRecord(seat, z.number().min(0).max(1)).optional(),
});
export type MeetingOutcome = z.infer<typeof meetingOutcomeSchema>;

export const matchOutcomeSchema = z.strictObject({
  /** Null without a winner, for a meeting on its own, and for an unfinished match. */
  winner: z.enum(WINNERS).nullable(),
  reason: z.enum([...VICTORIES, 'unfinished', 'interrupted']).nullable(),
  rounds: z.int().nonnegative(),
  meetings: z.array(meetingOutcomeSchema),
});
export type MatchOutcome = z.infer<typeof matchOutcomeSchema>;

export class OutcomeReader {
  readonly #meetings: MeetingOutcome[] = [];
  /** The beliefs of the current meeting. */
  #heard: HeardBelief[] = [];
  #winner: MatchOutcome['winner'] = null;
  #reason: MatchOutcome['reason'] = null;
  #rounds = 0;

  get meetingsOver(): number {
    return this.#meetings.filter(({ outcome }) => outcome !== null).length;
  }

  get outcome(): MatchOutcome {
    return {
      winner: this.#winner,
      reason: this.#reason,
      rounds: this.#rounds,
      meetings: this.#meetings,
    };
  }

  read(happenings: readonly MatchHappening[]): void {
    for (const one of happenings) this.#readOne(one);
  }

  #readOne(one: MatchHappening): void {
    switch (one.type) {
      case 'meeting.called':
        this.#meetings.push({ outcome: null, ejected: null, ballots: {}, ticks: 0 });
        this.#heard = [];
        break;
      case 'belief.heard':
        this.#heard.push(one);
        this.#change(() => ({ suspicion: averageSuspicion(this.#heard) }));
        break;
      case 'tick.closed':
        if (one.requestKind === 'discussion' || one.requestKind === 'voting') {
          this.#change(({ ticks }) => ({ ticks: ticks + 1 }));
        }
        break;
      case 'vote.locked':
        this.#change(({ ballots }) => ({ ballots: { ...ballots, [one.seat]: one.ballot } }));
        break;
      case 'vote.cleared':
        this.#change(({ ballots: { [one.seat]: _cleared, ...ballots } }) => ({ ballots }));
        break;
      case 'meeting.closed':
        this.#change(() => ({ outcome: one.outcome, ejected: one.ejected }));
        break;
      case 'round.closed':
        this.#rounds += 1;
        break;
      case 'game.closed':
        this.#winner = one.winner;
        this.#reason = one.reason;
        break;
      default:
    }
  }

  #change(change: (meeting: MeetingOutcome) => Partial<MeetingOutcome>): void {
    const meeting = this.#meetings.at(-1);
    if (meeting !== undefined)
      this.#meetings[this.#meetings.length - 1] = { ...meeting, ...change(meeting) };
  }
}

function averageSuspicion(heard: readonly HeardBelief[]): NonNullable<MeetingOutcome['suspicion']> {
  const means: Partial<Record<Colour, number>> = {};
  for (const of of COLOURS) {
    const found = heard.flatMap(({ probabilities }) => probabilities[of] ?? []);
    if (found.length > 0) means[of] = found.reduce((sum, one) => sum + one, 0) / found.length;
  }
  return means;
}

export function readOutcome(happenings: readonly MatchHappening[]): MatchOutcome {
  const reader = new OutcomeReader();
  reader.read(happenings);
  return reader.outcome;
}

/** Null without a ballot. */
export type BallotShift = { readonly was: Ballot | null; readonly is: Ballot | null };

/** Mean suspicion by the crew before the reveal, from 0 to 1. */
export type SuspicionShift = { readonly of: Colour; readonly was: number; readonly is: number };

/** The difference between two matches with a common beginning. */
export type OutcomeShift = {
  readonly isWinnerOther: boolean;
  /** Another player was ejected, or nobody, or there was no such meeting. */
  readonly isEjectedOther: boolean;
  /** Voters of the meeting whose ballots differ. */
  readonly ballots: readonly (BallotShift & { readonly voter: Colour })[];
  readonly isReasonOther: boolean;
  /** Additional rounds. */
  readonly rounds: number;
  /** Changed suspicions, the greatest change first; null if nobody was asked. */
  readonly suspicion: readonly SuspicionShift[] | null;
};

/** `meeting` counts from 0. */
export function compareOutcomes(
  was: MatchOutcome,
  is: MatchOutcome,
  meeting: number,
): OutcomeShift {
  const [before, after] = [was.meetings[meeting], is.meetings[meeting]];
  const isWinnerOther = was.winner !== is.winner;
  return {
    isWinnerOther,
    isEjectedOther: (before?.ejected ?? null) !== (after?.ejected ?? null),
    ballots: COLOURS.flatMap((voter) => {
      const shift = {
        voter,
        was: before?.ballots[voter] ?? null,
        is: after?.ballots[voter] ?? null,
      };
      return shift.was === shift.is ? [] : [shift];
    }),
    isReasonOther: !isWinnerOther && was.reason !== is.reason,
    rounds: is.rounds - was.rounds,
    suspicion: compareSuspicion(before, after),
  };
}

/** Smaller changes are rounding: a belief has four digits. */
const LEAST_SHIFT = 0.0005;

function compareSuspicion(
  was: MeetingOutcome | undefined,
  is: MeetingOutcome | undefined,
): readonly SuspicionShift[] | null {
  if (was?.suspicion === undefined || is?.suspicion === undefined) return null;
  const [before, after] = [was.suspicion, is.suspicion];
  return COLOURS.flatMap((of) => {
    const shift = { of, was: before[of], is: after[of] };
    // A player who is dead in one of the matches has only one suspicion.
    if (shift.was === undefined || shift.is === undefined) return [];
    return sizeOf(shift.was, shift.is) < LEAST_SHIFT ? [] : [{ of, was: shift.was, is: shift.is }];
  }).toSorted((one, other) => sizeOf(other.was, other.is) - sizeOf(one.was, one.is));
}

function sizeOf(was: number, is: number): number {
  return Math.abs(is - was);
}

/** The mean effect of a change over its samples. Offline minds have one exact sample. */
export type ChangeEffect = {
  readonly samples: number;
  /** Samples with another winner, and with another ejection. */
  readonly winner: number;
  readonly ejected: number;
  /** Mean number of other ballots that differ. */
  readonly ballots: number;
  readonly reason: number;
  /** Mean number of additional rounds. */
  readonly rounds: number;
  /** Mean of the greatest change of a suspicion, from 0 to 1; null if nobody was asked. */
  readonly suspicion: number | null;
};

export function sumUpShifts(shifts: readonly OutcomeShift[]): ChangeEffect {
  const count = (has: (shift: OutcomeShift) => boolean) => shifts.filter(has).length;
  const mean = (of: (shift: OutcomeShift) => number) =>
    shifts.length === 0 ? 0 : shifts.reduce((sum, shift) => sum + of(shift), 0) / shifts.length;
  return {
    samples: shifts.length,
    winner: count(({ isWinnerOther }) => isWinnerOther),
    ejected: count(({ isEjectedOther }) => isEjectedOther),
    ballots: mean(({ ballots }) => ballots.length),
    reason: count(({ isReasonOther }) => isReasonOther),
    rounds: mean(({ rounds }) => rounds),
    suspicion: shifts.every(({ suspicion }) => suspicion === null)
      ? null
      : mean(({ suspicion }) => {
          const [most] = suspicion ?? [];
          return most === undefined ? 0 : sizeOf(most.was, most.is);
        }),
  };
}

/** Whether a change left the outcome as it was, apart from beliefs. */
export function isWithoutEffect({ suspicion: _, ...effect }: ChangeEffect): boolean {
  return weigh({ ...effect, suspicion: null }).every((weight) => weight === 0);
}

/**
 * Orders effects, the greater first: by the winner, the ejection, the number of ballots, the reason, the length, and
 * the beliefs.
 */
export function rankEffects(one: ChangeEffect, other: ChangeEffect): number {
  const [weights, others] = [weigh(one), weigh(other)];
  for (const [index, weight] of weights.entries()) {
    const difference = (others[index] ?? 0) - weight;
    if (difference !== 0) return difference;
  }
  return 0;
}

function weigh({
  samples,
  winner,
  ejected,
  ballots,
  reason,
  rounds,
  suspicion,
}: ChangeEffect): readonly number[] {
  const cases = Math.max(1, samples);
  return [
    winner / cases,
    ejected / cases,
    ballots,
    reason / cases,
    Math.abs(rounds),
    suspicion ?? 0,
  ];
}
