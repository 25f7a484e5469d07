import type { Line } from '../../machines/journal/lines.ts';
import type { Colour } from '../../machines/types.ts';

type LostPlayer = { readonly seat: Colour; readonly how: 'killed' | 'ejected' | 'left' };

export function listLosses(line: Line): readonly LostPlayer[] {
  switch (line.type) {
    case 'round.closed':
      return line.events.flatMap((event): readonly LostPlayer[] => {
        if (event.type === 'player.killed') return [{ seat: event.victim, how: 'killed' }];
        return event.type === 'seat.departed' ? [{ seat: event.seat, how: 'left' }] : [];
      });
    case 'seat.departed':
      return [{ seat: line.seat, how: 'left' }];
    case 'verdict.announced':
      return line.ejected === null ? [] : [{ seat: line.ejected, how: 'ejected' }];
    default:
      return [];
  }
}
