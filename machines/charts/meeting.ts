/**
 * The meeting: interrupt, discussion, voting, reveal, reaction, consolidation.
 *
 * One statechart for both rule sets. It sees one event per closed tick, with bids, dice and decision as data, and keeps
 * nothing that grows; the chart that runs is the one that is drawn and the one that is proved.
 */

import { type ActorRefFrom, and, sendTo, setup } from 'xstate';
import {
  ARBITER,
  MOST_ITERATIONS,
  type ToArbiter,
  type ToMeeting,
  unprovided,
} from '../messages.ts';
import type { Arrival, ClosedTick, Fact } from '../rules/facts.ts';
import * as rules from '../rules/meeting.ts';
import { layTable } from '../rules/meeting.ts';
import type { MeetingRecord } from '../rules/record.ts';
import { publicTable } from '../rules/views.ts';
import type { Colour, Outcome, Phase, RequestKind } from '../types.ts';
import { arbiterMachine } from './arbiter.ts';

/*
 * What the phases of a meeting are made of: events, guards and actions, each of them one call of a rule.
 *
 * An action takes the step that a rule returns: it assigns what changes and emits the facts. To emit, and to open or
 * abandon a tick with the arbiter, are the only effects.
 */

export type MeetingOutput = {
  readonly outcome: Outcome;
  readonly ejected: rules.Table['ejected'];
  /** Who is alive, dead or gone after it. */
  readonly standings: rules.Table['standings'];
  /** What everybody knows of it from now on. */
  readonly held: MeetingRecord;
};

const base = setup({
  types: {
    context: {} as rules.Table,
    events: {} as ToMeeting,
    input: {} as rules.MeetingSetup,
    output: {} as MeetingOutput,
    tags: {} as 'talk' | 'ballots',
  },
  actors: { arbiter: arbiterMachine },
  actions: {
    /** Emits the facts of one transition, in order: they are written to the journal and sent to those whom they concern. */
    tell: (_, _told: { readonly facts: readonly Fact[] }) => unprovided('meeting.tell'),
  },
  delays: { beat: ({ context }) => context.options.beatMs },
});

/** An action that takes the step which a rule returns for the table and the event. */
function takeStep(rule: (table: rules.Table, event: ToMeeting) => rules.MeetingStep) {
  return base.enqueueActions(({ context, event, enqueue }) => {
    const { changes, facts } = rule(context, event);
    enqueue.assign(changes);
    if (facts.length > 0) enqueue({ type: 'tell', params: { facts } });
  });
}

const NOTHING: rules.MeetingStep = { changes: {}, facts: [] };

/** An action that takes the step of a closed tick. */
function takeTick(rule: (table: rules.Table, closed: ClosedTick) => rules.MeetingStep) {
  return takeStep((table, event) => (event.type === 'tick.closed' ? rule(table, event) : NOTHING));
}

/** An action that takes the step of a departure. */
function takeLeaver(rule: (table: rules.Table, seat: Colour) => rules.MeetingStep) {
  return takeStep((table, event) =>
    event.type === 'seat.left' ? rule(table, event.seat) : NOTHING,
  );
}

function takeStop(during: Arrival) {
  return takeStep((table, event) =>
    event.type === 'meeting.stopped' ? rules.requestStop(table, event.outcome, during) : NOTHING,
  );
}

function opening(table: rules.Table, requestKind: RequestKind): ToArbiter {
  return {
    type: 'tick.opened',
    table: publicTable(table, requestKind),
    seats: rules.livingSeats(table),
    voted: rules.seatsWithBallot(table),
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
    callStands: ({ context }) => rules.isCallLegal(context),
    isStopped: ({ context }) => context.outcome === 'interrupted',
    isUnconverged: ({ context }) => context.outcome === 'unconverged' || context.due === 'stop',
    everyoneVoted: ({ context }) => rules.isPollComplete(context),
    timeIsUp: ({ context }) => context.due === 'time-up',
    ballotsAreDue: ({ context }) => context.due === 'ballots' || context.due === 'time-up',
    hasNoBeat: ({ context }) => context.options.beatMs === 0,
    everyBallotTurned: ({ context }) => rules.isEveryBallotTurned(context),
  },
  actions: {
    tellCall: takeStep(rules.announceCall),
    refuse: takeStep(rules.refuseCall),
    openTick: sendTo<
      rules.Table,
      ToMeeting,
      { requestKind: RequestKind },
      ActorRefFrom<typeof arbiterMachine>,
      ToMeeting,
      never
    >(ARBITER, ({ context }, { requestKind }) => opening(context, requestKind)),
    abandonTick: base.sendTo(ARBITER, { type: 'tick.abandoned' }),
    closeTick: takeTick(rules.closeTick),
    noteReactions: takeTick(rules.noteReactions),
    consolidate: takeTick(rules.consolidate),
    erase: takeStep(rules.erasePads),
    vacate: base.sendTo(ARBITER, ({ event }): ToArbiter => vacating(event)),
    dismiss: takeLeaver((table, seat) => rules.leaveTable(table, seat, 'pause')),
    dismissInTick: takeLeaver((table, seat) => rules.leaveTable(table, seat, 'tick')),
    farewell: takeLeaver((table, seat) => rules.leaveAfterPoll(table, seat, 'pause')),
    farewellInTick: takeLeaver((table, seat) => rules.leaveAfterPoll(table, seat, 'tick')),
    stop: takeStop('pause'),
    stopInTick: takeStop('tick'),
    stopUnconverged: takeStep(rules.stopUnconverged),
    closePoll: takeStep(rules.closePoll),
    cueCount: base.raise({ type: 'poll.counted' }, { delay: 'beat', id: 'count' }),
    count: takeStep(rules.countPoll),
    turnBallot: takeStep(rules.turnBallot),
    tellVerdict: takeStep(rules.announceResult),
    tellClosed: takeStep(rules.closeMeeting),
  },
});

