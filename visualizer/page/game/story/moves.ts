/** What the machines did at a line is kept beside the line, because a lens copies only the fields that it knows. */
import { type Lens, lensFor, type SeenLine } from '../../../../machines/journal/lens.ts';
import type { Line } from '../../../../machines/journal/lines.ts';
import { carryMessages } from '../../../charts/messages.ts';
import { carryMoves, type SteppedLine } from '../../../charts/moves.ts';
import { carryPromises } from '../../../charts/promises.ts';

export type Stepped = Pick<SteppedLine, 'moves' | 'messages' | 'accused' | 'promises' | 'refusal'>;

const NOTHING: Stepped = {};
const stepped = new WeakMap<object, Stepped>();

export function keepMoves(line: SeenLine | Line, found: Stepped): void {
  const { moves, messages, accused, promises, refusal } = found;
  if ((moves ?? messages ?? accused ?? promises ?? refusal) !== undefined)
    stepped.set(line, { moves, messages, accused, promises, refusal });
}

export function movesAt(line: SeenLine | Line): Stepped {
  return stepped.get(line) ?? NOTHING;
}

/** A lens that hands on to its lines what the machines did, as far as it may show that. */
export function lensOverMoves(lens: Lens): (line: Line) => SeenLine | null {
  const [see, carry, hear] = [lensFor(lens), carryMoves(lens), carryMessages(lens)];
  const promise = carryPromises(lens);
  return (line) => {
    const seen = see(line);
    const { moves = [], messages = '', accused, promises: all, refusal } = movesAt(line);
    const carried = carry(line, moves, seen !== null);
    const heard = hear(line, messages, seen !== null);
    const promises = promise(line, all, seen !== null);
    const isNews =
      carried.length > 0 || heard !== '' || (accused ?? promises ?? refusal) !== undefined;
    if (seen !== null && isNews)
      keepMoves(seen, { moves: carried, messages: heard, accused, promises, refusal });
    return seen;
  };
}
