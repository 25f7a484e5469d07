/** The moves of the machines as plain data, and what of them a lens may show. */
import type { Lens, SeenLine } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { MEETING, playerId } from '../../machines/messages.ts';

/** What an actor did with one event, microstep by microstep. It rests in the states of the last one. */
export type MachineMove = {
  readonly actor: string;
  readonly event: string;
  readonly steps: readonly MoveStep[];
};

/** The edges that fired, as `readChart` names them, and the innermost states afterwards. */
export type MoveStep = { readonly edges: readonly string[]; readonly states: readonly string[] };

/** A line with the moves that led to it and on from it, or with the reason why the machines refuse it. */
export type SteppedLine = SeenLine & {
  readonly moves?: readonly MachineMove[] | undefined;
  /** Packed by `packMessages`. */
  readonly messages?: string | undefined;
  readonly refusal?: string | undefined;
};

/** Lines that say in the glass only whether a tick was open. */
const ARRIVALS: readonly Line['type'][] = ['seat.departed', 'stop.requested'];

/** Cuts moves with a lens, line by line. Those of a hidden line come with the next line that is shown. */
export function carryMoves(lens: Lens) {
  let waiting: readonly MachineMove[] = [];
  return (line: Pick<Line, 'type'>, moves: readonly MachineMove[], isShown: boolean) => {
    const carried = [...waiting, ...seeMoves(line, moves, lens)];
    waiting = isShown ? [] : carried;
    return carried;
  };
}

/**
 * The moves of a line without those that a lens hides. The table knows the meeting and the game, and a player their own
 * state too. Who is asked on the ship is a secret, and so is who takes time to think.
 */
function seeMoves(
  line: Pick<Line, 'type'>,
  moves: readonly MachineMove[],
  lens: Lens,
): readonly MachineMove[] {
  if (lens.type === 'glass') return moves;
  const own = lens.type === 'player' ? playerId(lens.seat) : null;
  const isArrival = ARRIVALS.includes(line.type);
  return moves.filter(({ actor, event }) => {
    if (actor === own) return true;
    if (actor === MEETING) return !isArrival;
    return actor === 'game' && event !== 'orders.outstanding';
  });
}
