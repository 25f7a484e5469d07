/** The chip of a seat: its colour and its code. It needs no journal, so that every page can show it. */
import type { Colour } from '../../../machines/types.ts';
import { CODES } from '../../text.ts';

export function Chip({ seat }: { readonly seat: Colour }) {
  return (
    <span class="chip" data-seat={seat} aria-hidden="true">
      {CODES[seat]}
    </span>
  );
}
