/**
 * Ratings and comparisons of personas, from the results of games.
 *
 * One logistic model of all games: P(impostors win) = σ(β + mean skill of the impostors − mean skill of the crew). β is
 * what the rules give to one side, so it leaks into no persona's skill. A ridge keeps personas with few games near the
 * middle. Intervals come from fitting the games again, drawn with replacement, mirrored pairs together. The draws are
 * seeded and the order of the games makes no difference, so the same results give the same ratings to the last digit.
 */
import { drawWords } from '../../machines/rules/dice.ts';
import type { Comparison, PersonaRating, Rating } from './types.ts';

export type LeagueRatings = {
  readonly personas: readonly PersonaRating[];
  /** What the rules give to the impostors against an equal crew, as a share of games. */
  readonly sides: Rating;
};

/** A game, and the pair that it belongs to. */
export type PairedGame = RatedGame & { readonly pair: number };

const RESAMPLES = 200;

const MIDDLE = 1500;

/** Points for odds of ten to one, as in chess. */
const POINTS = 400;

const SCALE = POINTS / Math.LN10;

/** Share of resamples outside the interval, on each side. */
const TAIL = 0.025;

/** The ratings of `personas` personas. The order of the games makes no difference. */
export function rateLeague(
  games: readonly PairedGame[],
  personas: number,
  seed: number,
): LeagueRatings {
  const inOrder = games.toSorted((one, other) => (gameKey(one) < gameKey(other) ? -1 : 1));
  const model = buildDesign(inOrder, personas);
  const best = fit(model, null, null);
  const drawn = drawResamples(inOrder, seed).map((weights) => fit(model, weights, best));
  const rating = (
    of: (skills: Float64Array) => number,
    shown: (skill: number) => number,
  ): Rating => {
    const values = drawn.map(of).toSorted((one, other) => one - other);
    const at = (share: number) => values[Math.round(share * (values.length - 1))] ?? of(best);
    return { value: shown(of(best)), least: shown(at(TAIL)), most: shown(at(1 - TAIL)) };
  };
  const points = (skill: number) => MIDDLE + SCALE * skill;
  const impostor = (persona: number) => (skills: Float64Array) => skills[1 + persona] ?? 0;
  const crew = (persona: number) => (skills: Float64Array) => skills[1 + personas + persona] ?? 0;
  return {
    personas: Array.from({ length: personas }, (_, persona) => {
      const [asImpostor, asCrew] = [impostor(persona), crew(persona)];
      return {
        impostor: rating(asImpostor, points),
        crewmate: rating(asCrew, points),
        overall: rating((skills) => (asImpostor(skills) + asCrew(skills)) / 2, points),
      };
    }),
    sides: rating(
      (skills) => skills[0] ?? 0,
      (skill) => 1 / (1 + Math.exp(-skill)),
    ),
  };
}

/** Tells games apart by what they are, wherever they stand in a list. */
function gameKey({ pair, impostors, crew, impostorsWon }: PairedGame): string {
  return JSON.stringify([pair, impostors, crew, impostorsWon]);
}

/** How often each game counts in each resample. */
function drawResamples(games: readonly PairedGame[], seed: number): readonly Float64Array[] {
  const pairs = [...Map.groupBy(games.keys(), (index) => games[index]?.pair).values()];
  return Array.from({ length: RESAMPLES }, (_, resample) => {
    const weights = new Float64Array(games.length);
    for (let index = 0; index < pairs.length; index++) {
      const drawn = pairs[Math.floor(drawFraction(seed, resample, index) * pairs.length)] ?? [];
      for (const game of drawn) weights[game] = (weights[game] ?? 0) + 1;
    }
    return weights;
  });
}

/** Draws of a schedule are in the lower half of the meetings of this stream. */
const UPPER_HALF = 2 ** 15;

const LANES = 2 ** 12;

const TWO_32 = 2 ** 32;

function drawFraction(seed: number, resample: number, index: number): number {
  const meeting = UPPER_HALF + Math.floor(index / LANES);
  const [word] = drawWords({ seed, meeting, stream: 'run', tick: resample }, index % LANES);
  return word / TWO_32;
}

/** A game as the model sees it; personas are numbers from 0, and one with two seats is there twice. */
type RatedGame = {
  readonly impostors: readonly number[];
  readonly crew: readonly number[];
  readonly impostorsWon: boolean;
};

