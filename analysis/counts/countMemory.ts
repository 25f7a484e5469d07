/** A cache of the counts of a folder. A journal with the same size and modification time is not read again. */
import { hash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { readFileTimes, sizeOf } from '../../actors/files/openFiles.ts';
import type { Prices } from '../../actors/minds/openai/prices.ts';
import { realDisk } from '../../actors/ports/disk.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import type { GameStats, SingleMeetingStats } from './statistics.ts';

export type JournalStats = GameStats | SingleMeetingStats;

/** Size in bytes and modification time in milliseconds since 1970. */
type FileMark = { readonly size: number; readonly writtenAt: number };
type Counted = FileMark & { readonly stats: JournalStats };

/** Fewer journals are faster to count than to look up. */
const WORTH_KEEPING = 20;
const NAME_LENGTH = 32;

type CountMemoryOptions = {
  /** Null disables the cache. */
  readonly stateFolder: string | null;
  readonly folder: string;
  readonly prices: Prices;
  /** Identifies the version of the program. */
  readonly code: unknown;
  readonly recounts: boolean;
};

export function readMark(path: string): FileMark | null {
  const times = readFileTimes(path);
  return times === null ? null : { size: sizeOf(path), writtenAt: times.writtenAt };
}

export function openCountMemory(options: CountMemoryOptions) {
  const { stateFolder, folder, prices, code, recounts } = options;
  const name = `${hash('sha256', resolve(folder), 'hex').slice(0, NAME_LENGTH)}.json`;
  const file = stateFolder === null ? null : join(stateFolder, 'counts', name);
  const key = hash('sha256', canonical({ prices, code }), 'hex');
  const kept = file === null || recounts ? new Map<string, Counted>() : readKept(file, key);
  const counted = new Map<string, Counted>();
  const marks = new Map<string, FileMark>();
  let hasNews = false;
  return {
    recall: (path: string): JournalStats | null => {
      const mark = readMark(path);
      if (mark === null) return null;
      marks.set(path, mark);
      const known = kept.get(resolve(path));
      if (known?.size !== mark.size || known.writtenAt !== mark.writtenAt) return null;
      counted.set(resolve(path), known);
      return known.stats;
    },
    note: (path: string, stats: JournalStats) => {
      const mark = marks.get(path);
      if (mark === undefined) return;
      counted.set(resolve(path), { ...mark, stats });
      hasNews = true;
    },
    save: async () => {
      if (file === null || !hasNews || counted.size < WORTH_KEEPING) return;
      const body = JSON.stringify({ key, counted: [...counted] });
      try {
        realDisk.makeFolder(join(file, '..'), 'private');
        await realDisk.save(file, `${hash('sha256', body, 'hex')}\n${body}\n`, 'private');
      } catch {
        // The next run counts again.
      }
    },
  };
}

function readKept(path: string, key: string): ReadonlyMap<string, Counted> {
  try {
    const [seal, body = ''] = (realDisk.read(path) ?? '').split('\n');
    if (seal !== hash('sha256', body, 'hex')) return new Map();
    // The hash proves that this program wrote the file.
    const kept: { key: string; counted: [string, Counted][] } = JSON.parse(body);
    return kept.key === key ? new Map(kept.counted) : new Map();
  } catch {
    return new Map();
  }
}
