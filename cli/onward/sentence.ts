/** What came of going on, in a sentence. */
import { nameOf } from '../input.ts';
import type { Onward } from './onward.ts';

export function sentenceOf({ journal, recorded, played, end }: Onward): string {
  const lines = `${recorded} lines were there, ${played} came behind them`;
  return `${nameOf(journal)}: ${lines}; ${endOf(end)}`;
}

function endOf(end: Onward['end']): string {
  if (end === null) return 'it was broken off again';
  if (end.type === 'game.closed') {
    return end.winner === null
      ? `nobody has won (${end.reason})`
      : `${end.winner} won (${end.reason})`;
  }
  if (end.type !== 'meeting.closed') return 'it is over';
  return end.ejected === null ? `the meeting ended (${end.outcome})` : `${end.ejected} was ejected`;
}
