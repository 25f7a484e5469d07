/** Consolidation: what matters goes to the main scratchpads; the meeting's are erased whatever fails. */
import { entering, meeting } from './setup.ts';

export const consolidation = meeting.createStateConfig({
  description: 'What matters is kept; the meeting scratchpads are erased, whatever fails.',
  entry: [entering('consolidation'), { type: 'openTick', params: { occasion: 'consolidation' } }],
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
