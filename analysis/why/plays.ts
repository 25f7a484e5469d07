/** Plays a record with changes, on one thread or several. A play depends only on the record and its changes. */
import type { Journal } from '../../actors/engine/journal/reader.ts';
import { TaskPool, type TaskWorker, workHere } from '../../actors/jobs/pool.ts';
import { workerBeside } from '../../actors/ports/threads.ts';
import type { ChangedMatch, WhatIf } from '../../actors/replay/whatIf.ts';
import { type Horizon, type MatchOutcome, OutcomeReader } from './outcome.ts';

export type ChangedPlay = ChangedMatch & {
  readonly meeting: number;
  readonly until: Horizon;
};

/** Plays the record unchanged to learn the beliefs of the crew. All minds must be offline. */
export async function playRecord(record: WhatIf): Promise<MatchOutcome> {
  const line = record.journal.lines.length - 1;
  const whole = { line, interventions: [], hearsBeliefs: true } as const;
  return await playChanged(record, { ...whole, meeting: 0, until: 'end' });
}

export async function playChanged(record: WhatIf, play: ChangedPlay): Promise<MatchOutcome> {
  const { until, meeting } = play;
  const reader = new OutcomeReader();
  await record.play(play, (happenings) => {
    reader.read(happenings);
    return until === 'end' || reader.meetingsOver <= meeting;
  });
  return cutOutcome(reader.outcome, play);
}

/** Drops everything after the meeting in question, which may not have been played. */
export function cutOutcome(
  outcome: MatchOutcome,
  { until, meeting }: Pick<ChangedPlay, 'until' | 'meeting'>,
): MatchOutcome {
  if (until === 'end') return outcome;
  const meetings = outcome.meetings.slice(0, meeting + 1);
  return { winner: null, reason: null, rounds: 0, meetings };
}

export type PlayPlan = {
  readonly journal: Pick<Journal, 'lines' | 'bodies'>;
  readonly standIns: boolean;
};

export type MatchPlayer = TaskWorker<ChangedPlay, MatchOutcome>;

export function playHere(record: WhatIf): MatchPlayer {
  return workHere((one: ChangedPlay) => playChanged(record, one));
}

const WORKER = workerBeside(import.meta.url);

export function playOnThreads(data: PlayPlan, threads: number): MatchPlayer {
  return new TaskPool({ threads, file: WORKER, data });
}
