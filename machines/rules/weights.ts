/**
 * The weights of the priority: defaults, the bound on silence, and refusals.
 *
 * P = desire + M·[mentioned] + A·[accused] + s(k) + d6 − R·[just spoke] − V·[voted]. A rival can outbid a player by at
 * most the spread Δ. A silence boost that exceeds Δ and the rivals' growth in the same time always wins. After a grace
 * it rises by the same step each tick, by default without a ceiling, so nobody starves.
 */
import type { Note } from '../types.ts';
import {
  SCORE_TERMS,
  type ScoreRow,
  type ScoreTerm,
  type WeightedRow,
  type WeightedTerm,
} from './scoreTerms.ts';

/** s(k) = slope · max(0, k − grace), at most `cap`. */
export type Silence = {
  readonly slope: number;
  readonly grace: number;
  readonly cap: number | null;
};

/** Ticks since the player's last message, which tick `lastSpoke` published: 0 right after it and in the first tick. */
export function silentTicks(tick: number, lastSpoke: number | undefined): number {
  return lastSpoke === undefined ? tick : tick - lastSpoke - 1;
}

/** s(k): the boost after k ticks of silence. */
export function silenceBoost(silence: Silence, silent: number): number {
  const boost = silence.slope * Math.max(0, silent - silence.grace);
  return silence.cap === null ? boost : Math.min(boost, silence.cap);
}

/** The design's words for a quiet player. */
export const REMINDER = "You can't just be silent, that ruins the fun";

export const WEIGHTED_TERMS: readonly WeightedRow[] = SCORE_TERMS.filter(
  (row): row is WeightedRow => row.weight !== null,
);

export function mapTerms<T>(value: (row: ScoreRow) => T): Readonly<Record<ScoreTerm, T>>;
export function mapTerms(value: (row: ScoreRow) => unknown): object {
  return Object.fromEntries(SCORE_TERMS.map((row) => [row.key, value(row)]));
}

export function mapWeights<T>(value: (row: WeightedRow) => T): Readonly<Record<WeightedTerm, T>>;
export function mapWeights(value: (row: WeightedRow) => unknown): object {
  return Object.fromEntries(WEIGHTED_TERMS.map((row) => [row.key, value(row)]));
}

type TermWeights = Readonly<Record<WeightedTerm, number>>;
export type Weights = TermWeights & { readonly silence: Silence };

export const MAX_DESIRE = 10;
/** The die adds 1 to 6, so two dice differ by at most 5. */
export const DIE_SPREAD = 5;
/** With fewer living players, two rivals can't shut anybody out. */
const FEWEST = 3;
/** A larger weight would drown desire, which goes to 10. */
const LARGEST = 100;

/** Δ: the largest lead of a rival over a player who bids with desire ≥ `leastDesire`. */
export function worstSpread(weights: TermWeights, leastDesire = 0): number {
  const terms = SPREAD_TERMS.reduce((sum, { key }) => sum + weights[key], 0);
  return MAX_DESIRE - leastDesire + DIE_SPREAD + terms;
}

const SPREAD_TERMS = WEIGHTED_TERMS.filter(({ isInSpread }) => isInSpread);

/** The smallest slope that adds at most N + 1 ticks to the grace, for `living` players (ruling 11). */
export function leastSlope(weights: TermWeights, living: number): number {
  return Math.floor(worstSpread(weights) / (Math.max(living, FEWEST) + 1)) + 1;
}

/** A grace of N ticks, in which everybody can speak once, and the slope that keeps W at 3N − 1 ticks or less. */
export function defaultSilence(weights: TermWeights, living: number): Silence {
  return { slope: leastSlope(weights, living), grace: living, cap: null };
}

export function defaultWeights(living: number): Weights {
  return { ...DEFAULT_TERMS, silence: defaultSilence(DEFAULT_TERMS, living) };
}

export const DEFAULT_TERMS: TermWeights = mapWeights(({ weight }) => weight);

/**
 * W: no player who bids every tick is longer without the floor: ⌈Δ/c⌉ + N − 2 + grace, with N at least 3. Players who
 * leave only lower it. Infinity if the weights can starve a player: a slope of 0, or too low a cap.
 */
export function longestSilence(weights: Weights, living: number): number {
  return computeSilenceBound(weights, living).ticks;
}

export function computeSilenceBound(
  weights: Weights,
  living: number,
): { readonly ticks: number; readonly arithmetic: string } {
  if (explainStarving(weights, living) !== null) {
    return {
      ticks: Number.POSITIVE_INFINITY,
      arithmetic: 'no bound: these weights can starve a player',
    };
  }
  const { slope, grace } = weights.silence;
  const spread = worstSpread(weights);
  const players = Math.max(living, FEWEST);
  const ticks = Math.ceil(spread / slope) + players - 2 + grace;
  const sum = `⌈Δ/c⌉ + N − 2 + n0 = ⌈${spread}/${slope}⌉ + ${players} − 2 + ${grace}`;
  return { ticks, arithmetic: `${spreadInWords(weights)}; W = ${sum} = ${ticks}` };
}

/** Why these weights are refused at a table of `living` players, or null. */
export function weightsRefusal(weights: Weights, living: number): Note | null {
  const senseless = senselessTerm(weights);
  if (senseless !== null) return { code: 'weights/senseless', text: senseless };
  const text = explainStarving(weights, living);
  return text === null ? null : { code: 'weights/starve', text };
}

function explainStarving(weights: Weights, living: number): string | null {
  const { silence } = weights;
  if (silence.slope > 0 && silence.cap === null) return null;
  const players = Math.max(living, FEWEST);
  if (silence.slope === 0)
    return `silence slope 0 never adds anything, so a rival who outbids a player by ${spreadInWords(weights)} does so for ever; expected a slope of at least 1 (the default is ${leastSlope(weights, players)} for ${players} players)`;
  // The boost of the last rival after all others took their turns.
  const others = silenceBoost({ ...silence, cap: null }, players - 2);
  const least = worstSpread(weights) + others + 1;
  if (Number(silence.cap) >= least) return null;
  return `a silence boost capped at ${silence.cap} lets two rivals shut a player out for ever: it must exceed Δ + s(N − 2), where ${spreadInWords(weights)} and s(${players - 2}) = ${others}; expected no cap, or at least ${least}`;
}

function senselessTerm(weights: Weights): string | null {
  const { silence, ...terms } = weights;
  const { cap, ...others } = silence;
  for (const [name, value] of Object.entries({ ...terms, ...others })) {
    if (!Number.isInteger(value) || value < 0 || value > LARGEST)
      return `expected ${name} to be a whole number from 0 to ${LARGEST}, found ${value}`;
  }
  if (cap !== null && (!Number.isInteger(cap) || cap < 0))
    return `expected the cap on silence to be a whole number or none, found ${cap}`;
  return null;
}

function spreadInWords(weights: Weights): string {
  const terms = SPREAD_TERMS.filter(({ key }) => weights[key] > 0)
    .map(({ key }) => ` + ${weights[key]} ${key}`)
    .join('');
  return `Δ = ${MAX_DESIRE} desire + ${DIE_SPREAD} die${terms} = ${worstSpread(weights)}`;
}
