/**
 * Ratios of sums with their errors. Cases of one game depend on each other, and games with one seed share their dice.
 * So a seed is one cluster, and the error is that of a ratio of sums over clusters (Cochran 1977, section 6.3).
 */
import { studentReach, sumOf, TAIL, wilsonInterval, Z } from '../counts/numeric.ts';

/** The ends of a 95 % interval. */
export type Bounds = { readonly least: number; readonly most: number };

export type RatioSummary = Readonly<ReturnType<typeof summariseGames>>;

/** The mean of values, one a game; null without a case. With fewer than two seeds there is no standard error. */
export function summariseGames(
  games: readonly { readonly pair: number; readonly value: number }[],
) {
  const sums = [...Map.groupBy(games, ({ pair }) => pair).values()].map((own) => {
    return { hits: sumOf(own, ({ value }) => value), cases: own.length };
  });
  const [hits, cases] = [sumOf(sums, (one) => one.hits), games.length];
  const clusters = sums.length;
  if (cases === 0) return { value: null, hits, cases, clusters, error: null };
  const value = hits / cases;
  const squares = sumOf(sums, (one) => (one.hits - value * one.cases) ** 2);
  const error = clusters < 2 ? null : Math.sqrt((squares * clusters) / (clusters - 1)) / cases;
  return { value, hits, cases, clusters, error };
}

/**
 * Wilson's interval of a share, with the effective number of cases (Korn and Graubard 1998), never more than there are. If
 * all or none are hits, the dependence is unknown and each cluster is one case. Null with fewer than two clusters.
 */
export function boundShare({ value, hits, cases, clusters, error }: RatioSummary): Bounds | null {
  if (value === null || error === null) return null;
  const alone = (value * (1 - value)) / cases;
  const together = alone <= 0 ? cases / clusters : Math.max(1, error ** 2 / alone);
  const few = (studentReach(TAIL, clusters - 1) / Z) ** 2;
  return wilsonInterval(hits, cases, together * few);
}

/** The interval of a mean, by Student's distribution; null with fewer than two clusters. */
export function boundMean({ value, clusters, error }: RatioSummary): Bounds | null {
  if (value === null || error === null) return null;
  const reach = studentReach(TAIL, clusters - 1) * error;
  return { least: value - reach, most: value + reach };
}
