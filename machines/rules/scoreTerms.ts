/**
 * The terms of the priority score, one row each. Everything that writes, reads, explains or shows a score goes through
 * this table; `floor.ts` has the rule of each term.
 */

import type { Colour } from '../types.ts';

export type TermRow = {
  /** The name in our code and in journals. */
  readonly key: string;
  /** The name in files and tables. */
  readonly yaml: string;
  /** Penalties are written as negative numbers. */
  readonly sign: '+' | '-';
  /** The default weight; null for a term that has none. */
  readonly weight: number | null;
  /** Whether the weight can stand between a silent player and the best-placed rival, and so belongs to Δ (`weights.ts`). */
  readonly isInSpread: boolean;
  /** The name on screens. */
  readonly label: string;
  /** What it means, for documents and editors. */
  readonly help: string;
  /** What players are told. */
  readonly told: string;
};

export const SCORE_TERMS = [
  {
    key: 'desire',
    yaml: 'desire',
    sign: '+',
    weight: null,
    isInSpread: false,
    label: 'desire',
    help: 'How much the player wants to speak, from 0 to 10',
    told: 'your desire_to_speak',
  },
  {
    key: 'mention',
    yaml: 'mention',
    sign: '+',
    weight: 2,
    isInSpread: true,
    label: 'named',
    help: 'For a player who was named and has not spoken since',
    told: 'a boost if your name appeared in recent messages',
  },
  {
    key: 'accusation',
    yaml: 'accusation',
    sign: '+',
    weight: 3,
    isInSpread: true,
    label: 'accused',
    help: 'For a player who was accused and has not spoken since',
    told: 'one if you were directly targeted or accused',
  },
  {
    key: 'silence',
    yaml: 'silence',
    sign: '+',
    weight: null,
    isInSpread: false,
    label: 'silence',
    help: 'For a player who has been silent; it grows with every tick',
    told: 'one that grows with every tick of your silence',
  },
  {
    key: 'die',
    yaml: 'die',
    sign: '+',
    weight: null,
    isInSpread: false,
    label: 'die',
    help: 'A die from 1 to 6',
    told: 'a die from 1 to 6',
  },
  {
    key: 'recentSpeaker',
    yaml: 'recent_speaker',
    sign: '-',
    weight: 4,
    // A player who has been silent for long did not just speak.
    isInSpread: false,
    label: 'just spoke',
    help: 'Against the player who spoke last',
    told: 'a penalty if you just spoke',
  },
  {
    key: 'voted',
    yaml: 'voted',
    sign: '-',
    weight: 1,
    isInSpread: true,
    label: 'voted',
    help: 'Against a player who has voted',
    told: 'a small one if you already voted',
  },
] as const satisfies readonly TermRow[];

export type ScoreRow = (typeof SCORE_TERMS)[number];
export type ScoreTerm = ScoreRow['key'];
/** A term whose weight can be set. */
export type WeightedRow = Extract<ScoreRow, { readonly weight: number }>;
export type WeightedTerm = WeightedRow['key'];

/** The priority of one bid: each term, and their sum. Penalties are negative. */
export type Score = Readonly<Record<ScoreTerm, number>> & {
  readonly seat: Colour;
  readonly total: number;
  /** Ticks since this player last spoke. */
  readonly silentTicks: number;
  /** Had locked a ballot before the tick; settles ties even where the penalty is 0. */
  readonly hasVoted: boolean;
  /** The silence boost alone outweighs every rival: even a blank bid competes now (ruling 9). */
  readonly calledOn: boolean;
  /** Whether this bid can win the floor in this tick. */
  readonly eligible: boolean;
};
