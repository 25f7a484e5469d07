/**
 * Computes the canonical form of a graph as an integer. Each node points at one node or none, so
 * the graph consists of trees, and cycles with trees attached. A tree is coded from the leaves
 * upwards by the node's label and the sorted codes of its predecessors, a cycle by its least
 * rotation. Every code has a number, so comparing two numbers compares two forms exactly.
 */

import { PairTable } from 'glass-box-checker';

/** Labels are integers below this. Codes are numbered from here. */
const LABELS = 1 << 20;
const CIRCLE = LABELS;
const WHOLE = LABELS + 1;
const NOBODY = -1;
/** More than the seats of any table. */
const MOST_NODES = 16;

export class GraphForms {
  readonly #pairs = new PairTable();
  #next = WHOLE + 1;
  /** The unprocessed predecessors of each node. All arrays here are reused. */
  readonly #waiting = new Uint8Array(MOST_NODES);
  readonly #codes = new Int32Array(MOST_NODES);
  /** The codes of each node's predecessors, one row per node, and their number. */
  readonly #branches = new Int32Array(MOST_NODES * MOST_NODES);
  readonly #counts = new Uint8Array(MOST_NODES);
  readonly #ready = new Uint8Array(MOST_NODES);
  readonly #parts = new Int32Array(MOST_NODES);
  readonly #circle = new Int32Array(MOST_NODES);

  /**
   * Equal for two graphs in the same situation exactly if exchanging nodes maps one to the other. Targets are nodes, or
   * -1. The situation comes first, because few codes begin a form and many end one.
   */
  of(labels: ArrayLike<number>, targets: ArrayLike<number>, situation = 0): number {
    const size = labels.length;
    if (size > MOST_NODES) throw new Error(`expected at most ${MOST_NODES} nodes, found ${size}`);
    const waiting = this.#waiting;
    const codes = this.#codes;
    const branches = this.#branches;
    const counts = this.#counts;
    const ready = this.#ready;
    const parts = this.#parts;
    for (let node = 0; node < size; node++) {
      codes[node] = labels[node] ?? 0;
      waiting[node] = 0;
      counts[node] = 0;
    }
    for (let node = 0; node < size; node++) {
      const target = targets[node] ?? NOBODY;
      if (target !== NOBODY) waiting[target] = (waiting[target] ?? 0) + 1;
    }
    let [readyCount, partCount] = [0, 0];
    for (let node = 0; node < size; node++) if (waiting[node] === 0) ready[readyCount++] = node;
    // Leaves first, so all predecessors of a node precede it.
    for (let at = 0; at < readyCount; at++) {
      const node = ready[at] ?? 0;
      const code = this.#foldBranches(node);
      const target = targets[node] ?? NOBODY;
      if (target === NOBODY) {
        parts[partCount++] = code;
        continue;
      }
      const count = counts[target] ?? 0;
      branches[target * MOST_NODES + count] = code;
      counts[target] = count + 1;
      const left = (waiting[target] ?? 0) - 1;
      waiting[target] = left;
      if (left === 0) ready[readyCount++] = target;
    }
    for (let node = 0; node < size; node++) {
      if (waiting[node] === 0) continue;
      let length = 0;
      for (let at = node; waiting[at] !== 0; at = targets[at] ?? NOBODY) {
        waiting[at] = 0;
        this.#circle[length++] = this.#foldBranches(at);
      }
      const least = findLeastRotation(this.#circle, length);
      let code = CIRCLE;
      for (let at = 0; at < length; at++)
        code = this.#pair(code, this.#circle[(least + at) % length] ?? 0);
      parts[partCount++] = code;
    }
    return this.#fold(this.#pair(WHOLE, situation), parts, 0, partCount);
  }

  #pair(one: number, other: number): number {
    const code = this.#pairs.of(one, other, this.#next);
    if (code === this.#next) this.#next += 1;
    return code;
  }

  #foldBranches(node: number): number {
    const from = node * MOST_NODES;
    return this.#fold(
      this.#codes[node] ?? 0,
      this.#branches,
      from,
      from + (this.#counts[node] ?? 0),
    );
  }

  /** Combines a code with a range of the list, regardless of the order within the range. */
  #fold(first: number, list: Int32Array, from: number, end: number): number {
    for (let at = from + 1; at < end; at++) {
      const moved = list[at] ?? 0;
      let to = at;
      for (; to > from && (list[to - 1] ?? 0) > moved; to--) list[to] = list[to - 1] ?? 0;
      list[to] = moved;
    }
    let code = first;
    for (let at = from; at < end; at++) code = this.#pair(code, list[at] ?? 0);
    return code;
  }
}

/** The start of the least rotation of the first codes in a list. */
function findLeastRotation(codes: Int32Array, length: number): number {
  let least = 0;
  for (let from = 1; from < length; from++) {
    for (let at = 0; at < length; at++) {
      const difference = (codes[(from + at) % length] ?? 0) - (codes[(least + at) % length] ?? 0);
      if (difference > 0) break;
      if (difference === 0) continue;
      least = from;
      break;
    }
  }
  return least;
}
