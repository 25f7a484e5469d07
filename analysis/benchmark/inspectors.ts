/** Threads that inspect games of the benchmark, or this thread alone. */
import { availableParallelism } from 'node:os';
import { TaskPool, type TaskWorker, workHere } from '../../actors/jobs/pool.ts';
import { workerBeside } from '../../actors/ports/threads.ts';
import { type InspectedGame, type InspectTask, inspectGame } from './inspect.ts';

export type Inspectors = TaskWorker<InspectTask, InspectedGame>;

export function openInspectors(threads = availableParallelism()): Inspectors {
  if (threads < 2) return workHere(inspectGame);
  return new TaskPool({ threads, file: workerBeside(import.meta.url) });
}
