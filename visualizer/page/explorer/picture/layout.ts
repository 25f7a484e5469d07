/** The layout of a space: a column for each depth, and in it a dot for each state, those of one place together. */
import type { StateSpace } from '../../../../proofs/explorer/report.ts';

export type Layout = {
  /** The left edge of the first column, and how far columns are apart. */
  readonly left: number;
  readonly wide: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
};

export type Box = { readonly width: number; readonly height: number };

/** The part of the width beside the first and the last column. */
const SIDE = 0.045;
/** Dots of a column are never farther apart than this. */
const FARTHEST = 15;

/** Where columns stand; bars above them stand there too. */
export function columns(depths: number, width: number): { left: number; wide: number } {
  const left = width * SIDE;
  return { left, wide: depths < 2 ? 0 : (width - 2 * left) / (depths - 1) };
}

/** How many steps a state is from the beginning. */
export function depthOf({ depths }: StateSpace, state: number): number {
  let first = 0;
  return depths.findIndex((many) => {
    first += many;
    return state < first;
  });
}

/** States are numbered breadth first, so those of a depth have numbers in a row. */
export function layout({ depths, parents, placeOf }: StateSpace, { width, height }: Box): Layout {
  const { left, wide } = columns(depths.length, width);
  const all = parents?.length ?? 0;
  const [x, y] = [new Float32Array(all), new Float32Array(all)];
  let first = 0;
  for (const [depth, many] of depths.entries()) {
    const states = Array.from({ length: many }, (_, index) => first + index);
    const above = (state: number) => y[parents?.[state] ?? -1] ?? 0;
    states.sort(
      (one, other) =>
        (placeOf[one] ?? 0) - (placeOf[other] ?? 0) || above(one) - above(other) || one - other,
    );
    const gap = many < 2 ? 0 : Math.min(FARTHEST, (height - 20) / (many - 1));
    const top = height / 2 - ((many - 1) * gap) / 2;
    for (const [index, state] of states.entries()) {
      x[state] = left + depth * wide;
      y[state] = top + index * gap;
    }
    first += many;
  }
  return { left, wide, x, y };
}
