/** What the machines did at a line is kept beside the line, because a lens copies only the fields that it knows. */
import { type Lens, lensFor, type SeenLine } from '../../../../machines/journal/lens.ts';
import type { Line } from '../../../../machines/journal/lines.ts';
import { carryMoves, type SteppedLine } from '../../../charts/moves.ts';

export type Stepped = Pick<SteppedLine, 'moves' | 'refusal'>;

const NOTHING: Stepped = {};
const stepped = new WeakMap<object, Stepped>();

export function keepMoves(line: SeenLine | Line, { moves, refusal }: Stepped): void {
  if (moves !== undefined || refusal !== undefined) stepped.set(line, { moves, refusal });
}

export function movesAt(line: SeenLine | Line): Stepped {
  return stepped.get(line) ?? NOTHING;
}

/** A lens that hands on to its lines what the machines did, as far as it may show that. */
export function lensOverMoves(lens: Lens): (line: Line) => SeenLine | null {
  const [see, carry] = [lensFor(lens), carryMoves(lens)];
  return (line) => {
    const seen = see(line);
    const { moves = [], refusal } = movesAt(line);
    const carried = carry(line, moves, seen !== null);
    if (seen !== null && (carried.length > 0 || refusal !== undefined))
      keepMoves(seen, { moves: carried, refusal });
    return seen;
  };
}
