/**
 * The meeting: interrupt, discussion, voting, reveal, reaction, consolidation.
 *
 * One statechart for both rule sets. It sees one event per closed tick, with bids, dice and verdict as data, and keeps
 * nothing that grows; the chart that runs is the one that is drawn and the one that is proved.
 */

import { ARBITER, MOST_ITERATIONS } from '../messages.ts';
import { laid } from '../rules/table.ts';
import { consolidation } from './meeting/consolidation.ts';
import { discussion } from './meeting/discussion.ts';
import { interrupt } from './meeting/interrupt.ts';
import { reaction } from './meeting/reaction.ts';
import { reveal } from './meeting/reveal.ts';
import { meeting } from './meeting/setup.ts';
import { voting } from './meeting/voting.ts';

export const meetingMachine = meeting.createMachine({
  id: 'meeting',
  description: 'A meeting of Among Us, from the call to the erased scratchpads.',
  context: ({ input }) => laid(input),
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
    closed: {
      type: 'final',
      description: 'Over: nothing changes any more.',
      entry: 'tellClosed',
    },
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
  }),
});
