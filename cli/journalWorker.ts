/** A worker that works on journals, one after another. */
import { serveJobs } from '../actors/jobs/pool.ts';
import { startData } from '../actors/ports/threads.ts';
import { type JournalOutcome, type JournalTask, workOnJournal } from './journalWork.ts';

const task = startData<JournalTask>();
serveJobs<string, JournalOutcome>((path) => {
  const outcome = workOnJournal(path, task);
  return { over: outcome, outcome, stop: () => {} };
});
