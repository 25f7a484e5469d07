/**
 * Builds pages: one file of HTML with its script and its style in it, which makes no request to the network.
 *
 * A page is built on first use and stored beside the packages, under a digest of everything that it was made from. What it is
 * to show is embedded when it is asked for, packed so that nothing in it can be markup.
 */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { LeagueSource } from '../../../analysis/league/types.ts';
import type { SeenLine, SeenOf } from '../../../machines/journal/lens.ts';
import type { ExplorerReport } from '../../../proofs/explorer/report.ts';
import type { JournalSource } from '../game/story/pageData.ts';
import { readFacts } from './facts.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PAGE = join(ROOT, 'visualizer/page');
const STORE = join(ROOT, 'node_modules/.cache/glassbox');
const SOURCES = '{visualizer,machines,analysis}/**/*.{ts,tsx,css,html}';

/** Each page by the name of the file that it begins with: that of a journal, of a league, of a check. */
export type PageName = 'page' | 'league' | 'explorer';

/** Where the journal goes. */
const SOURCE_PLACE = '<!-- source -->';

/** The page around what it is to show, such as a journal that is embedded in it. */
export async function createPage(name: PageName, source: string): Promise<string> {
  const page = await loadPage(name);
  // Not as a string: "$&" in a journal would be a reference.
  return page.replace(SOURCE_PLACE, () => source);
}

/** Read once: what it is made from is that of this program. */
const loaded = new Map<PageName, Promise<string>>();

function loadPage(name: PageName): Promise<string> {
  const page = loaded.get(name) ?? readPage(name);
  loaded.set(name, page);
  return page;
}

async function readPage(name: PageName): Promise<string> {
  const kept = join(STORE, `${name}-${digestSources()}.html`);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const page = await bundlePage(name);
    storePage(kept, page);
    return page;
  }
}

