/**
 * The meeting, phase by phase, for both rule sets. It receives one event for each closed tick, with the bids, dice and
 * decision as data. The chart that runs is the one that the docs draw and the checker proves.
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
import type { HeldMeeting } from '../rules/ship/game.ts';
import { publicTable } from '../rules/views.ts';
import type { Colour, Outcome, Phase, RequestKind } from '../types.ts';
import { arbiterMachine } from './arbiter.ts';

export type MeetingOutput = HeldMeeting & {
  readonly outcome: Outcome;
  readonly ejected: rules.Table['ejected'];
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
    /** Emits the facts of one transition in order, to the journal and to the players they concern. */
    announceFacts: (_, _facts: { readonly facts: readonly Fact[] }) =>
      unprovided('meeting.announceFacts'),
  },
  delays: { beat: ({ context }) => context.options.beatMs },
});

function takeStep(rule: (table: rules.Table, event: ToMeeting) => rules.MeetingStep) {
  return base.enqueueActions(({ context, event, enqueue }) => {
    const { changes, facts } = rule(context, event);
    enqueue.assign(changes);
    if (facts.length > 0) enqueue({ type: 'announceFacts', params: { facts } });
  });
}

const NOTHING: rules.MeetingStep = { changes: {}, facts: [] };

function takeTick(rule: (table: rules.Table, closed: ClosedTick) => rules.MeetingStep) {
  return takeStep((table, event) => (event.type === 'tick.closed' ? rule(table, event) : NOTHING));
}

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

function tickOpened(table: rules.Table, requestKind: RequestKind): ToArbiter {
  return {
    type: 'tick.opened',
    table: publicTable(table, requestKind),
    seats: rules.livingSeats(table),
    voted: rules.seatsWithBallot(table),
  };
}

function seatVacated(event: ToMeeting): ToArbiter {
  if (event.type === 'seat.left') return { type: 'seat.vacated', seat: event.seat };
  throw new Error(`expected seat.left to vacate a seat, found ${event.type}`);
}

export const meeting = base.extend({
  guards: {
    operatorStops: ({ event }) =>
      event.type === 'meeting.stopped' && event.outcome === 'interrupted',
    leaverIsLiving: ({ context, event }) =>
      event.type === 'seat.left' && rules.isLiving(context, event.seat),
    isCallLegal: ({ context }) => rules.isCallLegal(context),
    isStopped: ({ context }) => context.outcome === 'interrupted',
    isUnconverged: ({ context }) => context.outcome === 'unconverged' || context.due === 'stop',
    everyoneVoted: ({ context }) => rules.isPollComplete(context),
    timeIsUp: ({ context }) => context.due === 'time-up',
    ballotsAreDue: ({ context }) => context.due === 'ballots' || context.due === 'time-up',
    hasNoBeat: ({ context }) => context.options.beatMs === 0,
    everyBallotTurned: ({ context }) => rules.isEveryBallotTurned(context),
  },
  actions: {
    announceCall: takeStep(rules.announceCall),
    refuseCall: takeStep(rules.refuseCall),
    openTick: sendTo<
      rules.Table,
      ToMeeting,
      { requestKind: RequestKind },
      ActorRefFrom<typeof arbiterMachine>,
      ToMeeting,
      never
    >(ARBITER, ({ context }, { requestKind }) => tickOpened(context, requestKind)),
    abandonTick: base.sendTo(ARBITER, { type: 'tick.abandoned' }),
    closeTick: takeTick(rules.closeTick),
    noteReactions: takeTick(rules.noteReactions),
    consolidate: takeTick(rules.consolidate),
    erasePads: takeStep(rules.erasePads),
    vacateSeat: base.sendTo(ARBITER, ({ event }): ToArbiter => seatVacated(event)),
    leaveTable: takeLeaver((table, seat) => rules.leaveTable(table, seat, 'pause')),
    leaveTableInTick: takeLeaver((table, seat) => rules.leaveTable(table, seat, 'tick')),
    leaveAfterPoll: takeLeaver((table, seat) => rules.leaveAfterPoll(table, seat, 'pause')),
    leaveAfterPollInTick: takeLeaver((table, seat) => rules.leaveAfterPoll(table, seat, 'tick')),
    stop: takeStop('pause'),
    stopInTick: takeStop('tick'),
    stopUnconverged: takeStep(rules.stopUnconverged),
    closePoll: takeStep(rules.closePoll),
    scheduleCount: base.raise({ type: 'poll.counted' }, { delay: 'beat', id: 'count' }),
    countPoll: takeStep(rules.countPoll),
    turnBallot: takeStep(rules.turnBallot),
    announceResult: takeStep(rules.announceResult),
    announceEnd: takeStep(rules.closeMeeting),
  },
});

function entering(phase: Phase) {
  const facts: readonly Fact[] = [{ type: 'phase.entered', phase }];
  return { type: 'announceFacts', params: { facts } } as const;
}

const interrupt = meeting.createStateConfig({
  description: 'A body report or an emergency button interrupts the game.',
  initial: 'checking',
  states: {
    checking: {
      description: 'Is the call legal?',
      always: [
        {
          guard: 'isCallLegal',
          target: 'gathering',
          description: 'The caller is alive, and the body or button is valid.',
        },
        {
          target: '#meeting.closed',
          actions: 'refuseCall',
          description: 'The call breaks a rule.',
        },
      ],
    },
    gathering: {
      description: 'Bodies are removed. Every player comes in and gets their brief.',
      entry: [entering('interrupt'), 'announceCall'],
      after: { beat: { target: '#meeting.discussion', description: 'Everybody is seated.' } },
      on: {
        'seat.left': {
          guard: 'leaverIsLiving',
          actions: 'leaveTable',
          description: 'A player leaves before the talk begins.',
        },
      },
    },
  },
});

