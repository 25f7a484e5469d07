/** Identity: who plays, beyond this game. What a player knows of this game is in their view. */
import type { Level } from '../machines/types.ts';

export type Identity = {
  readonly level: Level;
  /** What was learned in earlier games, in the player's own words. */
  readonly learned: readonly string[];
  /** Who they are and how they think. */
  readonly character: string;
  /** How they talk. */
  readonly voice: string;
  /** Names the game to the provider, so that its players share a cache. It is not part of the text. */
  readonly game: string;
};

/** Lessons that a prompt holds, and the characters of each. */
export const MOST_LESSONS = 10;
export const LONGEST_LESSON = 200;
