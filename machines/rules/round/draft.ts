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
  /** The world so far. */
  world: World;
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
  return {
    before: world,
    world,
    draws,
    paths: {},
    deeds: {},
    events: [],
    finished: new Set(),
  };
}

export function playerOf(draft: Draft, seat: Colour): PlayerState | undefined {
  return draft.world.players[seat];
}

export function change(draft: Draft, seat: Colour, changes: Partial<PlayerState>): void {
  const player = draft.world.players[seat];
  if (player === undefined) return;
  const players = { ...draft.world.players, [seat]: { ...player, ...changes } };
  draft.world = { ...draft.world, players };
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
