/** The queue in this process: games are played here, on threads or by who is asked, so many at once. */
import type { Store } from '../stores/store.ts';
import type { Assignment } from './assignment.ts';
import { type GameQueue, type JournalKeeper, MOST_ATTEMPTS } from './gameQueue.ts';
import type { SlotOutcome } from './playing.ts';

export type InProcessOptions = {
  readonly store: Store;
  /** Games that are begun and not yet recorded. */
  readonly begun: number;
  readonly player: (game: Assignment) => Promise<SlotOutcome>;
  readonly keep: JournalKeeper;
  /** Ends what plays. */
  readonly close: () => Promise<void>;
};

export class InProcess implements GameQueue {
  readonly #options: InProcessOptions;
  #isStopped = false;

  constructor(options: InProcessOptions) {
    this.#options = options;
  }

  async play(games: readonly Assignment[], heard: (outcome: SlotOutcome) => void): Promise<void> {
    const due = [...games];
    const lane = async () => {
      for (let game = due.shift(); game !== undefined && !this.#isStopped; game = due.shift()) {
        heard(await this.#played(game));
      }
    };
    await Promise.all(Array.from({ length: this.#options.begun }, lane));
  }

  stop(): void {
    this.#isStopped = true;
  }

  async close(): Promise<void> {
    this.stop();
    await this.#options.close();
  }

  async #played(game: Assignment): Promise<SlotOutcome> {
    const { player, keep, store } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const outcome = await player(game);
      if (outcome.type === 'played') {
        if (outcome.journal !== null) await keep(outcome.slot, outcome.journal);
        await store.record(outcome.result, null);
        return outcome;
      }
      // Whatever broke it off, such as a budget, would break off the next one too.
      if (outcome.type === 'aborted') this.#isStopped = true;
      if (this.#isStopped || attempt >= MOST_ATTEMPTS) return outcome;
    }
  }
}
