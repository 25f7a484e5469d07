/** Builds a page with Vite on first use, and caches it by a digest of its sources. */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { readFacts } from './facts.ts';
import { embedJson, type PageName } from './parts.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PAGE = join(ROOT, 'visualizer/page');
const STORE = join(ROOT, 'node_modules/.cache/glassbox');
const SOURCES = '{visualizer,machines,analysis,prompts/claims}/**/*.{ts,tsx,css,html}';

export async function loadBuiltPage(name: PageName): Promise<string> {
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
  for (const path of globSync(SOURCES, { cwd: ROOT }).sort())
    hash.update(path).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex').slice(0, 16);
}

function storePage(path: string, page: string): void {
  try {
    mkdirSync(STORE, { recursive: true });
    // Written in one piece, because two processes may build at once.
    const part = `${path}.${process.pid}.part`;
    writeFileSync(part, page);
    renameSync(part, path);
  } catch {}
}

async function bundlePage(name: PageName): Promise<string> {
  const facts = name === 'league' ? null : await readFacts();
  const result = await build({
    root: PAGE,
    configFile: false,
    envFile: false,
    logLevel: 'error',
    // `page` is `play` without the parts for players: `import.meta.env.MODE`.
    mode: name === 'play' ? 'play' : 'production',
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      rollupOptions: {
        input: join(PAGE, `${name === 'play' ? 'page' : name}.tsx`),
        // Property reads have no side effects here, so unused tables are dropped.
        treeshake: { propertyReadSideEffects: false },
        // One file has also what the playground loads on demand.
        output: { codeSplitting: false },
      },
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
    else if (part.fileName.endsWith('.css')) style += Buffer.from(part.source).toString();
  }
  return assemble(script, style, facts);
}

function assemble(script: string, style: string, facts: object | null): string {
  const code = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const parts: Readonly<Record<string, string>> = {
    // Allows only this script to run, whatever else enters the document.
    '<!-- policy -->': `<meta http-equiv="Content-Security-Policy" content="${writePolicy(code)}">`,
    '<!-- style -->': `<style>${style}</style>`,
    '<!-- facts -->': embedJson('facts', JSON.stringify(facts)),
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
