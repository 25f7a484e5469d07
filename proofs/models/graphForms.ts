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
const FIRST_SLOTS = 1 << 12;
/** A pair stands in its slot with its code. */
const SLOT = 3;
const NOBODY = -1;

export class GraphForms {
  /** Pairs by open addressing: the one, the other, and their code, or 0 where there is none. */
  #slots = new Int32Array(FIRST_SLOTS * SLOT);
  #size = 0;
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
    const at = findSlot(this.#slots, one, other);
    const known = this.#slots[at + 2] ?? 0;
    if (known !== 0) return known;
    const code = this.#next++;
    this.#slots[at] = one;
    this.#slots[at + 1] = other;
    this.#slots[at + 2] = code;
    this.#size += 1;
    if (this.#size * 2 * SLOT > this.#slots.length) this.#widen();
    return code;
  }

  #widen(): void {
    const old = this.#slots;
    const slots = new Int32Array(old.length * 2);
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from + 2] === 0) continue;
      slots.set(
        old.subarray(from, from + SLOT),
        findSlot(slots, old[from] ?? 0, old[from + 1] ?? 0),
      );
    }
    this.#slots = slots;
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

/** Where a pair stands, or would. */
function findSlot(slots: Int32Array, one: number, other: number): number {
  const count = slots.length / SLOT;
  let mixed = Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
  let at = ((mixed ^ (mixed >>> 13)) & (count - 1)) * SLOT;
  while (slots[at + 2] !== 0 && (slots[at] !== one || slots[at + 1] !== other)) {
    at = at + SLOT === slots.length ? 0 : at + SLOT;
  }
  return at;
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
