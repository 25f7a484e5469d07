/** Embedding: a journal in the page, packed so that nothing in it can be markup, and so that it is small. */
import { gzipSync } from 'node:zlib';
import type { SeenLine } from '../../../machines/journal/lens.ts';
import type { JournalSource } from '../game/story/pageData.ts';
import { dataScript, pageWith } from './page.ts';

/** A page that shows these lines from disk; the lens is the one that they were cut with. */
export async function exportedPage(
  lines: readonly SeenLine[],
  source: Omit<Extract<JournalSource, { type: 'journal' }>, 'type'>,
): Promise<string> {
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const packed = gzipSync(text).toString('base64');
  const journal = `<script type="application/octet-stream" id="journal">${packed}</script>`;
  return pageWith('page', `${sourceScript({ type: 'journal', ...source })}\n${journal}`);
}

/** A page that gets its lines from the server that serves it. */
export function livePage(
  source: Omit<Extract<JournalSource, { type: 'live' }>, 'type'>,
): Promise<string> {
  return pageWith('page', sourceScript({ type: 'live', ...source }));
}

function sourceScript(source: JournalSource): string {
  return dataScript('source', JSON.stringify(source));
}
