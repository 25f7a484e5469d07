/**
 * Ratings of personas, from the results of games.
 *
 * One logistic model of all games: P(impostors win) = σ(β + mean skill of the impostors − mean skill of the crew). β is
 * what the rules give to one side, so it leaks into no persona's skill. A ridge keeps personas with few games near the
 * middle: the prior is that skills are normal with a standard deviation of one unit.
 *
 * What is rated is the skill compared with the mean of the league's personas in that role: 1500 is that mean. An interval
 * is that of the normal distribution with the top and the bend of the posterior (Laplace). While games say little, it
 * says what the prior says, and covers too much where skills are alike and too little where they are far apart; so a
 * rating has too few games until hardly any of its variance comes from the prior, that of other skills included. Mirrored games have the same dice and
 * are no independent cases: how far they go together is estimated, and it widens or narrows the intervals. There is no
 * chance in it and no order: the same results give the same ratings to the last digit.
 */
import { factorCholesky, solveCholesky, Z } from '../counts/numeric.ts';
import type { PersonaRating, Rating } from './types.ts';

export type LeagueRatings = {
  readonly personas: readonly PersonaRating[];
  /** What the rules give to the impostors against an equal crew, as a share of games. */
  readonly sides: Rating;
};

/** A game, and the pair that it belongs to. */
export type PairedGame = RatedGame & { readonly pair: number };

export const MIDDLE = 1500;

/** 400 points for odds of ten to one, as in chess. */
export const SCALE = 400 / Math.LN10;

/** The ridge is a prior with a standard deviation of one unit: 174 points of the scale. */
const RIDGE = 1;

/**
 * The most of an interval's variance that may come from the prior for it to hold what it says. Where all skills are alike
 * the prior's part is no error at all, and with this share of it an interval holds the truth in 96.5 of 100 cases.
 */
const MOST_PRIOR = 0.14;

/** The ratings of `personas` personas. The order of the games makes no difference. */
export function rateLeague(games: readonly PairedGame[], personas: number): LeagueRatings {
  const inOrder = games.toSorted((one, other) => (gameKey(one) < gameKey(other) ? -1 : 1));
  const design = buildDesign(inOrder, personas);
  const measure = measureContrasts(design, fit(design));
  const rate = (contrast: SkillContrast, show: (skill: number) => number): Rating => {
    const { mean, variance, prior } = measure(contrast);
    const reach = Z * Math.sqrt(variance);
    const [value, least, most] = [mean, mean - reach, mean + reach].map(show);
    if (value === undefined || least === undefined || most === undefined)
      throw new Error('expected three figures of a rating');
    return { value, least, most, few: prior >= MOST_PRIOR * variance };
  };
  const points = (skill: number) => MIDDLE + SCALE * skill;
  return {
    personas: Array.from({ length: personas }, (_, persona) => ({
      impostor: rate({ persona, impostor: 1, crewmate: 0, sides: 0 }, points),
      crewmate: rate({ persona, impostor: 0, crewmate: 1, sides: 0 }, points),
      overall: rate({ persona, impostor: 0.5, crewmate: 0.5, sides: 0 }, points),
    })),
    sides: rate(
      { persona: 0, impostor: 0, crewmate: 0, sides: 1 },
      (skill) => 1 / (1 + Math.exp(-skill)),
    ),
  };
}

/** Tells games apart by what they are, wherever they stand in a list. */
function gameKey({ pair, impostors, crew, impostorsWon }: PairedGame): string {
  return JSON.stringify([pair, impostors, crew, impostorsWon]);
}

/** A game as the model sees it; personas are numbers from 0, and one with two seats is there twice. */
type RatedGame = {
  readonly impostors: readonly number[];
  readonly crew: readonly number[];
  readonly impostorsWon: boolean;
};

/** The games in a form that is quick to go through: for each, where its terms begin, and what they are. */
type DesignMatrix = {
  readonly personas: number;
  /** Games that mirror each other, by their numbers. */
  readonly mirrors: readonly (readonly [number, number])[];
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly factors: Float64Array;
  readonly won: Float64Array;
};

