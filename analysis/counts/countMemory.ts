/**
 * What was counted of the journals of a folder, kept between runs: a journal whose size and time of writing are the same
 * is not read again. A file that is damaged, of other prices or of another version of this program is as good as none,
 * and one that can't be written is no failure: all it costs is time.
 */
import { hash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Prices } from '../../actors/minds/openai/prices.ts';
import type { Disk } from '../../actors/ports/ports.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import type { GameStats, SingleMeetingStats } from './statistics.ts';

export type JournalStats = GameStats | SingleMeetingStats;

/** How a journal was when it was counted: bytes, and milliseconds since 1970. */
export type FileMark = { readonly size: number; readonly writtenAt: number };
type Counted = FileMark & { readonly stats: JournalStats };

/** Fewer are counted sooner than they are looked up. */
const WORTH_KEEPING = 20;
/** Characters of a hash that tell folders apart. */
const NAME_LENGTH = 32;

export type CountMemoryOptions = {
  /** Where this program keeps things for its user; null keeps nothing. */
  readonly stateFolder: string | null;
  /** The folder of the journals. */
  readonly folder: string;
  readonly prices: Prices;
  /** Says which version of the program counts. */
  readonly code: unknown;
  /** Reads nothing of what is kept. */
  readonly recounts: boolean;
  readonly disk: Disk;
  /** How a file is now; null when there is none. */
  readonly readMark: (path: string) => FileMark | null;
};

export class CountMemory {
  readonly #options: CountMemoryOptions;
  readonly #path: string | null;
  readonly #key: string;
  readonly #known: ReadonlyMap<string, Counted>;
  readonly #counted = new Map<string, Counted>();
  readonly #marks = new Map<string, FileMark>();
  #hasNews = false;

  constructor(options: CountMemoryOptions) {
    const { stateFolder, folder, prices, code, recounts, disk } = options;
    this.#options = options;
    const name = `${hash('sha256', resolve(folder), 'hex').slice(0, NAME_LENGTH)}.json`;
    this.#path = stateFolder === null ? null : join(stateFolder, 'counts', name);
    this.#key = hash('sha256', canonical({ prices, code }), 'hex');
    this.#known =
      this.#path === null || recounts ? new Map() : readKept(disk, this.#path, this.#key);
  }

  /** What was counted of a journal that has not changed since; null where it must be read. */
  recall(path: string): JournalStats | null {
    const mark = this.#options.readMark(path);
    if (mark === null) return null;
    this.#marks.set(path, mark);
    const known = this.#known.get(resolve(path));
    if (known?.size !== mark.size || known.writtenAt !== mark.writtenAt) return null;
    this.#counted.set(resolve(path), known);
    return known.stats;
  }

  /** Notes what was counted of a journal that was looked up before. */
  note(path: string, stats: JournalStats): void {
    const mark = this.#marks.get(path);
    if (mark === undefined) return;
    this.#counted.set(resolve(path), { ...mark, stats });
    this.#hasNews = true;
  }

  /** Keeps all that is known of the folder now. */
  async save(): Promise<void> {
    if (this.#path === null || !this.#hasNews || this.#counted.size < WORTH_KEEPING) return;
    const { disk } = this.#options;
    const body = JSON.stringify({ key: this.#key, counted: [...this.#counted] });
    try {
      disk.makeFolder(join(this.#path, '..'));
      await disk.save(this.#path, `${hash('sha256', body, 'hex')}\n${body}\n`);
    } catch {
      // It is counted anew the next time.
    }
  }
}

function readKept(disk: Disk, path: string, key: string): ReadonlyMap<string, Counted> {
  try {
    const [seal, body = ''] = (disk.read(path) ?? '').split('\n');
    if (seal !== hash('sha256', body, 'hex')) return new Map();
    // Its hash says that this program wrote it.
    const kept = JSON.parse(body) as {
      readonly key: string;
      readonly counted: [string, Counted][];
    };
    return kept.key === key ? new Map(kept.counted) : new Map();
  } catch {
    return new Map();
  }
}
