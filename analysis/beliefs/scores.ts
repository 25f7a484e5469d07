/**
 * Scores of probabilities: Brier and log score, the area under the ROC curve, calibration.
 *
 * Pairs of one game depend on each other, so intervals take the game as the unit. The scores are proper (Gneiting and
 * Raftery 2007). A mean over games of unequal size has the variance of a ratio (Liang and Zeger 1986), the area has
 * Obuchowski's (1997), and both use Student's t with games − 1 degrees of freedom. One game has no interval.
 */
import { studentReach, sumOf, TAIL, wilsonInterval } from '../counts/numeric.ts';

/** The probabilities of one game, from 0 to 1, by the true role. */
export type StatedShares = {
  readonly ofImpostors: readonly number[];
  readonly ofCrew: readonly number[];
};

/** The ends of the 95 % interval are null with one game. */
export type Estimate = {
  readonly value: number;
  readonly least: number | null;
  readonly most: number | null;
};

/** Probabilities of one tenth. The last bin includes 1. */
export type CalibrationBin = Readonly<ReturnType<typeof countBins>[number]>;

export type BeliefScores = Readonly<ReturnType<typeof scoreBeliefs>>;

export function scoreBeliefs(games: readonly StatedShares[]) {
  const impostors = sumOf(games, ({ ofImpostors }) => ofImpostors.length);
  const pairs = impostors + sumOf(games, ({ ofCrew }) => ofCrew.length);
  const calibration = countBins(games);
  return {
    games: games.length,
    pairs,
    /** The share of impostors in these pairs; null without a pair. */
    base: pairs === 0 ? null : impostors / pairs,
    /** The mean of (probability − truth)². Always stating the share of impostors scores base · (1 − base). */
    brier: meanByGame(games, (share, truth) => (share - truth) ** 2, 1),
    /** The mean of −ln of the probability of the truth, in nats. */
    log: meanByGame(games, surprise, Number.POSITIVE_INFINITY),
    /** How often an impostor is suspected more than a crewmate, ties half; null without one of the two. */
    auc: areaUnderCurve(games),
    /** The mean distance between the stated and the true share over the bins; null without a pair. */
    calibrationError: pairs === 0 ? null : calibrationError(calibration, pairs),
    calibration,
  };
}

/** Probabilities are clipped, so a certain and wrong player has a bad score but not an infinite one. */
const CLIP = 0.001;

function surprise(share: number, truth: number): number {
  const clipped = Math.min(1 - CLIP, Math.max(CLIP, share));
  return -Math.log(truth === 1 ? clipped : 1 - clipped);
}

/** The mean of a loss over all pairs, at most `most`, with the variance of a ratio of sums by game. */
function meanByGame(
  games: readonly StatedShares[],
  loss: (share: number, truth: 0 | 1) => number,
  most: number,
): Estimate | null {
  const sums = games.flatMap(({ ofImpostors, ofCrew }) => {
    const count = ofImpostors.length + ofCrew.length;
    if (count === 0) return [];
    const sum =
      sumOf(ofImpostors, (share) => loss(share, 1)) + sumOf(ofCrew, (share) => loss(share, 0));
    return [{ sum, count }];
  });
  const pairs = sumOf(sums, ({ count }) => count);
  if (pairs === 0) return null;
  const value = sumOf(sums, ({ sum }) => sum) / pairs;
  const squares = sumOf(sums, ({ sum, count }) => (sum - count * value) ** 2);
  const variance = (sums.length / (sums.length - 1)) * (squares / pairs ** 2);
  return estimate(value, variance, { games: sums.length, most });
}

function estimate(
  value: number,
  variance: number,
  { games, most }: { readonly games: number; readonly most: number },
): Estimate {
  if (games < 2) return { value, least: null, most: null };
  const reach = studentReach(TAIL, games - 1) * Math.sqrt(Math.max(0, variance));
  return { value, least: Math.max(0, value - reach), most: Math.min(most, value + reach) };
}

