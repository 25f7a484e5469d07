/**
 * The draft of a round: what the phases of a round write on, one after another, until the round is over.
 *
 * It belongs to one call of `resolved` and never leaves it; the worlds before and after are values.
 */
import type { BySeat, Colour, Deed, Note, Place } from '../../types.ts';
import type { RoundEvent } from './events.ts';
import type { Intent } from './intent.ts';
import type { PlayerState, World } from './world.ts';

export type Draft = {
  /** The world as the round began: what everybody decided upon. */
  readonly before: World;
  /** The world so far. Its players are those below. */
  world: World;
  /** How everybody is by now: changed in place, as most of a round is about them. */
  readonly players: Partial<Record<Colour, PlayerState>>;
  readonly draws: BySeat<number>;
  /** Places that each player entered, in order; nobody else is in it. */
  readonly paths: Partial<Record<Colour, readonly Place[]>>;
  /** What each player could be seen doing when the round ended; nothing for those who were hidden. */
  readonly deeds: Partial<Record<Colour, Deed>>;
  readonly events: RoundEvent[];
  /** Players whose intent is fulfilled, or can't be. */
  readonly finished: Set<Colour>;
};

export function drafted(world: World, draws: BySeat<number>): Draft {
  const players = { ...world.players };
  return {
    before: world,
    world: { ...world, players },
    players,
    draws,
    paths: {},
    deeds: {},
    events: [],
    finished: new Set(),
  };
}

export function playerOf({ players }: Draft, seat: Colour): PlayerState | undefined {
  return players[seat];
}

export function change({ players }: Draft, seat: Colour, changes: Partial<PlayerState>): void {
  const player = players[seat];
  if (player !== undefined) players[seat] = { ...player, ...changes };
}

/** The intent was not possible: it counts as a wait, and the player is told why. */
export function refuse(draft: Draft, seat: Colour, intent: Intent, note: Note): void {
  draft.events.push({ type: 'intent.refused', seat, intent, note });
  draft.finished.add(seat);
}

/** Of those who want the same, the one whom chance prefers: the highest draw. Draws of one round differ. */
export function drawn(draft: Draft, seats: readonly Colour[]): Colour | null {
  let best: Colour | null = null;
  for (const seat of seats) {
    if (best === null || (draft.draws[seat] ?? 0) > (draft.draws[best] ?? 0)) best = seat;
  }
  return best;
}
