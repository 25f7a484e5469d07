/**
 * The canonical form of a graph in which each node points at one node or at none, as a whole number.
 *
 * Such a graph is trees, and circles with trees on them. A tree is coded from its leaves upwards, by the label of a node and
 * the sorted codes of what points at it; a circle by its least rotation. Every code that was seen has a number, so to
 * compare two forms is to compare two numbers, exactly.
 */

/** Labels are whole numbers below this; what is made of them is numbered from here on. */
const LABELS = 1 << 20;
const CIRCLE = LABELS;
const WHOLE = LABELS + 1;
/** Two codes side by side must be a whole number that is exact. */
const CODES = 1 << 26;
const NOBODY = -1;

export class GraphForms {
  readonly #pairs = new Map<number, number>();
  #next = WHOLE + 1;

  /** Equal for two graphs exactly when one is the other with its nodes exchanged. Targets are nodes, or -1. */
  of(labels: readonly number[], targets: readonly number[]): number {
    const size = labels.length;
    const waiting = new Uint8Array(size);
    for (const target of targets) {
      if (target !== NOBODY) waiting[target] = (waiting[target] ?? 0) + 1;
    }
    const codes = [...labels];
    const branches: (number[] | null)[] = labels.map(() => null);
    const parts: number[] = [];
    const ready: number[] = [];
    for (let node = 0; node < size; node++) if (waiting[node] === 0) ready.push(node);
    // Leaves first: when a node is taken, all that points at it has been.
    for (let at = 0; at < ready.length; at++) {
      const node = ready[at] ?? 0;
      const code = this.#fold(codes[node] ?? 0, branches[node] ?? null);
      const target = targets[node] ?? NOBODY;
      if (target === NOBODY) {
        parts.push(code);
        continue;
      }
      const beside = branches[target];
      if (beside === null || beside === undefined) branches[target] = [code];
      else beside.push(code);
      const left = (waiting[target] ?? 0) - 1;
      waiting[target] = left;
      if (left === 0) ready.push(target);
    }
    // What still waits is on a circle.
    for (let node = 0; node < size; node++) {
      if (waiting[node] === 0) continue;
      const circle: number[] = [];
      for (let at = node; waiting[at] !== 0; at = targets[at] ?? NOBODY) {
        waiting[at] = 0;
        circle.push(this.#fold(codes[at] ?? 0, branches[at] ?? null));
      }
      parts.push(this.#chain(CIRCLE, rotateToLeast(circle)));
    }
    return this.#fold(WHOLE, parts);
  }

  /** The number of two codes, the one before the other. */
  pair(one: number, other: number): number {
    const key = one * CODES + other;
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    if (this.#next === CODES) throw new Error(`more than ${CODES} codes of graphs`);
    const code = this.#next++;
    this.#pairs.set(key, code);
    return code;
  }

  #fold(code: number, branches: number[] | null): number {
    if (branches === null) return code;
    if (branches.length > 1) branches.sort((one, other) => one - other);
    return this.#chain(code, branches);
  }

  #chain(first: number, codes: readonly number[]): number {
    let code = first;
    for (const next of codes) code = this.pair(code, next);
    return code;
  }
}

function rotateToLeast(codes: readonly number[]): readonly number[] {
  const { length } = codes;
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
  return least === 0 ? codes : [...codes.slice(least), ...codes.slice(0, least)];
}
