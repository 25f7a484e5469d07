/**
 * Moves: the graph that an exploration found, two numbers for each move.
 *
 * States are expanded in the order of their numbers, so the moves of a state stand together, in the order in which
 * the world listed their events.
 */
import { NumberList } from './numbers.ts';

export class MoveTable {
  readonly #ends = new NumberList();
  readonly #targets = new NumberList();

  get bytes(): number {
    return this.#ends.bytes + this.#targets.bytes;
  }

  get length(): number {
    return this.#targets.length;
  }

  add(target: number): void {
    this.#targets.push(target);
  }

  /** All moves of one more state are there. */
  close(): void {
    this.#ends.push(this.#targets.length);
  }

  /** The first move of a state; its last one is before the first of the next state. */
  first(state: number): number {
    return state === 0 ? 0 : this.#ends.at(state - 1);
  }

  end(state: number): number {
    return this.#ends.at(state);
  }

  /** The state to which a move leads. */
  target(move: number): number {
    return this.#targets.at(move);
  }
}
