/** The successor: who thinks for a player from a moment of a journal on. */

import { createMind, isRemote, type MindKind } from '../../actors/minds/kinds.ts';
import { listSeats } from '../../actors/minds/openai/seats.ts';
import type { Mind } from '../../actors/minds/port.ts';
import type { Line } from '../../machines/journal/lines.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import type { Colour } from '../../machines/types.ts';
import type { GameModels } from '../gameModels.ts';
import type { ModelFlags } from '../modelFlags.ts';
import { applyModelFlags } from '../modelSeats.ts';

/** The seat of a player with another mind in it; null where nobody has that colour. */
export function succeeded(
  [header]: readonly Line[],
  player: Colour,
  mind: MindKind,
  flags: ModelFlags,
): MatchSeat | null {
  const seat = listSeats(header).find(({ colour }) => colour === player);
  if (seat === undefined) return null;
  const [own = seat] = isRemote({ mind }) ? applyModelFlags([seat], flags) : [seat];
  return { ...own, mind };
}

/** The mind in such a seat, with the habits and the seed that the journal was played with. */
export function successorIn(
  [header]: readonly Line[],
  seat: MatchSeat,
  seed: number,
  thinking: GameModels,
): Mind {
  const index = listSeats(header).findIndex(({ colour }) => colour === seat.colour);
  const faultRate =
    header?.type === 'game.opened'
      ? header.lobby.fault_rate
      : header?.type === 'journal.opened'
        ? header.scenario.fault_rate
        : 0;
  return createMind(seat, index, { seed, faultRate, models: thinking.minds });
}
