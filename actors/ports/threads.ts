import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { Workers } from './ports.ts';

/** Measured: more made no game cheaper, and with fewer too many short-lived objects are taken for lasting. */
const YOUNG_MEGABYTES = 48;

export const realWorkers: Workers = {
  start: (file, data, { onMessage, onEnd }) => {
    const thread = new Worker(file, {
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    let reason: string | null = null;
    thread.on('message', onMessage);
    thread.on('error', (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    thread.on('exit', (code) => onEnd(reason ?? `exit code ${code}`));
    return {
      send: (message) => thread.postMessage(message),
      stop: async () => {
        await thread.terminate();
      },
    };
  },
};

export const parentThread = {
  send: (message: unknown): void => parentPort?.postMessage(message),
  onMessage: <In>(hear: (message: In) => void): void => void parentPort?.on('message', hear),
};

/** The file of a worker beside a module. It keeps the ending of the module when it is built. */
export function workerBeside(module: string, name = 'worker'): URL {
  return new URL(`./${name}${module.endsWith('.ts') ? '.ts' : '.js'}`, module);
}

export function startData<T>(): T {
  return workerData;
}
