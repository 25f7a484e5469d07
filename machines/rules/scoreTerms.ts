/**
 * The terms of the priority score, one row each. All code that writes, reads, explains or shows a score uses this table.
 * `floor.ts` has the rule of each term.
 */

import type { Colour } from '../types.ts';

export type TermRow = {
  /** The name in code and journals. */
  readonly key: string;
  /** The name in files and analysis tables. */
  readonly yaml: string;
  /** Penalties are written as negative numbers. */
  readonly sign: '+' | '-';
  /** The default weight. Null for a term without one. */
  readonly weight: number | null;
  /** Whether the weight can separate a silent player from the best-placed rival and so is part of Δ (`weights.ts`). */
  readonly isInSpread: boolean;
  readonly label: string;
  /** For documents and editors. */
  readonly help: string;
  /** For the prompt. */
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
    told: 'desire_to_speak',
  },
  {
    key: 'mention',
    yaml: 'mention',
    sign: '+',
    weight: 2,
    isInSpread: true,
    label: 'named',
    help: 'For a player who was named and has not spoken since',
    told: 'recent mentions of you',
  },
  {
    key: 'accusation',
    yaml: 'accusation',
    sign: '+',
    weight: 3,
    isInSpread: true,
    label: 'addressed',
    help: 'For a player who was addressed and has not spoken since',
    told: 'recent words to you or against you',
  },
  {
    key: 'silence',
    yaml: 'silence',
    sign: '+',
    weight: null,
    isInSpread: false,
    label: 'silence',
    help: 'For a player who has been silent for longer than the grace; it grows with every tick',
    told: 'every tick of a long silence',
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
    told: 'having just spoken',
  },
  {
    key: 'voted',
    yaml: 'voted',
    sign: '-',
    weight: 1,
    isInSpread: true,
    label: 'voted',
    help: 'Against a player who has voted',
    told: 'having voted',
  },
] as const satisfies readonly TermRow[];

export type ScoreRow = (typeof SCORE_TERMS)[number];
export type ScoreTerm = ScoreRow['key'];
export type WeightedRow = Extract<ScoreRow, { readonly weight: number }>;
export type WeightedTerm = WeightedRow['key'];

/** The priority of one bid. Penalties are negative. */
export type Score = Readonly<Record<ScoreTerm, number>> & {
  readonly seat: Colour;
  readonly total: number;
  /** Ticks since this player last spoke. */
  readonly silentTicks: number;
  /** Had locked a ballot before the tick. It settles ties even if the penalty is 0. */
  readonly hasVoted: boolean;
  /** The silence boost alone outweighs every rival, so even a blank bid competes (ruling 9). */
  readonly calledOn: boolean;
  readonly eligible: boolean;
};
