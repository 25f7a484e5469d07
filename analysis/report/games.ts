/** Figures of all decided games together: ratings, wins, predictions, and the games needed. */

import { findMedian, Z } from '../counts/numeric.ts';
import {
  type LeagueRatings,
  MIDDLE,
  type PairedGame,
  rateLeague,
  SCALE,
} from '../league/ratings.ts';
import { FEW_GAMES } from '../league/shares.ts';
import type { PersonaRating, Rating } from '../league/types.ts';
import { type Bounds, boundMean, boundShare, type RatioSummary, summariseGames } from './ledger.ts';

export const RATED_ROLES = ['overall', 'impostor', 'crewmate'] as const;
export type RatedRole = (typeof RATED_ROLES)[number];

/** The chance of the impostors. The game need not be among the rated ones. */
function predictImpostors(
  { personas, sides }: LeagueRatings,
  { impostors, crew }: Pick<PairedGame, 'impostors' | 'crew'>,
): number {
  const mean = (side: readonly number[], role: 'impostor' | 'crewmate') =>
    side.reduce((sum, one) => sum + ((personas[one]?.[role].value ?? MIDDLE) - MIDDLE), 0) /
    (SCALE * side.length);
  const equal = Math.log(sides.value / (1 - sides.value));
  return 1 / (1 + Math.exp(-(equal + mean(impostors, 'impostor') - mean(crew, 'crewmate'))));
}

/** The share of the seeds, in reading order, whose games are fitted. */
const FITTED = 0.7;
/** With fewer games, neither part is useful. */
const FEWEST_FITTED = 20;
const FEWEST_PREDICTED = 10;
const BINS = 5;

export type BoundedRatio = { readonly summary: RatioSummary; readonly bounds: Bounds | null };

/** Fits the first games and predicts the others; null with too few games. */
export function predictHeldOut(games: readonly PairedGame[], personas: number) {
  const seeds = [...new Set(games.map(({ pair }) => pair))];
  const early = new Set(seeds.slice(0, Math.floor(FITTED * seeds.length)));
  const fitted = games.filter(({ pair }) => early.has(pair));
  const held = games.filter(({ pair }) => !early.has(pair));
  if (fitted.length < FEWEST_FITTED || held.length < FEWEST_PREDICTED) return null;
  const ratings = rateLeague(fitted, personas);
  const usual = fitted.filter(({ impostorsWon }) => impostorsWon).length / fitted.length;
  const chances = held
    .map((game) => ({
      pair: game.pair,
      chance: predictImpostors(ratings, game),
      won: Number(game.impostorsWon),
    }))
    .toSorted((one, other) => one.chance - other.chance);
  type Predicted = (typeof chances)[number];
  const summarise = (games: readonly Predicted[], of: (game: Predicted) => number) =>
    summariseGames(games.map((game) => ({ pair: game.pair, value: of(game) })));
  const error = ({ chance, won }: Predicted) => (chance - won) ** 2;
  const usualError = ({ won }: Predicted) => (usual - won) ** 2;
  const mean = (of: (game: Predicted) => number): BoundedRatio => {
    const summary = summarise(chances, of);
    return { summary, bounds: boundMean(summary) };
  };
  const bins = Array.from({ length: BINS }, (_, bin) => {
    const own = chances.filter((__, index) => Math.floor((index * BINS) / chances.length) === bin);
    const observed = summarise(own, ({ won }) => won);
    const predicted = { summary: summarise(own, ({ chance }) => chance), bounds: null };
    return { predicted, observed: { summary: observed, bounds: boundShare(observed) } };
  });
  return {
    fitted: fitted.length,
    predicted: held.length,
    /** The mean squared error of the ratings, and of the fitted games' share alone. */
    brier: mean(error),
    baseline: mean(usualError),
    gain: mean((game) => usualError(game) - error(game)),
    /** Equal parts of the games, the least probable first. */
    bins,
  };
}

/** The difference to detect, in points (Cohen 1988). */
export const TOLD_APART = 50;
/** 1.96 standard errors for a false alarm in 20, and 0.84 for detection in 4 of 5 cases. */
const REACH = Z + 0.841621;

export type RatingPower = NonNullable<ReturnType<typeof powerOf>>;

export function powerOf(personas: readonly PersonaRating[], games: number, role: RatedRole) {
  const error = medianError(personas, role);
  /** The prior variance of a difference of two skills, in square points. */
  const prior = (role === 'overall' ? 1 : 2) * SCALE ** 2;
  const information = error === null ? 0 : 1 / error ** 2 - 1 / prior;
  if (error === null || information <= 0) return null;
  const tell = (count: number) => REACH / Math.sqrt((information * count) / games + 1 / prior);
  const needed = Math.ceil((games * ((REACH / TOLD_APART) ** 2 - 1 / prior)) / information);
  return {
    role,
    /** The least difference detected in 4 of 5 cases, in points, now and with more games. */
    now: REACH * error,
    curve: CURVE.map((factor) => {
      const count = Math.round(factor * games);
      return { games: count, points: tell(count) };
    }),
    /** Games in all that detect 50 points, and the missing ones. */
    needed,
    more: Math.max(0, needed - games),
  };
}

const CURVE = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8];

function medianError(personas: readonly PersonaRating[], role: RatedRole): number | null {
  const count = personas.length;
  if (count < 2) return null;
  const variance = ({ least, most }: Rating) => ((most - least) / (2 * Z)) ** 2;
  const errors = personas.flatMap((one, index) =>
    personas.slice(index + 1).map((other) =>
      // Both are relative to a mean that includes them.
      Math.sqrt(((variance(one[role]) + variance(other[role])) * count) / (count - 1)),
    ),
  );
  return findMedian(errors);
}

export const isFew = (clusters: number) => clusters < FEW_GAMES;
