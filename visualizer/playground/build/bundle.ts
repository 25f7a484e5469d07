/** Bundles the playground and the script of the documents with Vite: files with relative addresses, one worker. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { minify } from '@swc/core';
import {
  type BuildOptions,
  build,
  defaultClientConditions,
  type InlineConfig,
  type Plugin,
} from 'vite';
import { readMatch } from '../../../actors/engine/configFile.ts';
import { isPerson, isSlow } from '../../../machines/rules/mindKinds.ts';
import { readFacts } from '../../page/build/facts.ts';
import { embedJson } from '../../page/build/parts.ts';
import type { SiteMatch } from '../protocol.ts';
import { browserPorts, hasSideEffects, ROOT } from './ports.ts';
import { leaveOutUnused } from './unused.ts';

const SITE = join(ROOT, 'site');

/** What the pages of the documents link to, relative to the site. */
export type DocumentAssets = { readonly script: string; readonly styles: readonly string[] };

/** The matches of the examples in which nobody has to be waited for; whole games come first. */
export function listSiteMatches(): readonly SiteMatch[] {
  const matches = globSync('examples/*.yaml', { cwd: ROOT }).flatMap((path): SiteMatch[] => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    if (!/^seats:/m.test(text)) return [];
    const reading = readMatch(text);
    if (!reading.ok) throw new Error(`${path}: ${reading.notes.map((note) => note.text).join()}`);
    const { match } = reading;
    if (match.seats.some((seat) => isSlow(seat) || isPerson(seat))) return [];
    const kind = 'call' in match ? 'meeting' : 'game';
    return [{ id: basename(path, '.yaml'), kind, match }];
  });
  const place = ({ kind, id, match }: SiteMatch) => {
    return `${kind === 'game' ? 0 : 1} ${id === 'skeld' ? 0 : 1} ${match.name}`;
  };
  return matches.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

/** Only files of the site itself: nothing is asked of another host, and no script but its own runs. */
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

export const POLICY_TAG = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;

async function fillPlaces(): Promise<Plugin> {
  const facts = embedJson('facts', JSON.stringify(await readFacts()));
  const matches = embedJson('matches', JSON.stringify(listSiteMatches()));
  return {
    name: 'fill-places',
    transformIndexHtml: (html) =>
      html
        .replace('<!-- policy -->', () => POLICY_TAG)
        .replace('<!-- facts -->', () => facts)
        .replace('<!-- matches -->', () => matches),
  };
}

/** What JSX is written with. */
function importJsx(): Plugin {
  return {
    name: 'import-jsx',
    enforce: 'pre',
    transform: (code, id) =>
      id.endsWith('.tsx') ? `import { Fragment, h } from 'preact';${code}` : null,
  };
}

/** Nothing but what keeps the meaning of any script: more daring settings lost a branch of the checker. */
const MINIFIER = {
  module: true,
  ecma: 2020,
  compress: { ecma: 2020, passes: 3, toplevel: true },
  mangle: {},
} as const;

/** What the minifier of the bundler leaves: some 2 % of what is sent. */
function minifyAgain(): Plugin {
  return {
    name: 'minify-again',
    async generateBundle(_options, files) {
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk') continue;
        const { code } = await minify(file.code, MINIFIER);
        file.code = code;
      }
    },
  };
}

/** What both builds have in common. */
function createConfig(folder: string): InlineConfig & { readonly build: BuildOptions } {
  return {
    root: SITE,
    base: './',
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: 'error',
    // No server is behind the page: `import.meta.env.MODE`.
    mode: 'site',
    build: {
      outDir: folder,
      modulePreload: { polyfill: false },
      target: 'es2023',
    },
  };
}

/** Builds into a folder, which is emptied; returns what the documents need of it. */
export async function bundleSite(folder: string): Promise<DocumentAssets> {
  const treeshake = {
    moduleSideEffects: hasSideEffects,
    propertyReadSideEffects: false,
    unknownGlobalSideEffects: false,
  } as const;
  const config = createConfig(folder);
  const plugins = (explains: boolean) => [
    browserPorts(),
    leaveOutUnused({ explains }),
    minifyAgain(),
  ];
  await build({
    ...config,
    // RxJS has newer JavaScript than what it gives by default.
    resolve: { conditions: ['es2015', ...defaultClientConditions] },
    // Children as arguments are shorter than as a property.
    oxc: { jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' } },
    plugins: [importJsx(), ...plugins(true), await fillPlaces()],
    worker: { format: 'es', plugins: () => plugins(false), rollupOptions: { treeshake } },
    build: {
      ...config.build,
      emptyOutDir: true,
      rollupOptions: { input: join(SITE, 'index.html'), treeshake },
    },
  });
  // On their own: what both have in common is little, and each would load it as a file of its own.
  const result = await build({
    ...config,
    build: {
      ...config.build,
      emptyOutDir: false,
      rollupOptions: { input: { documents: join(SITE, 'docs/documents.ts') } },
    },
  });
  if (!('output' in result)) throw new Error('the documents were not built in one piece');
  const script = result.output.find((file) => file.type === 'chunk' && file.isEntry);
  if (script?.type !== 'chunk') throw new Error('the script of the documents was not built');
  return { script: script.fileName, styles: [...(script.viteMetadata?.importedCss ?? [])] };
}
