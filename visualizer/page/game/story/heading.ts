/** Headings: what a journal is called, and what a lens is called. */
import type { Lens, SeenLine } from '../../../../machines/journal/lens.ts';
import { capitalize } from '../../../text.ts';

/** The name of the meeting or the game; '' where the first line has none. */
export function titleOf(header: SeenLine | undefined): string {
  if (header?.type === 'game.opened') return header.lobby.name;
  return header?.type === 'journal.opened' ? header.scenario.name : '';
}

export function lensTitle(lens: Lens): string {
  return lens.type === 'player' ? capitalize(lens.seat) : capitalize(lens.type);
}