/*
 * Discussion and timed voting share one loop of ticks. Between ticks, `listening` decides whether another tick opens.
 * A tick ends with one event, and the rules that it calls lock votes, count faults and close the poll.
 */

const COUNTING = '#meeting.voting.counting';

/** Ways out of the talk, tried in this order between ticks. */
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
    description: 'The meeting reached a limit set by the operator.',
  },
] as const;

const clock = {
  discussion: {
    guard: 'ballotsAreDue',
    target: '#meeting.voting.polling',
    description: 'Players are asked for ballots from now on.',
  },
  voting: { guard: 'timeIsUp', target: COUNTING, description: 'Voting time is up.' },
} as const;

/** The meeting never rests in `listening`, so it arms no timer if no pause is configured. */
function listening(requestKind: 'discussion' | 'voting') {
  return meeting.createStateConfig({
    description: 'Everybody hears the last message.',
    always: [
      ...endings,
      clock[requestKind],
      { guard: 'hasNoBeat', target: 'bidding', description: 'The next tick.' },
      { target: 'pausing', description: 'Time to read.' },
    ],
  });
}

const pausing = meeting.createStateConfig({
  description: 'The engine rests a beat, so that viewers can read.',
  always: [...endings],
  after: { beat: { target: 'bidding', description: 'The next tick.' } },
});

function bidding(requestKind: RequestKind) {
  return meeting.createStateConfig({
    description: 'All living players bid for the floor at once.',
    entry: { type: 'openTick', params: { requestKind } },
    always: [
      {
        guard: and(['everyoneVoted', 'isStopped']),
        target: '#meeting.closed',
        actions: 'abandonTick',
        description: 'The last player without a ballot left after the operator stopped the run.',
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
        description: 'One player speaks, votes are locked, faults are counted.',
      },
      'seat.left': {
        guard: 'leaverIsLiving',
        actions: ['leaveTableInTick', 'vacateSeat'],
        description: 'A player leaves, and their bid in this tick is void.',
      },
      'meeting.stopped': { actions: 'stopInTick', description: 'Ends after this tick.' },
    },
  });
}

const betweenTicks = {
  'seat.left': {
    guard: 'leaverIsLiving',
    actions: 'leaveTable',
    description: 'A player leaves the table.',
  },
  'meeting.stopped': { actions: 'stop', description: 'No other tick is opened.' },
} as const;

const discussion = meeting.createStateConfig({
  description: 'Talk, tick by tick. In house rules votes are open from the first tick.',
  tags: 'talk',
  entry: entering('discussion'),
  initial: 'listening',
  states: { listening: listening('discussion'), bidding: bidding('discussion'), pausing },
  on: betweenTicks,
});

const afterThePoll = {
  'seat.left': {
    guard: 'leaverIsLiving',
    actions: 'leaveAfterPoll',
    description: 'Changes no ballot.',
  },
} as const;

const voting = meeting.createStateConfig({
  description: 'The poll is closed and counted.',
  entry: entering('voting'),
  initial: 'polling',
  states: {
    polling: {
      description: 'Players are asked for ballots, tick by tick. The talk goes on.',
      tags: ['talk', 'ballots'],
      initial: 'listening',
      states: { listening: listening('voting'), bidding: bidding('voting'), pausing },
      on: betweenTicks,
    },
    counting: {
      description: 'The poll is closed. No ballot changes any more.',
      entry: ['closePoll', 'scheduleCount'],
      on: {
        'poll.counted': {
          target: '#meeting.reveal',
          actions: 'countPoll',
          description: 'Skip counts as a candidate.',
        },
        ...afterThePoll,
      },
    },
  },
});

const reveal = meeting.createStateConfig({
  description: 'The ballots are turned one after another.',
  entry: entering('reveal'),
  initial: 'turning',
  states: {
    turning: {
      description: 'One ballot is turned at every beat.',
      after: {
        beat: [
          {
            guard: 'everyBallotTurned',
            target: 'announcing',
            actions: 'announceResult',
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
    announcing: {
      description: 'The result: who is ejected, or why nobody is.',
      after: { beat: { target: '#meeting.reaction', description: 'Everybody has read it.' } },
    },
  },
  on: afterThePoll,
});

const reaction = meeting.createStateConfig({
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
      actions: ['leaveAfterPollInTick', 'vacateSeat'],
      description: 'A player leaves the table.',
    },
    'meeting.stopped': {
      guard: 'operatorStops',
      actions: 'stopInTick',
      description: 'Ends after this tick.',
    },
  },
});

const consolidation = meeting.createStateConfig({
  description: 'Players keep what matters. The meeting scratchpads are erased whatever fails.',
  entry: [
    entering('consolidation'),
    { type: 'openTick', params: { requestKind: 'consolidation' } },
  ],
  on: {
    'tick.closed': {
      target: 'closed',
      actions: ['consolidate', 'erasePads'],
      description: 'Players have kept what matters, and the rest is erased.',
    },
    'seat.left': {
      guard: 'leaverIsLiving',
      actions: ['leaveAfterPollInTick', 'vacateSeat'],
      description: 'A player leaves the table.',
    },
    'meeting.stopped': { description: 'The meeting ends with this tick anyway.' },
  },
});

export const meetingMachine = meeting.createMachine({
  id: 'meeting',
  description: 'A meeting of Among Us, from the call to the erased scratchpads.',
  context: ({ input }) => rules.layTable(input),
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
    closed: { type: 'final', description: 'The meeting is over.', entry: 'announceEnd' },
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
    faulted: context.faulted,
  }),
});
