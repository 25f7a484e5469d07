/** Numbers: a list of whole numbers that grows, four bytes each. What a search remembers of millions of states. */

const FIRST_ROOM = 1024;

export class NumberList {
  #room = new Int32Array(FIRST_ROOM);
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

  /** Replaces the number at a place that has one. */
  set(index: number, value: number): void {
    this.#room[index] = value;
  }

  /** The number at a place; 0 beyond the end. */
  at(index: number): number {
    return this.#room[index] ?? 0;
  }
}
