/** A worker: a thread that plays games of a plan, one after the other, as they are handed to it. */
import { parentPort, workerData } from 'node:worker_threads';
import { Bout } from './bout.ts';
import type { Outcome, Plan } from './plan.ts';

/** What a worker is told: the number of the game to play next, or that those under way should end. */
export type ToWorker = { readonly type: 'play'; readonly game: number } | { readonly type: 'stop' };

/** What a worker tells: that it can play another game, and what has come of one. */
export type FromWorker = { readonly type: 'free' } | Outcome;

/** What it is started with. */
export type WorkerData = { readonly plan: Plan };

const { plan }: WorkerData = workerData;
const bouts = new Set<Bout>();
const tell = (message: FromWorker) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'play') void playNext(message.game);
  else for (const bout of bouts) bout.stop();
});

async function playNext(game: number): Promise<void> {
  const bout = new Bout(plan, game);
  bouts.add(bout);
  await bout.over;
  // The next game is played while the journal of this one goes to the disk.
  tell({ type: 'free' });
  const outcome = await bout.outcome;
  bouts.delete(bout);
  tell(outcome);
}
