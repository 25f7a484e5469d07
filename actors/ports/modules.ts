import { pathToFileURL } from 'node:url';
import type { Modules } from './ports.ts';
import { inspectPath, NO_FILE } from './reading.ts';

/** Bytes of a module. The engine compiles it whole, and a larger one kills it silently. */
const MOST_MODULE_BYTES = 16 * 1024 * 1024;

export const realModules: Modules = {
  load: async (path) => {
    // The system would wait for a pipe, and read a device without an end.
    const found = inspectPath(path);
    const why = NO_FILE[found.type];
    if (why !== undefined) throw new Error(`expected a module, found that ${why}`);
    if (found.type === 'file' && found.bytes > MOST_MODULE_BYTES) {
      const [most, bytes] = [MOST_MODULE_BYTES, found.bytes].map((one) => one.toLocaleString('en'));
      throw new Error(`expected a module of at most ${most} bytes, found ${bytes}`);
    }
    const loaded: unknown = await import(pathToFileURL(path).href);
    return Reflect.get(Object(loaded), 'default');
  },
};
