/** Reveal: the ballots are turned one by one, and the last sentence tells who was ejected. */
import { entering, meeting } from './setup.ts';

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
      description: 'The sentence: who was ejected, or why nobody was.',
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
