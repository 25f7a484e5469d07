/** A worker that dies of game 3 in one way and of game 5 in another; the other games are played in no time. */
import type { JobOutcome } from '../../actors/jobs/gameJob.ts';
import { serveJobs } from '../../actors/jobs/pool.ts';

serveJobs((game: number) => {
  if (game === 3) process.exit(3);
  // Thrown outside of any promise, as a mistake of a library would be.
  if (game === 5) setImmediate(() => raise('enough of it'));
  const score = { winner: 'crew', reason: 'tasks', rounds: 1, meetings: 0 } as const;
  const played: JobOutcome = {
    type: 'played',
    game,
    seed: game,
    ...score,
    impostors: [],
    journal: null,
  };
  const outcome = game === 5 ? new Promise<JobOutcome>(() => {}) : Promise.resolve(played);
  return { over: outcome, outcome, stop: () => {} };
});

function raise(text: string): never {
  throw new Error(text);
}
