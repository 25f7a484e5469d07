/** A worker: a thread that plays games of a plan, one after the other, as they are handed to it. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Bout, bout } from './bout.ts';
import type { Plan } from './plan.ts';

/** What a worker is told: the number of the game to play next, or that the one under way should end. */
export type ToWorker = { readonly type: 'play'; readonly game: number } | { readonly type: 'stop' };

/** What it is started with. */
export type WorkerData = { readonly plan: Plan };

const { plan }: WorkerData = workerData;
let current: Bout | null = null;

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'stop') current?.stop();
  else void playNext(message.game);
});

async function playNext(game: number): Promise<void> {
  current = bout(plan, game);
  const outcome = await current.outcome;
  current = null;
  parentPort?.postMessage(outcome);
}
