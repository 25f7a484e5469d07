/**
 * Talk: the loop of ticks that discussion and timed voting share.
 *
 * Between ticks the table listens, and there it is settled whether another tick is opened. A tick ends with one event,
 * so locking, faults and closing are decided here by rules and nowhere else.
 */
import { and } from 'xstate';
import type { Occasion } from '../../types.ts';
import { meeting } from './setup.ts';

const COUNTING = '#meeting.voting.counting';

/** The ways out of the talk, in the order in which they are tried between ticks. */
const endings = [
  { guard: 'isStopped', target: '#meeting.closed', description: 'The operator stopped the run.' },
  {
    guard: 'everyoneVoted',
    target: COUNTING,
    description: 'All living players have voted, or nobody is left.',
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
    description: 'Ballots are asked for from now on.',
  },
  voting: { guard: 'timeIsUp', target: COUNTING, description: 'Voting time is up.' },
} as const;

/** Between ticks: nobody rests here, so no timer is armed where no pause is wanted. */
export function listening(occasion: 'discussion' | 'voting') {
  return meeting.createStateConfig({
    description: 'Everybody hears what was said last.',
    always: [
      ...endings,
      clock[occasion],
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

export function bidding(occasion: Occasion) {
  return meeting.createStateConfig({
    description: 'All living players bid for the floor at once.',
    entry: { type: 'openTick', params: { occasion } },
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
