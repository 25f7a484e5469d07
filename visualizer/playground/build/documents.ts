/**
 * The documents as pages: every page of Markdown in the repository that is meant to be read, with its links turned into
 * links between pages, and an index for the search.
 */
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import MiniSearch from 'minisearch';
import { SEARCH_FIELDS, type SearchSection, STORED_FIELDS } from '../docs/search.ts';
import { type DocumentAssets, POLICY_TAG } from './bundle.ts';
import { ROOT } from './ports.ts';

/** Where a page of the repository stands in the site; null for what is no page. */
function placeOf(source: string): string | null {
  if (!source.endsWith('.md')) return null;
  const name = source.replace(/\.md$/, '');
  if (name === 'README') return 'docs/index.html';
  if (/^[A-Z]+$/.test(name)) return `docs/${name.toLowerCase()}.html`;
  if (name === 'checker/README') return 'docs/checker/index.html';
  if (name.startsWith('checker/docs/')) return name.replace('checker/docs', 'docs/checker') + HTML;
  return name.startsWith('docs/') ? name + HTML : null;
}

const HTML = '.html';

/** The pages of the sidebar in their order; what no group names stands in the last one. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Begin: ['README.md', 'docs/watching.md'],
  'The game': ['docs/design.md', 'docs/skeld.md', 'docs/weights.md', 'docs/statechart.md'],
  Models: ['docs/models.md', 'docs/minds.md', 'docs/prompts.md', 'docs/leagues.md'],
  'What journals tell': ['docs/journal.md', 'docs/why.md', 'docs/deduction.md', 'docs/claims.md'],
  Proofs: ['docs/checking.md', 'checker/README.md', 'docs/mutants.md'],
};
const DECISIONS = 'Decisions';
const REST = 'Reference';

type Page = {
  readonly source: string;
  readonly place: string;
  readonly title: string;
  readonly html: string;
  readonly sections: readonly SearchSection[];
};

/** Writes the pages, their pictures and the search index; returns how many pages there are. */
export function writeDocuments(folder: string, assets: DocumentAssets): number {
  const sources = globSync(['*.md', 'docs/**/*.md', 'checker/README.md', 'checker/docs/*.md'], {
    cwd: ROOT,
  }).filter((source) => placeOf(source) !== null);
  const pages = sources.toSorted().map((source) => readPage(source, folder));
  const groups = groupPages(pages);
  for (const page of pages) {
    const path = join(folder, page.place);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, fillPage(page, groups, assets));
  }
  writeFileSync(join(folder, 'docs/search.json'), indexSections(pages));
  return pages.length;
}

