/**
 * Comparisons: whether two of them differ, by how much, and how easily chance alone would make such a difference.
 *
 * Where the one has taken the other's seat in a mirrored game, seat is compared with seat: the same dice, the same
 * role, the same others. Without mirrors shares are compared role by role, as if all games were independent.
 */
import { fraction } from './ratings.ts';

export type Comparison = {
  /** How much more often the first one wins, as a share of games. */
  readonly difference: number;
  readonly least: number;
  readonly most: number;
  /** How often a difference at least as large comes about where there is none. */
  readonly p: number;
  /** Pairs of games, or games of both. */
  readonly cases: number;
  readonly isPaired: boolean;
};

/** A seat of a game, as far as it is compared. */
export type ComparedSeat = {
  readonly pair: number;
  readonly slot: number;
  readonly colour: string;
  readonly role: string;
  /** Which of the two sat there; null for anybody else. */
  readonly side: 0 | 1 | null;
  readonly won: boolean;
};

/** Standard deviations on either side that hold 95 of 100 cases. */
const Z = 1.959964;
const FLIPS = 2000;

/** Compares two sides over all seats of all games; null where one of them never played. */
export function compared(seats: readonly ComparedSeat[], seed: number): Comparison | null {
  const pairs = pairedMeans(seats);
  return pairs.length >= FEWEST_PAIRS ? paired(pairs, seed) : unpaired(seats);
}

const FEWEST_PAIRS = 2;

/** What each pair of games says: the mean difference from seat to seat. */
function pairedMeans(seats: readonly ComparedSeat[]): readonly number[] {
  const taken = seats.filter(({ side }) => side !== null);
  const groups = [...Map.groupBy(taken, ({ pair }) => pair)];
  return groups
    .toSorted(([one], [other]) => one - other)
    .flatMap(([, group]) => {
      const exchanged = group.flatMap((one) => {
        if (one.side !== 0) return [];
        const other = group.find(
          ({ side, slot, colour }) => side === 1 && slot !== one.slot && colour === one.colour,
        );
        return other === undefined ? [] : [Number(one.won) - Number(other.won)];
      });
      return exchanged.length === 0 ? [] : [mean(exchanged)];
    });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The seats of one pair of games are won and lost together: each pair counts as one case. */
function paired(pairs: readonly number[], seed: number): Comparison {
  const difference = mean(pairs);
  const spread = pairs.reduce((sum, pair) => sum + (pair - difference) ** 2, 0);
  const reach = Z * Math.sqrt(spread / (pairs.length - 1) / pairs.length);
  const total = Math.abs(difference * pairs.length) - SMALLEST;
  let asLarge = 0;
  for (let flip = 0; flip < FLIPS; flip++) {
    let sum = 0;
    for (const [index, pair] of pairs.entries()) {
      sum += fraction(seed, RESAMPLED + flip, index) < 0.5 ? pair : -pair;
    }
    if (Math.abs(sum) >= total) asLarge += 1;
  }
  return {
    difference,
    least: Math.max(-1, difference - reach),
    most: Math.min(1, difference + reach),
    p: (asLarge + 1) / (FLIPS + 1),
    cases: pairs.length,
    isPaired: true,
  };
}

/** Sums of shares are off by less than this. */
const SMALLEST = 1e-9;
/** Flips have draws of their own, behind those of resamples. */
const RESAMPLED = 2 ** 20;

function unpaired(seats: readonly ComparedSeat[]): Comparison | null {
  const roles = [...new Set(seats.map(({ role }) => role))].toSorted();
  const parts = roles.flatMap((role) => {
    const of = (wanted: 0 | 1) =>
      seats.filter((seat) => seat.side === wanted && seat.role === role);
    const [one, other] = [shareOf(of(0)), shareOf(of(1))];
    return one === null || other === null ? [] : [{ one, other }];
  });
  if (parts.length === 0) return null;
  // Each role counts for as many games as both have of it together.
  const games = parts.reduce((sum, { one, other }) => sum + one.games + other.games, 0);
  let difference = 0;
  let variance = 0;
  for (const { one, other } of parts) {
    const weight = (one.games + other.games) / games;
    difference += weight * (one.share - other.share);
    variance += weight ** 2 * (one.variance + other.variance);
  }
  const deviation = Math.sqrt(variance);
  return {
    difference,
    least: Math.max(-1, difference - Z * deviation),
    most: Math.min(1, difference + Z * deviation),
    p: deviation === 0 ? 1 : twoSided(difference / deviation),
    cases: games,
    isPaired: false,
  };
}

function shareOf(seats: readonly ComparedSeat[]) {
  const games = seats.length;
  if (games === 0) return null;
  const wins = seats.filter(({ won }) => won).length;
  // One win and one loss more keep a share of 0 or 1 from being certain.
  const share = (wins + 1) / (games + 2);
  return { games, share: wins / games, variance: (share * (1 - share)) / games };
}

/** How often a normal variable is at least so far out (Abramowitz and Stegun 7.1.26; off by less than 2 in 10^7). */
function twoSided(deviations: number): number {
  const x = Math.abs(deviations) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.min(1, series * Math.exp(-x * x));
}
