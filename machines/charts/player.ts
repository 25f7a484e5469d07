/**
 * A player: living, ghost or disconnected, for a whole game.
 *
 * The actor holds what nobody else may know (role, brief, scratchpads) and hands it out in its own requests only. Who
 * thinks is a mind behind the effect `consult`; a mind that answers at once leaves no time to be seen bidding.
 */

import { MOST_ITERATIONS } from '../messages.ts';
import { ghost } from './player/ghost.ts';
import { ballot, floor } from './player/living.ts';
import { player } from './player/setup.ts';

export const playerMachine = player.createMachine({
  id: 'player',
  description: 'One player for a whole game: living, ghost or disconnected.',
  context: ({ input }) => ({
    ...input,
    ballot: null,
    notices: [],
    memory: [],
    stamp: -1,
    before: input.pads,
  }),
  options: { maxIterations: MOST_ITERATIONS },
  initial: 'arriving',
  on: {
    'meeting.opened': { actions: 'open', description: 'A meeting begins.' },
    'rounds.seen': { actions: 'remember', description: 'What was to be seen on the ship.' },
    'notice.given': { actions: 'takeNotice', description: 'Why something did not count.' },
    'pads.consolidated': { actions: 'keep', description: 'What is kept of the meeting.' },
    'pads.erased': { actions: 'erase', description: 'The meeting scratchpad is empty.' },
    'seat.departed': { target: '.disconnected', description: 'Gone for the rest of the game.' },
  },
  states: {
    arriving: {
      description: 'Takes a seat.',
      always: [{ guard: 'isGhost', target: 'ghost' }, { target: 'living' }],
    },
    living: {
      description: 'At the table.',
      type: 'parallel',
      on: { 'seat.died': { target: 'ghost', actions: 'die', description: 'Killed or ejected.' } },
      states: { floor, ballot },
    },
    ghost,
    disconnected: { description: 'Gone for the rest of the game: asked nothing, tells nothing.' },
  },
});
