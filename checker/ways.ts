/**
 * Paths: how each state was found first.
 *
 * States are found in the order of their numbers, breadth first, so the first state that was found from one of the
 * deepest states is the first one of a new depth.
 */
import { NumberList } from './numbers.ts';

/** A path through the states that were found: each with the place of the event that led to it; -1 for the first. */
export type StatePath = readonly { readonly state: number; readonly via: number }[];

export class PathTree {
  readonly #parents = new NumberList();
  readonly #vias = new NumberList();
  /** The number of the first state of each depth. */
  readonly #levels: number[] = [];

  /** States so far: the number that the next new one gets. */
  get states(): number {
    return this.#parents.length;
  }

  get bytes(): number {
    return this.#parents.bytes + this.#vias.bytes;
  }

  /** How many steps the farthest state is from the beginning. */
  get depth(): number {
    return Math.max(0, this.#levels.length - 1);
  }

  /** How many states were found at each depth. */
  get depths(): readonly number[] {
    return this.#levels.map((first, depth) => (this.#levels[depth + 1] ?? this.states) - first);
  }

  /** The state from which each state was found; -1 for the first. */
  get parents(): readonly number[] {
    return Array.from({ length: this.states }, (_, state) => this.#parents.at(state));
  }

  /** Adds the next state: it was found from its parent, by the event at that place. */
  add(parent: number, via: number): void {
    if (parent >= (this.#levels.at(-1) ?? -1)) this.#levels.push(this.states);
    this.#parents.push(parent);
    this.#vias.push(via);
  }

  /** How many steps a state is from the beginning. */
  depthOf(state: number): number {
    return this.#levels.findLastIndex((first) => first <= state);
  }

  /** The states on the path to a state, the beginning and itself included. */
  pathTo(state: number): StatePath {
    const path: { state: number; via: number }[] = [];
    for (let at = state; at >= 0; at = this.#parents.at(at)) {
      path.push({ state: at, via: this.#vias.at(at) });
    }
    return path.reverse();
  }

  /** Parent and event of each state between two numbers, one pair after another. */
  pairs(first: number, end: number): Int32Array {
    const pairs = new Int32Array(2 * (end - first));
    for (let state = first; state < end; state++) {
      pairs[2 * (state - first)] = this.#parents.at(state);
      pairs[2 * (state - first) + 1] = this.#vias.at(state);
    }
    return pairs;
  }
}
