/** Random draws for the tests, from one seed and the same on every machine. */
import { threefry } from '../../machines/rules/dice.ts';

export class Chance {
  readonly #seed: readonly [number, number];
  #at = 0;
  #spare: number | null = null;

  /** `stream` separates sequences of draws with the same seed. */
  constructor(seed: number, stream = 0) {
    this.#seed = [seed >>> 0, stream >>> 0];
  }

  /** A whole number from 0 up to, but not including, `choices`. */
  below(choices: number): number {
    return Math.floor((this.#word() / 2 ** 32) * choices);
  }

  /** True in about `often` of a hundred calls. */
  percent(often: number): boolean {
    return this.below(100) < often;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  #word(): number {
    if (this.#spare !== null) {
      const spare = this.#spare;
      this.#spare = null;
      return spare;
    }
    const [one, other] = threefry(this.#seed, [this.#at++, 0]);
    this.#spare = other;
    return one;
  }
}
