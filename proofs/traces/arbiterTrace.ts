/**
 * Shows a counterexample of the arbiter's own chart as steps and as a journal for `watch`. The arbiter replays the
 * events of the trace. A tick for the meeting is written as it was sent, in the phase of its kind. No meeting opens
 * such ticks in that order, or no seed rolls their dice, so `verify` cannot replay the journal.
 */

import { chooseStepper, type Model } from 'glass-box-checker';
import { meetingHeaders } from '../../actors/engine/match.ts';
import type { ArbiterBooks, ArbiterInput } from '../../machines/charts/arbiter.ts';
import type { ToArbiter, ToMeeting } from '../../machines/messages.ts';
import type { Fact } from '../../machines/rules/facts.ts';
import { capitalize, pluralize } from '../../machines/text.ts';
import type { Bid, Phase } from '../../machines/types.ts';
import type { MeetingEvent, ShownStep, TraceSheet } from '../checks/meetingSearch.ts';
import { tableOfSeats } from '../models/meeting.ts';
import type { SeatsOfTable } from '../models/shownTable.ts';
import { readSent } from '../properties/property.ts';
import { describeBid } from './counterexample.ts';
import { createHeaderMatch, TraceJournal, type TraceTitle, withReceived } from './traceJournal.ts';

export type PlayedStep = ReturnType<typeof playArbiter>[number];

/** Each event of a trace with the state around it and the tick that it closed, if any. */
export function playArbiter(
  model: Model<ArbiterBooks, ToArbiter>,
  events: readonly MeetingEvent[],
) {
  const { stepper } = chooseStepper(model);
  let { point } = stepper.initial();
  return events.map((event) => {
    const before = point;
    const { point: after, effects } = stepper.step(point, event);
    point = after;
    const [sent] = readSent<ToMeeting>(effects);
    return { before, event, after, closed: sent?.type === 'tick.closed' ? sent : null };
  });
}

export function showArbiterStep({ before, event, after, closed }: PlayedStep): ShownStep {
  const floor = closed?.decision?.floor ?? null;
  const { tick, transcript } = after.context.floor;
  return {
    at: before.place.name,
    to: after.place.name,
    happened: describeEvent(event),
    changes: [
      ...(floor === null ? [] : [`${floor} has the floor`]),
      ...(closed === null ? [] : [`to the meeting: tick ${closed.tick}, ${closed.requestKind}`]),
      ...(event.type === 'tick.opened'
        ? [`tick ${tick}, ${pluralize(transcript.length, 'line')} in the transcript`]
        : []),
    ],
  };
}

function describeEvent(event: PlayedStep['event']): string {
  if (!isToArbiter(event)) return 'time passes';
  switch (event.type) {
    case 'tick.opened':
      return `a tick of ${event.table.requestKind} is opened for ${event.seats.map(capitalize).join(' and ')}`;
    case 'bids.gathered':
      return `the bids of tick ${event.tick} are in: ${event.bids.map(describeOne).join('; ')}`;
    case 'seat.vacated':
      return `${capitalize(event.seat)} leaves`;
    case 'tick.abandoned':
      return 'the tick is abandoned';
    case 'bids.outstanding':
      return 'bids are still out';
    default:
      return 'a bid comes too late';
  }
}

function isToArbiter(event: PlayedStep['event']): event is ToArbiter {
  return !event.type.startsWith('xstate.');
}

function describeOne(bid: Bid): string {
  const said =
    bid.type === 'reply' && bid.reply.message !== ''
      ? ` with ${bid.reply.desire} (“${bid.reply.message}”)`
      : '';
  return `${capitalize(bid.seat)} ${describeBid(bid)}${said}`;
}

/** `played` may omit steps that close no tick. */
export function writeArbiterJournal(
  { chance, options }: ArbiterInput,
  { seated, dead }: SeatsOfTable,
  title: TraceTitle,
  played: readonly PlayedStep[],
): TraceSheet {
  const setting = tableOfSeats(seated, dead, options);
  const match = createHeaderMatch(setting, { ...title, ghosts: { present: false, budget: 0 } });
  const journal = new TraceJournal(meetingHeaders(match, chance.seed));
  let phase: Phase = 'interrupt';
  const entered = (to: Phase): Fact => ({ type: 'phase.entered', phase: to });
  const begun = journal.record([entered(phase), { type: 'meeting.called', call: setting.call }]);
  const ends = played.map(({ closed }) => {
    if (closed === null) return journal.last;
    const kind = closed.requestKind === 'ghost' ? phase : closed.requestKind;
    const moved = kind === phase ? [] : [entered(kind)];
    phase = kind;
    const bids = closed.bids.map(withReceived);
    return journal.record([...moved, { ...closed, bids, type: 'tick.closed' }]);
  });
  return { text: journal.text, ends: [begun, ...ends] };
}