/** The ridge is a prior with a standard deviation of one unit: 174 points of the scale. */
const RIDGE = 1;

const MOST_STEPS = 50;

/** Units: far below what is shown. */
const PRECISION = 1e-9;

/** Units: what is enough for one of many resamples. */
const ROUGH = 1e-4;

const PRIOR = 1e-3;

/** The games in a form that is quick to go through: for each, where its terms begin, and what they are. */
type DesignMatrix = {
  readonly personas: number;
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly factors: Float64Array;
  readonly won: Float64Array;
};

function buildDesign(games: readonly RatedGame[], personas: number): DesignMatrix {
  const terms = games.map(({ impostors, crew }) => [
    ...sideTerms(impostors, 1, 1),
    ...sideTerms(crew, -1, 1 + personas),
  ]);
  const starts = new Int32Array(games.length + 1);
  for (const [index, list] of terms.entries())
    starts[index + 1] = (starts[index] ?? 0) + list.length;
  const flat = terms.flat();
  return {
    personas,
    starts,
    columns: Int32Array.from(flat, ([column]) => column),
    factors: Float64Array.from(flat, ([, factor]) => factor),
    won: Float64Array.from(games, ({ impostorsWon }) => (impostorsWon ? 1 : 0)),
  };
}

function sideTerms(
  side: readonly number[],
  sign: number,
  first: number,
): readonly (readonly [column: number, factor: number])[] {
  const seats = new Map<number, number>();
  for (const persona of side) seats.set(persona, (seats.get(persona) ?? 0) + 1);
  return [...seats].map(([persona, count]) => [first + persona, (sign * count) / side.length]);
}

/** The most likely skills; `weights` says how often each game counts, `start` where to begin. */
function fit(
  games: DesignMatrix,
  weights: Float64Array | null,
  start: Float64Array | null,
): Float64Array {
  const size = 1 + 2 * games.personas;
  const theta = start === null ? new Float64Array(size) : start.slice();
  const hessian = new Float64Array(size * size);
  const step = new Float64Array(size);
  for (let count = 0; count < MOST_STEPS; count++) {
    fillGradient(games, weights, theta, { hessian, step });
    solveCholesky(hessian, step);
    let largest = 0;
    for (let index = 0; index < size; index++) {
      theta[index] = (theta[index] ?? 0) + (step[index] ?? 0);
      largest = Math.max(largest, Math.abs(step[index] ?? 0));
    }
    if (largest < (start === null ? PRECISION : ROUGH)) break;
  }
  return theta;
}

/** Fills in how steep the likelihood is at `theta`, and how it bends. */
function fillGradient(
  { starts, columns, factors, won }: DesignMatrix,
  weights: Float64Array | null,
  theta: Float64Array,
  { hessian, step }: { readonly hessian: Float64Array; readonly step: Float64Array },
): void {
  const size = theta.length;
  hessian.fill(0);
  step.fill(0);
  // The slightest hold on the sides, for games that all went one way.
  hessian[0] = PRIOR;
  step[0] = -PRIOR * (theta[0] ?? 0);
  for (let index = 1; index < size; index++) {
    hessian[index * size + index] = RIDGE;
    step[index] = -RIDGE * (theta[index] ?? 0);
  }
  for (let game = 0; game < won.length; game++) {
    const weight = weights === null ? 1 : (weights[game] ?? 0);
    if (weight === 0) continue;
    const [from, to] = [starts[game] ?? 0, starts[game + 1] ?? 0];
    let sum = theta[0] ?? 0;
    for (let at = from; at < to; at++) sum += (factors[at] ?? 0) * (theta[columns[at] ?? 0] ?? 0);
    const chance = 1 / (1 + Math.exp(-sum));
    const error = weight * ((won[game] ?? 0) - chance);
    const bend = weight * chance * (1 - chance);
    step[0] = (step[0] ?? 0) + error;
    hessian[0] = (hessian[0] ?? 0) + bend;
    for (let at = from; at < to; at++) {
      const column = columns[at] ?? 0;
      const factor = factors[at] ?? 0;
      const row = column * size;
      step[column] = (step[column] ?? 0) + error * factor;
      hessian[row] = (hessian[row] ?? 0) + bend * factor;
      for (let other = from; other < to; other++) {
        const less = columns[other] ?? 0;
        if (less <= column) {
          hessian[row + less] = (hessian[row + less] ?? 0) + bend * factor * (factors[other] ?? 0);
        }
      }
    }
  }
}

