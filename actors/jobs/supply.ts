/** The supply: the numbers of the games that are still to be played, handed out in order. */
export class Supply {
  readonly #games: number;
  #begun = 0;
  #returned: number[] = [];
  #isStopped = false;

  constructor(games: number) {
    this.#games = games;
  }

  /** The number of the next game; null when there is none. */
  take(): number | null {
    const returned = this.#returned.shift();
    if (returned !== undefined) return returned;
    if (this.#isStopped || this.#begun === this.#games) return null;
    this.#begun += 1;
    return this.#begun;
  }

  /** Takes back games that were handed out and not begun. */
  giveBack(games: readonly number[]): void {
    this.#returned = [...games, ...this.#returned].toSorted((one, other) => one - other);
  }

  /** From now on there is no next game but those that come back. */
  stop(): void {
    this.#isStopped = true;
  }
}
