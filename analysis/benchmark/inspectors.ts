/** Threads that inspect games of the benchmark, or this thread alone. */
import { TaskPool } from '../../actors/jobs/pool.ts';
import { workerBeside } from '../../actors/ports/threads.ts';
import { nextTurn } from '../../actors/ports/time.ts';
import { type InspectedGame, type InspectTask, inspectGame } from './inspect.ts';

export type Inspectors = {
  readonly atOnce: number;
  inspect(task: InspectTask): Promise<InspectedGame>;
  close(): Promise<void>;
};

export function openInspectors(threads: number): Inspectors {
  if (threads > 1) {
    const pool = new TaskPool<InspectTask, InspectedGame>({
      threads,
      file: workerBeside(import.meta.url),
    });
    const { atOnce } = pool;
    return { atOnce, inspect: (task) => pool.run(task), close: () => pool.close() };
  }
  return {
    atOnce: 1,
    inspect: async (task) => {
      const inspected = await inspectGame(task);
      // A stop request can arrive between two games.
      await nextTurn();
      return inspected;
    },
    close: async () => {},
  };
}
