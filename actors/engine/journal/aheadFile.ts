/**
 * The file beside a journal in which answers are written ahead of it: `game.jsonl.ahead` for `game.jsonl`.
 *
 * It is there while the match is played and gone when the match is over. Its first line names the journal by the hash of
 * the first line of that; a file that was left by another journal of the same name is emptied.
 */
import { hash } from 'node:crypto';
import { realDisk } from '../../ports/disk.ts';
import type { Disk } from '../../ports/ports.ts';
import { FileSink } from './sink.ts';

/** How such a file begins. */
const BEGINNING = '{"ahead":"of"';

export class AheadFile {
  /** What an earlier attempt has left there. */
  readonly past: string;
  readonly #path: string;
  readonly #journal: string;
  readonly #disk: Disk;
  #sink: FileSink | null = null;
  #isOver = false;
  /** Another program's file is there, which is left alone. */
  readonly #isForeign: boolean;
  /** Called once when writing fails: the match goes on, and what is answered in a tick is lost if it is killed in it. */
  onFailure: (reason: string) => void = () => {};

  /** `goesOn` takes up what is there; without it the file is emptied. */
  constructor(journal: string, goesOn: boolean, disk: Disk = realDisk) {
    this.#journal = journal;
    this.#path = `${journal}.ahead`;
    this.#disk = disk;
    const text = disk.read(this.#path) ?? '';
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    this.past = goesOn && whole.startsWith(this.#firstLine()) ? whole : '';
    this.#isForeign = !BEGINNING.startsWith(text.slice(0, BEGINNING.length));
    if (this.#isForeign) return;
    if (this.past === '') disk.remove(this.#path);
    // What was torn would be glued to the next line.
    else if (whole !== text) disk.truncate(this.#path, Buffer.byteLength(whole));
  }

  /** `isPaid` says that the line must survive a power cut. */
  write(line: string, isPaid: boolean): void {
    if (this.#isOver) return;
    const sink = this.#open();
    if (sink === null) return;
    sink.write(line);
    if (isPaid) sink.sync();
    if (sink.failure !== null) this.#give(sink.failure);
  }

  /** The match is over, and its journal has all of it. */
  remove(): void {
    this.#isOver = true;
    this.#sink?.close();
    if (!this.#isForeign) this.#disk.remove(this.#path);
  }

  #open(): FileSink | null {
    if (this.#sink !== null) return this.#sink;
    if (this.#isForeign) {
      this.#give('another file is there');
      return null;
    }
    try {
      const sink = new FileSink(this.#path, true, this.#disk);
      if (this.past === '') sink.write(this.#firstLine());
      this.#sink = sink;
      return sink;
    } catch (error) {
      this.#give(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  #give(reason: string): void {
    this.#isOver = true;
    this.onFailure(reason);
  }

  #firstLine(): string {
    const [header = ''] = (this.#disk.read(this.#journal) ?? '').split('\n', 1);
    return `${JSON.stringify({ ahead: 'of', journal: hash('sha256', header, 'hex') })}\n`;
  }
}
