/** A player as the page draws them: a chip with two letters in their colour, and the name beside it. */

import type { Ballot, Colour } from '../../../../machines/types.ts';
import { CODES, candidateName, capitalize } from '../../../text.ts';

export function Chip({ seat }: { readonly seat: Colour }) {
  return (
    <span class="chip" data-seat={seat} aria-hidden="true">
      {CODES[seat]}
    </span>
  );
}

export function Player({ seat }: { readonly seat: Colour }) {
  return (
    <span class="player">
      <Chip seat={seat} />
      <b>{capitalize(seat)}</b>
    </span>
  );
}

export function Candidate({ ballot }: { readonly ballot: Ballot }) {
  if (ballot !== 'skip') return <Player seat={ballot} />;
  return (
    <span class="player">
      <span class="chip" data-seat="skip" aria-hidden="true">
        —
      </span>
      <b>{candidateName(ballot)}</b>
    </span>
  );
}
