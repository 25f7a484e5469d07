/** What thinks for a seat, by the first line of a journal. */
import type { SeenLine } from '../../../../machines/journal/lens.ts';
import type { Colour } from '../../../../machines/types.ts';

/** The name of a model, or what kind of mind it is; '' where that is hidden. */
export function mindOf(header: SeenLine | undefined, colour: Colour): string {
  const seats =
    header?.type === 'game.opened'
      ? header.lobby.seats
      : header?.type === 'journal.opened'
        ? header.scenario.seats
        : [];
  const seat = seats.find((each) => each.colour === colour);
  if (seat === undefined || !('mind' in seat)) return '';
  if ('model' in seat && seat.model !== undefined) return seat.model;
  return seat.mind === 'scripted' ? 'a script' : (seat.mind ?? '');
}
