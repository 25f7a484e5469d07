/** A worker that plays one record with changes in it; all of its minds answer at once. */
import { serveJobs } from '../../actors/jobs/pool.ts';
import { startData } from '../../actors/ports/threads.ts';
import { WhatIf } from '../../actors/replay/whatIf.ts';
import { type ChangedPlay, type PlayOutcome, type PlayPlan, playChanged } from './plays.ts';

const { journal, standIns } = startData<PlayPlan>();
const whole = { ...journal, damages: [], damageCount: 0, isTorn: false };
const record = WhatIf.open(whole, { models: null, standIns });
if (record.type === 'unplayable') throw new Error(record.text);

serveJobs<ChangedPlay, PlayOutcome>((play) => {
  const outcome = playChanged(record, play).catch(
    (error): PlayOutcome => ({ lost: error instanceof Error ? error.message : String(error) }),
  );
  return { over: outcome, outcome, stop: () => {} };
});
