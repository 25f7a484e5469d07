/** Interrupt: somebody reports a body or presses the button, and everybody is called in. */
import { entering, meeting } from './setup.ts';

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
      description: 'Bodies go, everybody comes in and gets the brief that they would have.',
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
