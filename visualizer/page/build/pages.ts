/** Fills a built page with compressed data: one HTML file that makes no network request. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { LeagueSource } from '../../../analysis/league/types.ts';
import type { SeenLine, SeenOf } from '../../../machines/journal/lens.ts';
import { gameIn } from '../../../machines/journal/opening.ts';
import { project } from '../../../machines/journal/projection.ts';
import type { ExplorerReport } from '../../../proofs/report/explorerReport.ts';
import { escapeXml } from '../../charts/svg.ts';
import { describeMatch, titleMatch } from '../../identity.ts';
import type { JournalSource, WhyNotes } from '../game/story/pageData.ts';
import { embedJson, type PageName, readPrebuilt } from './parts.ts';

const SOURCE_PLACE = '<!-- source -->';

export async function createPage(name: PageName, source: string): Promise<string> {
  const page = loaded.get(name) ?? readPage(name);
  loaded.set(name, page);
  // Not as a string: "$&" in a journal would be a reference.
  return (await page).replace(SOURCE_PLACE, () => source);
}

const loaded = new Map<PageName, Promise<string>>();

/** Packages contain their pages. In the repository a module that packages lack builds them on first use. */
async function readPage(name: PageName): Promise<string> {
  const prebuilt = readPrebuilt(`${name}.html`);
  if (prebuilt !== null) return prebuilt;
  return (await import('./bundle.ts')).loadBuiltPage(name);
}

/** A page that shows these lines from disk. The lens is the one that they were cut with. */
export async function createExportPage(
  lines: readonly SeenLine[],
  source: Omit<Extract<JournalSource, { type: 'journal' }>, 'type'>,
  notes: WhyNotes | null = null,
): Promise<string> {
  const parts = [
    embedSource({ type: 'journal', ...source }),
    embedPacked('journal', lines.map((line) => JSON.stringify(line)).join('\n')),
    ...(notes === null ? [] : [embedPacked('why', JSON.stringify(notes))]),
  ];
  return nameDocument(await createPage('page', parts.join('\n')), lines[0]);
}

function embedPacked(id: string, text: string): string {
  const packed = gzipSync(text).toString('base64');
  return `<script type="application/octet-stream" id="${id}">${packed}</script>`;
}

/** The title and description for a link preview. They say no more than the journal's header. */
function nameDocument(page: string, header: SeenLine | undefined): string {
  if (header?.type !== 'match.opened') return page;
  const { players } = project([header], { type: 'table' });
  const title = escapeXml(titleMatch(header.match.name, players));
  const about = escapeXml(describeMatch(gameIn(header) !== null, players));
  const head = [
    `<title>${title}</title>`,
    `<meta name="description" content="${about}">`,
    `<meta property="og:title" content="${title}">`,
    `<meta property="og:description" content="${about}">`,
  ].join('\n    ');
  return page.replace(/<title>[^<]*<\/title>/, () => head);
}

export function createLivePage(
  source: Omit<Extract<JournalSource, { type: 'live' }>, 'type'>,
): Promise<string> {
  const name = source.opens === true ? 'play' : 'page';
  return createPage(name, embedSource({ type: 'live', ...source }));
}

function embedSource(source: JournalSource): string {
  return embedJson('source', JSON.stringify(source));
}

export function createExplorerPage(report: ExplorerReport): Promise<string> {
  return createPage('explorer', embedPacked('report', JSON.stringify(report)));
}

/** The explorer without a report, which the checker's own command fills in. */
export async function writeCheckerPage(): Promise<void> {
  const folder = fileURLToPath(new URL('../../../checker/dist/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'explorer.html'), await createPage('explorer', SOURCE_PLACE));
}

export function createLeaguePage(source: Omit<LeagueSource, 'type'>): Promise<string> {
  return createPage('league', embedJson('source', JSON.stringify({ type: 'league', ...source })));
}

/* Exports without thoughts. A mind may send anything, so only the public fields of a reply stay. */

type VisibleBid = NonNullable<SeenOf<'tick.closed'>['bids']>[number];
type VisibleOrder = NonNullable<SeenOf<'round.closed'>['orders']>[number];

/** The line without thoughts and scratchpads, or null if nothing is left. */
export function removeThoughts(line: SeenLine): SeenLine | null {
  switch (line.type) {
    case 'scratchpads.updated':
    case 'scratchpads.consolidated':
      return null;
    case 'tick.closed':
    case 'turn.closed':
      return {
        ...removeClock(line),
        ...(line.bids && { bids: line.bids.map((bid) => keepPublic(bid, PUBLIC_FIELDS)) }),
      };
    case 'round.closed':
      return {
        ...removeClock(line),
        ...(line.orders && { orders: line.orders.map((order) => keepPublic(order, ['action'])) }),
      };
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

const PUBLIC_FIELDS = ['desire_to_speak', 'message', 'target', 'vote_action'];

function keepPublic(answer: VisibleBid | VisibleOrder, fields: readonly string[]) {
  const { seat, received, parsed: reading, fault } = answer;
  if (fault !== undefined) return { seat, fault };
  return { seat, received: pickFields(reading ?? received, fields) };
}

function pickFields(from: unknown, names: readonly string[]): object {
  if (typeof from !== 'object' || from === null) return {};
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}
