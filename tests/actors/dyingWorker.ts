/** A worker that dies of every second game, in one way and in the other. */
import { parentPort } from 'node:worker_threads';
import type { ToWorker } from '../../actors/jobs/worker.ts';

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'stop') return;
  const { game } = message;
  if (game === 2) process.exit(3);
  if (game === 4) throw new Error('enough of it');
  const score = { winner: 'crew', reason: 'tasks', rounds: 1, meetings: 0 };
  parentPort?.postMessage({
    type: 'played',
    game,
    seed: game,
    ...score,
    impostors: [],
    journal: null,
  });
});
