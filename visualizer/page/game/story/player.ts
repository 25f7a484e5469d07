/**
 * The state of one player, as far as lines of a journal tell it.
 *
 * When a mind is asked and when it answers stands in no line, so whether somebody listens or thinks is not lit but said
 * to be unknown. Nothing is guessed.
 */
import type { Colour } from '../../../../machines/types.ts';
import { capitalize } from '../../../text.ts';
import type { Moment } from './moment.ts';

export type PlayerState = {
  readonly lit: readonly string[];
  /** The same in words, and what the journal does not tell. */
  readonly words: string;
};

export function playerState(
  { players: crew, meeting: sitting }: Moment,
  seat: Colour,
): PlayerState {
  const fate = crew.find((member) => member.seat === seat)?.fate;
  const name = capitalize(seat);
  switch (fate) {
    case undefined:
      return { lit: [], words: `${name} is not in this journal.` };
    case 'left':
      return { lit: ['player', 'player.disconnected'], words: `${name} is gone.` };
    case 'living': {
      const ballot = sitting?.locked[seat] === undefined ? 'undecided' : 'lockedIn';
      const voted = ballot === 'lockedIn' ? 'has voted' : 'has not voted';
      return {
        lit: ['player', ...within('living', 'ballot', ballot)],
        words: `${name} is living and ${voted}. Whether they listen or think, no line tells.`,
      };
    }
    default:
      return {
        lit: ['player', 'player.ghost'],
        words: `${name} is a ghost. Whether they watch, muse or run an errand, no line tells.`,
      };
  }
}

/** A state and all that it lies in. */
function within(...words: readonly string[]): readonly string[] {
  return words.map((_, index) => ['player', ...words.slice(0, index + 1)].join('.'));
}