/** Renders a page; copies the pictures that it shows. */
function readPage(source: string, folder: string): Page {
  const text = readFileSync(join(ROOT, source), 'utf8');
  const place = placeOf(source) ?? source;
  const slugs = new Map<string, number>();
  const sections: SearchSection[] = [];
  let title = '';
  const rebase = (target: string) => posix.join(posix.dirname(source), target);
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const words = this.parser.parseInline(tokens);
        const plain = stripTags(words);
        if (depth === 1 && title === '') title = plain;
        const id = slugOf(plain, slugs);
        sections.push({ id: `${place}#${id}`, page: title, heading: plain, text: '' });
        return `<h${depth} id="${id}">${words}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const words = this.parser.parseInline(tokens);
        if (/^[a-z]+:/.test(href)) return `<a href="${href}" rel="noreferrer">${words}</a>`;
        const [path = '', anchor] = href.split('#');
        const behind = anchor === undefined ? '' : `#${anchor}`;
        if (path === '') return `<a href="${behind}">${words}</a>`;
        const to = placeOf(rebase(path)) ?? copyShown(rebase(path), folder);
        // What is neither, such as a source file, is in the repository: a page says its name.
        return to === null ? words : `<a href="${relate(place, to)}${behind}">${words}</a>`;
      },
      image({ href, text: words }: Tokens.Image) {
        const picture = copyShown(rebase(href), folder) ?? href;
        return `<img src="${relate(place, picture)}" alt="${escapeHtml(words)}" loading="lazy">`;
      },
      table(token: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        const head = token.header.some(({ text: cell }) => cell !== '')
          ? row(token.header, 'th')
          : '';
        return `<div class="table" tabindex="0"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(text, { async: false });
  return { source, place, title: title || source, html, sections: addTexts(sections, html) };
}

/** Copies a picture of the repository; returns its place in the site, null for what is no picture. */
function copyShown(source: string, folder: string): string | null {
  if (!/\.(?:png|svg|html)$/.test(source)) return null;
  const to = join(folder, source);
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(join(ROOT, source), to);
  return source;
}

/** The text below each heading, without markup. */
function addTexts(sections: readonly SearchSection[], html: string): readonly SearchSection[] {
  const [, ...parts] = html.split(/(?=<h[1-6] id=")/);
  const texts = html.startsWith('<h') ? html.split(/(?=<h[1-6] id=")/) : parts;
  return sections.map((section, index) => {
    const below = (texts[index] ?? '').replace(/^<h[\s\S]*?<\/h\d>/, '');
    return { ...section, text: stripTags(below).replaceAll(/\s+/g, ' ').trim() };
  });
}

function stripTags(html: string): string {
  const bare = html.replaceAll(/<!--[\s\S]*?-->/g, ' ').replaceAll(/<[^>]*>/g, ' ');
  const plain = bare
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
  return plain.replaceAll(/ +/g, ' ').trim();
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The anchor of a heading, as GitHub makes it: links in the documents use it. */
function slugOf(heading: string, known: Map<string, number>): string {
  const slug = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  const before = known.get(slug) ?? 0;
  known.set(slug, before + 1);
  return before === 0 ? slug : `${slug}-${before}`;
}

function relate(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}

type PageGroup = { readonly name: string; readonly pages: readonly Page[] };

function groupPages(pages: readonly Page[]): readonly PageGroup[] {
  const named = Object.entries(GROUPS).map(([name, sources]) => ({
    name,
    pages: sources.flatMap((source) => pages.find((page) => page.source === source) ?? []),
  }));
  const used = new Set(named.flatMap((group) => group.pages));
  const rest = pages.filter((page) => !used.has(page));
  const isDecision = ({ source }: Page) => source.startsWith('docs/decisions/');
  return [
    ...named,
    { name: REST, pages: rest.filter((page) => !isDecision(page)) },
    { name: DECISIONS, pages: rest.filter(isDecision) },
  ];
}

function fillPage(page: Page, groups: readonly PageGroup[], assets: DocumentAssets): string {
  const root = relate(page.place, 'index.html').replace(/index\.html$/, '') || './';
  const styles = assets.styles.map((path) => `<link rel="stylesheet" href="${root}${path}">`);
  const name = escapeHtml(page.title);
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
${POLICY_TAG}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="referrer" content="no-referrer">
<title>${name} · The Glass Box League</title>
<link rel="icon" href="data:,">
${styles.join('\n')}
<script type="module" src="${root}${assets.script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="sitebar docbar">
<nav aria-label="Site"><a href="${root}">Play</a><a href="${root}?view=prove">Break a rule</a><a href="${root}docs/index.html" aria-current="page">Docs</a></nav>
<div class="search" role="search">
<input type="search" id="search" placeholder="Search the documents" aria-label="Search the documents" autocomplete="off">
<ol id="results" hidden></ol>
</div>
</header>
<div class="document">
<details class="contents" open><summary>Contents</summary>
<nav aria-label="Documents">${groups.map((group) => writeGroup(group, page)).join('\n')}</nav></details>
<main id="content">
${page.html}</main>
</div>
</body>
</html>
`;
}

function writeGroup({ name, pages }: PageGroup, current: Page): string {
  const links = pages.map((page) => {
    const here = page === current ? ' aria-current="page"' : '';
    return `<li><a href="${relate(current.place, page.place)}"${here}>${escapeHtml(page.title)}</a></li>`;
  });
  return `<h2>${name}</h2>\n<ul>${links.join('')}</ul>`;
}

function indexSections(pages: readonly Page[]): string {
  const index = new MiniSearch<SearchSection>({
    fields: [...SEARCH_FIELDS],
    storeFields: [...STORED_FIELDS],
  });
  index.addAll(pages.flatMap(({ sections }) => sections));
  return JSON.stringify(index);
}