function digestSources(): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const path of globSync(SOURCES, { cwd: ROOT }).sort()) {
    hash.update(path).update(readFileSync(join(ROOT, path)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** What can't be kept is built anew each time. */
function storePage(path: string, page: string): void {
  try {
    mkdirSync(STORE, { recursive: true });
    // In one piece, for two may build at once.
    const part = `${path}.${process.pid}.part`;
    writeFileSync(part, page);
    renameSync(part, path);
  } catch {
    // A read-only installation.
  }
}

async function bundlePage(name: PageName): Promise<string> {
  const { build: bundle } = await import('vite');
  // Charts and the ship are of no use to a league.
  const facts = name === 'league' ? null : await readFacts();
  const result = await bundle({
    root: PAGE,
    configFile: false,
    envFile: false,
    logLevel: 'error',
    mode: 'production',
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      rollupOptions: { input: join(PAGE, `${name}.tsx`) },
      modulePreload: false,
      cssCodeSplit: false,
      target: 'es2023',
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    },
  });
  if (!('output' in result)) throw new Error('the page was not built in one piece');
  let [script, style] = ['', ''];
  for (const part of result.output) {
    if (part.type === 'chunk') script += part.code;
    else if (part.fileName.endsWith('.css')) style += decodeText(part.source);
  }
  return assemble({ script, style, facts: JSON.stringify(facts) });
}

function decodeText(source: string | Uint8Array): string {
  return typeof source === 'string' ? source : Buffer.from(source).toString('utf8');
}

type PageParts = { readonly script: string; readonly style: string; readonly facts: string };

function assemble({ script, style, facts }: PageParts): string {
  const code = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const parts: Readonly<Record<string, string>> = {
    // Only this very script may run, whatever else gets into the document.
    '<!-- policy -->': `<meta http-equiv="Content-Security-Policy" content="${writePolicy(code)}">`,
    '<!-- style -->': `<style>${style}</style>`,
    '<!-- facts -->': embedJson('facts', facts),
    '<!-- script -->': `<script type="module">${code}</script>`,
  };
  const html = readFileSync(join(PAGE, 'index.html'), 'utf8');
  return html.replaceAll(/<!-- (?:policy|style|facts|script) -->/g, (place) => parts[place] ?? '');
}

function writePolicy(code: string): string {
  const hash = createHash('sha256').update(code).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** JSON that can't end the element that it is in. */
function embedJson(id: string, json: string): string {
  const safe = json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028');
  return `<script type="application/json" id="${id}">${safe}</script>`;
}

/** A page that shows these lines from disk; the lens is the one that they were cut with. */
export async function createExportPage(
  lines: readonly SeenLine[],
  source: Omit<Extract<JournalSource, { type: 'journal' }>, 'type'>,
): Promise<string> {
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const packed = gzipSync(text).toString('base64');
  const journal = `<script type="application/octet-stream" id="journal">${packed}</script>`;
  return createPage('page', `${embedSource({ type: 'journal', ...source })}\n${journal}`);
}

/** A page that gets its lines from the server that serves it. */
export function createLivePage(
  source: Omit<Extract<JournalSource, { type: 'live' }>, 'type'>,
): Promise<string> {
  return createPage('page', embedSource({ type: 'live', ...source }));
}

function embedSource(source: JournalSource): string {
  return embedJson('source', JSON.stringify(source));
}

export function createExplorerPage(report: ExplorerReport): Promise<string> {
  const packed = gzipSync(JSON.stringify(report)).toString('base64');
  const source = `<script type="application/octet-stream" id="report">${packed}</script>`;
  return createPage('explorer', source);
}

/** With progress the page asks the server that serves it how it goes on; without it is a file for good. */
export function createLeaguePage(source: Omit<LeagueSource, 'type'>): Promise<string> {
  return createPage('league', embedJson('source', JSON.stringify({ type: 'league', ...source })));
}

/* An export without thoughts. What a mind sent may be anything, so of a reply only the public fields are kept, and a reply
   without any is left out. */

type VisibleBid = NonNullable<SeenOf<'tick.closed'>['bids']>[number];
type VisibleOrder = NonNullable<SeenOf<'round.closed'>['orders']>[number];

/** The line without thoughts and scratchpads; null where nothing else was in it. */
export function removeThoughts(line: SeenLine): SeenLine | null {
  switch (line.type) {
    case 'scratchpads.updated':
    case 'scratchpads.consolidated':
      return null;
    case 'tick.closed':
      return line.bids === undefined
        ? removeClock(line)
        : { ...removeClock(line), bids: line.bids.map(keepPublicBid) };
    case 'turn.closed':
      return line.bids === undefined
        ? removeClock(line)
        : { ...removeClock(line), bids: line.bids.map(keepPublicBid) };
    case 'round.closed':
      return line.orders === undefined
        ? removeClock(line)
        : { ...removeClock(line), orders: line.orders.map(keepPublicOrder) };
    default:
      return removeClock(line);
  }
}

/** The clock holds requests to models, and a hash can test a guess. */
function removeClock<L extends SeenLine>(line: L): L {
  const copy = { ...line };
  delete copy.clock;
  delete copy.hash;
  return copy;
}

/** What a bid says in public. */
const PUBLIC_FIELDS = ['desire_to_speak', 'message', 'target', 'vote_action'];

function keepPublicBid({ seat, received, parsed: reading, fault }: VisibleBid): VisibleBid {
  if (fault !== undefined) return { seat, fault };
  return { seat, received: pickFields(reading ?? received, PUBLIC_FIELDS) };
}

function keepPublicOrder({ seat, received, parsed: reading, fault }: VisibleOrder): VisibleOrder {
  if (fault !== undefined) return { seat, fault };
  return { seat, received: pickFields(reading ?? received, ['action']) };
}

function pickFields(from: unknown, names: readonly string[]): object {
  if (typeof from !== 'object' || from === null) return {};
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}
