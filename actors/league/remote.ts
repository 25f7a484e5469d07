/**
 * The queue of a league on many machines: games are put into it, and results are looked for in the store.
 *
 * Nothing is believed but what the store says: a game that is in neither place is put in again.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from '../stores/store.ts';
import type { Assignment } from './assignment.ts';
import type { GameQueue, JournalKeeper } from './gameQueue.ts';
import type { SlotOutcome } from './playing.ts';
import type { Counter } from './queue.ts';

export type RemoteOptions = {
  readonly league: string;
  readonly store: Store;
  readonly counter: Counter;
  readonly keep: JournalKeeper;
};

/** Milliseconds between two looks at the store, and looks between two at what the queue has forgotten. */
const LOOK_MS = 200;
const LOOKS = 25;

export class Remote implements GameQueue {
  readonly #options: RemoteOptions;
  #isStopped = false;

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  async play(games: readonly Assignment[], heard: (outcome: SlotOutcome) => void): Promise<void> {
    const { counter } = this.#options;
    const open = new Map(games.map((game) => [game.slot, game]));
    await this.#collectAll();
    for (let look = 0; open.size > 0 && !this.#isStopped; look++) {
      const left = [...open.values()];
      if (look % LOOKS === 0) await counter.put(left);
      for (const outcome of await this.#news(open)) {
        open.delete(outcome.slot);
        heard(outcome);
      }
      for (const lost of await counter.givenUp(left)) {
        if (open.delete(lost.slot)) heard(lost);
      }
      if (open.size > 0) await wait(LOOK_MS);
    }
    if (this.#isStopped) await counter.withdraw([...open.values()]);
  }

  stop(): void {
    this.#isStopped = true;
  }

  async close(): Promise<void> {
    await this.#options.counter.close();
  }

  /** Games that have a result now. */
  async #news(open: ReadonlyMap<number, Assignment>): Promise<readonly SlotOutcome[]> {
    const { store, league } = this.#options;
    const there = (await store.slots(league)).filter((slot) => open.has(slot));
    const news: SlotOutcome[] = [];
    for (const slot of there) {
      await this.#collect(slot);
      for await (const result of store.results(league, slot, slot + 1)) {
        news.push({ type: 'played', slot, result, journal: null });
      }
    }
    return news;
  }

  /** Journals that nobody has fetched, because whoever ran the league was gone. */
  async #collectAll(): Promise<void> {
    const { store, league } = this.#options;
    for (const slot of await store.slots(league)) await this.#collect(slot);
  }

  async #collect(slot: number): Promise<void> {
    const { store, league, keep } = this.#options;
    const { pieces, text } = await store.pieces({ league, slot });
    if (pieces === 0) return;
    await keep(slot, text);
    await store.dropPieces({ league, slot });
  }
}
