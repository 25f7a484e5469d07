import type { Line } from '../../machines/journal/lines.ts';
import type { Colour } from '../../machines/types.ts';

type LostPlayer = { readonly seat: Colour; readonly how: 'killed' | 'ejected' | 'left' };

export function listLosses(line: Line): readonly LostPlayer[] {
  if (line.type === 'round.closed')
    return line.events.flatMap((event): readonly LostPlayer[] => {
      if (event.type === 'player.killed') return [{ seat: event.victim, how: 'killed' }];
      return event.type === 'seat.departed' ? [{ seat: event.seat, how: 'left' }] : [];
    });
  if (line.type === 'seat.departed') return [{ seat: line.seat, how: 'left' }];
  if (line.type !== 'verdict.announced' || line.ejected === null) return [];
  return [{ seat: line.ejected, how: 'ejected' }];
}
