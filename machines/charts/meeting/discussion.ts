/** Discussion: ticks in which all living players bid for the floor and one of them speaks. */
import { entering, meeting } from './setup.ts';
import { bidding, interruptions, listening, pausing } from './talk.ts';

export const discussion = meeting.createStateConfig({
  description: 'Talk, tick by tick. In house rules votes are open from the first tick.',
  tags: 'talk',
  entry: entering('discussion'),
  initial: 'listening',
  states: { listening: listening('discussion'), bidding: bidding('discussion'), pausing },
  on: interruptions,
});
