/** Numerical methods for statistics: linear equations, Student's t, intervals. */

/** Replaces a symmetric positive matrix with its Cholesky factor, a lower triangle. Reads only the lower half. */
export function factorCholesky(matrix: Float64Array, size: number): void {
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * size + column] ?? 0;
      for (let k = 0; k < column; k++)
        sum -= (matrix[row * size + k] ?? 0) * (matrix[column * size + k] ?? 0);
      matrix[row * size + column] =
        row === column ? Math.sqrt(sum) : sum / (matrix[column * size + column] ?? 1);
    }
  }
}

/** Solves `matrix · x = vector` with the Cholesky factor of the matrix, in place. */
export function solveCholesky(factor: Float64Array, vector: Float64Array): void {
  const size = vector.length;
  for (let row = 0; row < size; row++) {
    let sum = vector[row] ?? 0;
    for (let k = 0; k < row; k++) sum -= (factor[row * size + k] ?? 0) * (vector[k] ?? 0);
    vector[row] = sum / (factor[row * size + row] ?? 1);
  }
  for (let row = size - 1; row >= 0; row--) {
    let sum = vector[row] ?? 0;
    for (let k = row + 1; k < size; k++) sum -= (factor[k * size + row] ?? 0) * (vector[k] ?? 0);
    vector[row] = sum / (factor[row * size + row] ?? 1);
  }
}

/** Standard deviations on either side that hold 95 of 100 cases, and the share of cases outside. */
export const Z = 1.959964;
export const TAIL = 0.05;

export type Interval = { readonly share: number; readonly least: number; readonly most: number };

export type Rate = Readonly<ReturnType<typeof rate>>;

/** A share of cases. `interval` is null if there was no case. */
export function rate(hits: number, cases: number) {
  return { hits, cases, interval: wilsonInterval(hits, cases) };
}

/** Wilson 1927, right near 0 and 1 too; null without a case. `weight` dependent cases say as much as one alone. */
export function wilsonInterval(hits: number, cases: number, weight = 1): Interval | null {
  if (cases === 0) return null;
  const share = hits / cases;
  const n = cases / weight;
  const scale = 1 + Z ** 2 / n;
  const centre = (share + Z ** 2 / (2 * n)) / scale;
  const reach = (Z * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2))) / scale;
  return { share, least: Math.max(0, centre - reach), most: Math.min(1, centre + reach) };
}

export function sumOf<T>(list: readonly T[], count: (item: T) => number): number {
  return list.reduce((total, item) => total + count(item), 0);
}

/** The mean; null for an empty list. */
export function meanOf<T>(list: readonly T[], value: (item: T) => number): number | null {
  return list.length === 0 ? null : sumOf(list, value) / list.length;
}

/** The median; 0 for an empty list. */
export function findMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/** Compares by code units, for the same order on every machine. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Each word with its number, the most frequent first. */
export function rankWords<T extends string>(
  words: readonly T[],
): readonly (readonly [T, number])[] {
  return [...Map.groupBy(words, (word) => word)]
    .map(([word, { length }]) => [word, length] as const)
    .toSorted(([one, a], [other, b]) => b - a || compareTexts(one, other));
}

/** The probability that Student's t is at least this far from 0, on either side. */
export function studentTail(t: number, freedom: number): number {
  return incompleteBeta(freedom / (freedom + t ** 2), freedom / 2, 0.5);
}

/** The distance from 0 that Student's t exceeds with probability `tail`, on both sides together. */
export function studentReach(tail: number, freedom: number): number {
  let [least, most] = [0, 1];
  while (studentTail(most, freedom) > tail && most < Number.MAX_VALUE) most *= 2;
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (least + most) / 2;
    if (studentTail(middle, freedom) > tail) least = middle;
    else most = middle;
  }
  return (least + most) / 2;
}

const HALVINGS = 60;

/** The regularised incomplete beta function by its continued fraction (Lentz; Press and others, 6.4). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast only on one side of the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  );
  let c = 1;
  let d = 1 / keepFromZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= MOST_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    for (const term of [even, odd]) {
      d = 1 / keepFromZero(1 + term * d);
      c = keepFromZero(1 + term / c);
      fraction *= d * c;
    }
    if (Math.abs(d * c - 1) < SMALLEST) break;
  }
  return (front * fraction) / a;
}

const MOST_TERMS = 500;
const SMALLEST = 1e-15;

function keepFromZero(value: number): number {
  return Math.abs(value) < Number.MIN_VALUE / SMALLEST ? Number.MIN_VALUE / SMALLEST : value;
}

/** Lanczos' coefficients for the logarithm of the gamma function (g = 7; Godfrey), with an error below 10⁻¹³. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7,
];

function logGamma(z: number): number {
  const x = z - 1;
  const [first = 0, ...others] = LANCZOS;
  const sum = others.reduce((all, term, index) => all + term / (x + index + 1), first);
  const t = x + LANCZOS.length - 1.5;
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(sum);
}
