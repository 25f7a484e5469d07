/** Threads that inspect games of the benchmark, or this thread alone. */
import { TaskPool } from '../../actors/jobs/pool.ts';
import { type InspectedGame, type InspectTask, inspectGame } from './inspect.ts';

export type Inspectors = {
  readonly atOnce: number;
  inspect(task: InspectTask): Promise<InspectedGame>;
  close(): Promise<void>;
};

export function openInspectors(threads: number): Inspectors {
  if (threads > 1) {
    const pool = new TaskPool<InspectTask, InspectedGame>({ threads, file: WORKER });
    const { atOnce } = pool;
    return { atOnce, inspect: (task) => pool.run(task), close: () => pool.close() };
  }
  return {
    atOnce: 1,
    inspect: async (task) => {
      const inspected = await inspectGame(task);
      // A stop request can arrive between two games.
      await new Promise((resolve) => setImmediate(resolve));
      return inspected;
    },
    close: async () => {},
  };
}

/** A file beside this one keeps its ending when it is built. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js',
  import.meta.url,
);
