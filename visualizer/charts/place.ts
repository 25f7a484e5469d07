/** Places: points and rectangles of the picture, in pixels from its upper left corner. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Place extends Point {
  readonly width: number;
  readonly height: number;
}
