/**
 * The chi-square test: how far counts are from even, and how far is too far.
 *
 * The critical value is Wilson and Hilferty's cube-root approximation over a normal quantile (Abramowitz and Stegun
 * 26.4.17 and 26.2.23). Against the printed tables it is good to half a unit at the probabilities used here.
 */

/** Pearson's statistic against equal shares of all cells. */
export function chiSquare(counts: ArrayLike<number>): number {
  const cells = Array.from(counts);
  const expected = cells.reduce((sum, count) => sum + count, 0) / cells.length;
  return cells.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

/** The value that a fair die exceeds with this probability. */
export function critical(probability: number, freedom: number): number {
  const ninth = 2 / (9 * freedom);
  return freedom * (1 - ninth + upperNormal(probability) * Math.sqrt(ninth)) ** 3;
}

/** The z that a standard normal exceeds with this probability, for probabilities below one half. */
function upperNormal(probability: number): number {
  const t = Math.sqrt(-2 * Math.log(probability));
  const above = 2.515517 + 0.802853 * t + 0.010328 * t ** 2;
  const below = 1 + 1.432788 * t + 0.189269 * t ** 2 + 0.001308 * t ** 3;
  return t - above / below;
}
