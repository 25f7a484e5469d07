/**
 * Outcomes: what a match came to, and how two that share their beginning differ.
 *
 * They are read off what happens to the living, line by line of a record or fact by fact of a match that is played, so
 * that both sides of a comparison are read alike.
 */
import { z } from 'zod';
import type { HeardBelief, MatchHappening } from '../../actors/replay/whatIf.ts';
import { VICTORIES, WINNERS } from '../../machines/rules/ship/world.ts';
import { type Ballot, COLOURS, type Colour, OUTCOMES } from '../../machines/types.ts';

/** How far a match is played: to its end, or to that of the meeting that is looked at. */
export const HORIZONS = ['end', 'meeting'] as const;
export type Horizon = (typeof HORIZONS)[number];

const seat = z.enum(COLOURS);
const ballot = z.enum([...COLOURS, 'skip']);

const meetingOutcomeSchema = z.strictObject({
  /** Null for a meeting that was not played to its end. */
  outcome: z.enum(OUTCOMES).nullable(),
  ejected: seat.nullable(),
  /** The ballots that were locked, by voter. */
  ballots: z.partialRecord(seat, ballot),
  /** Ticks of talk. */
  ticks: z.int().nonnegative(),
  /**
   * How probable the living crewmates held each player an impostor when the poll was closed, on average, 0 to 1; not there
   * where nobody was heard.
   */
  suspicion: z.partialRecord(seat, z.number().min(0).max(1)).optional(),
});
export type MeetingOutcome = z.infer<typeof meetingOutcomeSchema>;

export const matchOutcomeSchema = z.strictObject({
  /** Null where nobody has won, in a meeting on its own, and where the match was not played to its end. */
  winner: z.enum(WINNERS).nullable(),
  reason: z.enum([...VICTORIES, 'unfinished', 'interrupted']).nullable(),
  rounds: z.int().nonnegative(),
  meetings: z.array(meetingOutcomeSchema),
});
export type MatchOutcome = z.infer<typeof matchOutcomeSchema>;

/** Reads the outcome of a match off what happens in it. */
export class OutcomeReader {
  readonly #meetings: MeetingOutcome[] = [];
  /** What was heard in the meeting that is on. */
  #heard: HeardBelief[] = [];
  #winner: MatchOutcome['winner'] = null;
  #reason: MatchOutcome['reason'] = null;
  #rounds = 0;

  /** Meetings that are over. */
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

/** How probable each player was held an impostor, on average over those who were heard of them. */
function averageSuspicion(heard: readonly HeardBelief[]): NonNullable<MeetingOutcome['suspicion']> {
  const means: Partial<Record<Colour, number>> = {};
  for (const of of COLOURS) {
    const found = heard.flatMap(({ probabilities }) => probabilities[of] ?? []);
    if (found.length > 0) means[of] = found.reduce((sum, one) => sum + one, 0) / found.length;
  }
  return means;
}

/** The outcome of a whole record. */
export function readOutcome(happenings: readonly MatchHappening[]): MatchOutcome {
  const reader = new OutcomeReader();
  reader.read(happenings);
  return reader.outcome;
}

/** A ballot that was cast otherwise; null where there was none. */
export type BallotShift = { readonly was: Ballot | null; readonly is: Ballot | null };

/** How probable the crew held a player an impostor, before the ballots of the meeting were turned; 0 to 1. */
export type SuspicionShift = { readonly of: Colour; readonly was: number; readonly is: number };

/** How one match differs from another that went the same way up to a moment. */
export type OutcomeShift = {
  /** The other side won. False as well where both were not played to their end. */
  readonly isWinnerOther: boolean;
  /** Someone else was ejected in the meeting, or no one, or there was no such meeting. */
  readonly isEjectedOther: boolean;
  /** Voters of the meeting whose ballots differ. */
  readonly ballots: readonly (BallotShift & { readonly voter: Colour })[];
  /** The same side won for another reason. */
  readonly isReasonOther: boolean;
  /** Rounds that the match was longer. */
  readonly rounds: number;
  /** Players of whom the crew believed otherwise, the greatest change first; null where nobody was heard. */
  readonly suspicion: readonly SuspicionShift[] | null;
};

/** How `is` differs from `was`; `meeting`, from 0, is the one that is looked at. */
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

/** Less is no difference: a believer has four digits, and this is a mean of several. */
const LEAST_SHIFT = 0.0005;

function compareSuspicion(
  was: MeetingOutcome | undefined,
  is: MeetingOutcome | undefined,
): readonly SuspicionShift[] | null {
  if (was?.suspicion === undefined || is?.suspicion === undefined) return null;
  const [before, after] = [was.suspicion, is.suspicion];
  return COLOURS.flatMap((of) => {
    const shift = { of, was: before[of], is: after[of] };
    // Who was dead in one of them was suspected in one of them only.
    if (shift.was === undefined || shift.is === undefined) return [];
    return sizeOf(shift.was, shift.is) < LEAST_SHIFT ? [] : [{ of, was: shift.was, is: shift.is }];
  }).toSorted((one, other) => sizeOf(other.was, other.is) - sizeOf(one.was, one.is));
}

function sizeOf(was: number, is: number): number {
  return Math.abs(is - was);
}

/** What a change did, as shares and means over its samples; offline minds have one, which is exact. */
export type ChangeEffect = {
  readonly samples: number;
  /** Samples in which the other side won, and in which the ejection was another. */
  readonly winner: number;
  readonly ejected: number;
  /** Ballots of the meeting that differ, on average. */
  readonly ballots: number;
  readonly reason: number;
  /** Rounds that the match was longer, on average. */
  readonly rounds: number;
  /** By how much the suspicion of the player of whom it changed most did change, on average, 0 to 1; null: not heard. */
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

/** Whether a change left the outcome as it was, whatever the players believed. */
export function isWithoutEffect({ suspicion: _, ...effect }: ChangeEffect): boolean {
  return weigh({ ...effect, suspicion: null }).every((weight) => weight === 0);
}

/**
 * Ranks effects: below 0 where the first is the greater one. First counts who won, then who was ejected, then how many
 * ballots differ, then why the side won, then by how many rounds the length differs, and at last what the crew believed.
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
