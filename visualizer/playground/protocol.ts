import type { ByType, Colour, Note, RuleSet, Temperament } from '../../machines/types.ts';
import type { Stepped } from '../charts/moves.ts';
import type { breakRule, proveMeetings } from './checking.ts';

export type ForkChange = {
  /** A tick of the first meeting ("12"), of another one ("2:12", counted from 1), or a round ("round:30"). */
  readonly at: string;
  readonly player: Colour;
  readonly does: ByType<{
    say: { words: string };
    'fall-silent': object;
    turn: { temperament: Temperament };
  }>;
};

/** A match as the address names it: from it follows every byte of its journal. */
export type MatchChoice = {
  /** The match as a file would have it: `matchSchema` reads it in the worker. */
  readonly match: object;
  readonly seed: number;
  /** Options that differ from the file, by their file names. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly forks: readonly ForkChange[];
};

export type PlayedChoice = {
  readonly journal: string;
  readonly stepped: readonly Stepped[];
  /** A sentence that compares the last fork with its original, or null. */
  readonly comparison: string | null;
};

export type ProofResult = Awaited<ReturnType<typeof proveMeetings>>;
export type MistakeResult = NonNullable<ReturnType<typeof breakRule>>;

export type ToSiteWorker = ByType<{
  play: { choice: MatchChoice };
  prove: { players: number };
  break: { mistake: string };
  'list-mistakes': object;
}>;

export type FromSiteWorker = ByType<{
  played: { played: PlayedChoice };
  refused: { notes: readonly Note[] };
  searching: { rules: RuleSet; states: number; transitions: number };
  trying: { world: string };
  proved: { result: ProofResult };
  broken: { result: MistakeResult };
  mistakes: { mistakes: readonly string[] };
}>;

export type SiteMatch = {
  readonly id: string;
  readonly kind: 'game' | 'meeting';
  readonly match: { readonly name: string; readonly about: string };
};
