/** The ending of a game in one sentence: who has won, and what decided it. */
import type { SeenOf } from '../machines/journal/lens.ts';

type Closed = SeenOf<'game.closed'>;
type Reason = NonNullable<Closed['reason']>;

const WHY: Readonly<Record<Reason, string>> = {
  tasks: 'every task is done',
  vote: 'the vote left too few of the crew',
  kills: 'too few of the crew are left',
  sabotage: 'the ship is lost',
  disconnect: 'too many of the crew left the game',
  unfinished: 'the limit of rounds is reached',
  interrupted: 'somebody stopped the game',
};
/** Where the same reason sounds otherwise to the crew. */
const WHY_CREW: Readonly<Partial<Record<Reason, string>>> = {
  vote: 'the last impostor was voted out',
  disconnect: 'the last impostor left the game',
};

export function endingOf({ winner, reason = 'interrupted' }: Closed): string {
  if (winner === 'crew') return `The crew wins: ${WHY_CREW[reason] ?? WHY[reason]}.`;
  return `${winner === 'impostors' ? 'The impostors win' : 'Nobody has won'}: ${WHY[reason]}.`;
}