/** Mann and Whitney 1947. It also compares players of different games. */
function areaUnderCurve(all: readonly StatedShares[]): Estimate | null {
  const games = all.filter(({ ofImpostors, ofCrew }) => ofImpostors.length + ofCrew.length > 0);
  const impostors = games.flatMap(({ ofImpostors }) => ofImpostors).toSorted(byValue);
  const crew = games.flatMap(({ ofCrew }) => ofCrew).toSorted(byValue);
  const [m, n] = [impostors.length, crew.length];
  if (m === 0 || n === 0) return null;
  const overCrew = (share: number) => countUnder(crew, share) / n;
  const underImpostors = (share: number) => 1 - countUnder(impostors, share) / m;
  const value = sumOf(impostors, overCrew) / m;
  const sums = { impostors: 0, crew: 0, both: 0, withImpostors: 0, withCrew: 0 };
  for (const { ofImpostors, ofCrew } of games) {
    const one = ofImpostors.reduce((sum, share) => sum + overCrew(share) - value, 0);
    const other = ofCrew.reduce((sum, share) => sum + underImpostors(share) - value, 0);
    sums.impostors += one ** 2;
    sums.crew += other ** 2;
    sums.both += one * other;
    if (ofImpostors.length > 0) sums.withImpostors += 1;
    if (ofCrew.length > 0) sums.withCrew += 1;
  }
  const spread = (clusters: number) => clusters / (clusters - 1);
  const variance =
    (spread(sums.withImpostors) * sums.impostors) / m ** 2 +
    (spread(sums.withCrew) * sums.crew) / n ** 2 +
    (2 * spread(games.length) * sums.both) / (m * n);
  const counted = Math.min(sums.withImpostors, sums.withCrew);
  return estimate(value, variance, { games: counted, most: 1 });
}

function byValue(one: number, other: number): number {
  return one - other;
}

/** How many sorted values are less than a value, those that are equal half. */
function countUnder(sorted: readonly number[], value: number): number {
  const below = countWhile(sorted, (one) => one < value);
  return (below + countWhile(sorted, (one) => one <= value)) / 2;
}

/** How many sorted values satisfy a condition that only the first ones do. */
function countWhile(sorted: readonly number[], holds: (value: number) => boolean): number {
  let [least, most] = [0, sorted.length];
  while (least < most) {
    const middle = (least + most) >> 1;
    if (holds(sorted[middle] ?? Number.NaN)) least = middle + 1;
    else most = middle;
  }
  return least;
}

const BINS = 10;

function countBins(games: readonly StatedShares[]) {
  const bins = Array.from({ length: BINS }, () => ({ pairs: 0, impostors: 0, sum: 0 }));
  const add = (share: number, truth: 0 | 1) => {
    // A product of floating-point numbers may fall just below a whole number.
    const bin = bins[Math.min(BINS - 1, Math.floor(share * BINS + ROUNDING))];
    if (bin === undefined) return;
    bin.pairs += 1;
    bin.impostors += truth;
    bin.sum += share;
  };
  for (const { ofImpostors, ofCrew } of games) {
    for (const share of ofImpostors) add(share, 1);
    for (const share of ofCrew) add(share, 0);
  }
  return bins.map(({ pairs, impostors, sum }, index) => ({
    from: index / BINS,
    to: (index + 1) / BINS,
    pairs,
    impostors,
    /** The mean probability; null for an empty bin. */
    stated: pairs === 0 ? null : sum / pairs,
    /** The share of impostors, with Wilson's interval, as if pairs were independent. */
    found: wilsonInterval(impostors, pairs),
  }));
}

const ROUNDING = 1e-9;

/** The expected calibration error (Naeini, Cooper and Hauskrecht 2015). */
function calibrationError(bins: readonly CalibrationBin[], pairs: number): number {
  return sumOf(bins, ({ pairs: own, impostors, stated }) =>
    stated === null ? 0 : (own / pairs) * Math.abs(stated - impostors / own),
  );
}
