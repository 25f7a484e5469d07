/** A ghost: watches the table, talks to other ghosts, and may have a task to finish. */
import { answering, asked } from './errand.ts';
import { player } from './setup.ts';

export const ghost = player.createStateConfig({
  description: 'Dead: sees everything, talks to ghosts only.',
  initial: 'haunting',
  states: {
    haunting: {
      description: 'Watches the table.',
      on: {
        'talk.invited': [
          {
            guard: 'answersAtOnce',
            actions: 'consult',
            description: 'A light mind talks at once.',
          },
          { target: 'musing', actions: ['heed', 'consult'] },
        ],
        'mind.answered': [
          { guard: 'answersAtOnce', actions: 'note', description: 'Notes of a light mind.' },
          { actions: 'place', description: 'Too late: discarded.' },
        ],
        ...asked('errand'),
      },
    },
    errand: {
      description: 'Thinks about a task left undone, or about a sabotage.',
      on: answering('haunting'),
    },
    musing: {
      description: 'Thinks about what to tell the other ghosts.',
      on: {
        'mind.answered': [
          { guard: 'isCurrent', target: 'haunting', actions: ['place', 'note'] },
          { actions: 'place', description: 'An answer to an older request: discarded.' },
        ],
        'turn.missed': { guard: 'missedThis', target: 'haunting', actions: 'dismiss' },
      },
    },
  },
});
