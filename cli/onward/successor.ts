/** The successor: who thinks for a player from a moment of a journal on. */

import { createMind } from '../../actors/engine/match.ts';
import type { Mind } from '../../actors/minds/port.ts';
import type { Line } from '../../machines/journal/lines.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import type { Colour } from '../../machines/types.ts';
import type { ModelFlags } from '../models/flags.ts';
import { overridden, seatsOf } from '../models/seats.ts';
import type { Thinking } from '../models/thinking.ts';

export const SUCCESSORS = ['silent', 'scripted', 'openai'] as const;
export type Successor = (typeof SUCCESSORS)[number];

/** The seat of a player with another mind in it; null where nobody has that colour. */
export function succeeded(
  [header]: readonly Line[],
  player: Colour,
  mind: Successor,
  flags: ModelFlags,
): MatchSeat | null {
  const seat = seatsOf(header).find(({ colour }) => colour === player);
  if (seat === undefined) return null;
  const [own = seat] = mind === 'openai' ? overridden([seat], flags) : [seat];
  return { ...own, mind };
}

/** The mind in such a seat, with the habits and the seed that the journal was played with. */
export function successorIn(
  [header]: readonly Line[],
  seat: MatchSeat,
  seed: number,
  thinking: Thinking,
): Mind {
  const index = seatsOf(header).findIndex(({ colour }) => colour === seat.colour);
  const faultRate =
    header?.type === 'game.opened'
      ? header.lobby.fault_rate
      : header?.type === 'journal.opened'
        ? header.scenario.fault_rate
        : 0;
  return createMind(seat, index, { seed, faultRate, models: thinking.minds });
}
