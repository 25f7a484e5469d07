/**
 * Pages, built: one file of HTML with its script and its style in it, which asks the network for nothing.
 *
 * A page is built on first use and kept beside the packages, so that nobody has to know of it. The name of what is kept is a
 * digest of everything that it was made from.
 */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { factsNow } from './facts.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PAGE = join(ROOT, 'visualizer/page');
const KEPT = join(ROOT, 'node_modules/.cache/glassbox');
const SOURCES = '{visualizer,machines,analysis}/**/*.{ts,tsx,css,html}';

/** Each page by the name of the file that it begins with: that of a journal, of a league, of a check. */
export type PageName = 'page' | 'league' | 'explorer';

/** Where the journal goes. */
const PLACE = '<!-- source -->';

/** The page around what it is to show, such as a journal that is embedded in it. */
export async function pageWith(name: PageName, source: string): Promise<string> {
  const page = await builtPage(name);
  // Not as a string: "$&" in a journal would be a reference.
  return page.replace(PLACE, () => source);
}

async function builtPage(name: PageName): Promise<string> {
  const kept = join(KEPT, `${name}-${digest()}.html`);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const page = await build(name);
    keep(kept, page);
    return page;
  }
}

function digest(): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const path of globSync(SOURCES, { cwd: ROOT }).sort()) {
    hash.update(path).update(readFileSync(join(ROOT, path)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** What can't be kept is built anew each time. */
function keep(path: string, page: string): void {
  try {
    mkdirSync(KEPT, { recursive: true });
    // In one piece, for two may build at once.
    const part = `${path}.${process.pid}.part`;
    writeFileSync(part, page);
    renameSync(part, path);
  } catch {
    // A read-only installation.
  }
}

async function build(name: PageName): Promise<string> {
  const { build: bundle } = await import('vite');
  // Charts and the ship are of no use to a league.
  const facts = name === 'league' ? null : await factsNow();
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
    else if (part.fileName.endsWith('.css')) style += text(part.source);
  }
  return assembled({ script, style, facts: JSON.stringify(facts) });
}

function text(source: string | Uint8Array): string {
  return typeof source === 'string' ? source : Buffer.from(source).toString('utf8');
}

type Parts = { readonly script: string; readonly style: string; readonly facts: string };

function assembled({ script, style, facts }: Parts): string {
  const code = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const parts: Readonly<Record<string, string>> = {
    // Only this very script may run, whatever else gets into the document.
    '<!-- policy -->': `<meta http-equiv="Content-Security-Policy" content="${policy(code)}">`,
    '<!-- style -->': `<style>${style}</style>`,
    '<!-- facts -->': dataScript('facts', facts),
    '<!-- script -->': `<script type="module">${code}</script>`,
  };
  const html = readFileSync(join(PAGE, 'index.html'), 'utf8');
  return html.replaceAll(/<!-- (?:policy|style|facts|script) -->/g, (place) => parts[place] ?? '');
}

function policy(code: string): string {
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
export function dataScript(id: string, json: string): string {
  const safe = json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028');
  return `<script type="application/json" id="${id}">${safe}</script>`;
}
