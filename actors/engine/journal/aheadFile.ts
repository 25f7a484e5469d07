/**
 * The file `game.jsonl.ahead` beside `game.jsonl` holds answers written ahead while the match is played. Its first line
 * has the hash of the journal's first line: a file of another journal with the same name is emptied.
 */
import { realDisk } from '../../ports/disk.ts';
import { hashText } from '../../ports/hash.ts';
import type { Disk, DiskFile } from '../../ports/ports.ts';

const BEGINNING = '{"ahead":"of"';

export class AheadFile {
  readonly past: string;
  readonly #path: string;
  readonly #journal: string;
  readonly #disk: Disk;
  #file: DiskFile | null = null;
  #isSyncing = false;
  #isSyncDue = false;
  #isOver = false;
  /** Another program's file or a pipe at the path, which is left alone; null if the place is ours. */
  readonly #foreign: string | null;
  /** Called once when writing fails. The match goes on. */
  onFailure: (reason: string) => void = () => {};

  /** `goesOn` keeps the existing content. Without it the file is emptied. */
  constructor(journal: string, goesOn: boolean, disk: Disk = realDisk) {
    this.#journal = journal;
    this.#path = `${journal}.ahead`;
    this.#disk = disk;
    const { text, foreign } = readThere(disk, this.#path);
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    this.past = goesOn && whole.startsWith(this.#firstLine()) ? whole : '';
    this.#foreign = foreign;
    if (foreign !== null) return;
    if (this.past === '') disk.remove(this.#path);
    // A torn line would run into the next one.
    else if (whole !== text) disk.truncate(this.#path, Buffer.byteLength(whole));
  }

  /** `isPaid` says that the line must survive a power cut; the process does not wait for that. */
  write(line: string, isPaid: boolean): void {
    if (this.#isOver) return;
    try {
      this.#open().write(line);
    } catch (error) {
      this.#give(error);
      return;
    }
    if (isPaid) this.#syncSoon();
  }

  remove(): void {
    this.#isOver = true;
    this.#file?.close();
    this.#file = null;
    if (this.#foreign === null) this.#disk.remove(this.#path);
  }

  #open(): DiskFile {
    if (this.#file !== null) return this.#file;
    if (this.#foreign !== null) throw new Error(this.#foreign);
    const file = this.#disk.open(this.#path, 'append');
    if (this.past === '') file.write(this.#firstLine());
    this.#file = file;
    return file;
  }

  /** One sync at a time, for all lines that have come by then. */
  #syncSoon(): void {
    this.#isSyncDue = true;
    if (this.#isSyncing) return;
    this.#isSyncing = true;
    void this.#sync().finally(() => {
      this.#isSyncing = false;
    });
  }

  async #sync(): Promise<void> {
    while (this.#isSyncDue && this.#file !== null) {
      this.#isSyncDue = false;
      try {
        await this.#file.syncLater();
      } catch (error) {
        if (!this.#isOver) this.#give(error);
      }
    }
  }

  #give(error: unknown): void {
    this.#isOver = true;
    this.onFailure(error instanceof Error ? error.message : String(error));
  }

  #firstLine(): string {
    const [header = ''] = (this.#disk.read(this.#journal) ?? '').split('\n', 1);
    return `${JSON.stringify({ ahead: 'of', journal: hashText(header) })}\n`;
  }
}

function readThere(disk: Disk, path: string): { text: string; foreign: string | null } {
  try {
    const text = disk.read(path) ?? '';
    const isOurs = BEGINNING.startsWith(text.slice(0, BEGINNING.length));
    return { text, foreign: isOurs ? null : 'another file is there' };
  } catch (error) {
    return { text: '', foreign: error instanceof Error ? error.message : String(error) };
  }
}
