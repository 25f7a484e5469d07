/** The port of a league's language models: who thinks for the seats of one game, and when it has to be broken off. */
import type { ReflectionView } from '../../prompts/reflection.ts';
import type { Recorder } from '../journal/recorder.ts';
import type { ModelMinds } from '../seating.ts';
import type { AssignedSeat } from './assignment.ts';

/** The models of one game. */
export type Thinkers = {
  readonly minds: ModelMinds;
  /** The game is on: it can be broken off, and takes notes of requests. */
  attach(game: { pause(): void }, recorder: Recorder): void;
  /** Why the game was broken off; null when it was not. */
  paused(): string | null;
  /** What the model of a seat wants to keep after the game; null when it did not say. */
  reflect(seat: AssignedSeat, view: ReflectionView): Promise<readonly string[] | null>;
};

/** Where the journal of a game goes while it is played, and what an earlier attempt has left there. */
export type Tape = {
  readonly past: string;
  /** Forgets what is there: the game begins anew. */
  begin(): void;
  write(text: string): void;
};
