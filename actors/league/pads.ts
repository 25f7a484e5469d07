/** The notebooks of a player at the end of a game, read off its journal. */
import type { Line } from '../../machines/journal/lines.ts';
import type { Colour, Pads } from '../../machines/types.ts';

export function padsOf(lines: readonly Line[], seat: Colour): Pads {
  let pads: Pads = { main: '', meeting: '' };
  for (const line of lines) {
    if (line.channel === 'ghosts') continue;
    if (line.type === 'pads.erased') pads = { ...pads, meeting: '' };
    if (line.type !== 'pads.noted' && line.type !== 'pads.consolidated') continue;
    if (line.seat !== seat) continue;
    const meeting = line.type === 'pads.noted' ? (line.meeting ?? pads.meeting) : pads.meeting;
    pads = { main: line.main ?? pads.main, meeting };
  }
  return pads;
}
