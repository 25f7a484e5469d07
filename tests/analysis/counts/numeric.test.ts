import { expect, test } from 'vitest';
import {
  factorCholesky,
  solveCholesky,
  studentReach,
  studentTail,
} from '../../../analysis/counts/numeric.ts';

const LOWER = [
  [2, 0, 0, 0],
  [1, 3, 0, 0],
  [-4, 2, 1, 0],
  [3, -1, 5, 2],
];
const SOLUTION = [7, -2, 3, 11];

/** The product of the triangle with its transpose: a matrix whose factor is known exactly. */
const MATRIX = LOWER.map((row) =>
  LOWER.map((other) => row.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)),
);

test('the factor of a matrix is the triangle that it was made of, exactly', () => {
  const factor = Float64Array.from(MATRIX.flat());
  factorCholesky(factor, LOWER.length);
  for (const [row, list] of LOWER.entries()) {
    for (let column = 0; column <= row; column++)
      expect(factor[row * LOWER.length + column]).toBe(list[column]);
  }
});

test('a linear system is solved exactly', () => {
  const right = MATRIX.map((row) =>
    row.reduce((sum, value, at) => sum + value * (SOLUTION[at] ?? 0), 0),
  );
  const factor = Float64Array.from(MATRIX.flat());
  factorCholesky(factor, LOWER.length);
  const vector = Float64Array.from(right);
  solveCholesky(factor, vector);
  expect([...vector]).toEqual(SOLUTION);
});

test.each([
  // Tables of Student's t, both sides together.
  { t: 12.7062047364, freedom: 1, tail: 0.05 },
  { t: 4.3026527297, freedom: 2, tail: 0.05 },
  { t: 2.5705818356, freedom: 5, tail: 0.05 },
  { t: 2.228138852, freedom: 10, tail: 0.05 },
  { t: 1.8124611228, freedom: 10, tail: 0.1 },
  { t: 0.6998120613, freedom: 10, tail: 0.5 },
  { t: 2.8453397098, freedom: 20, tail: 0.01 },
  { t: 1.9623390808, freedom: 1000, tail: 0.05 },
  { t: 0.6747351646, freedom: 1000, tail: 0.5 },
  { t: 3.3002826484, freedom: 1000, tail: 0.001 },
  { t: 0, freedom: 7, tail: 1 },
])('a t of $t with $freedom degrees of freedom is exceeded in $tail', ({ t, freedom, tail }) => {
  expect(studentTail(t, freedom)).toBeCloseTo(tail, 7);
  expect(studentTail(-t, freedom)).toBeCloseTo(tail, 7);
  if (t > 0) expect(studentReach(tail, freedom) / t).toBeCloseTo(1, 6);
});

test('with one and two degrees of freedom the tail is a formula, at any distance', () => {
  for (const t of [0.01, 0.3, 0.77, 1, 1.9, 5, 40, 3000]) {
    expect(studentTail(t, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(t), 12);
    expect(studentTail(t, 2)).toBeCloseTo(1 - t / Math.sqrt(2 + t ** 2), 12);
  }
});
