/** A run: many games of one match, on one thread or several, with the same outcomes in the order of their numbers. */
import { workerBeside } from '../ports/threads.ts';
import { nextTurn } from '../ports/time.ts';
import { GameJob, type JobOutcome, loseGame, type RunPlan } from './gameJob.ts';
import { createDelivery } from './ordered.ts';
import { JobQueue, WorkerPool } from './pool.ts';

const JOBS_IN_HAND = 2;

export function playGames(
  plan: RunPlan,
  { jobs, onOutcome }: { readonly jobs: number; readonly onOutcome: (outcome: JobOutcome) => void },
) {
  const games = Array.from({ length: plan.games }, (_, index) => index + 1);
  const queue = new JobQueue(games);
  const { take: deliver, close } = createDelivery(games, onOutcome, () => queue.stop());
  const pool = new WorkerPool<number, JobOutcome>({
    threads: jobs - 1,
    file: workerBeside(import.meta.url),
    data: plan,
    jobsInHand: JOBS_IN_HAND,
    queue,
    onOutcome: deliver,
    lose: (game, reason) => loseGame(plan, game, reason),
  });
  const playing = new Set<GameJob>();
  const finish = async (job: GameJob) => {
    const outcome = await job.outcome;
    playing.delete(job);
    deliver(outcome, job.game);
  };
  /** Plays on this thread: the next game while the journal of the last one goes to the disk. */
  const playHere = async () => {
    let last = Promise.resolve();
    for (let game = queue.take(); game !== null; game = queue.take()) {
      const job = new GameJob(plan, game);
      playing.add(job);
      await job.over;
      await last;
      last = finish(job);
      // A request to end the run is heard between two games.
      await nextTurn();
    }
    await last;
  };
  const playAll = async () => {
    pool.work();
    await Promise.all([pool.idle(), playHere()]);
    // A worker may have ended while the last game was played here.
    await pool.idle();
    await pool.close();
    close();
  };
  const stop = () => {
    queue.stop();
    pool.stop();
    for (const job of playing) job.stop();
  };
  return { result: playAll(), stop };
}
