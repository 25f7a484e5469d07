/** Places: where the meeting is in each state, for as many states as are drawn, and how many there are of each. */
import { MOST_GRAPH_STATES } from 'glass-box-checker';

export class Places {
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #of: number[] = [];
  readonly #counts: number[] = [];

  /** States come in the order of their numbers; from the beginning again where another engine takes over. */
  note(at: string, state: number): void {
    if (state === 0) this.#begin();
    let place = this.#numbers.get(at);
    if (place === undefined) {
      place = this.#names.length;
      this.#names.push(at);
      this.#numbers.set(at, place);
    }
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    if (state < MOST_GRAPH_STATES) this.#of[state] = place;
  }

  #begin(): void {
    this.#numbers.clear();
    for (const list of [this.#names, this.#of, this.#counts]) list.length = 0;
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /** How many states there are at each place. */
  get counts(): readonly number[] {
    return this.#counts;
  }

  /** The place of each of the first states. */
  get of(): readonly number[] {
    return this.#of;
  }
}
