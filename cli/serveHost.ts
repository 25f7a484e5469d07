/** What sessions of OpenEnv play, on this thread or on others. */
import type { OpenEnvHost } from '../actors/doors/openenv.ts';
import { BatchSink } from '../actors/engine/journal/sink.ts';
import { openEnvironment } from '../actors/environment.ts';
import { createJournalIn } from '../actors/files/newFiles.ts';
import { plainGame } from '../machines/setup/prepare.ts';
import { drawSeed } from './flags.ts';
import type { AnyMatch } from './matchOut.ts';
import type { ServeFlags } from './serveMcp.ts';

const MS = 1000;

/** Plain data, for other threads. */
export type HostTerms = Pick<ServeFlags, 'seats' | 'think' | 'turns'> & {
  readonly match: AnyMatch | null;
  /** Where journals are kept; null where none are. */
  readonly folder: string | null;
};

export function createHost({ match, seats: named, think, turns, folder }: HostTerms): OpenEnvHost {
  const openSink = (seed: number) => {
    const { path, sink } = createJournalIn(folder ?? '', `game-${seed}`);
    return new BatchSink(path, undefined, sink);
  };
  return {
    open: ({ players, seats: wanted = named, credit = false }) => {
      const config = match ?? plainGame(players ?? 8);
      const seats = wanted === 'all' ? config.seats.map(({ colour }) => colour) : wanted;
      return openEnvironment({
        config,
        ...(seats && { seats }),
        turnLimit: turns,
        timeSliceMs: think * MS,
        door: 'openenv',
        keepsJournal: credit,
        ...(folder !== null && { openSink }),
      });
    },
    credit: async (journal, seat, signal) => {
      const { creditActs } = await import('../analysis/why/credit.ts');
      return (await creditActs(journal, seat, { signal })).credits;
    },
    drawSeed,
  };
}
