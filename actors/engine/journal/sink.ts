import { realDisk } from '../../ports/disk.ts';
import type { Disk, DiskFile } from '../../ports/ports.ts';

/** Gets the lines of a step in one piece. `sync` is called when a paid reply must survive a power cut. */
export type Sink = { write(text: string): void; sync(): void; close(): void };

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
 * Writes to a file that exists from the first moment, so that an unwritable path is known before anything runs. A later
 * failure, on a full or broken disk, is kept as `failure`: an effect must not throw into a statechart.
 */
export class FileSink implements Sink {
  failure: string | null = null;
  onFailure: (() => void) | null = null;
  readonly #file: DiskFile;
  #isOpen = true;

  constructor(path: string, goesOn = false, disk: Disk = realDisk) {
    this.#file = disk.open(path, goesOn ? 'append' : 'new');
  }

  write(text: string): void {
    if (!this.#isOpen || this.failure !== null) return;
    this.#attempt(() => this.#file.write(text));
  }

  sync(): void {
    if (this.#isOpen) this.#attempt(() => this.#file.sync());
  }

  close(): void {
    if (!this.#isOpen) return;
    this.sync();
    this.#isOpen = false;
    this.#attempt(() => this.#file.close());
  }

  /** Closes without blocking; resolves when the text is on the disk. */
  async end(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#file.syncLater().catch((error: unknown) => this.#fail(error));
    this.#attempt(() => this.#file.close());
  }

  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The first failure is kept. Later ones follow from it. */
  #fail(error: unknown): void {
    if (this.failure !== null) return;
    this.failure = error instanceof Error ? error.message : String(error);
    this.onFailure?.();
  }
}

/** Characters that are kept back until they are worth a write. */
const BATCH = 2 ** 18;

/** Writes to a file in batches, for many short games. The file is created when the first batch is full. */
export class BatchSink implements Sink {
  readonly #path: string;
  readonly #disk: Disk;
  #file: FileSink | null;
  #unopened: string | null = null;
  #parts: string[] = [];
  #length = 0;

  constructor(path: string, disk: Disk = realDisk, file: FileSink | null = null) {
    this.#path = path;
    this.#disk = disk;
    this.#file = file;
  }

  get failure(): string | null {
    return this.#unopened ?? this.#file?.failure ?? null;
  }

  write(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    if (this.#length >= BATCH) this.#flush();
  }

  sync(): void {
    this.#flush();
    this.#file?.sync();
  }

  close(): void {
    this.#flush();
    this.#file?.close();
  }

  async end(): Promise<void> {
    this.#flush();
    await this.#file?.end();
  }

  #flush(): void {
    const text = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    if (text === '' || this.failure !== null) return;
    try {
      this.#file ??= new FileSink(this.#path, false, this.#disk);
    } catch (error) {
      this.#unopened = error instanceof Error ? error.message : String(error);
    }
    this.#file?.write(text);
  }
}

export const noSink: Sink = { write: () => {}, sync: () => {}, close: () => {} };
