const FIRST_SLOTS = 1 << 10;
/** Cells of a slot: the pair, and its value plus one, or 0 for an empty slot. */
const SLOT = 3;
const FULLEST = 3 / 4;

/** Values of pairs of integers, in one array with open addressing. A map would need far more memory. */
export class PairTable {
  #slots = new Int32Array(FIRST_SLOTS * SLOT);
  #size = 0;

  get bytes(): number {
    return this.#slots.byteLength;
  }

  has(one: number, other: number): boolean {
    return this.#slots[findSlot(this.#slots, one, other) + 2] !== 0;
  }

  /** The value of a pair. A new pair gets `next`. */
  of(one: number, other: number, next: number): number {
    const at = findSlot(this.#slots, one, other);
    const known = this.#slots[at + 2] ?? 0;
    if (known !== 0) return known - 1;
    this.#slots[at] = one;
    this.#slots[at + 1] = other;
    this.#slots[at + 2] = next + 1;
    this.#size += 1;
    if (this.#size > (this.#slots.length / SLOT) * FULLEST) this.#widen();
    return next;
  }

  #widen(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from + 2] === 0) continue;
      const at = findSlot(this.#slots, old[from] ?? 0, old[from + 1] ?? 0);
      this.#slots.set(old.subarray(from, from + SLOT), at);
    }
  }
}

/** The index of a pair's slot, or of the empty slot for it. */
function findSlot(slots: Int32Array, one: number, other: number): number {
  const count = (slots.length / SLOT) | 0;
  let mixed = Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
  let at = ((mixed ^ (mixed >>> 13)) & (count - 1)) * SLOT;
  while (slots[at + 2] !== 0 && (slots[at] !== one || slots[at + 1] !== other))
    at = at + SLOT === slots.length ? 0 : at + SLOT;
  return at;
}
