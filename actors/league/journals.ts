/**
 * The journals of a league: a file for each game, in a folder for each league. The store keeps every journal from the
 * moment that its game has a result. A file is a copy, so any folder can have all of them.
 */

import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { listWords, parseJson } from '../../machines/text.ts';
import { readJournal } from '../engine/journal/reader.ts';
import { FileSink } from '../engine/journal/sink.ts';
import { journalName } from '../jobs/gameJob.ts';
import { splitAhead } from '../minds/ahead.ts';
import { findLink, isAbandoned, isPartial, realDisk } from '../ports/disk.ts';
import { hashText } from '../ports/hash.ts';
import type { Disk } from '../ports/ports.ts';
import { reach } from '../ports/reach.ts';
import { StoreDamaged } from '../stores/errors.ts';
import { unpackJournal } from '../stores/journal.ts';
import type { JournalState, Slot, Store } from '../stores/store.ts';
import type { OpenJournal } from './game.ts';
import { type LeaguePlan, prepareGame, scheduleLeague } from './plan.ts';
import { type LeaguePorts, realLeaguePorts } from './ports.ts';

/** Refuses a folder if a game without a result would overwrite another file there. */
export function refuseOthers(
  { folder, disk }: { readonly folder: string; readonly disk: Disk },
  plan: LeaguePlan,
  over: readonly number[],
): void {
  const { games } = plan.league;
  const fixtures = new Map(scheduleLeague(plan).map((one) => [one.slot, one]));
  for (const slot of listJournals(folder, games, disk)) {
    const path = journalPath(folder, slot, games);
    const header = over.includes(slot) ? '' : readSaved(path, disk)?.split('\n', 1)[0];
    if (!header) continue;
    const found = gameKey.safeParse(parseJson(header)).data;
    const fixture = fixtures.get(Number(found?.match.name.split(' ').at(-1)) - 1);
    const own = fixture && gameKey.parse(prepareGame(plan, fixture, {}));
    if (own === undefined || !isDeepStrictEqual(found, own))
      throw new JournalLost(path, new Error('another file is there: remove it, or choose --out'));
  }
}

/** The fields that identify a game both in its league and in its journal. Lessons learned since do not count. */
const gameKey = z.object({
  seed: z.int(),
  match: z.object({
    name: z.string(),
    seats: z.array(
      z.object({ colour: z.string(), role: z.string(), persona: z.object({ name: z.string() }) }),
    ),
  }),
});

/** Characters of the longest name that every file system takes. */
const LONGEST = 180;
const HASH_LETTERS = 12;

export function journalFolder(league: string): string {
  const name = encodeURIComponent(league).replaceAll('.', '%2E');
  if (name.length <= LONGEST) return `journals/league-${name}`;
  const letters = hashText(league).slice(0, HASH_LETTERS);
  return `journals/league-${name.slice(0, LONGEST)}-${letters}`;
}

export function journalPath(folder: string, slot: number, games: number): string {
  return `${folder}/${journalName(slot + 1, games)}`;
}

export function listJournals(
  folder: string,
  games: number,
  disk: Disk = realDisk,
): readonly number[] {
  if (!disk.has(folder)) return [];
  const names = new Set(disk.list(folder));
  return [...Array(games).keys()].filter((slot) => names.has(journalName(slot + 1, games)));
}

export class JournalLost extends Error {
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`the journal can't be written to ${path}`, { cause });
    this.path = path;
  }
}

export function prepareFolder(folder: string, disk: Disk = realDisk): void {
  attemptAt(folder, () => disk.makeFolder(folder));
}

export function saveJournalsIn(folder: string, games: number, disk: Disk = realDisk) {
  prepareFolder(folder, disk);
  return async (slot: number, text: string): Promise<void> => {
    const path = journalPath(folder, slot, games);
    await disk.save(path, text).catch((error: unknown) => {
      throw new JournalLost(path, error);
    });
  };
}

export type MissingJournal = {
  readonly slot: number;
  readonly why: 'unkept' | 'unsound' | 'dropped' | 'damaged';
};

const MOST_NAMED = 5;

const WHY_MISSING: Readonly<Record<MissingJournal['why'], string>> = {
  unkept: 'the store never had it; see the folder of the run that played the game',
  unsound:
    'its file is empty, damaged or of another game, and the store never had it; see the folder of the run that played the game',
  dropped: 'fetch --drop removed it from the store; see the folder of that command',
  damaged: 'its bytes in the store are damaged',
};

export function describeMissing(missing: readonly MissingJournal[]): string {
  return [...Map.groupBy(missing, ({ why }) => why)]
    .map(([why, some]) => {
      const named = some.slice(0, MOST_NAMED).map(({ slot }) => `game ${slot + 1}`);
      const more = some.length > MOST_NAMED ? [`${some.length - MOST_NAMED} more`] : [];
      return `no journal of ${listWords([...named, ...more])}: ${WHY_MISSING[why]}`;
    })
    .join('; ');
}

type FetchOptions = {
  readonly league: string;
  readonly games: number;
  readonly folder: string;
  readonly ports?: Pick<LeaguePorts, 'disk' | 'compression'>;
};

