/**
 * Tuples: gives each distinct list of whole numbers a number, from 0 in the order in which they come.
 *
 * The lists stand one after another in one array and are found by an open hash table. Lists are compared in full: a
 * hash that is the same by accident costs time, and nothing else.
 */

const FIRST_SLOTS = 1024;
/** Before each list stand its number and its length. */
const HEAD = 2;

export class TupleTable {
  #cells = new Int32Array(FIRST_SLOTS);
  #used = 0;
  #size = 0;
  /** Pairs: where a list begins, plus one, or 0 for none; and its hash. The number of pairs is a power of two. */
  #slots = new Int32Array(FIRST_SLOTS * 2);

  /** Distinct tuples so far: the number that the next new one gets. */
  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#cells.byteLength + this.#slots.byteLength;
  }

  /** The number of the tuple that stands in `from` between two places. */
  of(from: Int32Array, start: number, end: number): number {
    const slots = this.#slots;
    const cells = this.#cells;
    const mask = slots.length - 2;
    const mixed = hash(from, start, end);
    for (let at = (mixed << 1) & mask; ; at = (at + 2) & mask) {
      const cell = (slots[at] ?? 0) - 1;
      if (cell === -1) return this.#add(at, mixed, from.subarray(start, end));
      if (slots[at + 1] !== mixed || cells[cell + 1] !== end - start) continue;
      let left = start;
      let right = cell + HEAD;
      while (left < end && from[left] === cells[right]) {
        left++;
        right++;
      }
      if (left === end) return cells[cell] ?? 0;
    }
  }

  #add(slot: number, mixed: number, tuple: Int32Array): number {
    const end = this.#used + HEAD + tuple.length;
    if (end > this.#cells.length) {
      const wider = new Int32Array(Math.max(this.#cells.length * 2, end));
      wider.set(this.#cells);
      this.#cells = wider;
    }
    this.#slots[slot] = this.#used + 1;
    this.#slots[slot + 1] = mixed;
    this.#cells[this.#used] = this.#size;
    this.#cells[this.#used + 1] = tuple.length;
    this.#cells.set(tuple, this.#used + HEAD);
    this.#used = end;
    this.#size += 1;
    if (this.#size * 4 > this.#slots.length) this.#widen();
    return this.#size - 1;
  }

  /** Twice the room for slots; they are at most half full. */
  #widen(): void {
    const old = this.#slots;
    const slots = new Int32Array(old.length * 2);
    const mask = slots.length - 2;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from] === 0) continue;
      let at = ((old[from + 1] ?? 0) << 1) & mask;
      while (slots[at] !== 0) at = (at + 2) & mask;
      slots[at] = old[from] ?? 0;
      slots[at + 1] = old[from + 1] ?? 0;
    }
    this.#slots = slots;
  }
}

/** Each number is turned in and multiplied; the end, that of MurmurHash3, brings the high bits down. */
function hash(from: Int32Array, start: number, end: number): number {
  let mixed = end - start;
  for (let at = start; at < end; at++) {
    const turned = (mixed << 5) | (mixed >>> 27);
    mixed = Math.imul(turned ^ (from[at] ?? 0), 0x9e3779b1);
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
