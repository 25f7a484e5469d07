/** The path to each state of a search, and the moves between states. States are numbered breadth first. */
const FIRST_ROOM = 1024;

const GREATEST_BYTE = 255;

/** A growable list of 32-bit integers, for millions of states. As long as all of them fit, each takes one byte. */
export class NumberList {
  #room: Int32Array | Uint8Array = new Uint8Array(FIRST_ROOM);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    return this.#room.byteLength;
  }

  push(value: number): void {
    const room = this.#room;
    const fits = room instanceof Int32Array || (value >= 0 && value <= GREATEST_BYTE);
    if (!fits || this.#length === room.length) {
      const size = room.length * (this.#length === room.length ? 2 : 1);
      this.#room = fits && room instanceof Uint8Array ? new Uint8Array(size) : new Int32Array(size);
      this.#room.set(room);
    }
    this.#room[this.#length++] = value;
  }

  /** The number at an index, or 0 beyond the end. */
  at(index: number): number {
    return this.#room[index] ?? 0;
  }
}

/** States, or complements of drafts' numbers, and the index of the move that led to each (-1 for the first). */
export type StatePath = readonly { readonly state: number; readonly via: number }[];

export class PathTree {
  readonly #parents = new NumberList();
  readonly #vias = new NumberList();
  /** The parent of each state, or the complement of the last draft before it. */
  readonly #nearest = new NumberList();
  readonly #draftParents = new NumberList();
  readonly #draftVias = new NumberList();
  /** The first state of each depth. The first one that is found from a state of the last depth begins a new depth. */
  readonly #levels: number[] = [];

  get states(): number {
    return this.#parents.length;
  }

  get drafts(): number {
    return this.#draftParents.length;
  }

  get bytes(): number {
    const lists = [this.#parents, this.#vias, this.#nearest, this.#draftParents, this.#draftVias];
    return lists.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get depth(): number {
    return Math.max(0, this.#levels.length - 1);
  }

  get depths(): readonly number[] {
    return this.#levels.map((first, depth) => (this.#levels[depth + 1] ?? this.states) - first);
  }

  /** The state from which each state was found, -1 for the first. */
  get parents(): readonly number[] {
    return Array.from({ length: this.states }, (_, state) => this.#parents.at(state));
  }

  /** `via` is the index of the event from `parent`, or of the end from the draft with complement `nearest`. */
  add(parent: number, via: number, nearest = parent): void {
    if (parent >= (this.#levels.at(-1) ?? -1)) this.#levels.push(this.states);
    this.#parents.push(parent);
    this.#vias.push(via);
    this.#nearest.push(nearest);
  }

  addDraft(nearest: number, via: number): void {
    this.#draftParents.push(nearest);
    this.#draftVias.push(via);
  }

  depthOf(state: number): number {
    return this.#levels.findLastIndex((first) => first <= state);
  }

  /** The states and drafts on the path to a state or draft, including the start and itself. */
  pathTo(state: number): StatePath {
    const path: { state: number; via: number }[] = [];
    for (let at = state; ; ) {
      const via = at >= 0 ? this.#vias.at(at) : this.#draftVias.at(~at);
      path.push({ state: at, via });
      if (via < 0) return path.reverse();
      at = at >= 0 ? this.#nearest.at(at) : this.#draftParents.at(~at);
    }
  }
}

/** States are expanded in order, so the moves of a state are contiguous and in the world's order. */
export class MoveTable {
  /** By state, the move after its last one, which is the first of the next state. */
  readonly ends = new NumberList();
  readonly targets = new NumberList();

  get bytes(): number {
    return this.ends.bytes + this.targets.bytes;
  }

  add(target: number): void {
    this.targets.push(target);
  }

  /** Marks the moves of one more state as complete. */
  close(): void {
    this.ends.push(this.targets.length);
  }

  first(state: number): number {
    return state === 0 ? 0 : this.ends.at(state - 1);
  }
}

/** The whole graph of a search: its states, then its drafts. The moves of drafts follow those of states. */
export class MoveGraph {
  readonly states: number;
  /** Drafts whose moves are known. */
  readonly drafts: number;
  readonly outerMoves: number;
  readonly #outer: MoveTable;
  readonly #inner: MoveTable;

  constructor(states: number, outer: MoveTable, inner: MoveTable) {
    this.states = states;
    this.drafts = inner.ends.length;
    this.outerMoves = outer.targets.length;
    this.#outer = outer;
    this.#inner = inner;
  }

  isDraft(node: number): boolean {
    return node >= this.states;
  }

  first(node: number): number {
    if (node < this.states) return this.#outer.first(node);
    return this.outerMoves + this.#inner.first(node - this.states);
  }

  end(node: number): number {
    if (node < this.states) return this.#outer.ends.at(node);
    return this.outerMoves + this.#inner.ends.at(node - this.states);
  }

  movesOf(node: number): readonly number[] {
    const first = this.first(node);
    return Array.from({ length: this.end(node) - first }, (_, index) => first + index);
  }

  /** The first move of a node that passes a test, or -1. */
  findMove(node: number, isIt: (move: number) => boolean): number {
    const end = this.end(node);
    for (let move = this.first(node); move < end; move++) if (isIt(move)) return move;
    return -1;
  }

  target(move: number): number {
    const inner = move - this.outerMoves;
    const to = inner < 0 ? this.#outer.targets.at(move) : this.#inner.targets.at(inner);
    return to >= 0 ? to : this.states + ~to;
  }

  /** Converts a path of this graph to states and drafts. */
  toPath(nodes: StatePath): StatePath {
    const { states } = this;
    return nodes.map(({ state, via }) => ({
      state: state < states ? state : ~(state - states),
      via,
    }));
  }
}
