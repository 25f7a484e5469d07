/**
 * Independent arithmetic for the numbers of a report. It shares no code with the program and prefers other methods
 * (Gauss instead of Cholesky, Simpson's rule instead of continued fractions).
 */

const Z = 1.959964;

/** Student's density, integrated by Simpson's rule: the probability of being within ± t. */
export function withinStudent(t: number, freedom: number): number {
  const density = (x: number) => (1 + x ** 2 / freedom) ** (-(freedom + 1) / 2);
  // With s = x / (1 + x), the half line becomes the interval from 0 to 1.
  const simpson = (most: number) => {
    const steps = 20_000;
    let sum = 0;
    for (let i = 0; i <= steps; i++) {
      const s = (most * i) / steps;
      const value = s >= 1 ? 0 : density(s / (1 - s)) / (1 - s) ** 2;
      sum += value * (i === 0 || i === steps ? 1 : i % 2 === 0 ? 2 : 4);
    }
    return (sum * most) / steps / 3;
  };
  // With one degree of freedom the integrand does not vanish at 1, but the whole is known.
  const whole = freedom === 1 ? Math.PI / 2 : simpson(1);
  return simpson(t / (1 + t)) / whole;
}

const reaches = new Map<number, number>();

/** The distance from 0 that Student's t stays within in 95 of 100 cases. */
function studentReachOf(freedom: number): number {
  const known = reaches.get(freedom);
  if (known !== undefined) return known;
  let [least, most] = [1, 13];
  for (let step = 0; step < 50; step++) {
    const middle = (least + most) / 2;
    if (withinStudent(middle, freedom) < 0.95) least = middle;
    else most = middle;
  }
  reaches.set(freedom, least);
  return least;
}

export function wilson(share: number, n: number): readonly [least: number, most: number] {
  const centre = share + Z ** 2 / (2 * n);
  const reach = Z * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n * n));
  const whole = 1 + Z ** 2 / n;
  return [Math.max(0, (centre - reach) / whole), Math.min(1, (centre + reach) / whole)];
}

export type RatioRow = {
  readonly value: number;
  readonly cases: number;
  readonly clusters: number;
  readonly error: number | null;
};

/** The interval of a share, computed from the columns of its query. */
export function shareInterval({ value, cases, clusters, error }: RatioRow) {
  if (error === null) return null;
  const binomial = (value * (1 - value)) / cases;
  const design = binomial > 0 ? Math.max(1, error ** 2 / binomial) : cases / clusters;
  return wilson(value, cases / design / (studentReachOf(clusters - 1) / Z) ** 2);
}

export function meanInterval({ value, clusters, error }: RatioRow) {
  if (error === null) return null;
  const reach = studentReachOf(clusters - 1) * error;
  return [value - reach, value + reach] as const;
}

/** A game as its query returns it. */
export type QueriedGame = {
  readonly seed: number;
  readonly won: number;
  readonly impostors: readonly string[];
  readonly crew: readonly string[];
};

export type RatedPersona = Readonly<Record<'overall' | 'impostor' | 'crewmate', SkillEstimate>>;
/** `prior` is the share of the variance that the ridge contributes. */
export type SkillEstimate = Readonly<Record<'mean' | 'error' | 'prior', number>>;

const SCALE = 400 / Math.log(10);
export const toPoints = (skill: number) => 1500 + SCALE * skill;
export const pointsOf = (error: number) => SCALE * error;

const at = (list: readonly number[], index: number) => list[index] ?? Number.NaN;
const add = (list: number[], index: number, amount: number) => {
  list[index] = at(list, index) + amount;
};
const zeros = (size: number) => Array.from({ length: size }, () => 0);

