/**
 * What the phases of a meeting are made of: events, guards and actions, each of them one call of a rule.
 *
 * An action takes the step that a rule returns: it assigns what changes and tells the facts. To tell, and to open or
 * abandon a tick with the arbiter, are the only effects.
 */
import { type ActorRefFrom, sendTo, setup } from 'xstate';
import { ARBITER, type ToArbiter, type ToMeeting, unprovided } from '../../messages.ts';
import type { Fact, Moment } from '../../rules/facts.ts';
import * as rules from '../../rules/table.ts';
import type { ClosedTick } from '../../rules/tick.ts';
import { publicTable } from '../../rules/views.ts';
import type { Colour, Occasion, Outcome, Phase } from '../../types.ts';
import { arbiterMachine } from '../arbiter.ts';

export type MeetingOutput = {
  readonly outcome: Outcome;
  readonly ejected: rules.Table['ejected'];
  /** Who is alive, dead or gone after it. */
  readonly standings: rules.Table['standings'];
};

const base = setup({
  types: {
    context: {} as rules.Table,
    events: {} as ToMeeting,
    input: {} as rules.Setting,
    output: {} as MeetingOutput,
    tags: {} as 'talk' | 'ballots',
  },
  actors: { arbiter: arbiterMachine },
  actions: {
    /** Hands the facts of one transition, in order, to whoever writes and routes them. */
    tell: (_, _told: { readonly facts: readonly Fact[] }) => unprovided('meeting.tell'),
  },
  delays: { beat: ({ context }) => context.options.beatMs },
});

/** An action that takes the step which a rule returns for the table and the event. */
function take(rule: (table: rules.Table, event: ToMeeting) => rules.Step) {
  return base.enqueueActions(({ context, event, enqueue }) => {
    const { changes, facts } = rule(context, event);
    enqueue.assign(changes);
    if (facts.length > 0) enqueue({ type: 'tell', params: { facts } });
  });
}

const NOTHING: rules.Step = { changes: {}, facts: [] };

/** An action that takes the step of a closed tick. */
function takeTick(rule: (table: rules.Table, closed: ClosedTick) => rules.Step) {
  return take((table, event) => (event.type === 'tick.closed' ? rule(table, event) : NOTHING));
}

/** An action that takes the step of a departure. */
function takeLeaver(rule: (table: rules.Table, seat: Colour) => rules.Step) {
  return take((table, event) => (event.type === 'seat.left' ? rule(table, event.seat) : NOTHING));
}

function takeStop(during: Moment) {
  return take((table, event) =>
    event.type === 'meeting.stopped' ? rules.stopAsked(table, event.outcome, during) : NOTHING,
  );
}

function opening(table: rules.Table, occasion: Occasion): ToArbiter {
  return {
    type: 'tick.opened',
    table: publicTable(table, occasion),
    seats: rules.living(table),
    voted: rules.hasLocked(table),
  };
}

/** Tells the arbiter that a seat is empty: in the tick that is open its player has said nothing. */
function vacating(event: ToMeeting): ToArbiter {
  if (event.type === 'seat.left') return { type: 'seat.vacated', seat: event.seat };
  throw new Error(`only seat.left vacates a seat, found ${event.type}`);
}

/** The named parts from which the phases are built, one file a phase. */
export const meeting = base.extend({
  guards: {
    operatorStops: ({ event }) =>
      event.type === 'meeting.stopped' && event.outcome === 'interrupted',
    leaverIsLiving: ({ context, event }) =>
      event.type === 'seat.left' && rules.isLiving(context, event.seat),
    callStands: ({ context }) => rules.callStands(context),
    isStopped: ({ context }) => context.outcome === 'interrupted',
    isUnconverged: ({ context }) => context.outcome === 'unconverged' || context.due === 'stop',
    everyoneVoted: ({ context }) => rules.pollComplete(context),
    timeIsUp: ({ context }) => context.due === 'time-up',
    ballotsAreDue: ({ context }) => context.due === 'ballots' || context.due === 'time-up',
    hasNoBeat: ({ context }) => context.options.beatMs === 0,
    everyBallotTurned: ({ context }) => rules.everyBallotTurned(context),
  },
  actions: {
    tellCall: take(rules.called),
    refuse: take(rules.refused),
    openTick: sendTo<
      rules.Table,
      ToMeeting,
      { occasion: Occasion },
      ActorRefFrom<typeof arbiterMachine>,
      ToMeeting,
      never
    >(ARBITER, ({ context }, { occasion }) => opening(context, occasion)),
    abandonTick: base.sendTo(ARBITER, { type: 'tick.abandoned' }),
    closeTick: takeTick(rules.tickClosed),
    noteReactions: takeTick(rules.reacted),
    consolidate: takeTick(rules.consolidated),
    erase: take(rules.erased),
    vacate: base.sendTo(ARBITER, ({ event }): ToArbiter => vacating(event)),
    dismiss: takeLeaver((table, seat) => rules.left(table, seat, 'pause')),
    dismissInTick: takeLeaver((table, seat) => rules.left(table, seat, 'tick')),
    farewell: takeLeaver((table, seat) => rules.leftAfterwards(table, seat, 'pause')),
    farewellInTick: takeLeaver((table, seat) => rules.leftAfterwards(table, seat, 'tick')),
    stop: takeStop('pause'),
    stopInTick: takeStop('tick'),
    stopUnconverged: take(rules.unconverged),
    closePoll: take(rules.pollClosed),
    cueCount: base.raise({ type: 'poll.counted' }, { delay: 'beat', id: 'count' }),
    count: take(rules.pollCounted),
    turnBallot: take(rules.ballotTurned),
    tellVerdict: take(rules.verdictTold),
    tellClosed: take(rules.closed),
  },
});

/** The entry action that tells that a phase has begun. */
export function entering(phase: Phase) {
  const facts: readonly Fact[] = [{ type: 'phase.entered', phase }];
  return { type: 'tell', params: { facts } } as const;
}