/** The entry action that tells that a phase has begun. */
export function entering(phase: Phase) {
  const facts: readonly Fact[] = [{ type: 'phase.entered', phase }];
  return { type: 'tell', params: { facts } } as const;
}

/* Consolidation: what matters goes to the main scratchpads; the meeting's are erased whatever fails. */

export const consolidation = meeting.createStateConfig({
  description: 'What matters is kept; the meeting scratchpads are erased, whatever fails.',
  entry: [
    entering('consolidation'),
    { type: 'openTick', params: { requestKind: 'consolidation' } },
  ],
  on: {
    'tick.closed': {
      target: 'closed',
      actions: ['consolidate', 'erase'],
      description: 'Kept what matters, erased the rest.',
    },
    'seat.left': {
      guard: 'leaverIsLiving',
      actions: ['farewellInTick', 'vacate'],
      description: 'A player leaves the table.',
    },
    'meeting.stopped': { description: 'The meeting is over with this tick anyway.' },
  },
});

/*
 * Talk: the loop of ticks that discussion and timed voting share.
 *
 * Between ticks the table listens, and there it is settled whether another tick is opened. A tick ends with one event,
 * so locking, faults and closing are decided here by rules and nowhere else.
 */

const COUNTING = '#meeting.voting.counting';

/** The ways out of the talk, in the order in which they are tried between ticks. */
const endings = [
  { guard: 'isStopped', target: '#meeting.closed', description: 'The operator stopped the run.' },
  {
    guard: 'everyoneVoted',
    target: COUNTING,
    description: 'All living players have voted, or no living player is left.',
  },
  {
    guard: 'isUnconverged',
    target: '#meeting.consolidation',
    actions: 'stopUnconverged',
    description: 'A limit set by the operator is reached.',
  },
] as const;

/** What happens when the ticks of this occasion are over by the clock of the meeting. */
const clock = {
  discussion: {
    guard: 'ballotsAreDue',
    target: '#meeting.voting.polling',
    description: 'Players are asked for ballots from now on.',
  },
  voting: { guard: 'timeIsUp', target: COUNTING, description: 'Voting time is up.' },
} as const;

/** Between ticks: nobody rests here, so no timer is armed where no pause is wanted. */
export function listening(requestKind: 'discussion' | 'voting') {
  return meeting.createStateConfig({
    description: 'Everybody hears what was said last.',
    always: [
      ...endings,
      clock[requestKind],
      { guard: 'hasNoBeat', target: 'bidding', description: 'The next tick.' },
      { target: 'pausing', description: 'Time to read.' },
    ],
  });
}

/** A rest between ticks, for people who watch. */
export const pausing = meeting.createStateConfig({
  description: 'The engine rests a beat.',
  always: [...endings],
  after: { beat: { target: 'bidding', description: 'The next tick.' } },
});

export function bidding(requestKind: RequestKind) {
  return meeting.createStateConfig({
    description: 'All living players bid for the floor at once.',
    entry: { type: 'openTick', params: { requestKind } },
    always: [
      {
        guard: and(['everyoneVoted', 'isStopped']),
        target: '#meeting.closed',
        actions: 'abandonTick',
        description: 'The last player without a ballot left, and the run was stopped before.',
      },
      {
        guard: 'everyoneVoted',
        target: COUNTING,
        actions: 'abandonTick',
        description: 'The last player without a ballot left.',
      },
    ],
    on: {
      'tick.closed': {
        target: 'listening',
        actions: 'closeTick',
        description: 'One speaks; votes are locked; faults are counted.',
      },
      'seat.left': {
        guard: 'leaverIsLiving',
        actions: ['dismissInTick', 'vacate'],
        description: 'A player leaves and has bid nothing in this tick.',
      },
      'meeting.stopped': { actions: 'stopInTick', description: 'Ends after this tick.' },
    },
  });
}

/** What may happen between ticks. */
export const interruptions = {
  'seat.left': {
    guard: 'leaverIsLiving',
    actions: 'dismiss',
    description: 'A player leaves the table.',
  },
  'meeting.stopped': { actions: 'stop', description: 'No other tick is opened.' },
} as const;

/* Discussion: ticks in which all living players bid for the floor and one of them speaks. */

