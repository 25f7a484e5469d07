/** A cache of the counts of a folder. A journal that has not changed is not read again. */
import { hash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Prices } from '../../actors/minds/openai/prices.ts';
import { readStamp, realDisk } from '../../actors/ports/disk.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import type { GameStats, SingleMeetingStats } from './statistics.ts';

export type JournalStats = GameStats | SingleMeetingStats;

type Counted = { readonly stamp: string; readonly stats: JournalStats };

/** Fewer journals are faster to count than to look up. */
const WORTH_KEEPING = 20;
const NAME_LENGTH = 32;

type CountMemoryOptions = {
  /** Null disables the cache. */
  readonly stateFolder: string | null;
  readonly folder: string;
  readonly prices: Prices;
  readonly code: unknown;
  readonly recounts: boolean;
};

export function openCountMemory(options: CountMemoryOptions) {
  const { stateFolder, folder, prices, code, recounts } = options;
  const name = `${hash('sha256', resolve(folder), 'hex').slice(0, NAME_LENGTH)}.json`;
  const file = stateFolder === null ? null : join(stateFolder, 'counts', name);
  const key = hash('sha256', canonical({ prices, code }), 'hex');
  const kept = file === null || recounts ? new Map<string, Counted>() : readKept(file, key);
  const counted = new Map<string, Counted>();
  const stamps = new Map<string, string>();
  let hasNews = false;
  return {
    recall: (path: string): JournalStats | null => {
      const stamp = readStamp(path);
      if (stamp === null) return null;
      stamps.set(path, stamp);
      const known = kept.get(resolve(path));
      if (known?.stamp !== stamp) return null;
      counted.set(resolve(path), known);
      return known.stats;
    },
    note: (path: string, stats: JournalStats) => {
      const stamp = stamps.get(path);
      if (stamp === undefined) return;
      counted.set(resolve(path), { stamp, stats });
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
