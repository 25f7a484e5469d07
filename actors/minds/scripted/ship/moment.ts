/** The moment: a player's knowledge when asked on the ship, gathered once so that all rules read the same. */

import { impostorsRemaining } from '../../../../machines/rules/record.ts';
import { distance, nextStep } from '../../../../machines/rules/ship/map.ts';
import type { Intent } from '../../../../machines/rules/ship/orders.ts';
import type { ActionView, ShipScene } from '../../../../machines/rules/ship/views.ts';
import { COLOURS, type Colour, type Place } from '../../../../machines/types.ts';
import { drawFraction, type MindChance } from '../chance.ts';
import { readPast } from '../memory.ts';
import { growIdleTime, type ShipTraits } from '../traits.ts';
import type { ShipThought } from './thoughts.ts';

export type ShipMoment = {
  readonly view: ActionView;
  readonly scene: ShipScene;
  readonly traits: ShipTraits;
  /** Drawn anew each round. */
  readonly chance: MindChance;
  /** Drawn once for the game: likings and habits. */
  readonly settled: MindChance;
  /** Players here who are no partners. */
  readonly others: readonly Colour[];
};

/** A player's next action (null: go on) and their thought about it. */
export type ShipMove = ShipThought & { readonly action: Intent | null };

export type ShipRule = (at: ShipMoment) => ShipMove | null;

export function pickMove(at: ShipMoment, rules: readonly ShipRule[]): ShipMove {
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
  wary: 17,
} as const;
export const HABIT = { task: 0, hunch: 32, plan: 64 } as const;

export function happens(at: ShipMoment, lane: number, share: number): boolean {
  return share > 0 && drawFraction(at.chance, lane) < share;
}

/** The same for optional moves: safe crewmates take more time, impostors never do. */
export function isFreeTo(at: ShipMoment, lane: number, share: number): boolean {
  return happens(at, lane, Math.min(MOST_FREE_SHARE, share * countLeisure(at)));
}

const MOST_FREE_SHARE = 0.85;

export function countLeisure({ scene, view }: ShipMoment): number {
  if (view.you.role === 'impostor') return 1;
  return growIdleTime(scene.seats.length, countImpostors({ view }));
}

export function countImpostors({ view }: Pick<ShipMoment, 'view'>): number {
  const { you, scene, record, options } = view;
  if (you.role === 'crewmate') return Math.max(1, impostorsRemaining(record) ?? options.impostors);
  return 1 + you.partners.filter((who) => scene.seats.includes(who)).length;
}

export function countStepsTo({ view, scene }: ShipMoment, place: Place): number {
  return distance(view.map, scene.place, place);
}

export function isReachable({ view, scene }: ShipMoment, place: Place): boolean {
  if (place === scene.place) return true;
  return nextStep(view.map, scene.place, place, scene.shut) !== null;
}

export function isShutIn({ scene }: ShipMoment): boolean {
  return scene.shut.some((room) => room === scene.place);
}

/** Those who were alive after the last meeting and are not known to be dead since. */
export function listKnownLiving(at: ShipMoment): readonly Colour[] {
  const { scene, view } = at;
  const { memory } = view.you;
  return scene.seats.filter(
    (seat) =>
      !memory.some(({ who, did }) => did === 'dead' && who === seat) &&
      !scene.bodies.some(({ victim }) => victim === seat),
  );
}

const MOST_HUNCH = 0.35;
const WATCHED = 0.4;
const CERTAIN = 1;
/** Subtracted for a player whom the notebook or a visual task clears. */
const CLEARED = 0.5;

export function findCulprit({ view, scene }: ShipMoment): Colour | null {
  const { memory, colour } = view.you;
  const crime = memory.find(
    ({ who, did }) =>
      (did === 'kill' || did === 'vent') && who !== colour && scene.seats.includes(who),
  );
  return crime?.who ?? null;
}

/** From 0 to 1: how much one would rather not be alone with somebody. */
export function weighSuspicion(at: ShipMoment, who: Colour): number {
  const { memory, pads } = at.view.you;
  let level = drawFraction(at.settled, HABIT.hunch + COLOURS.indexOf(who)) * MOST_HUNCH;
  const past = readPast(pads.main);
  if (past.watched.has(who)) level += WATCHED;
  if (past.cleared.has(who) || past.proven.has(who)) level -= CLEARED;
  for (const sight of memory) {
    if (sight.who !== who) continue;
    if (sight.did === 'kill' || sight.did === 'vent') return CERTAIN;
    if (sight.did === 'visual') level -= CLEARED;
  }
  return Math.max(0, level);
}

export function findWatched(at: ShipMoment): Colour | null {
  const { watched } = readPast(at.view.you.pads.main);
  return at.scene.seats.find((seat) => watched.has(seat)) ?? null;
}

/** Whom one likes best of those around, partners in crime left out; null when all of them are suspects. */
export function findFriend(at: ShipMoment): Colour | null {
  let best: Colour | null = null;
  let least = at.traits.wary;
  for (const who of at.others) {
    const level = weighSuspicion(at, who);
    if (level < least) [best, least] = [who, level];
  }
  return best;
}
