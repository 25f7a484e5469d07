/**
 * The moment: what one player knows when they are asked on the ship, gathered so that every rule reads the same.
 *
 * A rule looks at the moment and makes a move or leaves it to the next rule. Nothing here comes from anywhere but the
 * player's own view and dice.
 */
import type { Intent } from '../../../../machines/rules/ship/intent.ts';
import { distance, nextStep } from '../../../../machines/rules/ship/map.ts';
import type { ActionView, Scene } from '../../../../machines/rules/ship/views.ts';
import type { Colour, Place } from '../../../../machines/types.ts';
import { type Chance, fraction } from '../chance.ts';
import { leisure, type Nerves } from './nerves.ts';
import type { Musing } from './thoughts.ts';

export type Moment = {
  readonly view: ActionView;
  readonly scene: Scene;
  readonly nerves: Nerves;
  /** Falls anew each round. */
  readonly chance: Chance;
  /** Falls once for the game: likings and habits. */
  readonly settled: Chance;
  /** Those at the own place who are no partners in crime. */
  readonly others: readonly Colour[];
};

/** What a player does next, null to go on, and what they think of it. */
export type Move = Musing & { readonly action: Intent | null };

export type Rule = (at: Moment) => Move | null;

/** The first rule that has something to say. */
export function firstMove(at: Moment, rules: readonly Rule[]): Move {
  for (const rule of rules) {
    const move = rule(at);
    if (move !== null) return move;
  }
  return { action: { type: 'wait', rounds: 2 }, theme: 'rests' };
}

/** Lanes of the dice of a round. Lanes of the settled dice are counted on from `HABIT`. */
export const LANE = {
  thought: 0,
  duty: 1,
  company: 2,
  curious: 3,
  pause: 4,
  stroll: 5,
  button: 6,
  kill: 7,
  sabotage: 8,
  system: 9,
  report: 10,
  vent: 11,
  ventChoice: 12,
  doors: 13,
  pretend: 14,
  hunt: 15,
  double: 16,
  wary: 17,
} as const;
export const HABIT = { task: 0, hunch: 32 } as const;

/** Whether something that happens in this share of moments happens now. */
export function happens(at: Moment, lane: number, share: number): boolean {
  return share > 0 && fraction(at.chance, lane) < share;
}

/** The same for what players take their time for: the more there are, the longer. */
export function isFreeTo(at: Moment, lane: number, share: number): boolean {
  return happens(at, lane, share * leisure(at.scene.seats.length));
}

export function stepsTo({ view, scene }: Moment, place: Place): number {
  return distance(view.map, scene.place, place);
}

/** Whether there is a way that no shut door bars. */
export function isReachable({ view, scene }: Moment, place: Place): boolean {
  if (place === scene.place) return true;
  return nextStep(view.map, scene.place, place, scene.shut) !== null;
}

/** Shut in: nobody comes or goes until the doors open. */
export function isShutIn({ scene }: Moment): boolean {
  return scene.shut.some((room) => room === scene.place);
}

/** Those who were alive after the last meeting and are not known to be dead since. */
export function livingKnown(at: Moment): readonly Colour[] {
  const { scene, view } = at;
  const { memory } = view.you;
  return scene.seats.filter(
    (seat) =>
      !memory.some(({ who, did }) => did === 'dead' && who === seat) &&
      !scene.bodies.some(({ victim }) => victim === seat),
  );
}
