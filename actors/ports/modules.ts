/** Modules of JavaScript and TypeScript that are named while the program runs. */
import { pathToFileURL } from 'node:url';
import type { Modules } from './ports.ts';

export const realModules: Modules = {
  load: async (path) => {
    const loaded: unknown = await import(pathToFileURL(path).href);
    return Reflect.get(Object(loaded), 'default');
  },
};
