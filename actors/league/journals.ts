/** The journals of a league: one file for each game, in one folder for each league. */
import { createHash } from 'node:crypto';
import { FileSink } from '../engine/journal/sink.ts';
import { journalName } from '../jobs/gameJob.ts';
import { PART, realDisk } from '../ports/disk.ts';
import type { Disk } from '../ports/ports.ts';
import type { OpenJournal } from './game.ts';

/** Characters of the longest name that every file system takes. */
const LONGEST = 180;
const HASH_LETTERS = 12;

/** The folder of a league: no two leagues share one. */
export function journalFolder(league: string): string {
  const name = encodeURIComponent(league).replaceAll('.', '%2E');
  if (name.length <= LONGEST) return `journals/league-${name}`;
  const hash = createHash('sha256').update(league).digest('hex').slice(0, HASH_LETTERS);
  return `journals/league-${name.slice(0, LONGEST)}-${hash}`;
}

/** The file of the game in a slot. */
export function journalPath(folder: string, slot: number, games: number): string {
  return `${folder}/${journalName(slot + 1, games)}`;
}

/** The slots whose journals are in a folder, in order; a folder that is not there has none. */
export function listJournals(
  folder: string,
  games: number,
  disk: Disk = realDisk,
): readonly number[] {
  if (!disk.has(folder)) return [];
  const names = new Set(disk.list(folder));
  return Array.from({ length: games }, (_, slot) => slot).filter((slot) =>
    names.has(journalName(slot + 1, games)),
  );
}

/** Saves the journal of a game; called before its result is recorded. */
export type SaveJournal = (slot: number, text: string) => Promise<void>;

/** A journal can't be written. It is thrown: nothing but a command can do anything about it. */
export class JournalLost extends Error {
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`the journal can't be written to ${path}`, { cause });
    this.path = path;
  }
}

/** Saves journals in a folder. What is there under a name is a whole journal at any moment. */
export function saveJournalsIn(folder: string, games: number, disk: Disk = realDisk): SaveJournal {
  try {
    disk.makeFolder(folder);
  } catch (error) {
    throw new JournalLost(folder, error);
  }
  return async (slot, text) => {
    const path = journalPath(folder, slot, games);
    try {
      await disk.save(path, text);
    } catch (error) {
      throw new JournalLost(path, error);
    }
  };
}

/** Removes what killed runs have left half written; only for a run that has the folder to itself. */
export function removePartialFiles(folder: string, disk: Disk = realDisk): void {
  for (const name of disk.list(folder)) if (name.endsWith(PART)) disk.remove(`${folder}/${name}`);
}

/** The journal of a game that is being played here, on the disk with every step. */
export class FileJournal implements OpenJournal {
  readonly past: string;
  readonly #path: string;
  readonly #disk: Disk;
  #sink: FileSink;

  /** Goes on with what is there already. */
  constructor(path: string, disk: Disk = realDisk) {
    this.#path = path;
    this.#disk = disk;
    const text = disk.read(path) ?? '';
    // A last line that was torn begins anew.
    this.past = text.slice(0, text.lastIndexOf('\n') + 1);
    if (text !== this.past) disk.truncate(path, Buffer.byteLength(this.past));
    this.#sink = new FileSink(path, true, disk);
  }

  begin(): void {
    this.#sink.close();
    this.#sink = new FileSink(this.#path, false, this.#disk);
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
    this.#disk.remove(this.#path);
  }
}
