/**
 * Nerves: temperaments on the ship, as numbers. How dutiful, sociable and wary a crewmate is, and how bold an impostor.
 *
 * All numbers by which the action phase is balanced stand here; shares are from 0 to 1.
 */
import type { Temperament } from '../../../../machines/types.ts';

export type Nerves = {
  /** Steps that one walks to mend what can kill everybody, without thinking twice; half of it for lights. */
  readonly duty: number;
  /** Share of free moments that are spent with somebody who is trusted. */
  readonly sociable: number;
  /** Suspicion from which one does not stay alone with somebody. */
  readonly wary: number;
  /** Share of free moments that are spent at the cameras or the Admin table, when they are near. */
  readonly curious: number;
  /** Share of free moments in which one only looks around. */
  readonly dawdling: number;
  /** Share of free moments in which a suspicion alone is worth the button, once the tasks are done. */
  readonly insistent: number;
  /** Share of chances to kill a lone player that an impostor takes. */
  readonly bold: number;
  /** What is left of that share for each player who might walk in. */
  readonly reckless: number;
  /** Share of free moments in which an impostor breaks something. */
  readonly saboteur: number;
  /** Share of own kills that an impostor reports when nobody has come yet. */
  readonly brazen: number;
  /** Share of escapes that are made through a vent, where there is one and nobody looks. */
  readonly slippery: number;
};

/** From so many living on free moments grow, with the square of the crowd: there are more people to look at. */
const CROWD = 8;
/** The most by which they grow. */
const MOST_LEISURE = 2;

/** How much more time players take for themselves among so many living. */
export function leisure(living: number): number {
  return Math.min(MOST_LEISURE, Math.max(1, (living / CROWD) ** 2));
}

export const NERVES: Readonly<Record<Temperament, Nerves>> = {
  leader: {
    duty: 4,
    sociable: 0.19,
    wary: 0.6,
    curious: 0.15,
    dawdling: 0.22,
    insistent: 0.3,
    bold: 0.6,
    reckless: 0.4,
    saboteur: 0.25,
    brazen: 0.16,
    slippery: 0.35,
  },
  observer: {
    duty: 4,
    sociable: 0.1,
    wary: 0.5,
    curious: 0.47,
    dawdling: 0.31,
    insistent: 0.1,
    bold: 0.5,
    reckless: 0.2,
    saboteur: 0.22,
    brazen: 0.06,
    slippery: 0.5,
  },
  accuser: {
    duty: 3,
    sociable: 0.1,
    wary: 0.45,
    curious: 0.23,
    dawdling: 0.18,
    insistent: 0.5,
    bold: 0.75,
    reckless: 0.5,
    saboteur: 0.29,
    brazen: 0.2,
    slippery: 0.35,
  },
  joker: {
    duty: 2,
    sociable: 0.24,
    wary: 0.75,
    curious: 0.23,
    dawdling: 0.48,
    insistent: 0.2,
    bold: 0.75,
    reckless: 0.6,
    saboteur: 0.36,
    brazen: 0.2,
    slippery: 0.6,
  },
  follower: {
    duty: 4,
    sociable: 0.56,
    wary: 0.6,
    curious: 0.08,
    dawdling: 0.22,
    insistent: 0.05,
    bold: 0.5,
    reckless: 0.25,
    saboteur: 0.22,
    brazen: 0.06,
    slippery: 0.4,
  },
  sceptic: {
    duty: 3,
    sociable: 0.06,
    wary: 0.4,
    curious: 0.34,
    dawdling: 0.26,
    insistent: 0.35,
    bold: 0.55,
    reckless: 0.3,
    saboteur: 0.25,
    brazen: 0.1,
    slippery: 0.45,
  },
  diplomat: {
    duty: 4,
    sociable: 0.35,
    wary: 0.65,
    curious: 0.15,
    dawdling: 0.26,
    insistent: 0.1,
    bold: 0.5,
    reckless: 0.2,
    saboteur: 0.18,
    brazen: 0.12,
    slippery: 0.3,
  },
};
