/**
 * Sinks: where the text of a journal goes.
 *
 * A sink gets the lines of one step in one piece. `sync` is called when a paid reply must survive a power cut.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

export type Sink = {
  write(text: string): void;
  sync(): void;
  close(): void;
};

/** Keeps the text in memory. */
export class MemorySink implements Sink {
  readonly #parts: string[] = [];

  write(text: string): void {
    this.#parts.push(text);
  }

  sync(): void {}

  close(): void {}

  get text(): string {
    return this.#parts.join('');
  }
}

/**
 * Writes to a file that is there from the first moment, so that an unwritable path is known before anything runs. A
 * write that fails later, on a full disk, is kept as `failure`: an effect must not throw into a statechart.
 */
export class FileSink implements Sink {
  /** Why writing failed; null while all is well. */
  failure: string | null = null;
  /** Called once when writing fails. */
  onFailure: (() => void) | null = null;
  readonly #file: number;
  #isOpen = true;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  write(text: string): void {
    if (!this.#isOpen || this.failure !== null) return;
    try {
      writeWhole(this.#file, text);
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      this.onFailure?.();
    }
  }

  sync(): void {
    // Devices such as /dev/null take text but can't be synced.
    try {
      if (this.#isOpen) fsyncSync(this.#file);
    } catch {}
  }

  close(): void {
    if (!this.#isOpen) return;
    this.sync();
    this.#isOpen = false;
    closeSync(this.#file);
  }
}

/** The system may take a part of a text only: what is left is written until all of it is. */
function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Nobody reads: for mass runs that want results only. */
export const noSink: Sink = { write: () => {}, sync: () => {}, close: () => {} };
