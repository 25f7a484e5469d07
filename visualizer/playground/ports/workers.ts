/** The checker in a tab has one thread: that of the worker that it runs in. */
import type { checkInWorkers as checkInThreads } from 'glass-box-checker/workers';

export const checkInWorkers: typeof checkInThreads = () => {
  throw new Error('expected a check with one worker: a tab starts no threads of Node');
};
