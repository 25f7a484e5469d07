/** Exhibitions: the page of the findings, in a file or served on this machine until somebody asks for the end. */

import { realProcess } from '../../actors/ports/process.ts';
import type { ExplorerReport } from '../../proofs/explorer/report.ts';
import type { ReportCase } from '../../proofs/formats.ts';
import type { LiveServer } from '../../visualizer/server/server.ts';
import { writeText } from '../files.ts';
import { openBrowser, serveAt } from '../live.ts';
import { printNote } from '../output.ts';
import type { CheckFlags } from './flags.ts';

export type Exhibition = {
  /** Whether anybody wants to look at it. */
  readonly isWanted: boolean;
  /** Shows it; where it is served, until somebody asks for the end. */
  show(report: ExplorerReport): Promise<void>;
  close(): void;
};

/** Where findings go, besides what is printed. */
export type Outlets = {
  readonly writeReports: (cases: readonly ReportCase[]) => void;
  readonly shown: Exhibition;
};

/** Takes the port at once: after a long search it would be late to say that somebody else has it. */
export async function exhibition({
  page,
  explore,
}: Pick<CheckFlags, 'page' | 'explore'>): Promise<Exhibition> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const live = explore === undefined ? null : await onShow(promise, explore);
  return {
    isWanted: page !== undefined || live !== null,
    show: async (report) => {
      if (page === undefined && live === null) return;
      const { createExplorerPage } = await import('../../visualizer/page/build/pages.ts');
      const html = await createExplorerPage(report);
      if (page !== undefined) write(page, html);
      if (live === null) return;
      resolve(html);
      await looked(live);
    },
    close: () => live?.close(),
  };
}

/** Whoever asks before the check is over waits for it. */
async function onShow(page: Promise<string>, explore: number | true): Promise<LiveServer> {
  const live = await serveAt(
    [
      async ({ method, path }) =>
        method === 'GET' && path === '/' ? { type: 'html', status: 200, text: await page } : null,
    ],
    explore === true ? 0 : explore,
  );
  printNote(`Explore it: ${live.url}`);
  return live;
}

async function looked(live: LiveServer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) realProcess.onSignal(signal, resolve);
  printNote('Ctrl-C ends it.');
  openBrowser(live.url);
  await promise;
  live.close();
}

function write(path: string, html: string): void {
  writeText(path, html, 'the page');
  printNote(`Open it: ${path} (${Math.ceil(html.length / 1024)} kB)`);
}