export const discussion = meeting.createStateConfig({
  description: 'Talk, tick by tick. In house rules votes are open from the first tick.',
  tags: 'talk',
  entry: entering('discussion'),
  initial: 'listening',
  states: { listening: listening('discussion'), bidding: bidding('discussion'), pausing },
  on: interruptions,
});

/* Interrupt: somebody reports a body or presses the button, and everybody is called in. */

export const interrupt = meeting.createStateConfig({
  description: 'A body report or an emergency button stops the game.',
  initial: 'checking',
  states: {
    checking: {
      description: 'Is the call legal?',
      always: [
        {
          guard: 'callStands',
          target: 'gathering',
          description: 'The caller lives, and the body or the button is good.',
        },
        { target: '#meeting.closed', actions: 'refuse', description: 'The call breaks a rule.' },
      ],
    },
    gathering: {
      description: 'Bodies are removed, and every player comes in and gets their brief.',
      entry: [entering('interrupt'), 'tellCall'],
      after: { beat: { target: '#meeting.discussion', description: 'Everybody is seated.' } },
      on: {
        'seat.left': {
          guard: 'leaverIsLiving',
          actions: 'dismiss',
          description: 'A player leaves before it has begun.',
        },
      },
    },
  },
});

/* Reaction: one tick for everybody to take in the result. Scratchpads only. */

export const reaction = meeting.createStateConfig({
  description: 'One tick for all: scratchpads only, no message and no vote.',
  entry: [entering('reaction'), { type: 'openTick', params: { requestKind: 'reaction' } }],
  on: {
    'tick.closed': [
      {
        guard: 'isStopped',
        target: 'closed',
        actions: 'noteReactions',
        description: 'The operator stopped the run.',
      },
      { target: 'consolidation', actions: 'noteReactions', description: 'All have reacted.' },
    ],
    'seat.left': {
      guard: 'leaverIsLiving',
      actions: ['farewellInTick', 'vacate'],
      description: 'A player leaves the table.',
    },
    'meeting.stopped': {
      guard: 'operatorStops',
      actions: 'stopInTick',
      description: 'Ends after this tick.',
    },
  },
});

/* Reveal: the ballots are turned one by one, and the last sentence tells who was ejected. */

export const reveal = meeting.createStateConfig({
  description: 'One ballot after another is turned.',
  entry: entering('reveal'),
  initial: 'turning',
  states: {
    turning: {
      description: 'A ballot is turned at every beat.',
      after: {
        beat: [
          {
            guard: 'everyBallotTurned',
            target: 'telling',
            actions: 'tellVerdict',
            description: 'The last ballot is on the table.',
          },
          {
            target: 'turning',
            reenter: true,
            actions: 'turnBallot',
            description: 'The next ballot.',
          },
        ],
      },
    },
    telling: {
      description: 'The result: who was ejected, or why no player was.',
      after: { beat: { target: '#meeting.reaction', description: 'The sentence has been read.' } },
    },
  },
  on: {
    'seat.left': {
      guard: 'leaverIsLiving',
      actions: 'farewell',
      description: 'Changes no ballot any more.',
    },
  },
});

/* Voting: ballots are asked for where there is a clock, and the poll is closed and counted. */

export const voting = meeting.createStateConfig({
  description: 'The poll is closed and counted.',
  entry: entering('voting'),
  initial: 'polling',
  states: {
    polling: {
      description: 'Players are asked for ballots, tick by tick; the talk goes on.',
      tags: ['talk', 'ballots'],
      initial: 'listening',
      states: { listening: listening('voting'), bidding: bidding('voting'), pausing },
      on: interruptions,
    },
    counting: {
      description: 'The poll is closed; from here on no ballot changes.',
      entry: ['closePoll', 'cueCount'],
      on: {
        'poll.counted': {
          target: '#meeting.reveal',
          actions: 'count',
          description: 'Skip is one more candidate.',
        },
        'seat.left': {
          guard: 'leaverIsLiving',
          actions: 'farewell',
          description: 'Changes no ballot any more.',
        },
      },
    },
  },
});

export const meetingMachine = meeting.createMachine({
  id: 'meeting',
  description: 'A meeting of Among Us, from the call to the erased scratchpads.',
  context: ({ input }) => layTable(input),
  options: { maxIterations: MOST_ITERATIONS },
  invoke: {
    src: 'arbiter',
    id: ARBITER,
    systemId: ARBITER,
    input: ({ context }) => ({
      chance: context.chance,
      options: context.options,
      seated: context.seats.map(({ colour }) => colour),
    }),
  },
  initial: 'interrupt',
  states: {
    interrupt,
    discussion,
    voting,
    reveal,
    reaction,
    consolidation,
    closed: {
      type: 'final',
      description: 'Over: nothing changes any more.',
      entry: 'tellClosed',
    },
  },
  on: {
    'meeting.stopped': {
      guard: 'operatorStops',
      target: '.closed',
      actions: 'stop',
      description: 'The operator stopped the run.',
    },
  },
  output: ({ context }) => ({
    outcome: context.outcome ?? 'unconverged',
    ejected: context.ejected,
    standings: context.standings,
    held: rules.toMeetingRecord(context),
  }),
});
