/** Lassos: a run that goes round for ever within a region of the graph, past everything that makes it fair. */

import type { MoveTable } from './moves.ts';
import type { StatePath } from './ways.ts';

/** An assumption of weak fairness: whether a move is one of its moves. */
export type Assumption = {
  readonly name: string;
  readonly helps: (move: number) => boolean;
};

type HelpsMove = Assumption['helps'];
type RegionMove = { readonly from: number; readonly move: number };

/** States each of which can be reached from each other one. */
export class LoopRegion {
  readonly states: readonly number[];
  readonly #members: ReadonlySet<number>;
  readonly #moves: MoveTable;

  constructor(states: readonly number[], moves: MoveTable) {
    this.states = states;
    this.#members = new Set(states);
    this.#moves = moves;
  }

  /** An assumption allows going round here: one of its moves is made here, or is impossible somewhere here. */
  allows(helps: HelpsMove): boolean {
    return this.unhelped(helps) !== null || this.helping(helps) !== null;
  }

  /** A move of an assumption that stays within the region. */
  helping(helps: HelpsMove): RegionMove | null {
    for (const from of this.states) {
      const move = this.#movesOf(from).find((one) => helps(one) && this.#staysWith(one));
      if (move !== undefined) return { from, move };
    }
    return null;
  }

  /** A state in which no move of an assumption is possible, whether it would stay or leave. */
  unhelped(helps: HelpsMove): number | null {
    return this.states.find((state) => !this.#movesOf(state).some(helps)) ?? null;
  }

  after({ from, move }: RegionMove): StatePath {
    return [{ state: this.#moves.target(move), via: move - this.#moves.first(from) }];
  }

  /** The shortest path from one state to another; to the same one, the shortest path round. */
  findPath(from: number, to: number, isRound: boolean): StatePath {
    if (from === to && !isRound) return [];
    const came = new Map<number, RegionMove>();
    const queue = [from];
    for (let at = 0; at < queue.length && !came.has(to); at++) {
      const state = queue[at] ?? from;
      for (const move of this.#movesOf(state)) {
        const next = this.#moves.target(move);
        if (came.has(next) || !this.#members.has(next)) continue;
        came.set(next, { from: state, move });
        queue.push(next);
      }
    }
    return this.#back(came, from, to);
  }

  #back(came: ReadonlyMap<number, RegionMove>, from: number, to: number): StatePath {
    const path: { state: number; via: number }[] = [];
    let at = to;
    do {
      const step = came.get(at);
      if (step === undefined) throw new Error('a component hangs together');
      path.push(...this.after(step));
      at = step.from;
    } while (at !== from);
    return path.reverse();
  }

  #movesOf(state: number): readonly number[] {
    const moves: number[] = [];
    for (let move = this.#moves.first(state); move < this.#moves.end(state); move++) {
      moves.push(move);
    }
    return moves;
  }

  #staysWith(move: number): boolean {
    return this.#members.has(this.#moves.target(move));
  }
}

/** A path from a state of a region round to itself that passes by everything that makes it fair. */
export function buildLasso(
  region: LoopRegion,
  start: number,
  fair: readonly Assumption[],
): StatePath {
  const loop: { state: number; via: number }[] = [];
  let at = start;
  for (const { helps } of fair) {
    const gap = region.unhelped(helps);
    const step = gap === null ? region.helping(helps) : null;
    const target = gap ?? step?.from ?? at;
    loop.push(...region.findPath(at, target, false));
    if (step !== null) loop.push(...region.after(step));
    at = loop.at(-1)?.state ?? at;
  }
  if (loop.length === 0 || at !== start)
    loop.push(...region.findPath(at, start, loop.length === 0));
  return loop;
}
