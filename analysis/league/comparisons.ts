/**
 * Compares two personas or levels: how much more often a side wins with one than with the other in its place.
 *
 * The case is the game, or the pair of mirrored games. Least squares fit a line of the outcome over the seats of the
 * two, because the two also meet each other. Mirrored games share their dice and all other seats, so only their
 * difference counts. The standard error of the slope needs no model of the games (HC3; MacKinnon and White 1985), and
 * the degrees of freedom are those of Bell and McCaffrey (2002).
 */

import {
  factorCholesky,
  solveCholesky,
  studentReach,
  studentTail,
  TAIL,
} from '../counts/numeric.ts';

/** `one` and `other` are the impostors' shares minus the crew's: ±1 for a persona, shares of seats for a level. */
export type ComparedGame = {
  readonly pair: number;
  readonly one: number;
  readonly other: number;
  readonly impostorsWon: boolean;
};

export type Comparison = {
  /** How much more often a side wins with the first one than with the other, as a share of games. */
  readonly difference: number;
  /** Null, as `p` is, if there are too few games. */
  readonly least: number | null;
  readonly most: number | null;
  /** The probability of at least this difference if there is none. */
  readonly p: number | null;
  readonly error: number | null;
  readonly cases: number;
  readonly isPaired: boolean;
};

/** With fewer cases, rarer outcomes or degrees of freedom, an interval covers too little or too much. */
const FEWEST_CASES = 20;
const FEWEST_OUTCOMES = 6;
const FEWEST_FREEDOM = 10;

/** If nearly all cases fit the line, the error assumes this many cases with another outcome. */
const UNSEEN_CASES = { pairs: 2, games: 3 };

/** Null if no game distinguishes the two. */
export function compareGames(games: readonly ComparedGame[]): Comparison | null {
  const pairs = [...Map.groupBy(games, ({ pair }) => pair).values()];
  const isPaired = pairs.some(({ length }) => length > 1);
  const cases = isPaired ? pairs.flatMap(toMirroredCase) : games.map(toSingleCase);
  const line = fitLine(cases, !isPaired);
  if (line === null) return null;
  const { slope, freedom } = line;
  const telling = cases.filter(({ apart }) => apart !== 0);
  const unseen = UNSEEN_CASES[isPaired ? 'pairs' : 'games'] / telling.length;
  const error = line.error * telling.length < 1 ? unseen : line.error;
  const won = telling.filter(({ outcome }) => outcome !== 0).length;
  const rarer = isPaired ? won : Math.min(won, telling.length - won);
  const isFew =
    telling.length < FEWEST_CASES || freedom < FEWEST_FREEDOM || rarer < FEWEST_OUTCOMES;
  const base = { difference: clamp(slope), cases: telling.length, isPaired };
  if (isFew) return { ...base, least: null, most: null, p: null, error: null };
  const reach = studentReach(TAIL, freedom) * error;
  return {
    ...base,
    least: clamp(slope - reach),
    most: clamp(slope + reach),
    p: studentTail(slope / error, freedom),
    error,
  };
}

function clamp(difference: number): number {
  return Math.min(1, Math.max(-1, difference));
}

type Case = { readonly outcome: number; readonly apart: number; readonly together: number };

function toSingleCase({ one, other, impostorsWon }: ComparedGame): Case {
  return { outcome: Number(impostorsWon), apart: (one - other) / 2, together: (one + other) / 2 };
}

/** A game without its mirror is left out, because the effect of its dice is unknown. */
function toMirroredCase(games: readonly ComparedGame[]): readonly Case[] {
  const [first, second, ...others] = games.map(toSingleCase);
  if (first === undefined || second === undefined || others.length > 0) return [];
  return [
    {
      outcome: first.outcome - second.outcome,
      apart: first.apart - second.apart,
      together: first.together - second.together,
    },
  ];
}

type DesignColumn = (one: Case) => number;

type FittedLine = { readonly slope: number; readonly error: number; readonly freedom: number };

/** A column with less than this share of its size left depends on the other columns. */
const SINGULAR = 1e-9;

/** The line of the outcome over `apart`; null if that depends on the other columns. */
function fitLine(cases: readonly Case[], hasIntercept: boolean): FittedLine | null {
  const apart = ({ apart: value }: Case) => value;
  const together = ({ together: value }: Case) => value;
  const others = hasIntercept ? [() => 1, together] : [together];
  // The sum of both is left out if it is constant or depends on the rest.
  const columns: DesignColumn[] = [];
  for (const column of others) if (isLastNew(cases, [...columns, column])) columns.push(column);
  if (!isLastNew(cases, [...columns, apart])) return null;
  const rows = cases.map((one) => [...columns, apart].map((column) => column(one)));
  const outcomes = cases.map(({ outcome }) => outcome);
  return fitLast(rows, outcomes);
}

function isLastNew(cases: readonly Case[], columns: readonly DesignColumn[]): boolean {
  const size = columns.length;
  const rows = cases.map((one) => columns.map((of) => of(one)));
  const factor = gram(rows, size);
  const own = factor[size * size - 1] ?? 0;
  if (own === 0) return false;
  factorCholesky(factor, size);
  return (factor[size * size - 1] ?? 0) ** 2 > SINGULAR * own;
}

/** The sum of the outer products of the rows, each with its weight. */
function gram(rows: readonly (readonly number[])[], size: number, weights: readonly number[] = []) {
  const matrix = new Float64Array(size * size);
  for (const [index, row] of rows.entries()) {
    const weight = weights[index] ?? 1;
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++)
        matrix[i * size + j] = (matrix[i * size + j] ?? 0) + weight * (row[i] ?? 0) * (row[j] ?? 0);
    }
  }
  return matrix;
}

/** Least squares for the weight of the last column. */
function fitLast(rows: readonly (readonly number[])[], outcomes: readonly number[]): FittedLine {
  const size = rows[0]?.length ?? 0;
  const factor = gram(rows, size);
  factorCholesky(factor, size);
  const solve = (vector: readonly number[]) => {
    const solution = Float64Array.from(vector);
    solveCholesky(factor, solution);
    return solution;
  };
  const weights = solve(
    Array.from({ length: size }, (_, column) =>
      rows.reduce((sum, row, index) => sum + (row[column] ?? 0) * (outcomes[index] ?? 0), 0),
    ),
  );
  const last = solve(Array.from({ length: size }, (_, column) => (column === size - 1 ? 1 : 0)));
  // The traces of the variance's matrix and of its square give the degrees of freedom.
  let [variance, trace, square] = [0, 0, 0];
  const pulls: number[] = [];
  for (const [index, row] of rows.entries()) {
    const leverage = dot(row, solve(row));
    const free = Math.max(1 - leverage, SINGULAR);
    const pull = dot(row, last) ** 2;
    variance += pull * ((outcomes[index] ?? 0) - dot(row, weights)) ** 2 * free ** -2;
    const own = pull / free;
    trace += own * free;
    square += own ** 2 * (1 - 2 * leverage);
    pulls.push(own);
  }
  const crossed = gram(rows, size, pulls);
  const columns = Array.from({ length: size }, (_, i) =>
    solve(Array.from({ length: size }, (__, j) => crossed[j * size + i] ?? 0)),
  );
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) square += (columns[i]?.[j] ?? 0) * (columns[j]?.[i] ?? 0);
  }
  return {
    slope: weights[size - 1] ?? 0,
    error: Math.sqrt(variance),
    freedom: trace ** 2 / square,
  };
}

function dot(row: readonly number[], weights: Float64Array): number {
  return row.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0);
}
