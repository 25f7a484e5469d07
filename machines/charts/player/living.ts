/** The living: they bid for the floor, decide what to do on the ship, and vote. */
import { answering, asked } from './errand.ts';
import { player } from './setup.ts';

export const floor = player.createStateConfig({
  initial: 'listening',
  states: {
    listening: {
      description: 'Listens to who has the floor.',
      on: {
        'bid.requested': [
          { guard: 'answersAtOnce', actions: 'consult', description: 'A light mind bids at once.' },
          {
            target: 'bidding',
            actions: ['heed', 'consult'],
            description: 'The mind takes its time.',
          },
        ],
        'mind.answered': [
          { guard: 'answersAtOnce', actions: 'note', description: 'Notes of a light mind.' },
          { actions: 'place', description: 'Too late: the bid stream discards it.' },
        ],
        ...asked('deciding'),
        'tick.missed': {
          guard: 'missedThis',
          actions: 'takeBack',
          description: 'The tick was abandoned: it has not happened.',
        },
      },
    },
    bidding: {
      description: 'Thinks about what to bid.',
      on: {
        'mind.answered': [
          {
            guard: 'isCurrent',
            target: 'listening',
            actions: ['place', 'note'],
            description: 'The bid is handed in.',
          },
          { actions: 'place', description: 'An answer to an older request: discarded.' },
        ],
        'tick.missed': {
          guard: 'missedThis',
          target: 'listening',
          actions: 'dismiss',
          description: 'The tick went on without this player.',
        },
        'seat.departed': {
          target: '#player.disconnected',
          actions: 'dismiss',
          description: 'Left while thinking.',
        },
        'seat.died': { target: '#player.ghost', actions: ['dismiss', 'die'] },
      },
    },
    deciding: {
      description: 'Thinks about what to do on the ship.',
      on: {
        ...answering('listening'),
        'seat.departed': {
          target: '#player.disconnected',
          actions: 'dismiss',
          description: 'Left while thinking.',
        },
        'seat.died': { target: '#player.ghost', actions: ['dismiss', 'die'] },
      },
    },
  },
});

export const ballot = player.createStateConfig({
  initial: 'undecided',
  states: {
    undecided: {
      description: 'Has not voted.',
      on: { 'vote.locked': { target: 'lockedIn', actions: 'lock', description: 'Binding.' } },
    },
    lockedIn: {
      description: 'Has voted and cannot change it; may still speak.',
      on: {
        'vote.cleared': {
          target: 'undecided',
          actions: 'unlock',
          description: 'Classic: the player voted for has left.',
        },
        'meeting.opened': { target: 'undecided', actions: 'open', description: 'A new meeting.' },
      },
    },
  },
});
