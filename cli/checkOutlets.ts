/** Writes the findings of a check: reports and traces in files, and the page that explores them. */
import { format, parse } from 'node:path';
import { describeProgress, SearchEstimate, type SearchProgress } from 'glass-box-checker';
import { type ReportCase, renderJunit } from 'glass-box-checker/formats';
import { createFailure, EXIT, writeOrRefuse } from '../actors/files/failure.ts';
import { createJournal, refuseOtherKind, writeOutput } from '../actors/files/newFiles.ts';
import { isThere } from '../actors/files/openFiles.ts';
import { namePartial, realDisk, thisWriter } from '../actors/ports/disk.ts';
import type { CheckFindings } from '../proofs/checks/runCheck.ts';
import type { ExplorerReport } from '../proofs/report/explorerReport.ts';
import type { LiveServer } from '../visualizer/server/server.ts';
import { openBrowser, serveAt, waitForStop } from './live.ts';
import { printNote } from './output.ts';
import { createProgressLine } from './progress.ts';

export type OutletFlags = {
  readonly junit?: string;
  readonly page?: string;
  readonly force?: boolean;
  /** Serves that page at this port, or at a free one. */
  readonly explore?: number | true;
};

/** Checks before the search that the files can be written. The returned function writes them. */
export function openReports({ junit, page, force }: OutletFlags) {
  if (junit !== undefined) touch(junit, '<?xml', force);
  if (page !== undefined) touch(page, '<!doctype html>', force);
  return async (cases: readonly ReportCase[]): Promise<void> => {
    if (junit === undefined) return;
    await writeOutput(junit, renderJunit(cases, 'glassbox check'), { what: 'the report', force });
  };
}

function touch(path: string, start: string, force?: boolean): void {
  refuseOtherKind(path, start, force);
  writeOrRefuse(path, 'the report', () => {
    // Like the writer, it does not follow a link to nothing.
    const tried = isThere(path) ? path : namePartial(path, thisWriter());
    realDisk.open(tried, 'append').close();
    if (tried !== path) realDisk.remove(tried);
  });
}

export function secondPath(path: string): string {
  const { dir, name, ext } = parse(path);
  return format({ dir, name: `${name}-b`, ext });
}

export async function writeTrace(
  path: string,
  findings: Pick<CheckFindings, 'writeJournals'>,
): Promise<readonly string[]> {
  const texts = await findings.writeJournals();
  if (typeof texts === 'string') {
    printNote(`${texts}: nothing is written to ${path}`);
    return [];
  }
  return texts.map((text, index) => {
    const place = index === 0 ? path : secondPath(path);
    const { sink } = createJournal(place);
    sink.write(text);
    sink.close();
    if (sink.failure === null) return place;
    const reason = `cannot write the journal to ${place}: ${sink.failure}`;
    throw createFailure(EXIT.cannotWrite, 'output/cannot-write', reason);
  });
}

/** Shows the progress of a search; `show` is null without a terminal. */
export function createSearchLine() {
  if (process.stderr.isTTY !== true) return { show: null, clear: () => {} };
  const line = createProgressLine();
  let estimate = new SearchEstimate();
  let shown = '';
  return {
    show: (title: string, progress: SearchProgress) => {
      // An estimate holds for one search only.
      if (title !== shown) estimate = new SearchEstimate();
      shown = title;
      line.show(`${shown}: ${describeProgress(progress, estimate)}`);
    },
    clear: () => line.clear(),
  };
}

/** Opens the port at once, so that a conflict is reported before a long search. */
export async function openExhibition({ page, explore, force }: OutletFlags) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const live = explore === undefined ? null : await serveLater(promise, explore);
  return {
    isWanted: page !== undefined || live !== null,
    /** Shows the report. A served page stays until the operator ends it. */
    show: async (report: ExplorerReport) => {
      if (page === undefined && live === null) return;
      const { createExplorerPage } = await import('../visualizer/page/build/pages.ts');
      const html = await createExplorerPage(report);
      if (page !== undefined) {
        await writeOutput(page, html, { what: 'the page', force });
        printNote(`Open it: ${page} (${Math.ceil(html.length / 1024)} kB)`);
      }
      if (live === null) return;
      resolve(html);
      printNote('Ctrl-C ends it.');
      openBrowser(live.url);
      await waitForStop();
      live.close();
    },
    [Symbol.dispose]: () => live?.close(),
  };
}

/** A request before the check is over waits for it. */
async function serveLater(page: Promise<string>, explore: number | true): Promise<LiveServer> {
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