/** Linear equations with a symmetric positive matrix, solved in place by Cholesky's way. */

/** Solves `matrix · x = vector`; both are overwritten, and `vector` becomes x. Only the lower half is read. */
function solveCholesky(matrix: Float64Array, vector: Float64Array): void {
  const size = vector.length;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * size + column] ?? 0;
      for (let k = 0; k < column; k++) {
        sum -= (matrix[row * size + k] ?? 0) * (matrix[column * size + k] ?? 0);
      }
      matrix[row * size + column] =
        row === column ? Math.sqrt(sum) : sum / (matrix[column * size + column] ?? 1);
    }
  }
  for (let row = 0; row < size; row++) {
    let sum = vector[row] ?? 0;
    for (let k = 0; k < row; k++) sum -= (matrix[row * size + k] ?? 0) * (vector[k] ?? 0);
    vector[row] = sum / (matrix[row * size + row] ?? 1);
  }
  for (let row = size - 1; row >= 0; row--) {
    let sum = vector[row] ?? 0;
    for (let k = row + 1; k < size; k++) sum -= (matrix[k * size + row] ?? 0) * (vector[k] ?? 0);
    vector[row] = sum / (matrix[row * size + row] ?? 1);
  }
}

/*
 * Comparisons: whether two sides differ, by how much, and how easily chance alone would make such a difference.
 *
 * Where one has taken the other's seat in a mirrored game, seat is compared with seat: the same dice, the same
 * role, the same others. Without mirrors shares are compared role by role, as if all games were independent.
 */

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

const FEWEST_PAIRS = 2;

/** Sums of shares are off by less than this. */
const SMALLEST = 1e-9;

/** Flips have draws of their own, behind those of resamples. */
const RESAMPLED = 2 ** 20;

/** Compares two sides over all seats of all games; null where one of them never played. */
export function compareSides(seats: readonly ComparedSeat[], seed: number): Comparison | null {
  const pairs = meanByPair(seats);
  return pairs.length >= FEWEST_PAIRS ? comparePairs(pairs, seed) : compareShares(seats);
}

/** What each pair of games says: the mean difference from seat to seat. */
function meanByPair(seats: readonly ComparedSeat[]): readonly number[] {
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
function comparePairs(pairs: readonly number[], seed: number): Comparison {
  const difference = mean(pairs);
  const spread = pairs.reduce((sum, pair) => sum + (pair - difference) ** 2, 0);
  const reach = Z * Math.sqrt(spread / (pairs.length - 1) / pairs.length);
  const total = Math.abs(difference * pairs.length) - SMALLEST;
  let asLarge = 0;
  for (let flip = 0; flip < FLIPS; flip++) {
    let sum = 0;
    for (const [index, pair] of pairs.entries()) {
      sum += drawFraction(seed, RESAMPLED + flip, index) < 0.5 ? pair : -pair;
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

function compareShares(seats: readonly ComparedSeat[]): Comparison | null {
  const roles = [...new Set(seats.map(({ role }) => role))].toSorted();
  const parts = roles.flatMap((role) => {
    const of = (wanted: 0 | 1) =>
      seats.filter((seat) => seat.side === wanted && seat.role === role);
    const [one, other] = [countWinShare(of(0)), countWinShare(of(1))];
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
    p: deviation === 0 ? 1 : twoSidedP(difference / deviation),
    cases: games,
    isPaired: false,
  };
}

function countWinShare(seats: readonly ComparedSeat[]) {
  const games = seats.length;
  if (games === 0) return null;
  const wins = seats.filter(({ won }) => won).length;
  // One win and one loss more keep a share of 0 or 1 from being certain.
  const share = (wins + 1) / (games + 2);
  return { games, share: wins / games, variance: (share * (1 - share)) / games };
}

/** How often a normal variable is at least so far out (Abramowitz and Stegun 7.1.26; off by less than 2 in 10^7). */
function twoSidedP(deviations: number): number {
  const x = Math.abs(deviations) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.min(1, series * Math.exp(-x * x));
}
