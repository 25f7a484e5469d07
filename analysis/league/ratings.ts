/**
 * Ratings of personas, from the results of games.
 *
 * One logistic model of all games: P(impostors win) = σ(β + mean skill of the impostors − mean skill of the crew). β is
 * the advantage of a side under the rules. The prior of a skill is normal with a standard deviation of one unit.
 *
 * A rating is the difference from the mean skill of the league in that role, shown as 1500. Its interval is that of the
 * posterior (Laplace). With few games the interval follows the prior, so a rating is marked `few` while the prior
 * contributes much of its variance. Mirrored games share their dice: their estimated dependence widens or narrows the
 * intervals. The same results give the same ratings to the last digit, in any order.
 */
import { factorCholesky, solveCholesky, Z } from '../counts/numeric.ts';
import { CLOSEST } from './shares.ts';

export type LeagueRatings = Readonly<ReturnType<typeof rateLeague>>;

/** Personas are numbers from 0. A persona with two seats appears twice. */
export type PairedGame = {
  readonly pair: number;
  readonly impostors: readonly number[];
  readonly crew: readonly number[];
  readonly impostorsWon: boolean;
};

export const MIDDLE = 1500;

/** 400 points for odds of ten to one, as in chess. */
export const SCALE = 400 / Math.LN10;

/** The prior has a standard deviation of one unit: 174 points. */
const RIDGE = 1;

/** The prior's largest share of a variance. With equal skills, such an interval holds the truth in 96.5 % of cases. */
const MOST_PRIOR = 0.14;

export function rateLeague(games: readonly PairedGame[], personas: number) {
  const inOrder = games.toSorted((one, other) => (gameKey(one) < gameKey(other) ? -1 : 1));
  const design = buildDesign(inOrder, personas);
  const measure = measureContrasts(design, fit(design));
  const rate = (contrast: SkillContrast, show: (skill: number) => number) => {
    const { mean, variance, prior } = measure(contrast);
    const reach = Z * Math.sqrt(variance);
    const [least, most] = [show(mean - reach), show(mean + reach)];
    return { value: show(mean), least, most, few: prior >= MOST_PRIOR * variance };
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

function gameKey({ pair, impostors, crew, impostorsWon }: PairedGame): string {
  return JSON.stringify([pair, impostors, crew, impostorsWon]);
}

type DesignMatrix = Readonly<ReturnType<typeof buildDesign>>;

/** Sparse rows of the games: where the terms of each game start, and the terms. */
function buildDesign(games: readonly PairedGame[], personas: number) {
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

/** The most likely skills, and the Cholesky factor of the Hessian there. */
type SkillFit = { readonly skills: Float64Array; readonly factor: Float64Array };

const MOST_STEPS = 50;

/** In units of skill. */
const PRECISION = 1e-9;

/** A weak prior on the sides, with a standard deviation of five units, for games that all went one way. */
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

function edgeOf({ starts, columns, factors }: DesignMatrix, game: number, skills: Float64Array) {
  let sum = skills[0] ?? 0;
  for (let at = starts[game] ?? 0; at < (starts[game + 1] ?? 0); at++)
    sum += (factors[at] ?? 0) * (skills[columns[at] ?? 0] ?? 0);
  return sum;
}

function holdOf(index: number): number {
  return index === 0 ? SIDES_HOLD : RIDGE;
}

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
        if (less <= column)
          hessian[row + less] = (hessian[row + less] ?? 0) + bend * factor * (factors[other] ?? 0);
      }
    }
  }
}

/** A linear combination of skills: both roles of a persona relative to the mean, and the sides. */
type SkillContrast = {
  readonly persona: number;
  readonly impostor: number;
  readonly crewmate: number;
  readonly sides: number;
};

function measureContrasts(games: DesignMatrix, { skills, factor }: SkillFit) {
  const { personas, mirrors } = games;
  const { together, bends } = measureMirrors(games, skills);
  return ({ persona, impostor, crewmate, sides }: SkillContrast) => {
    const contrast = new Float64Array(skills.length);
    contrast[0] = sides;
    for (let other = 0; other < personas; other++) {
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
