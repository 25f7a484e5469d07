/** The door to a check on several threads. */
export { WorkerLost } from './crew.ts';
export { checkInWorkers, type WorkerOptions } from './inWorkers.ts';
export { loadModel, type ModelSource } from './source.ts';
