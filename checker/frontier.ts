/** Frontier: the points that wait to be expanded, in the order of their numbers. */
import type { MachinePoint } from './step.ts';

/** Fewer points than this that were let go are no reason to write the list anew. */
const FEWEST_RELEASED = 1024;

export class Frontier<C> {
  #points: (MachinePoint<C> | null)[] = [];
  /** The number of the first point of the list. */
  #first = 0;
  /** Points below this number were let go. */
  #released = 0;

  /** The number that the next point gets. */
  get end(): number {
    return this.#first + this.#points.length;
  }

  push(point: MachinePoint<C>): void {
    this.#points.push(point);
  }

  at(number: number): MachinePoint<C> {
    const point = this.#points[number - this.#first];
    if (point === undefined || point === null) throw new Error(`state ${number} does not wait`);
    return point;
  }

  /** Lets go of the points below a number. */
  release(below: number): void {
    for (; this.#released < below; this.#released++) {
      this.#points[this.#released - this.#first] = null;
    }
    const gone = this.#released - this.#first;
    if (gone < FEWEST_RELEASED || gone * 2 < this.#points.length) return;
    this.#points = this.#points.slice(gone);
    this.#first = this.#released;
  }
}
