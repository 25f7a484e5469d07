/** Voting: ballots are asked for where there is a clock, and the poll is closed and counted. */
import { entering, meeting } from './setup.ts';
import { bidding, interruptions, listening, pausing } from './talk.ts';

export const voting = meeting.createStateConfig({
  description: 'The poll is closed and counted.',
  entry: entering('voting'),
  initial: 'polling',
  states: {
    polling: {
      description: 'Ballots are asked for, tick by tick; the talk goes on.',
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
