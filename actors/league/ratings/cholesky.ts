/** Linear equations with a symmetric positive matrix, solved in place by Cholesky's way. */

/** Solves `matrix · x = vector`; both are overwritten, and `vector` becomes x. Only the lower half is read. */
export function solve(matrix: Float64Array, vector: Float64Array): void {
  const size = vector.length;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * size + column] ?? 0;
      for (let k = 0; k < column; k++) {
        sum -= (matrix[row * size + k] ?? 0) * (matrix[column * size + k] ?? 0);
      }
      matrix[row * size + column] =
        row === column ? Math.sqrt(sum) : sum / (matrix[column * size + column] ?? 1);
    }
  }
  for (let row = 0; row < size; row++) {
    let sum = vector[row] ?? 0;
    for (let k = 0; k < row; k++) sum -= (matrix[row * size + k] ?? 0) * (vector[k] ?? 0);
    vector[row] = sum / (matrix[row * size + row] ?? 1);
  }
  for (let row = size - 1; row >= 0; row--) {
    let sum = vector[row] ?? 0;
    for (let k = row + 1; k < size; k++) sum -= (matrix[k * size + row] ?? 0) * (vector[k] ?? 0);
    vector[row] = sum / (matrix[row * size + row] ?? 1);
  }
}
