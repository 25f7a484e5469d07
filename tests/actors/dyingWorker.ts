/** A worker that dies of game 3 in one way and of game 5 in another; games of others are played in no time. */
import { parentPort } from 'node:worker_threads';
import type { FromWorker, ToWorker } from '../../actors/jobs/worker.ts';

const tell = (message: FromWorker) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'stop') return;
  const { game } = message;
  if (game === 3) process.exit(3);
  if (game === 5) throw new Error('enough of it');
  tell({ type: 'free' });
  const score = { winner: 'crew', reason: 'tasks', rounds: 1, meetings: 0 } as const;
  tell({ type: 'played', game, seed: game, ...score, impostors: [], journal: null });
});
