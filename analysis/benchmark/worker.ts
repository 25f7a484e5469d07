/** A worker that inspects games of the benchmark, one after the other, as they are handed to it. */
import { serveJobs } from '../../actors/jobs/pool.ts';
import { type InspectedGame, type InspectTask, inspectGame } from './inspect.ts';

serveJobs<InspectTask, InspectedGame | { readonly lost: string }>((task) => {
  const outcome = inspectGame(task).catch((error: unknown) => {
    return { lost: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  });
  return { over: outcome, outcome, stop: () => {} };
});
