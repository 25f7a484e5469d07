/**
 * Ratings: skills on a scale that people know, with intervals.
 *
 * An interval comes from fitting the games again, drawn with replacement: two games that mirror each other are drawn
 * together. The draws are seeded, so the same results give the same ratings to the last digit.
 */
import { drawWords } from '../../../machines/rules/dice.ts';
import { design, fit, type RatedGame } from './fit.ts';

export type Rating = { readonly value: number; readonly least: number; readonly most: number };

export type PersonaRating = {
  readonly impostor: Rating;
  readonly crewmate: Rating;
  /** The mean of both. */
  readonly overall: Rating;
};

export type Ratings = {
  readonly personas: readonly PersonaRating[];
  /** What the rules give to the impostors against an equal crew, as a share of games. */
  readonly sides: Rating;
};

/** A game, and the pair that it belongs to. */
export type PairedGame = RatedGame & { readonly pair: number };

const RESAMPLES = 200;
const MIDDLE = 1500;
/** Points for odds of ten to one, as in chess. */
const POINTS = 400;
const SCALE = POINTS / Math.LN10;
/** Share of resamples outside the interval, on each side. */
const TAIL = 0.025;

/** The ratings of `personas` personas. The order of the games makes no difference. */
export function ratingsOf(games: readonly PairedGame[], personas: number, seed: number): Ratings {
  const inOrder = games.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const model = design(inOrder, personas);
  const best = fit(model, null, null);
  const drawn = resamples(inOrder, seed).map((weights) => fit(model, weights, best));
  const rating = (
    of: (skills: Float64Array) => number,
    shown: (skill: number) => number,
  ): Rating => {
    const values = drawn.map(of).toSorted((one, other) => one - other);
    const at = (share: number) => values[Math.round(share * (values.length - 1))] ?? of(best);
    return { value: shown(of(best)), least: shown(at(TAIL)), most: shown(at(1 - TAIL)) };
  };
  const points = (skill: number) => MIDDLE + SCALE * skill;
  const impostor = (persona: number) => (skills: Float64Array) => skills[1 + persona] ?? 0;
  const crew = (persona: number) => (skills: Float64Array) => skills[1 + personas + persona] ?? 0;
  return {
    personas: Array.from({ length: personas }, (_, persona) => {
      const [asImpostor, asCrew] = [impostor(persona), crew(persona)];
      return {
        impostor: rating(asImpostor, points),
        crewmate: rating(asCrew, points),
        overall: rating((skills) => (asImpostor(skills) + asCrew(skills)) / 2, points),
      };
    }),
    sides: rating(
      (skills) => skills[0] ?? 0,
      (skill) => 1 / (1 + Math.exp(-skill)),
    ),
  };
}

/** Tells games apart by what they are, wherever they stand in a list. */
function keyOf({ pair, impostors, crew, impostorsWon }: PairedGame): string {
  return JSON.stringify([pair, impostors, crew, impostorsWon]);
}

/** How often each game counts in each resample. */
function resamples(games: readonly PairedGame[], seed: number): readonly Float64Array[] {
  const pairs = [...Map.groupBy(games.keys(), (index) => games[index]?.pair).values()];
  return Array.from({ length: RESAMPLES }, (_, resample) => {
    const weights = new Float64Array(games.length);
    for (let index = 0; index < pairs.length; index++) {
      const drawn = pairs[Math.floor(fraction(seed, resample, index) * pairs.length)] ?? [];
      for (const game of drawn) weights[game] = (weights[game] ?? 0) + 1;
    }
    return weights;
  });
}

/** Draws of a schedule are in the lower half of the meetings of this stream. */
const UPPER_HALF = 2 ** 15;
const LANES = 2 ** 12;
const TWO_32 = 2 ** 32;

export function fraction(seed: number, resample: number, index: number): number {
  const meeting = UPPER_HALF + Math.floor(index / LANES);
  const [word] = drawWords({ seed, meeting, stream: 'run', tick: resample }, index % LANES);
  return word / TWO_32;
}
