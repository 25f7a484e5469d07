/** An open tape: the journal of a game that is being played here, on the disk with every step. */
import { existsSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { FileSink } from '../../actors/engine/journal/sink.ts';
import type { Tape } from '../../actors/league/thinkers.ts';

export class OpenTape implements Tape {
  readonly past: string;
  readonly #path: string;
  #sink: FileSink;

  /** What is there already is gone on with. */
  constructor(path: string) {
    this.#path = path;
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    // A last line that was torn begins anew.
    this.past = text.slice(0, text.lastIndexOf('\n') + 1);
    if (text !== this.past) truncateSync(path, Buffer.byteLength(this.past));
    this.#sink = new FileSink(path, true);
  }

  begin(): void {
    this.#sink.close();
    this.#sink = new FileSink(this.#path);
  }

  write(text: string): void {
    this.#sink.write(text);
    this.#sink.sync();
  }

  close(): void {
    this.#sink.close();
  }

  /** The journal has reached the place where it stays. */
  remove(): void {
    this.close();
    rmSync(this.#path, { force: true });
  }
}
