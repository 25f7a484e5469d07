/**
 * A tape in the store: the journal of a game that another machine may have to go on with.
 *
 * What is written leaves in order and in as few pieces as it takes. Whoever was taken for dead finds out by the answer,
 * and breaks the game off.
 */
import type { Slot, Store } from '../stores/store.ts';
import type { Tape } from './thinkers.ts';

export class StoreTape implements Tape {
  readonly past: string;
  readonly #store: Store;
  readonly #slot: Slot;
  readonly #epoch: number;
  readonly #onLost: () => void;
  #at: number;
  #waiting = '';
  #isSending = false;
  #isLost = false;
  #sent: Promise<void> = Promise.resolve();

  constructor(
    store: Store,
    slot: Slot,
    {
      epoch,
      past,
      pieces,
    }: { readonly epoch: number; readonly past: string; readonly pieces: number },
    onLost: () => void,
  ) {
    this.past = past;
    this.#store = store;
    this.#slot = slot;
    this.#epoch = epoch;
    this.#at = pieces;
    this.#onLost = onLost;
  }

  begin(): void {
    this.#at = 0;
    this.#waiting = '';
  }

  write(text: string): void {
    this.#waiting += text;
    if (!this.#isSending && !this.#isLost) this.#sent = this.#send();
  }

  /** Kept when all that was written has arrived; whether it did. */
  async end(): Promise<boolean> {
    await this.#sent;
    return !this.#isLost;
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    // Whatever is written in the same step leaves together.
    await Promise.resolve();
    while (this.#waiting !== '' && !this.#isLost) {
      const text = this.#waiting;
      this.#waiting = '';
      const said = await this.#store.append(this.#slot, this.#epoch, this.#at, text);
      this.#at += 1;
      if (said === 'appended') continue;
      this.#isLost = true;
      this.#onLost();
    }
    this.#isSending = false;
  }
}
