/** What is promised about stops: the operator's, a budget's, and the limits that an operator sets. */

import { isTickOpen } from './messages.ts';
import { livingAt, type MeetingPromise, type Rest, type Turn, told } from './promise.ts';

type Stop = Extract<Turn['event'], { type: 'meeting.stopped' }>;

const stopOf = ({ event }: Turn): Stop | null => (event.type === 'meeting.stopped' ? event : null);

function isInterrupted({ context }: Rest): boolean {
  return context.outcome === 'interrupted';
}

function everybodyVoted(rest: Rest): boolean {
  return livingAt(rest).every((seat) => rest.context.ballots[seat] !== undefined);
}

/** Where votes may still come, between ticks too. */
function isTalk({ tags }: Rest): boolean {
  return tags.has('talk');
}

/** The consolidation ends the meeting anyway, and asks nobody. */
function canBeStopped({ before }: Turn): boolean {
  return before.at !== 'consolidation' && !before.isDone;
}

/** Promises about runs that somebody may stop. */
export const stopPromises: readonly MeetingPromise[] = [
  {
    name: 'interruption-stands',
    sentence:
      'What the operator has stopped stays stopped, whatever happens or is asked for later.',
    kind: 'step',
    when: ({ before }) => isInterrupted(before),
    holds: ({ after }) => isInterrupted(after),
  },
  {
    name: 'interrupted-between-ticks',
    sentence: 'Between ticks the operator’s stop ends the meeting at once.',
    kind: 'step',
    when: (turn) =>
      canBeStopped(turn) && stopOf(turn)?.outcome === 'interrupted' && !isTickOpen(turn.before),
    holds: ({ after }) => after.isDone && isInterrupted(after),
  },
  {
    name: 'interrupted-in-a-tick',
    sentence: 'In an open tick the operator’s stop lets the tick go on.',
    kind: 'step',
    when: (turn) =>
      canBeStopped(turn) && stopOf(turn)?.outcome === 'interrupted' && isTickOpen(turn.before),
    holds: ({ before, after }) => after.at === before.at && isInterrupted(after),
  },
  {
    name: 'interruption-ends',
    sentence:
      'After an interruption no other tick is opened: the meeting is over when the open one ends.',
    kind: 'step',
    when: ({ before, event, after }) =>
      isInterrupted(before) &&
      (event.type === 'tick.closed' || (isTalk(before) && everybodyVoted(after))),
    holds: ({ after }) => after.isDone,
  },
  {
    name: 'stop-is-told',
    sentence:
      'Each stop is told once, with whether a tick was open; who is consolidating is not stopped.',
    kind: 'step',
    when: (turn) => stopOf(turn) !== null,
    holds: (turn) => {
      const facts = told(turn, 'stop.asked');
      if (!isHeard(turn)) return facts.length === 0;
      const [fact, ...others] = facts;
      return (
        others.length === 0 &&
        fact?.outcome === stopOf(turn)?.outcome &&
        fact?.during === (isTickOpen(turn.before) ? 'tick' : 'pause')
      );
    },
  },
  {
    name: 'budget-stops-talk',
    sentence: 'Where a budget ran out, the talk goes to the consolidation when the open tick ends.',
    kind: 'step',
    when: ({ before, event, after }) =>
      before.context.outcome === 'unconverged' &&
      isTalk(before) &&
      event.type === 'tick.closed' &&
      !everybodyVoted(after),
    holds: ({ after }) => after.at === 'consolidation' && after.context.outcome === 'unconverged',
  },
];

/** A budget says nothing once the talk is over; the operator is always heard but in the consolidation. */
function isHeard(turn: Turn): boolean {
  if (!canBeStopped(turn)) return false;
  return stopOf(turn)?.outcome === 'interrupted' || isTalk(turn.before);
}

/** Promised where there are pauses between ticks. */
export const pausePromise: MeetingPromise = {
  name: 'budget-stops-a-pause',
  sentence: 'Between ticks of talk a budget that runs out ends the talk at once.',
  kind: 'step',
  when: (turn) =>
    stopOf(turn)?.outcome === 'unconverged' &&
    isTalk(turn.before) &&
    !isTickOpen(turn.before) &&
    !isInterrupted(turn.before),
  holds: ({ after }) => after.at === 'consolidation',
};

/** Promised where an operator has set a limit of ticks. */
export const limitPromise: MeetingPromise = {
  name: 'limit-ends-the-talk',
  sentence: 'Once the operator’s limit of ticks is reached nobody talks any more.',
  kind: 'never',
  holds: (rest) => isTalk(rest) && rest.context.due === 'stop',
};
