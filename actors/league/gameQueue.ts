/** The queue of a league: who plays the games that are due. In this process, or on any number of machines. */
import type { Assignment } from './assignment.ts';
import type { SlotOutcome } from './playing.ts';

export type GameQueue = {
  /**
   * Plays games. Whoever has played one records it; `heard` is told afterwards. Kept when all are over: each has a
   * result then, was told as lost, or was not begun because of `stop`.
   */
  play(games: readonly Assignment[], heard: (outcome: SlotOutcome) => void): Promise<void>;
  /** Begins no other game; those that are on are played to their end. */
  stop(): void;
  close(): Promise<void>;
};

/** Where journals stay: called before the result of a game is recorded. */
export type JournalKeeper = (slot: number, text: string) => Promise<void>;

/** Times that a game is begun before it is given up. */
export const MOST_ATTEMPTS = 3;
