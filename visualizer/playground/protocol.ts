import type { Colour, Note, RuleSet, Temperament } from '../../machines/types.ts';
import type { Stepped } from '../charts/moves.ts';
import type { breakRule, proveMeetings } from './checking.ts';

export type ForkChange = {
  /** A tick of the first meeting ("12"), of another one ("2:12", counted from 1), or a round ("round:30"). */
  readonly at: string;
  readonly player: Colour;
  readonly does:
    | { readonly type: 'say'; readonly words: string }
    | { readonly type: 'fall-silent' }
    | { readonly type: 'turn'; readonly temperament: Temperament };
};

/** A match as the address names it: from it follows every byte of its journal. */
export type MatchChoice = {
  /** The match as a file would have it: `matchSchema` reads it in the worker. */
  readonly match: object;
  readonly seed: number;
  /** Options that differ from the file, by their file names. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Each fork applies to the result of the one before. */
  readonly forks: readonly ForkChange[];
};

export type PlayedChoice = {
  readonly journal: string;
  /** What the machines did at each line. */
  readonly stepped: readonly Stepped[];
  /** A sentence that compares the last fork with its original, or null. */
  readonly comparison: string | null;
  readonly ms: number;
};

export type ProofResult = Awaited<ReturnType<typeof proveMeetings>>;
export type MistakeResult = NonNullable<ReturnType<typeof breakRule>>;

export type ToSiteWorker =
  | { readonly type: 'play'; readonly choice: MatchChoice }
  | { readonly type: 'prove'; readonly players: number }
  | { readonly type: 'break'; readonly mistake: string }
  | { readonly type: 'list-mistakes' };

export type FromSiteWorker =
  | { readonly type: 'played'; readonly played: PlayedChoice }
  | { readonly type: 'refused'; readonly notes: readonly Note[] }
  | {
      readonly type: 'searching';
      readonly rules: RuleSet;
      readonly states: number;
      readonly transitions: number;
    }
  | { readonly type: 'trying'; readonly world: string }
  | { readonly type: 'proved'; readonly result: ProofResult }
  | { readonly type: 'broken'; readonly result: MistakeResult }
  | { readonly type: 'mistakes'; readonly mistakes: readonly string[] };

export type SiteMatch = {
  readonly id: string;
  readonly kind: 'game' | 'meeting';
  readonly match: { readonly name: string; readonly about: string };
};
