/**
 * A misrule: the meeting with one rule broken, to find out whether a promise would notice.
 *
 * The chart is left as it is. What is broken is what one of its actions or guards makes of the rules.
 */
import { meeting, meetingMachine } from '../../machines/charts/meeting.ts';
import type { ToMeeting } from '../../machines/messages.ts';
import type { ClosedTick } from '../../machines/rules/facts.ts';
import type { MeetingStep, Table } from '../../machines/rules/meeting.ts';
import type { Ballot, BySeat, Colour } from '../../machines/types.ts';

export type Misrule = {
  /** What is wrong, as a sentence without its end. */
  readonly mistake: string;
  readonly machine: typeof meetingMachine;
};

type Provided = Parameters<typeof meetingMachine.provide>[0];
type Action = NonNullable<NonNullable<Provided['actions']>['closeTick']>;
type Rule = (table: Table, event: ToMeeting) => MeetingStep;

export function misrule(mistake: string, broken: Provided): Misrule {
  return { mistake, machine: meetingMachine.provide(broken) };
}

export const NOTHING: MeetingStep = { changes: {}, facts: [] };

/** An action that takes the step of a rule, as the production chart does. */
export function taking(rule: Rule): Action {
  const action = meeting.enqueueActions(({ context, event, enqueue }) => {
    const { changes, facts } = rule(context, event);
    enqueue.assign(changes);
    if (facts.length > 0) enqueue({ type: 'tell', params: { facts } });
  });
  return action as Action; // a chart knows the id of its arbiter, a setup does not yet
}

/** The same for a closed tick. */
export function takingTick(rule: (table: Table, closed: ClosedTick) => MeetingStep): Action {
  return taking((table, event) => (event.type === 'tick.closed' ? rule(table, event) : NOTHING));
}

/** The votes that were handed in. */
export function votesIn({ bids }: ClosedTick): readonly { seat: Colour; vote: Ballot }[] {
  return bids.flatMap((bid) =>
    bid.type === 'reply' && bid.reply.vote !== null
      ? [{ seat: bid.seat, vote: bid.reply.vote }]
      : [],
  );
}

/** A step with more ballots than the rules took. */
export function alsoLocked(step: MeetingStep, extra: BySeat<Ballot>): MeetingStep {
  return { ...step, changes: { ...step.changes, ballots: { ...step.changes.ballots, ...extra } } };
}
