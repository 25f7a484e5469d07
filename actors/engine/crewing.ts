/** Crewing: which mind thinks for which seat of a game, and what the journal says about it up front. */

import type { Body } from '../../machines/journal/codec.ts';
import { FORMAT } from '../../machines/journal/lines.ts';
import { board, type Crew } from '../../machines/setup/boarding.ts';
import type { Lobby } from '../../machines/setup/lobby.ts';
import type { Seated } from '../../machines/setup/setting.ts';
import type { BySeat, Colour, Note } from '../../machines/types.ts';
import type { Mind } from '../minds/port.ts';
import { ghostTurns } from './casting.ts';
import { type ModelMinds, mindFor } from './seating.ts';

/** A lobby with everything that it needs to be played. */
export type Manned = {
  readonly seed: number;
  readonly ship: Crew;
  readonly players: readonly Seated[];
  readonly minds: BySeat<Mind>;
  /** Turns of ghost talk in each meeting; null when the dead do not watch. */
  readonly ghostBudget: number | null;
  /** The lobby with nothing left open. */
  readonly lobby: Lobby;
  /** The first line of each channel. */
  readonly headers: { readonly living: Body; readonly ghosts: Body };
};

export type Manning =
  | { readonly ok: true; readonly manned: Manned }
  | { readonly ok: false; readonly refusals: readonly Note[] };

/** Puts minds into the seats of a lobby, or says why it makes no sense. */
export function manned(written: Lobby, seed: number, models: ModelMinds | null = null): Manning {
  const boarding = board(written, { seed });
  if (!boarding.ok) return boarding;
  const { crew, players, lobby } = boarding;
  const minds: Partial<Record<Colour, Mind>> = {};
  for (const [index, seat] of lobby.seats.entries()) {
    minds[seat.colour] = mindFor(seat, index, { seed, faultRate: lobby.fault_rate, models });
  }
  const ghosts = ghostTurns(lobby);
  return {
    ok: true,
    manned: {
      seed,
      ship: crew,
      players,
      minds,
      ghostBudget: ghosts.present ? ghosts.budget : null,
      lobby,
      headers: headersOf(lobby, seed, ghosts),
    },
  };
}

function headersOf(
  { ghosts: _ghosts, ...lobby }: Lobby,
  seed: number,
  { present, budget }: { readonly present: boolean; readonly budget: number },
): Manned['headers'] {
  return {
    living: { type: 'game.opened', v: FORMAT, seed, lobby },
    ghosts: { type: 'gallery.opened', present, budget, minds: {} },
  };
}
