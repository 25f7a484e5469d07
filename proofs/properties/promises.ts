/**
 * Properties of the promises of a meeting. They take a promise from the rule that viewers read it from and hold it
 * against the next step, so by induction every shown number comes true.
 */
import {
  type EjectionTable,
  judgeEjection,
  stepsToEnd,
  ticksOfTalkLeft,
} from '../../machines/rules/promises.ts';
import { clockMarks } from '../models/clock.ts';
import { haveSameParts, rememberLast, rememberParts } from '../models/rememberLast.ts';
import { isTickOpen } from './floor.ts';
import {
  declareProperties,
  isLeaving,
  isTalkClosing,
  type MeetingTransition,
  seatsOf,
  type TransitionProperty,
} from './property.ts';

export const promiseProperties = declareProperties<TransitionProperty>({
  'talk-ends-as-promised': {
    sentence:
      'The ticks until the talk is over fall with each tick, and after the last it is over.',
    appliesTo: ({ setting, environment }) =>
      environment.stops || clockMarks(setting.options).end !== null,
    when: (transition) => isTalkClosing(transition) && Number.isFinite(ticksLeft(transition)[0]),
    holds: (transition) => {
      const [before, after] = ticksLeft(transition);
      return !transition.after.tags.has('talk') || (after >= 1 && after < before);
    },
  },
  'meeting-ends-as-promised': {
    sentence:
      'The steps until the meeting ends fall with each step, and no event raises them. Once the poll is closed they fall by one.',
    // The world also names ticks after the end. By the property above no such tick opens.
    when: (transition) =>
      Number.isFinite(stepsLeft(transition)[0]) &&
      (!isTalkClosing(transition) || ticksLeft(transition)[0] >= 1),
    holds: (transition) => {
      const [before, after] = stepsLeft(transition);
      const most = before - Number(isStep(transition));
      if (transition.before.context.poll === null || transition.event.type === 'meeting.stopped')
        return after <= most && transition.after.isDone === (after === 0);
      return after === most;
    },
  },
  'out-of-reach-is-not-ejected': {
    sentence:
      'A player whom the open ballots can not eject is not ejected, unless a player leaves before the poll is closed.',
    when: (transition) => transition.before.context.remaining === null && !isReopened(transition),
    holds: ({ before, after }) => {
      const { ejected, remaining } = after.context;
      const isSame = haveSameParts<EjectionTable>(JUDGED, before.context, after.context);
      // The same table has the same promise, and nobody is both in reach and out of it.
      if (ejected === null && isSame) return true;
      return JUDGES.every((judge) => {
        const { can, cannot } = judge(before.context);
        if (ejected !== null && !can.includes(ejected)) return false;
        if (cannot.length === 0 || remaining !== null) return true;
        const later = judge(after.context).can;
        return !cannot.some((seat) => later.includes(seat));
      });
    },
  },
});

const JUDGED = { seats: true, standings: true, ballots: true, poll: true, revealed: true } as const;

const JUDGES = (['cast', 'turned'] as const).map((from) =>
  rememberParts(JUDGED, (table: EjectionTable) => judgeEjection(table, from)),
);

type BeforeAndAfter = readonly [before: number, after: number];

/** The tick before and after a transition. Between ticks it can be any, and the last one promises least. */
function ticksOf({ before, event }: MeetingTransition): BeforeAndAfter {
  if (event.type === 'tick.closed' && isTickOpen(before)) return [event.tick, event.tick + 1];
  const last = (clockMarks(before.context.options).end ?? 1) - 1;
  return [last, last];
}

function ticksLeft(transition: MeetingTransition): BeforeAndAfter {
  const [now, next] = ticksOf(transition);
  const { before, after } = transition;
  return [ticksOfTalkLeft(before.context, now), ticksOfTalkLeft(after.context, next)];
}

const stepsLeft = rememberLast((transition: MeetingTransition): BeforeAndAfter => {
  const [now, next] = ticksOf(transition);
  const { before, after } = transition;
  const left = after.isDone ? 0 : stepsToEnd(after.at, after.context, next);
  return [stepsToEnd(before.at, before.context, now), left];
});

function isStep({ before, event, after }: MeetingTransition): boolean {
  if (event.type === 'tick.closed') return isTickOpen(before);
  if (event.type === 'seat.left' || before.context.poll === null) return false;
  return before.at !== after.at || before.context.revealed !== after.context.revealed;
}

function isReopened(transition: MeetingTransition): boolean {
  const { before } = transition;
  return (
    before.context.poll === null && seatsOf(before).some((seat) => isLeaving(transition, seat))
  );
}
