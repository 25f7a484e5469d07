/** Shapes: boxes of the picture, and the edges along which two of them touch. In pixels from the upper left corner. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** The part of an edge that two boxes share. */
export interface Edge {
  readonly from: Point;
  readonly to: Point;
}

export function centre({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

/** Where two boxes touch; null when they do not, or meet in a corner only. */
export function touching(one: Box, other: Box): Edge | null {
  const left = Math.max(one.x, other.x);
  const right = Math.min(one.x + one.width, other.x + other.width);
  const top = Math.max(one.y, other.y);
  const bottom = Math.min(one.y + one.height, other.y + other.height);
  const isSide = left === right && top < bottom;
  const isLevel = top === bottom && left < right;
  if (!isSide && !isLevel) return null;
  return { from: { x: left, y: top }, to: { x: right, y: bottom } };
}

/** A box with its corners cut off, as a path. */
export function chamfered({ x, y, width, height }: Box, cut: number): string {
  const [right, bottom] = [x + width, y + height];
  return [
    `M${x + cut} ${y}H${right - cut}L${right} ${y + cut}`,
    `V${bottom - cut}L${right - cut} ${bottom}`,
    `H${x + cut}L${x} ${bottom - cut}V${y + cut}Z`,
  ].join('');
}

export function rectangle({ x, y, width, height }: Box): string {
  return `M${x} ${y}H${x + width}V${y + height}H${x}Z`;
}
