/** Builds the playground as static files in an emptied folder: `npm run site -- FOLDER`. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build, defaultClientConditions, minifySync, type Plugin } from 'vite';
import { readMatch } from '../../../actors/engine/configFile.ts';
import { isPerson, isSlow } from '../../../machines/rules/mindKinds.ts';
import { readFacts } from '../../page/build/facts.ts';
import { embedJson } from '../../page/build/parts.ts';
import type { SiteMatch } from '../protocol.ts';
import { browserPorts, hasSideEffects, ROOT } from './ports.ts';

const PLAYGROUND = join(ROOT, 'visualizer/playground');

export function listSiteMatches(): readonly SiteMatch[] {
  const matches = globSync('examples/*.yaml', { cwd: ROOT }).flatMap((path): SiteMatch[] => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    if (!/^seats:/m.test(text)) return [];
    const reading = readMatch(text);
    if (!reading.ok) throw new Error(`${path}: ${reading.notes.map((note) => note.text).join()}`);
    const match = reading.value;
    if (match.seats.some((seat) => isSlow(seat) || isPerson(seat))) return [];
    const kind = 'call' in match ? 'meeting' : 'game';
    return [{ id: basename(path, '.yaml'), kind, match }];
  });
  const place = ({ kind, id, match }: SiteMatch) => {
    return `${kind === 'game' ? 0 : 1} ${id === 'skeld' ? 0 : 1} ${match.name}`;
  };
  return matches.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

async function fillPlaces(): Promise<Plugin> {
  const facts = embedJson('facts', JSON.stringify(await readFacts()));
  const matches = embedJson('matches', JSON.stringify(listSiteMatches()));
  const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  return {
    name: 'fill-places',
    transformIndexHtml: (html) =>
      html
        .replace('<!-- policy -->', () => policy)
        .replace('<!-- facts -->', () => facts)
        .replace('<!-- matches -->', () => matches),
  };
}

type ModuleGraph = {
  readonly getModuleInfo: (
    id: string,
  ) => { readonly isEntry: boolean; readonly importers: readonly string[] } | null;
};

/** Keeps what the first script imports in one chunk. Shared with parts on demand, it would be cut in pieces that all load. */
function nameFirstChunk() {
  const known = new Map<string, boolean>();
  const isFirst = (id: string, graph: ModuleGraph): boolean => {
    const before = known.get(id);
    if (before !== undefined) return before;
    known.set(id, false);
    const info = graph.getModuleInfo(id);
    const found =
      info?.isEntry === true || info?.importers.some((one) => isFirst(one, graph)) === true;
    known.set(id, found);
    return found;
  };
  return (id: string, graph: ModuleGraph) => (isFirst(id, graph) ? 'page' : null);
}

/** In a worker, Vite leaves notes for another bundler and what only they refer to. */
const minifyAgain: Plugin = {
  name: 'minify-again',
  generateBundle(_options, files) {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk')
        file.code = minifySync(file.fileName, file.code, { module: true }).code;
    }
  },
};

/** Throws if the folder holds other files than an earlier build. */
export async function buildSite(folder: string): Promise<void> {
  const index = join(folder, 'index.html');
  const isOurs = existsSync(index) && readFileSync(index, 'utf8').includes('id="matches"');
  if (existsSync(folder) && !isOurs && readdirSync(folder).length > 0)
    throw new Error(`expected an empty folder, or one with a playground in it, found ${folder}`);
  const treeshake = {
    moduleSideEffects: hasSideEffects,
    propertyReadSideEffects: false,
    unknownGlobalSideEffects: false,
  } as const;
  await build({
    root: PLAYGROUND,
    base: './',
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: 'error',
    // No server is behind the page: `import.meta.env.MODE`.
    mode: 'site',
    // RxJS has an ES5 build for tools that don't ask for another one.
    resolve: { conditions: ['es2015', ...defaultClientConditions] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [browserPorts(), await fillPlaces()],
    worker: {
      format: 'es',
      plugins: () => [browserPorts(), minifyAgain],
      rollupOptions: { treeshake },
    },
    build: {
      outDir: folder,
      emptyOutDir: true,
      modulePreload: false,
      target: 'es2023',
      rollupOptions: {
        input: join(PLAYGROUND, 'index.html'),
        treeshake,
        output: { codeSplitting: { groups: [{ name: nameFirstChunk() }] } },
      },
    },
  });
}

if (import.meta.main) {
  try {
    const { positionals } = parseArgs({ allowPositionals: true });
    if (positionals.length > 1) throw new Error(`expected one folder, found ${positionals.length}`);
    const folder = resolve(positionals[0] ?? join(PLAYGROUND, 'dist'));
    await buildSite(folder);
    console.log(`The playground is in ${folder}.`);
    console.log(`To open it: python3 -m http.server --directory ${JSON.stringify(folder)}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