/** Counts the journals that were written now, and those in the folder already, checked by hash where one is known. */
export async function fetchJournals(
  store: Store,
  { league, games, folder, ports = realLeaguePorts }: FetchOptions,
  slots: readonly number[],
) {
  const { disk, compression } = ports;
  const save = saveJournalsIn(folder, games, disk);
  const states = await store.journals(league);
  const missing: MissingJournal[] = [];
  let [written, there] = [0, 0];
  for (const slot of slots) {
    const state = states.get(slot) ?? null;
    const path = journalPath(folder, slot, games);
    if (await isThere(path, state, { store, league, slot, disk })) {
      reach('journal-there');
      there += 1;
      continue;
    }
    const kept = await store.journal({ league, slot });
    const text = kept === null ? null : await unpackJournal(kept, compression);
    if (text === null) {
      if (kept !== null) missing.push({ slot, why: 'damaged' });
      else if (state !== null) missing.push({ slot, why: 'dropped' });
      else missing.push({ slot, why: disk.isFile(path) ? 'unsound' : 'unkept' });
      continue;
    }
    reach('journal-fetched');
    await save(slot, text);
    written += 1;
  }
  return { written, there, missing };
}

/** Whether a file is the journal that the store means, or its result where the store has kept no journal. */
async function isThere(
  path: string,
  state: JournalState | null,
  { store, league, slot, disk }: Slot & { readonly store: Store; readonly disk: Disk },
): Promise<boolean> {
  const text = readSaved(path, disk);
  if (text === null) return false;
  if (state !== null) return hashText(text) === state.digest;
  const named = await readNamed(store, { league, slot });
  if (named !== null) return hashText(text) === named;
  return isWhole(text);
}

/** Null where there is no file that can be read. */
export function readSaved(path: string, disk: Disk): string | null {
  try {
    return disk.isFile(path) ? disk.read(path) : null;
  } catch {
    return null;
  }
}

export function isWhole(text: string): boolean {
  const { damageCount, lines } = readJournal(text);
  return damageCount === 0 && lines.some(({ type }) => type === 'game.closed');
}

/** The hash of the journal that a result names; null where it is damaged, or of an earlier version that named none. */
async function readNamed(store: Store, { league, slot }: Slot): Promise<string | null> {
  try {
    for await (const { clock } of store.results(league, slot, slot + 1)) {
      return clock?.journal ?? null;
    }
  } catch (error) {
    if (!(error instanceof StoreDamaged)) throw error;
  }
  return null;
}

/** Removes partial files, and open journals of games with a result. Only for a run that has the folder to itself. */
export function removePartialFiles(
  folder: string,
  over: { readonly slots: readonly number[]; readonly games: number },
  disk: Disk = realDisk,
): void {
  const isOver = new Set(over.slots.map((slot) => openJournalPath(folder, slot, over.games)));
  const isHalf = (name: string) => /^\d+\.jsonl\./.test(name) && isPartial(name);
  removeFrom(folder, disk, (name) => isHalf(name) || isOver.has(`${folder}/${name}`));
}

/** Removes halves of files that killed processes of this machine have left; others may be writing here. */
export function removeAbandonedFiles(
  folder: string,
  { disk, process, space }: Pick<LeaguePorts, 'disk' | 'process' | 'space'> = realLeaguePorts,
): void {
  removeFrom(folder, disk, (name) => isAbandoned(name, { ...process, space }));
}

function removeFrom(folder: string, disk: Disk, isLeft: (name: string) => boolean): void {
  for (const name of disk.list(folder).filter(isLeft)) {
    reach('part-removed');
    disk.remove(`${folder}/${name}`);
  }
}

export function openJournalPath(folder: string, slot: number, games: number): string {
  return `${journalPath(folder, slot, games)}.open`;
}

export function readOpenJournal(path: string, disk: Disk): string {
  return attemptAt(path, () => disk.read(path) ?? '');
}

export function attemptAt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new JournalLost(path, error);
  }
}

export class FileJournal implements OpenJournal {
  readonly past: string;
  readonly ahead: string;
  readonly #path: string;
  readonly #disk: Disk;
  #sink: FileSink;
  #onFailure: () => void = () => {};

  constructor(path: string, disk: Disk = realDisk) {
    this.#path = path;
    this.#disk = disk;
    // The target of a link does not belong to this league.
    if (findLink([path]) !== undefined) disk.remove(path);
    const text = readOpenJournal(path, disk);
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    ({ journal: this.past, ahead: this.ahead } = splitAhead(whole));
    if (text !== whole) {
      reach('journal-torn');
      attemptAt(path, () => disk.truncate(path, Buffer.byteLength(whole)));
    }
    this.#sink = attemptAt(path, () => new FileSink(path, true, disk));
  }

  begin(): void {
    this.#sink.close();
    this.#sink = attemptAt(this.#path, () => new FileSink(this.#path, false, this.#disk));
    this.#sink.onFailure = this.#onFailure;
  }

  /** Calls back when writing fails: later answers would be paid for and forgotten. */
  listenForFailure(onFailure: () => void): void {
    this.#onFailure = onFailure;
    if (this.#sink.failure === null) this.#sink.onFailure = onFailure;
    else onFailure();
  }

  expectWritten(): void {
    if (this.#sink.failure === null) return;
    reach('journal-unwritten');
    throw new JournalLost(this.#path, new Error(this.#sink.failure));
  }

  write(text: string): void {
    this.#sink.write(text);
    this.#sink.sync();
  }

  close(): void {
    this.#sink.close();
  }
}
