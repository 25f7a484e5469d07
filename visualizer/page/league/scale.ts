/** Scales: where a figure stands on an axis that many rows share. */
import type { Row } from './league.ts';

export type Scale = {
  readonly least: number;
  readonly most: number;
  /** Where bars begin. */
  readonly zero: number;
  readonly ticks: readonly number[];
};

/** The middle of the ratings. */
const MIDDLE = 1500;
/** Points around the middle that are always there, so that small differences look small. */
const NARROWEST = 100;
const STEPS = [50, 100, 200, 500, 1000, 2000];
const MOST_TICKS = 4;

export const SHARES: Scale = { least: 0, most: 1, zero: 0, ticks: [0, 0.5, 1] };

/** One scale for all ratings of everybody who has played. */
export function ratingScale(rows: readonly Row[]): Scale {
  const all = rows
    .filter(({ all: { games } }) => games > 0)
    .flatMap(({ rating }) => [rating.overall, rating.impostor, rating.crewmate]);
  const ends = all.flatMap(({ least, most }) => [
    Math.abs(least - MIDDLE),
    Math.abs(most - MIDDLE),
  ]);
  const reach = ends.reduce((far, end) => Math.max(far, end), NARROWEST) * 1.06;
  const step = STEPS.find((one) => (2 * reach) / one <= MOST_TICKS) ?? reach;
  const side = Math.floor(reach / step);
  return {
    least: MIDDLE - reach,
    most: MIDDLE + reach,
    zero: MIDDLE,
    ticks: Array.from({ length: 2 * side + 1 }, (_, index) => MIDDLE + (index - side) * step),
  };
}

/** Differences of shares, with nothing in the middle. */
export function differenceScale(values: readonly { least: number; most: number }[]): Scale {
  const far = values.reduce(
    (reach, { least, most }) => Math.max(reach, Math.abs(least), Math.abs(most)),
    LEAST_DIFFERENCE,
  );
  const side = Math.min(1, Math.ceil(far * 10) / 10);
  return { least: -side, most: side, zero: 0, ticks: [-side, 0, side] };
}

const LEAST_DIFFERENCE = 0.1;

/** The place of a value, as a share of the axis. */
export function placeOf(value: number, { least, most }: Scale): number {
  return Math.min(1, Math.max(0, (value - least) / (most - least)));
}
