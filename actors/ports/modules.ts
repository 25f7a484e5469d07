/** Modules of JavaScript and TypeScript that are named while the program runs. */
import { pathToFileURL } from 'node:url';
import type { Modules } from './ports.ts';
import { inspectPath, NO_FILE } from './reading.ts';

export const realModules: Modules = {
  load: async (path) => {
    // The system would wait for a pipe, and read a device without an end.
    const why = NO_FILE[inspectPath(path).type];
    if (why !== undefined) throw new Error(`expected a module, found that ${why}`);
    const loaded: unknown = await import(pathToFileURL(path).href);
    return Reflect.get(Object(loaded), 'default');
  },
};
