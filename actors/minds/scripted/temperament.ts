/**
 * Temperaments as numbers: how much each kind of player talks, believes, jokes, asks, and how long they wait to vote.
 */
import type { Temperament } from '../../../machines/types.ts';

export type Traits = {
  /** Added to every wish to speak, in points of desire. */
  readonly talk: number;
  /** Share of somebody's word that is believed, from 0 to 1. */
  readonly credulity: number;
  /** Ticks before the first vote is thinkable, for a table of four; larger tables wait longer. */
  readonly patience: number;
  /** Suspicion that is needed for a vote at the start of the meeting. */
  readonly resolve: number;
  /** Largest suspicion out of nothing, in points. */
  readonly hunch: number;
  /** How far a like or dislike raises or lowers the weight of somebody's word and of weak evidence, as a share of it. */
  readonly bias: number;
  /** Added when the act is of this kind, in points of desire. */
  readonly asking: number;
  readonly accusing: number;
  readonly vouching: number;
  readonly joking: number;
  readonly leading: number;
};

export const TRAITS: Readonly<Record<Temperament, Traits>> = {
  leader: {
    talk: 1,
    credulity: 0.7,
    patience: 6,
    resolve: 58,
    hunch: 4,
    bias: 0.6,
    asking: 2,
    accusing: 0,
    vouching: 0,
    joking: -3,
    leading: 3,
  },
  observer: {
    talk: -2,
    credulity: 0.55,
    patience: 8,
    resolve: 60,
    hunch: 2,
    bias: 0.4,
    asking: -1,
    accusing: 0,
    vouching: 1,
    joking: -2,
    leading: -3,
  },
  accuser: {
    talk: 1,
    credulity: 0.75,
    patience: 4,
    resolve: 44,
    hunch: 10,
    bias: 0.9,
    asking: 1,
    accusing: 2,
    vouching: -1,
    joking: -2,
    leading: 1,
  },
  joker: {
    talk: 0,
    credulity: 0.75,
    patience: 5,
    resolve: 50,
    hunch: 8,
    bias: 0.8,
    asking: 0,
    accusing: 0,
    vouching: 0,
    joking: 3,
    leading: -2,
  },
  follower: {
    talk: -1,
    credulity: 1,
    patience: 6,
    resolve: 48,
    hunch: 2,
    bias: 0.9,
    asking: -2,
    accusing: -1,
    vouching: 2,
    joking: -1,
    leading: -4,
  },
  sceptic: {
    talk: 0,
    credulity: 0.4,
    patience: 8,
    resolve: 56,
    hunch: 8,
    bias: 0.6,
    asking: 2,
    accusing: 1,
    vouching: -2,
    joking: -2,
    leading: -1,
  },
  diplomat: {
    talk: 0,
    credulity: 0.65,
    patience: 8,
    resolve: 62,
    hunch: 2,
    bias: 0.7,
    asking: 1,
    accusing: -1,
    vouching: 2,
    joking: -2,
    leading: 1,
  },
};
