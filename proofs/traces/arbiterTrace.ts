/**
 * Shows a counterexample of the arbiter's own chart as steps and as a journal for `watch`. The arbiter replays the
 * events of the trace. A tick for the meeting is written as it was sent, in the phase of its kind. No meeting opens
 * such ticks in that order, so `verify` cannot replay the journal.
 */
import { chooseStepper, type MachinePoint, type Trace } from 'glass-box-checker';
import { Recorder } from '../../actors/engine/journal/recorder.ts';
import { MemorySink } from '../../actors/engine/journal/sink.ts';
import { meetingHeaders } from '../../actors/engine/match.ts';
import type { ArbiterBooks } from '../../machines/charts/arbiter.ts';
import { encodeReply } from '../../machines/journal/codec.ts';
import type { ToArbiter, ToMeeting } from '../../machines/messages.ts';
import type { ClosedTick, Fact } from '../../machines/rules/facts.ts';
import { meetingMatchSchema } from '../../machines/setup/match.ts';
import { encodeMeetingOptions } from '../../machines/setup/options.ts';
import type { Bid, Phase } from '../../machines/types.ts';
import type {
  MeetingEvent,
  PropertyFinding,
  ShownCounterexample,
  ShownStep,
} from '../checks/meetingSearch.ts';
import { ARBITER_SEATS, type ArbiterTicksModel } from '../models/arbiterTicks.ts';
import { tableOfSeats } from '../models/meeting.ts';
import { describeBid } from './counterexample.ts';

type PlayedStep = {
  readonly before: MachinePoint<ArbiterBooks>;
  readonly event: ToArbiter | { readonly type: string };
  readonly after: MachinePoint<ArbiterBooks>;
  readonly closed: ClosedTick | null;
};

export function showArbiterTrace(
  model: ArbiterTicksModel,
  { name, sentence }: Pick<PropertyFinding, 'name' | 'sentence'>,
  trace: Pick<Trace<MeetingEvent>, 'events'>,
): ShownCounterexample {
  const played = play(model, trace);
  return {
    steps: played.map(showStep),
    note: `It is ${model.name}.`,
    journals: () => [
      writeJournal(model, { name: `${name}: ${model.name}`, about: sentence }, played),
    ],
  };
}

function play(
  model: ArbiterTicksModel,
  { events }: Pick<Trace<MeetingEvent>, 'events'>,
): readonly PlayedStep[] {
  const { stepper } = chooseStepper(model);
  let { point } = stepper.initial();
  return events.map((event) => {
    const before = point;
    const { point: after, effects } = stepper.step(point, event);
    point = after;
    const [sent] = effects.flatMap(({ type, params }) =>
      type === 'xstate.sendTo' ? [(params as { readonly event: ToMeeting }).event] : [],
    );
    return { before, event, after, closed: sent?.type === 'tick.closed' ? sent : null };
  });
}

function showStep({ before, event, after, closed }: PlayedStep): ShownStep {
  const floor = closed?.decision?.floor ?? null;
  const { tick, transcript } = after.context.floor;
  return {
    at: before.place.name,
    to: after.place.name,
    happened: describeEvent(event),
    changes: [
      ...(closed === null ? [] : [`to the meeting: tick ${closed.tick}, ${closed.requestKind}`]),
      ...(floor === null ? [] : [`${floor} has the floor`]),
      ...(event.type === 'tick.opened'
        ? [`tick ${tick}, ${countLines(transcript.length)} in the transcript`]
        : []),
    ],
  };
}

function countLines(lines: number): string {
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`;
}

function describeEvent(event: PlayedStep['event']): string {
  if (!isToArbiter(event)) return 'time passes';
  switch (event.type) {
    case 'tick.opened':
      return `a tick of ${event.table.requestKind} is opened for ${event.seats.join(' and ')}`;
    case 'bids.gathered':
      return `the bids of tick ${event.tick} are in: ${event.bids.map(describeOne).join('; ')}`;
    case 'seat.vacated':
      return `${event.seat} leaves`;
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
  const said = bid.type === 'reply' && bid.reply.message !== '' ? ` (“${bid.reply.message}”)` : '';
  return `${bid.seat} ${describeBid(bid)}${said}`;
}

function writeJournal(
  model: ArbiterTicksModel,
  title: { readonly name: string; readonly about: string },
  played: readonly PlayedStep[],
) {
  const { living: players, dead } = ARBITER_SEATS;
  const setting = tableOfSeats(players, dead, {});
  const match = meetingMatchSchema.parse({
    ...title,
    options: encodeMeetingOptions(model.input.options),
    call: { by: setting.call.by },
    ghosts: { present: false, budget: 0 },
    seats: setting.seats.map(({ colour }) => ({
      colour,
      dead: setting.standings[colour] === 'dead',
    })),
  });
  const sink = new MemorySink();
  const recorder = new Recorder({ sink });
  const { living, ghosts } = meetingHeaders(match, model.input.chance.seed);
  recorder.write('living', [living]);
  recorder.write('ghosts', [ghosts]);
  let phase: Phase = 'interrupt';
  let last = 0;
  const record = (facts: readonly Fact[]) => {
    if (facts.length > 0) recorder.record('living', facts);
    last += facts.length;
    return last;
  };
  const entered = (to: Phase): Fact => ({ type: 'phase.entered', phase: to });
  const begun = record([entered(phase), { type: 'meeting.called', call: setting.call }]);
  const ends = played.map(({ closed }) => {
    if (closed === null) return last;
    const kind = closed.requestKind === 'ghost' ? phase : closed.requestKind;
    const moved = kind === phase ? [] : [entered(kind)];
    phase = kind;
    const bids = closed.bids.map(
      (bid): Bid => (bid.type === 'reply' ? { ...bid, received: encodeReply(bid.reply) } : bid),
    );
    return record([...moved, { ...closed, bids, type: 'tick.closed' }]);
  });
  return { text: sink.text, ends: [begun, ...ends] };
}
