/**
 * What a search remembers of the states that it found: the path to each, the moves between them, and those that wait.
 *
 * States are found in the order of their numbers, breadth first, so the first state that was found from one of the
 * deepest states is the first one of a new depth.
 */
import type { MachinePoint } from './stepper.ts';

const FIRST_ROOM = 1024;

/** A list of whole numbers that grows, four bytes each: what a search remembers of millions of states. */
export class NumberList {
  #room: Int32Array = new Int32Array(FIRST_ROOM);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    return this.#room.byteLength;
  }

  push(value: number): void {
    if (this.#length === this.#room.length) {
      const wider = new Int32Array(this.#length * 2);
      wider.set(this.#room);
      this.#room = wider;
    }
    this.#room[this.#length++] = value;
  }

  /** The number at a place; 0 beyond the end. */
  at(index: number): number {
    return this.#room[index] ?? 0;
  }
}

/**
 * A path through what was found: states, and between them the drafts of factored events as the complements of their
 * numbers. Each has the place of the move that led to it; -1 for the first.
 */
export type StatePath = readonly { readonly state: number; readonly via: number }[];

export class PathTree {
  readonly #parents = new NumberList();
  readonly #vias = new NumberList();
  /** What each state was found from: the parent, or the complement of the last draft on the way. */
  readonly #nearest = new NumberList();
  /** The same of the drafts. */
  readonly #draftParents = new NumberList();
  readonly #draftVias = new NumberList();
  /** The number of the first state of each depth. */
  readonly #levels: number[] = [];

  /** States so far: the number that the next new one gets. */
  get states(): number {
    return this.#parents.length;
  }

  /** Drafts so far. */
  get drafts(): number {
    return this.#draftParents.length;
  }

  get bytes(): number {
    const lists = [this.#parents, this.#vias, this.#nearest, this.#draftParents, this.#draftVias];
    return lists.reduce((sum, { bytes }) => sum + bytes, 0);
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

  /**
   * Adds the next state: it was found from its parent, by the event at that place; or by the settling at that place of
   * the draft whose complement is `nearest`.
   */
  add(parent: number, via: number, nearest = parent): void {
    if (parent >= (this.#levels.at(-1) ?? -1)) this.#levels.push(this.states);
    this.#parents.push(parent);
    this.#vias.push(via);
    this.#nearest.push(nearest);
  }

  /** Adds the next draft: it was found from a state, or from the draft of which `nearest` is the complement. */
  addDraft(nearest: number, via: number): void {
    this.#draftParents.push(nearest);
    this.#draftVias.push(via);
  }

  /** How many steps a state is from the beginning. */
  depthOf(state: number): number {
    return this.#levels.findLastIndex((first) => first <= state);
  }

  /** The states and drafts on the path to a state or a draft, the beginning and itself included. */
  pathTo(state: number): StatePath {
    const path: { state: number; via: number }[] = [];
    for (let at = state; ; ) {
      if (at >= 0) {
        const via = this.#vias.at(at);
        path.push({ state: at, via });
        if (via < 0) break;
        at = this.#nearest.at(at);
      } else {
        path.push({ state: at, via: this.#draftVias.at(~at) });
        at = this.#draftParents.at(~at);
      }
    }
    return path.reverse();
  }
}

/*
 * Moves: the graph that an exploration found, two numbers for each move.
 *
 * States are expanded in the order of their numbers, so the moves of a state stand together, in the order in which
 * the world listed their events.
 */

export class MoveTable {
  readonly #ends = new NumberList();
  readonly #targets = new NumberList();

  get bytes(): number {
    return this.#ends.bytes + this.#targets.bytes;
  }

  get length(): number {
    return this.#targets.length;
  }

  /** States whose moves are all there. */
  get nodes(): number {
    return this.#ends.length;
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

/**
 * The whole graph of a search: the states by their numbers, and behind them the drafts of factored events. Moves of
 * drafts are numbered behind those of states.
 */
export class MoveGraph {
  readonly states: number;
  readonly #outer: MoveTable;
  readonly #inner: MoveTable;

  constructor(states: number, outer: MoveTable, inner: MoveTable) {
    this.states = states;
    this.#outer = outer;
    this.#inner = inner;
  }

  /** Drafts whose moves are known. */
  get drafts(): number {
    return this.#inner.nodes;
  }

  /** States and drafts. */
  get nodes(): number {
    return this.states + this.drafts;
  }

  /** Moves out of states; those of drafts come behind them. */
  get outerMoves(): number {
    return this.#outer.length;
  }

  isDraft(node: number): boolean {
    return node >= this.states;
  }

  first(node: number): number {
    if (node < this.states) return this.#outer.first(node);
    return this.#outer.length + this.#inner.first(node - this.states);
  }

  end(node: number): number {
    if (node < this.states) return this.#outer.end(node);
    return this.#outer.length + this.#inner.end(node - this.states);
  }

  target(move: number): number {
    const { length } = this.#outer;
    const to = move < length ? this.#outer.target(move) : this.#inner.target(move - length);
    return to >= 0 ? to : this.states + ~to;
  }

  /** A path of this graph as a path of states and drafts. */
  toPath(nodes: StatePath): StatePath {
    const { states } = this;
    return nodes.map(({ state, via }) => ({
      state: state < states ? state : ~(state - states),
      via,
    }));
  }
}

/** The list is written anew only when at least this many of its points were released. */
const FEWEST_RELEASED = 1024;

/** The points that wait to be expanded, in the order of their numbers. */
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