/** The logistic model with its ridge, by Newton's method and elimination; skills in units of the model. */
export function fitSkills(games: readonly QueriedGame[], personas: readonly string[]) {
  const size = 1 + 2 * personas.length;
  const rowOf = ({ impostors, crew }: Pick<QueriedGame, 'impostors' | 'crew'>) => {
    const row = [1, ...zeros(size - 1)];
    for (const who of impostors) add(row, 1 + personas.indexOf(who), 1 / impostors.length);
    for (const who of crew) add(row, 1 + personas.length + personas.indexOf(who), -1 / crew.length);
    return row;
  };
  const cases = games.map((game) => ({ row: rowOf(game), won: game.won, seed: game.seed }));
  const ridge = [0.04, ...zeros(size - 1).map(() => 1)];
  let skills = zeros(size);
  let bend: number[][] = [];
  for (let step = 0; step < 40; step++) {
    bend = ridge.map((hold, i) => ridge.map((_, j) => (i === j ? hold : 0)));
    const slope = skills.map((skill, i) => -at(ridge, i) * skill);
    for (const { row, won } of cases) {
      const chance = logistic(dot(row, skills));
      for (const [i, line] of bend.entries()) {
        add(slope, i, (won - chance) * at(row, i));
        for (let j = 0; j < size; j++)
          add(line, j, chance * (1 - chance) * at(row, i) * at(row, j));
      }
    }
    const change = solve(bend, slope);
    skills = skills.map((skill, i) => skill + at(change, i));
  }
  const residuals = cases.map(({ row, won, seed }) => {
    const chance = logistic(dot(row, skills));
    const spread = Math.sqrt(chance * (1 - chance));
    return { row, seed, spread, standard: (won - chance) / spread };
  });
  const pairs = [...Map.groupBy(residuals, ({ seed }) => seed).values()].flatMap(([one, other]) =>
    one === undefined || other === undefined ? [] : [[one, other] as const],
  );
  const products = pairs.map(([one, other]) => one.standard * other.standard);
  const mean = products.reduce((sum, one) => sum + one, 0) / Math.max(1, products.length);
  const together = Math.min(0.9, Math.max(-0.9, mean));
  const estimate = (contrast: readonly number[]): SkillEstimate => {
    const weights = solve(bend, contrast);
    let variance = dot(contrast, weights);
    for (const [one, other] of pairs) {
      const both = dot(one.row, weights) * dot(other.row, weights);
      variance += 2 * together * one.spread * other.spread * both;
    }
    const held = weights.reduce((sum, weight, index) => sum + at(ridge, index) * weight ** 2, 0);
    return { mean: dot(contrast, skills), error: Math.sqrt(variance), prior: held / variance };
  };
  const contrastOf = (who: number, impostor: number, crew: number) =>
    zeros(size).map((_, index) => {
      if (index === 0) return 0;
      const share = ((index - 1) % personas.length === who ? 1 : 0) - 1 / personas.length;
      return (index <= personas.length ? impostor : crew) * share;
    });
  const equals = zeros(size).map((_, index) =>
    index === 0 ? 1 : (index <= personas.length ? 1 : -1) / personas.length,
  );
  return {
    chanceOf: (game: QueriedGame) => logistic(dot(rowOf(game), skills)),
    sides: estimate(equals),
    of: (who: string): RatedPersona => {
      const index = personas.indexOf(who);
      return {
        overall: estimate(contrastOf(index, 0.5, 0.5)),
        impostor: estimate(contrastOf(index, 1, 0)),
        crewmate: estimate(contrastOf(index, 0, 1)),
      };
    },
  };
}

export const logistic = (x: number) => 1 / (1 + Math.exp(-x));

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}

/** Partial pivoting: the row with the greatest number goes first. */
export function solve(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  let open = matrix.map((row, index) => [...row, at(vector, index)]);
  const done: number[][] = [];
  for (let column = 0; column < matrix.length; column++) {
    const greatest = Math.max(...open.map((row) => Math.abs(at(row, column))));
    const pivot = open.find((row) => Math.abs(at(row, column)) === greatest) ?? [];
    const without = (row: readonly number[]) => {
      const factor = at(row, column) / at(pivot, column);
      return row.map((value, index) => value - factor * at(pivot, index));
    };
    open = open.filter((row) => row !== pivot).map(without);
    done.push(pivot);
  }
  const solution = zeros(matrix.length);
  for (const [column, row] of [...done.entries()].toReversed()) {
    const known = solution.reduce((sum, value, index) => sum + value * at(row, index), 0);
    solution[column] = (at(row, matrix.length) - known) / at(row, column);
  }
  return solution;
}

export type QueriedWin = {
  readonly who: string;
  readonly role: string;
  readonly seed: number;
  readonly won: number;
};

/** The correlation of mirrored games in the same share, over the shares of a column: 0 below 20 pairs. */
export function mirrorEffect(shares: readonly (readonly QueriedWin[])[]): number {
  let [sum, size, pairs] = [0, 0, 0];
  for (const share of shares) {
    const n = share.length;
    const p = share.reduce((all, { won }) => all + won, 0) / n;
    for (const [one, other] of Map.groupBy(share, ({ seed }) => seed).values()) {
      if (one === undefined || other === undefined) continue;
      const spread = (p * (1 - p) * n) / (n - 1);
      sum += (one.won - p) * (other.won - p) + spread / n;
      size += spread;
      pairs += 1;
    }
  }
  return pairs < 20 || size === 0 ? 0 : Math.min(0.9, Math.max(-0.9, sum / size));
}

/** Wilson's interval of games won, widened or narrowed for mirrored games. */
export function winInterval(share: readonly QueriedWin[], effect: number) {
  const n = share.length;
  const mirrors = n - new Set(share.map(({ seed }) => seed)).size;
  const p = share.reduce((all, { won }) => all + won, 0) / n;
  return wilson(p, n / (1 + (2 * mirrors * effect) / n));
}
