/**
 * The resolution of a round: all orders are one moment, resolved in an order that no seat profits from.
 *
 * Faults and departures; new intents; kills; sabotage; walking and vents; work and repairs; calls; clocks; victory.
 * Within a step everybody acts on the same world, and where two want the same thing chance decides. The order is
 * explained in `docs/decisions/0013-rounds.md`.
 */
import type { BySeat, Call, Deed, Place } from '../../types.ts';
import { adopt } from './adoption.ts';
import { asked } from './asks.ts';
import { attend } from './attendance.ts';
import { called } from './calls.ts';
import { tick } from './clocks.ts';
import { change, type Draft, drafted } from './draft.ts';
import type { RoundEvent } from './events.ts';
import { kill } from './kills.ts';
import { work } from './labour.ts';
import type { Order } from './order.ts';
import { sabotage } from './sabotage.ts';
import { type Sight, sights } from './sight.ts';
import { type Ending, type Losses, victory } from './victory.ts';
import { walk } from './walking.ts';
import type { World } from './world.ts';

/** What a round came to. */
export type Round = {
  readonly world: World;
  readonly events: readonly RoundEvent[];
  /** Places that each player entered, in order. */
  readonly paths: BySeat<readonly Place[]>;
  /** What each of those who were not hidden could be seen doing at the end of the round. */
  readonly deeds: BySeat<Deed>;
  /** What each of the living saw. */
  readonly seen: BySeat<readonly Sight[]>;
  /** The call that interrupts the game; null when there is none, or when the game is over. */
  readonly call: Call | null;
  readonly ending: Ending | null;
};

/** Plays a round. Orders are in the order of the seats; the draws are below 2^32, one for each seat. */
export function resolved(before: World, orders: readonly Order[], draws: BySeat<number>): Round {
  const draft = drafted(before, draws);
  attend(draft, orders);
  adopt(draft, orders);
  kill(draft);
  sabotage(draft);
  walk(draft);
  work(draft);
  const call = called(draft);
  // Before the clocks: doors that open when the round is over were shut in it.
  const seen = sights(draft);
  tick(draft);
  for (const seat of draft.finished) change(draft, seat, { intent: null });
  const ending = victory(draft.world, lossesOf(draft));
  const { events, paths, deeds } = draft;
  const world = { ...draft.world, asks: asked(draft, seen) };
  return { world, events, paths, deeds, seen, call: ending === null ? call : null, ending };
}

/** What can have taken somebody from the living in this round: nobody kills an impostor. */
function lossesOf({ events }: Draft): Losses {
  const hasKill = events.some(({ type }) => type === 'player.killed');
  return { impostor: 'disconnect', crewmate: hasKill ? 'kills' : 'disconnect' };
}
