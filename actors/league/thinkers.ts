/** The port of a league's language models: who thinks for the seats of one game, and when it has to be broken off. */
import type { ReflectionView } from '../../prompts/reflection.ts';
import type { Recorder } from '../engine/journal/recorder.ts';
import type { ModelMinds } from '../minds/kinds.ts';
import type { Counters } from '../stores/result.ts';
import type { AssignedSeat } from './assignment.ts';

/** The models of one game. */
export type Thinkers = {
  readonly minds: ModelMinds;
  /** The game is on: it can be broken off, and takes notes of requests. */
  attach(game: { pause(): void }, recorder: Recorder): void;
  /** Why the game was broken off; null when it was not. */
  paused(): string | null;
  /** Asks the model of a seat what it wants to keep after the game. */
  reflect(seat: AssignedSeat, view: ReflectionView): Promise<Reflected>;
};

export type Reflected = {
  /** Null when it did not say. */
  readonly learned: readonly string[] | null;
  /** What asking has cost, by the names of tallies. */
  readonly cost: Counters;
};

/** Where the journal of a game goes while it is played, and what an earlier attempt has left there. */
export type Tape = {
  readonly past: string;
  /** Forgets what is there: the game begins anew. */
  begin(): void;
  write(text: string): void;
};
