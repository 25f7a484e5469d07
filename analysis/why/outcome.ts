/**
 * Outcomes: what a match came to, and how two that share their beginning differ.
 *
 * They are read off what happens to the living, line by line of a record or fact by fact of a match that is played, so
 * that both sides of a comparison are read alike.
 */
import { z } from 'zod';
import type { MatchHappening } from '../../actors/replay/whatIf.ts';
import { VICTORIES, WINNERS } from '../../machines/rules/ship/world.ts';
import { type Ballot, COLOURS, type Colour, OUTCOMES } from '../../machines/types.ts';

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

/** The outcome of a whole record. */
export function readOutcome(happenings: readonly MatchHappening[]): MatchOutcome {
  const reader = new OutcomeReader();
  reader.read(happenings);
  return reader.outcome;
}

/** A ballot that was cast otherwise; null where there was none. */
export type BallotShift = { readonly was: Ballot | null; readonly is: Ballot | null };

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
  };
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
  };
}

/** Whether a change changed nothing that is compared. */
export function isWithoutEffect(effect: ChangeEffect): boolean {
  return weigh(effect).every((weight) => weight === 0);
}

/**
 * Ranks effects: below 0 where the first is the greater one. First counts who won, then who was ejected, then how many
 * ballots differ, then why the side won, then by how many rounds the length differs.
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
}: ChangeEffect): readonly number[] {
  const cases = Math.max(1, samples);
  return [winner / cases, ejected / cases, ballots, reason / cases, Math.abs(rounds)];
}
