/**
 * The moment: what one player knows when they are asked on the ship, gathered so that every rule reads the same.
 *
 * A rule looks at the moment and makes a move or leaves it to the next rule. Nothing here comes from anywhere but the
 * player's own view and dice.
 */

import { distance, nextStep } from '../../../../machines/rules/ship/map.ts';
import type { Intent } from '../../../../machines/rules/ship/orders.ts';
import type { ActionView, Scene } from '../../../../machines/rules/ship/views.ts';
import { COLOURS, type Colour, type Place } from '../../../../machines/types.ts';
import { type Chance, fraction } from '../chance.ts';
import { type Past, pastOf } from '../memory.ts';
import { leisure, type Nerves } from '../traits.ts';
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

/* Suspicion on the ship: whom one caught, whom one would not be alone with, and whom one trusts. */

/** Suspicion out of nothing is below this. */
const HUNCH = 0.35;
/** Added for a name that the notebook says to watch. */
const WATCHED = 0.4;
const CERTAIN = 1;
/** Taken off for somebody whom the notebook or a visual task clears. */
const CLEARED = 0.5;

/** A living player whom one saw kill or use a vent since the last meeting; null when there is none. */
export function caught({ view, scene }: Moment): Colour | null {
  const { memory, colour } = view.you;
  for (const { who, did } of memory) {
    if ((did === 'kill' || did === 'vent') && who !== colour && scene.seats.includes(who)) {
      return who;
    }
  }
  return null;
}

/** From 0 to 1: how much one would rather not be alone with somebody. */
export function suspicion(at: Moment, who: Colour): number {
  const { memory, pads } = at.view.you;
  let level = fraction(at.settled, HABIT.hunch + COLOURS.indexOf(who)) * HUNCH;
  const past = pastIn(pads.main);
  if (past.watched.has(who)) level += WATCHED;
  if (past.cleared.has(who)) level -= CLEARED;
  for (const sight of memory) {
    if (sight.who !== who) continue;
    if (sight.did === 'kill' || sight.did === 'vent') return CERTAIN;
    if (sight.did === 'visual') level -= CLEARED;
  }
  return Math.max(0, level);
}

/** The living player whom the notebook says to watch; null when it names nobody. */
export function watchedOne(at: Moment): Colour | null {
  const { watched } = pastIn(at.view.you.pads.main);
  return at.scene.seats.find((seat) => watched.has(seat)) ?? null;
}

/** Whom one likes best of those around; null when all of them are suspects. */
export function friend(at: Moment): Colour | null {
  let best: Colour | null = null;
  let least = at.nerves.wary;
  for (const who of at.scene.company) {
    const level = suspicion(at, who);
    if (level < least) [best, least] = [who, level];
  }
  return best;
}

/** Pages that were read lately. A page says the same whoever reads it, so this saves work and changes nothing. */
const READ = new Map<string, Past>();
const MOST_READ = 64;

function pastIn(page: string): Past {
  const known = READ.get(page);
  if (known !== undefined) return known;
  if (READ.size >= MOST_READ) READ.clear();
  const past = pastOf(page);
  READ.set(page, past);
  return past;
}
