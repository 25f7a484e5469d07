/**
 * Components: the sets of states that can go round for ever (Tarjan, without recursion).
 *
 * A component is a maximal set of states each of which can be reached from each other one. Only those in which a loop
 * is possible are told: more than one state, or one that leads to itself.
 */
import type { MoveTable } from './moves.ts';

/** The components of some states of a graph, by the moves between them. */
export function findLoopingComponents(
  inside: readonly number[],
  moves: MoveTable,
): readonly (readonly number[])[] {
  const search = new Tarjan(inside, moves);
  for (const state of inside) search.from(state);
  return search.found;
}

/** Not looked at yet; not inside at all. */
const NEW = 0;
const OUTSIDE = -1;

class Tarjan {
  readonly found: number[][] = [];
  readonly #moves: MoveTable;
  /** For each state when it was opened, from 1. */
  readonly #index: Int32Array;
  /** The earliest state that it can go back to; 0 once its component is told. */
  readonly #low: Int32Array;
  readonly #stack: number[] = [];
  /** The states on the way to the one that is looked at, and the next move of each. */
  readonly #path: number[] = [];
  readonly #next: number[] = [];
  #opened = 0;

  constructor(inside: readonly number[], moves: MoveTable) {
    this.#moves = moves;
    const size = inside.reduce((most, state) => Math.max(most, state + 1), 0);
    this.#index = new Int32Array(size).fill(OUTSIDE);
    this.#low = new Int32Array(size);
    for (const state of inside) this.#index[state] = NEW;
  }

  from(start: number): void {
    if (this.#index[start] !== NEW) return;
    this.#open(start);
    while (this.#path.length > 0) this.#go(this.#path.length - 1);
  }

  /** One move of the last state of the path. */
  #go(at: number): void {
    const state = this.#path[at] ?? 0;
    const move = this.#next[at] ?? 0;
    if (move >= this.#moves.end(state)) {
      this.#path.pop();
      this.#next.pop();
      this.#close(state, this.#path[at - 1]);
      return;
    }
    this.#next[at] = move + 1;
    const to = this.#moves.target(move);
    const index = this.#index[to] ?? OUTSIDE;
    if (index === NEW) this.#open(to);
    else if (index > 0 && this.#low[to] !== 0) this.#lower(state, index);
  }

  #open(state: number): void {
    this.#opened += 1;
    this.#index[state] = this.#opened;
    this.#low[state] = this.#opened;
    this.#stack.push(state);
    this.#path.push(state);
    this.#next.push(this.#moves.first(state));
  }

  #close(state: number, parent: number | undefined): void {
    const low = this.#low[state] ?? 0;
    if (parent !== undefined) this.#lower(parent, low);
    if (low !== this.#index[state]) return;
    const component = this.#stack.splice(this.#stack.lastIndexOf(state));
    for (const member of component) this.#low[member] = 0;
    if (component.length > 1 || this.#leadsToItself(state)) this.found.push(component);
  }

  #leadsToItself(state: number): boolean {
    for (let move = this.#moves.first(state); move < this.#moves.end(state); move++) {
      if (this.#moves.target(move) === state) return true;
    }
    return false;
  }

  #lower(state: number, low: number): void {
    if (low < (this.#low[state] ?? 0)) this.#low[state] = low;
  }
}
