/**
 * The fit: how strong everybody is as impostor and as crewmate, by one logistic model of all games.
 *
 * P(impostors win) = σ(β + mean skill of the impostors − mean skill of the crew). β is what the rules give to one side,
 * so it leaks into nobody's skill. A ridge keeps whoever has played little near the middle. The order of the games
 * makes no difference.
 */
import { solve } from './cholesky.ts';

/** A game as the model sees it; personas are numbers from 0, and one with two seats is there twice. */
export type RatedGame = {
  readonly impostors: readonly number[];
  readonly crew: readonly number[];
  readonly impostorsWon: boolean;
};

/** The ridge is a prior with a standard deviation of one unit: 174 points of the scale. */
const RIDGE = 1;
const MOST_STEPS = 50;
/** Units: far below what is shown. */
const PRECISION = 1e-9;

/** The games in a form that is quick to go through: for each, where its terms begin, and what they are. */
export type Design = {
  readonly personas: number;
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly factors: Float64Array;
  readonly won: Float64Array;
};

export function design(games: readonly RatedGame[], personas: number): Design {
  const terms = games.map(({ impostors, crew }) => [
    ...termsOf(impostors, 1, 1),
    ...termsOf(crew, -1, 1 + personas),
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

function termsOf(
  side: readonly number[],
  sign: number,
  first: number,
): readonly (readonly [column: number, factor: number])[] {
  const seats = new Map<number, number>();
  for (const persona of side) seats.set(persona, (seats.get(persona) ?? 0) + 1);
  return [...seats].map(([persona, count]) => [first + persona, (sign * count) / side.length]);
}

/** The most likely skills; `weights` says how often each game counts, `start` where to begin. */
export function fit(
  games: Design,
  weights: Float64Array | null,
  start: Float64Array | null,
): Float64Array {
  const size = 1 + 2 * games.personas;
  const theta = start === null ? new Float64Array(size) : start.slice();
  const hessian = new Float64Array(size * size);
  const step = new Float64Array(size);
  for (let count = 0; count < MOST_STEPS; count++) {
    slope(games, weights, theta, { hessian, step });
    solve(hessian, step);
    let largest = 0;
    for (let index = 0; index < size; index++) {
      theta[index] = (theta[index] ?? 0) + (step[index] ?? 0);
      largest = Math.max(largest, Math.abs(step[index] ?? 0));
    }
    if (largest < (start === null ? PRECISION : ROUGH)) break;
  }
  return theta;
}

/** Units: what is enough for one of many resamples. */
const ROUGH = 1e-4;

/** Fills in how steep the likelihood is at `theta`, and how it bends. */
function slope(
  { starts, columns, factors, won }: Design,
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

const PRIOR = 1e-3;
