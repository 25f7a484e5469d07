/** A plan: what a run plays, and what comes of each game. All of it is plain data, so that it can go to other threads. */
import type { GameMatch } from '../../machines/setup/match.ts';
import type { Colour } from '../../machines/types.ts';
import type { GameFinish } from '../engine/match.ts';

export type Plan = {
  readonly lobby: GameMatch;
  readonly seed: number;
  /** How many games there are. */
  readonly games: number;
  /** Where the journals go, as a path without the last part; null writes none. */
  readonly folder: string | null;
};

/** A game that was played to its end, or as far as it was allowed to. */
export type PlayedGame = GameFinish & {
  readonly type: 'played';
  /** Its number in the run, from 1. */
  readonly game: number;
  readonly seed: number;
  readonly impostors: readonly Colour[];
  readonly journal: string | null;
};

/** A game that broke down: a mistake of the program, a thread that died, or a disk that takes no more. */
export type LostGame = {
  readonly type: 'lost';
  readonly game: number;
  readonly seed: number;
  readonly why: 'broken' | 'cannot-write';
  readonly text: string;
};

export type Outcome = PlayedGame | LostGame;

/** Digits of the shortest name, so that a run of a few games and one of a thousand look alike. */
const DIGITS = 4;

/** The name of the journal of a game, so that names sort as games do. */
export function journalName(game: number, games: number): string {
  return `${String(game).padStart(Math.max(DIGITS, String(games).length), '0')}.jsonl`;
}
