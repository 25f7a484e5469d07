/**
 * Plays of a record with changes in it: on this thread, or on several others where every mind answers at once.
 *
 * A play depends on the record and its changes only, so it does not matter which thread plays it, or when.
 */
import type { Journal } from '../../actors/engine/journal/reader.ts';
import { TaskPool } from '../../actors/jobs/pool.ts';
import type { Workers } from '../../actors/ports/ports.ts';
import { realWorkers } from '../../actors/ports/threads.ts';
import { nextTurn } from '../../actors/ports/time.ts';
import type { ChangedMatch, WhatIf } from '../../actors/replay/whatIf.ts';
import { type Horizon, type MatchOutcome, OutcomeReader } from './outcome.ts';

/** A match to be played. */
export type ChangedPlay = ChangedMatch & {
  /** The meeting that is looked at, from 0. */
  readonly meeting: number;
  readonly until: Horizon;
};

/**
 * The outcome of the record as a match that is played has it, with what the crew believed. Every mind must answer at once
 * and as it did: then it is the record's.
 */
export async function playRecord(record: WhatIf): Promise<MatchOutcome> {
  const line = record.journal.lines.length - 1;
  const whole = { line, interventions: [], hearsBeliefs: true } as const;
  return await playChanged(record, { ...whole, meeting: 0, until: 'end' });
}

/** Plays a match with changes in it, as far as is asked. */
export async function playChanged(record: WhatIf, play: ChangedPlay): Promise<MatchOutcome> {
  const { until, meeting } = play;
  const reader = new OutcomeReader();
  await record.play(play, (happenings) => {
    reader.read(happenings);
    return until === 'end' || reader.meetingsOver <= meeting;
  });
  return cutOutcome(reader.outcome, play);
}

/** An outcome as far as is asked: what comes behind the meeting may not have been played. */
export function cutOutcome(
  outcome: MatchOutcome,
  { until, meeting }: Pick<ChangedPlay, 'until' | 'meeting'>,
): MatchOutcome {
  if (until === 'end') return outcome;
  const meetings = outcome.meetings.slice(0, meeting + 1);
  return { winner: null, reason: null, rounds: 0, meetings };
}

/** What a thread needs to play a record. */
export type PlayPlan = {
  readonly journal: Pick<Journal, 'lines' | 'bodies'>;
  readonly standIns: boolean;
};

/** Plays matches as they are handed to it. */
export type MatchPlayer = {
  play(play: ChangedPlay): Promise<MatchOutcome>;
  close(): Promise<void>;
};

/** Plays on this thread. */
export function playHere(record: WhatIf): MatchPlayer {
  return {
    play: async (play) => {
      const outcome = await playChanged(record, play);
      // A request to end is heard between two matches.
      await nextTurn();
      return outcome;
    },
    close: async () => {},
  };
}

/** A file beside this one keeps its ending when it is built. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js',
  import.meta.url,
);

/** Plays on other threads. */
export function playOnThreads(
  data: PlayPlan,
  threads: number,
  workers: Workers = realWorkers,
): MatchPlayer {
  const pool = new TaskPool<ChangedPlay, MatchOutcome>({ threads, file: WORKER, data, workers });
  return { play: (play) => pool.run(play), close: () => pool.close() };
}

/** Calls `work` with each item, so many at a time, in order, until `isStopped`. A failure ends it, and is thrown. */
export async function forEachAtOnce<T>(
  items: readonly T[],
  atOnce: number,
  { work, isStopped }: { work: (item: T) => Promise<void>; isStopped: () => boolean },
): Promise<void> {
  let next = 0;
  let hasFailed = false;
  const take = async () => {
    while (next < items.length && !hasFailed && !isStopped()) {
      const item = items[next];
      next += 1;
      if (item === undefined) continue;
      try {
        await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, take));
}
