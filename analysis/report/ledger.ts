/**
 * The ledger: shares and means over many games, with errors that know that what happens in one game belongs together.
 *
 * What is counted is a ratio: hits of cases, each summed up over games. Messages or ballots of one game are no independent
 * cases, and neither are games with one seed, which have the same dice. So all games of a seed are one cluster, and the
 * standard error is that of a ratio of sums over clusters (Cochran 1977, section 6.3). Numbers are kept, not rows: for
 * each figure three for each game that it has a case in.
 */
import { studentReach, wilsonInterval } from '../counts/numeric.ts';

/** How sure it is: the ends of a 95 % interval. */
export type Bounds = { readonly least: number; readonly most: number };

/** A ratio of sums. */
export type RatioSummary = {
  /** Null where there was no case. */
  readonly value: number | null;
  readonly hits: number;
  readonly cases: number;
  /** Seeds that have a case, each with all its games. */
  readonly clusters: number;
  /** The standard error; null with fewer than two clusters. */
  readonly error: number | null;
};

/** What was counted for one figure: by cluster, in the order in which it came. */
type LedgerEntry = {
  readonly clusters: number[];
  readonly hits: number[];
  readonly cases: number[];
};

export class Ledger {
  readonly #entries = new Map<string, LedgerEntry>();
  readonly #clusters = new Map<number, number>();

  /** Adds what one game has of a figure; `seed` is that of the game. */
  add(id: string, seed: number, hits: number, cases: number): void {
    const cluster = this.#clusters.get(seed) ?? this.#clusters.size;
    this.#clusters.set(seed, cluster);
    const entry = this.#entries.get(id) ?? { clusters: [], hits: [], cases: [] };
    this.#entries.set(id, entry);
    const last = entry.clusters.length - 1;
    if (entry.clusters[last] === cluster) {
      entry.hits[last] = (entry.hits[last] ?? 0) + hits;
      entry.cases[last] = (entry.cases[last] ?? 0) + cases;
      return;
    }
    entry.clusters.push(cluster);
    entry.hits.push(hits);
    entry.cases.push(cases);
  }

  summarise(id: string): RatioSummary {
    const sums = new Map<number, { hits: number; cases: number }>();
    const { clusters, hits, cases } = this.#entries.get(id) ?? NOTHING;
    for (const [index, cluster] of clusters.entries()) {
      const sum = sums.get(cluster) ?? { hits: 0, cases: 0 };
      sum.hits += hits[index] ?? 0;
      sum.cases += cases[index] ?? 0;
      sums.set(cluster, sum);
    }
    return summariseClusters([...sums.values()].filter((one) => one.cases > 0));
  }
}

const NOTHING: LedgerEntry = { clusters: [], hits: [], cases: [] };

/** By code units: the same order on every machine. */
export function byName(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function summariseClusters(
  sums: readonly { readonly hits: number; readonly cases: number }[],
): RatioSummary {
  const hits = sums.reduce((sum, one) => sum + one.hits, 0);
  const cases = sums.reduce((sum, one) => sum + one.cases, 0);
  const clusters = sums.length;
  if (cases === 0) return { value: null, hits, cases, clusters, error: null };
  const value = hits / cases;
  const squares = sums.reduce((sum, one) => sum + (one.hits - value * one.cases) ** 2, 0);
  const error = clusters < 2 ? null : Math.sqrt((squares * clusters) / (clusters - 1)) / cases;
  return { value, hits, cases, clusters, error };
}

/** As everywhere else: 5 of 100 cases lie outside, on both sides together. */
const TAIL = 0.05;
const Z = 1.959964;

/**
 * The interval of a share: Wilson's, with as many cases as would be worth as much if they were independent (Korn and
 * Graubard 1998). That they are worth more than there are is never assumed. Where all or none are hits, nothing is
 * known of how they go together: each cluster is one case then. Null with fewer than two clusters.
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
