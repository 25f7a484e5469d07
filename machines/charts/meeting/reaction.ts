/** Reaction: one tick for everybody to take in the result. Scratchpads only. */
import { entering, meeting } from './setup.ts';

export const reaction = meeting.createStateConfig({
  description: 'One tick for all: scratchpads only, no message and no vote.',
  entry: [entering('reaction'), { type: 'openTick', params: { occasion: 'reaction' } }],
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
