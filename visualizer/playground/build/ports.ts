/** Builds with the ports of browsers. Unused Node modules go with their importers; a remaining one fails the build. */
import { createRequire, isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const PORTS: Readonly<Record<string, string>> = {
  'actors/ports/hash.ts': 'visualizer/playground/ports/hash.ts',
  'actors/ports/time.ts': 'visualizer/playground/ports/time.ts',
  'actors/ports/process.ts': 'visualizer/playground/ports/process.ts',
};

const ABSENT = '\0absent:';
/** Zod writes JSON Schemas with these. The command line does, and no browser. */
const UNUSED = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/;

export function browserPorts(): Plugin {
  return {
    name: 'browser-ports',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (isBuiltin(source)) return { id: `${ABSENT}${source}`, moduleSideEffects: false };
      const found = await this.resolve(source, importer, { skipSelf: true });
      const port = found?.id.startsWith(ROOT) === true ? PORTS[found.id.slice(ROOT.length)] : null;
      return port == null ? found : { id: `${ROOT}${port}` };
    },
    async load(id) {
      if (id.startsWith(ABSENT)) return writeAbsent(id.slice(ABSENT.length));
      if (!UNUSED.test(id)) return null;
      const unused: object = await import(id);
      return Object.keys(unused)
        .map((name) => `export const ${name} = undefined;`)
        .join('\n');
    },
    generateBundle(_options, files) {
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk') continue;
        const absent = Object.keys(file.modules).find((id) => id.startsWith(ABSENT));
        if (absent === undefined) continue;
        const importers = this.getModuleInfo(absent)?.importers.join(', ') ?? '';
        const name = absent.slice(ABSENT.length);
        this.error(`${file.fileName} needs ${name}, which no browser has: ${importers}`);
      }
    },
  };
}

function writeAbsent(name: string): string {
  const own: object = createRequire(import.meta.url)(name);
  const names = Object.keys(own).filter((each) => each !== 'default');
  const lines = names.map(
    (each, index) => `const v${index} = /* @__PURE__ */ absent(); export { v${index} as ${each} };`,
  );
  return ['export default /* @__PURE__ */ absent();', ...lines].join('\n');
}

/** Rooms of modules without side effects. An unused module is removed. */
const DECLARING = /\/(?:machines|checker|proofs|prompts|actors|analysis)\/[^?]*\.ts$/;

/** Otherwise a module would stay for its unused schemas. */
export function hasSideEffects(id: string): boolean {
  return !DECLARING.test(id);
}