function buildDesign(games: readonly PairedGame[], personas: number): DesignMatrix {
  const terms = games.map(({ impostors, crew }) => [
    ...sideTerms(impostors, 1, 1),
    ...sideTerms(crew, -1, 1 + personas),
  ]);
  const starts = new Int32Array(games.length + 1);
  for (const [index, list] of terms.entries())
    starts[index + 1] = (starts[index] ?? 0) + list.length;
  const flat = terms.flat();
  const pairs = [...Map.groupBy(games.keys(), (index) => games[index]?.pair).values()];
  return {
    personas,
    mirrors: pairs.flatMap(([first, second]) =>
      first === undefined || second === undefined ? [] : [[first, second] as const],
    ),
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

/** The most likely skills, and the Cholesky factor of the bend of the posterior there. */
type SkillFit = { readonly skills: Float64Array; readonly factor: Float64Array };

const MOST_STEPS = 50;

/** Units: far below what is shown. */
const PRECISION = 1e-9;

/** The slightest hold on the sides, for games that all went one way: a standard deviation of five units. */
const SIDES_HOLD = 0.04;

function fit(games: DesignMatrix): SkillFit {
  const size = 1 + 2 * games.personas;
  const skills = new Float64Array(size);
  const factor = new Float64Array(size * size);
  const step = new Float64Array(size);
  for (let count = 0; count < MOST_STEPS; count++) {
    fillGradient(games, skills, { hessian: factor, step });
    factorCholesky(factor, size);
    solveCholesky(factor, step);
    let largest = 0;
    for (let index = 0; index < size; index++) {
      skills[index] = (skills[index] ?? 0) + (step[index] ?? 0);
      largest = Math.max(largest, Math.abs(step[index] ?? 0));
    }
    if (largest < PRECISION) break;
  }
  return { skills, factor };
}

/** The log odds of the impostors in a game. */
function edgeOf({ starts, columns, factors }: DesignMatrix, game: number, skills: Float64Array) {
  let sum = skills[0] ?? 0;
  for (let at = starts[game] ?? 0; at < (starts[game + 1] ?? 0); at++)
    sum += (factors[at] ?? 0) * (skills[columns[at] ?? 0] ?? 0);
  return sum;
}

/** How much the prior holds the sides, and each skill. */
function holdOf(index: number): number {
  return index === 0 ? SIDES_HOLD : RIDGE;
}

/** Fills in how steep the posterior is at `skills`, and how it bends. */
function fillGradient(
  games: DesignMatrix,
  skills: Float64Array,
  { hessian, step }: { readonly hessian: Float64Array; readonly step: Float64Array },
): void {
  const { starts, columns, factors, won } = games;
  const size = skills.length;
  hessian.fill(0);
  step.fill(0);
  for (let index = 0; index < size; index++) {
    const ridge = holdOf(index);
    hessian[index * size + index] = ridge;
    step[index] = -ridge * (skills[index] ?? 0);
  }
  for (let game = 0; game < won.length; game++) {
    const [from, to] = [starts[game] ?? 0, starts[game + 1] ?? 0];
    const chance = 1 / (1 + Math.exp(-edgeOf(games, game, skills)));
    const error = (won[game] ?? 0) - chance;
    const bend = chance * (1 - chance);
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

/** A skill that is wanted, as a mixture: of both roles of a persona, compared with the mean of all, and of the sides. */
type SkillContrast = {
  readonly persona: number;
  readonly impostor: number;
  readonly crewmate: number;
  readonly sides: number;
};

type SkillMeasure = {
  readonly mean: number;
  readonly variance: number;
  /** The part of the variance that comes from the prior: of this skill, and of all that it is seen beside. */
  readonly prior: number;
};

/** Measures mixtures of skills under one fit. */
function measureContrasts(
  games: DesignMatrix,
  { skills, factor }: SkillFit,
): (contrast: SkillContrast) => SkillMeasure {
  const { personas, mirrors } = games;
  const { together, bends } = measureMirrors(games, skills);
  return ({ persona, impostor, crewmate, sides }) => {
    const contrast = new Float64Array(skills.length);
    contrast[0] = sides;
    for (let other = 0; other < personas; other++) {
      // Between equals both sides are the mean of the league; a persona is compared with that mean.
      const share = (other === persona ? 1 : 0) - 1 / personas;
      contrast[1 + other] = impostor * share + sides / personas;
      contrast[1 + personas + other] = crewmate * share - sides / personas;
    }
    const weights = contrast.slice();
    solveCholesky(factor, weights);
    let [mean, variance, prior] = [0, 0, 0];
    for (let index = 0; index < skills.length; index++) {
      mean += (contrast[index] ?? 0) * (skills[index] ?? 0);
      variance += (contrast[index] ?? 0) * (weights[index] ?? 0);
      prior += holdOf(index) * (weights[index] ?? 0) ** 2;
    }
    for (const [index, [first, second]] of mirrors.entries()) {
      const both = edgeOf(games, first, weights) * edgeOf(games, second, weights);
      variance += 2 * together * (bends[index] ?? 0) * both;
    }
    return { mean, variance, prior };
  };
}

/** Mirrored games may go together, but never as if they were one game. */
const CLOSEST = 0.9;

/** How far mirrored games go together beyond what skills explain (from −1 to 1), and how much each pair of them weighs. */
function measureMirrors(games: DesignMatrix, skills: Float64Array) {
  const bends = new Float64Array(games.mirrors.length);
  let sum = 0;
  for (const [index, pair] of games.mirrors.entries()) {
    let [product, bend] = [1, 1];
    for (const game of pair) {
      const chance = 1 / (1 + Math.exp(-edgeOf(games, game, skills)));
      bend *= Math.sqrt(chance * (1 - chance));
      product *= (games.won[game] ?? 0) - chance;
    }
    bends[index] = bend;
    sum += product / bend;
  }
  const together = games.mirrors.length === 0 ? 0 : sum / games.mirrors.length;
  return { together: Math.min(CLOSEST, Math.max(-CLOSEST, together)), bends };
}
