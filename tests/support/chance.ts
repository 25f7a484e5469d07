/** Random draws for the tests: every draw follows from the seed, on every machine. */
import { createHash } from 'node:crypto';

const WORD = 2 ** 32;

/** The generator sfc32, seeded by the hash of a text. */
export class Chance {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #count: number;

  constructor(seed: string) {
    const bytes = createHash('sha256').update(seed).digest();
    this.#seed = seed;
    this.#a = bytes.readInt32LE(0);
    this.#b = bytes.readInt32LE(4);
    this.#c = bytes.readInt32LE(8);
    this.#count = bytes.readInt32LE(12);
  }

  /** Independent chance: draws of one do not disturb the other. */
  split(name: string): Chance {
    return new Chance(`${this.#seed}\n${name}`);
  }

  fraction(): number {
    const sum = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return (sum >>> 0) / WORD;
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  /** A whole number from 0 up to, but not including, `choices`. */
  below(choices: number): number {
    return Math.floor(this.fraction() * choices);
  }

  is(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
}
