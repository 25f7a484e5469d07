/**
 * The words in which promises about a game between its meetings are written.
 *
 * As with the promises of a meeting, each states the rule again and calls none of the rules: it looks at two worlds and
 * at what was told between them.
 */

import type { RoundEvent, RoundEventType } from '../../machines/rules/ship/draft.ts';
import type { GameCourse, GameFact } from '../../machines/rules/ship/game.ts';
import type { World } from '../../machines/rules/ship/world.ts';
import { COLOURS, type Colour, type Place } from '../../machines/types.ts';
import type { ShipEvent } from '../models/shipWorld.ts';
import { once } from './once.ts';

export type ShipRest = {
  readonly at: string;
  readonly context: GameCourse;
  readonly isDone: boolean;
};
export type ShipTurn = {
  readonly before: ShipRest;
  readonly event: ShipEvent;
  readonly after: ShipRest;
  readonly effects: readonly { readonly type: string; readonly params: unknown }[];
};

type Sentence = { readonly name: string; readonly sentence: string };
export type ShipPromise = Sentence &
  (
    | {
        readonly kind: 'always' | 'never' | 'sometimes';
        readonly holds: (rest: ShipRest) => boolean;
      }
    | {
        readonly kind: 'step';
        readonly when?: (turn: ShipTurn) => boolean;
        readonly holds: (turn: ShipTurn) => boolean;
      }
    | { readonly kind: 'deadlock-free' }
  );

/** The events of the round that was played in a turn. */
const happened = once(({ effects }: ShipTurn): readonly RoundEvent[] => {
  for (const { type, params } of effects) {
    if (type !== 'tell') continue;
    const { facts } = params as { readonly facts: readonly GameFact[] }; // its parameters
    for (const fact of facts) if (fact.type === 'round.closed') return fact.events;
  }
  return NOTHING;
});
const NOTHING: readonly RoundEvent[] = [];

export function eventsOf<T extends RoundEventType>(turn: ShipTurn, type: T) {
  return happened(turn).filter(
    (event): event is Extract<RoundEvent, { type: T }> => event.type === type,
  );
}

export const has = (type: RoundEventType) => (turn: ShipTurn) =>
  happened(turn).some((event) => event.type === type);
export const isRound = ({ event }: ShipTurn) => event.type === 'orders.gathered';
export const isMeetingOver = ({ event }: ShipTurn) => event.type === 'xstate.done.actor.sitting';
export const isCalled = (turn: ShipTurn) => isRound(turn) && turn.after.at === 'meeting';

export function worlds({ before, after }: ShipTurn): readonly [World, World] {
  return [before.context.world, after.context.world];
}

export function isImpostor({ ship }: World, seat: Colour): boolean {
  return ship.seats.some(({ colour, role }) => colour === seat && role === 'impostor');
}

export function living({ standings }: World, isOf: (seat: Colour) => boolean = () => true): number {
  return COLOURS.filter((seat) => standings[seat] === 'living' && isOf(seat)).length;
}

export function placeIn({ players }: World, seat: Colour): Place | undefined {
  return players[seat]?.place;
}

/** Rounds of so many seconds that are left when the round is over in which they began. */
export const leftOf = (seconds: number) => Math.ceil(seconds / 2.5) - 1;
