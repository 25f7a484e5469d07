/** Where findings go besides what is printed: reports and traces in files, and the page that explores them. */
import { format, parse } from 'node:path';
import { describeProgress, SearchEstimate, type SearchProgress } from 'glass-box-checker';
import { type ReportCase, renderJunit } from 'glass-box-checker/formats';
import manifest from '#manifest' with { type: 'json' };
import { realDisk } from '../../actors/ports/disk.ts';
import { realProcess } from '../../actors/ports/process.ts';
import type { CheckRun } from '../../proofs/checks/meetingSearch.ts';
import type { ExplorerReport } from '../../proofs/report/explorerReport.ts';
import { type Counterexample, listCounterexamples } from '../../proofs/traces/counterexample.ts';
import type { LiveServer } from '../../visualizer/server/server.ts';
import { createFailure, describeSystemError, EXIT } from '../exit.ts';
import { createJournal, writeText } from '../files.ts';
import { isThere } from '../input.ts';
import { openBrowser, serveAt } from '../live.ts';
import { printNote } from '../output.ts';
import { createProgressLine } from '../progress.ts';
import type { CheckFlags } from './flags.ts';

const TOOL = { name: 'glassbox check', version: manifest.version };

/** Makes sure that the files can be written, before anything runs; the function that is returned writes them. */
export function openReports({
  junit,
  page,
}: Pick<CheckFlags, 'junit' | 'page'>): (cases: readonly ReportCase[]) => void {
  for (const path of [junit, page]) if (path !== undefined) touch(path);
  return (cases) => {
    if (junit !== undefined) writeText(junit, renderJunit(cases, TOOL), 'the report');
  };
}

function touch(path: string): void {
  try {
    const wasThere = isThere(path);
    realDisk.open(path, 'append').close();
    if (!wasThere) realDisk.remove(path);
  } catch (error) {
    const text = `the report can't be written to ${path}: ${describeSystemError(error)}`;
    throw createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
  }
}

export function secondPath(path: string): string {
  const { dir, name, ext } = parse(path);
  return format({ dir, name: `${name}-b`, ext });
}

/** Writes what is most wrong; returns where: a journal, two that belong together, or none. */
export async function writeTrace(
  path: string,
  runs: readonly CheckRun[],
): Promise<readonly string[]> {
  const all = runs
    .flatMap(listCounterexamples)
    .filter(({ verdict }) => verdict.kind !== 'sometimes');
  const worst: Counterexample | undefined =
    all.find(({ verdict }) => verdict.expected !== 'violated') ?? all[0];
  if (worst === undefined) {
    printNote(`No property is violated: nothing is written to ${path}`);
    return [];
  }
  const texts = await journalsOf(worst);
  if (texts.length === 0) {
    printNote(`${worst.verdict.name} can't be played as a meeting: nothing is written to ${path}`);
  }
  return texts.map((text, index) => {
    const place = index === 0 ? path : secondPath(path);
    writeJournal(place, text);
    return place;
  });
}

/** Writes the journal of a game; without one it says so. */
export function writeGameTrace(path: string, text: string | null): void {
  if (text === null) printNote(`No property is violated: nothing is written to ${path}`);
  else writeJournal(path, text);
}

async function journalsOf(worst: Counterexample): Promise<readonly string[]> {
  if (worst.verdict.shown !== undefined)
    return worst.verdict.shown.journals().map(({ text }) => text);
  const { createTrace } = await import('../../proofs/traces/counterexample.ts');
  return [await createTrace(worst)];
}

function writeJournal(path: string, text: string): void {
  const { sink } = createJournal(path);
  sink.write(text);
  sink.close();
  if (sink.failure === null) return;
  const reason = `the journal can't be written to ${path}: ${sink.failure}`;
  throw createFailure(EXIT.cannotWrite, 'output/cannot-write', reason);
}

type SearchLine = {
  readonly show: ((progress: SearchProgress) => void) | null;
  readonly clear: () => void;
};

/** Shows how far a search is; null without a terminal. */
export function createSearchLine(title: () => string): SearchLine {
  if (process.stderr.isTTY !== true) return { show: null, clear: () => {} };
  const line = createProgressLine();
  let estimate = new SearchEstimate();
  let shown = '';
  return {
    show: (progress) => {
      // What one search was like says nothing of the next.
      if (title() !== shown) estimate = new SearchEstimate();
      shown = title();
      line.show(`${shown}: ${describeProgress(progress, estimate)}`);
    },
    clear: () => line.clear(),
  };
}

type Exhibition = {
  /** Whether it is to be shown. */
  readonly isWanted: boolean;
  /** Shows it; where it is served, until the operator ends it. */
  show(report: ExplorerReport): Promise<void>;
  close(): void;
};

/** Where findings go, besides what is printed. */
export type Outlets = {
  readonly writeReports: (cases: readonly ReportCase[]) => void;
  readonly shown: Exhibition;
};

/** Takes the port at once: after a long search it would be late to say that another program has it. */
export async function openExhibition({
  page,
  explore,
}: Pick<CheckFlags, 'page' | 'explore'>): Promise<Exhibition> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const live = explore === undefined ? null : await serveLater(promise, explore);
  return {
    isWanted: page !== undefined || live !== null,
    show: async (report) => {
      if (page === undefined && live === null) return;
      const { createExplorerPage } = await import('../../visualizer/page/build/pages.ts');
      const html = await createExplorerPage(report);
      if (page !== undefined) writePage(page, html);
      if (live === null) return;
      resolve(html);
      await waitForEnd(live);
    },
    close: () => live?.close(),
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

async function waitForEnd(live: LiveServer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) realProcess.onSignal(signal, resolve);
  printNote('Ctrl-C ends it.');
  openBrowser(live.url);
  await promise;
  live.close();
}

function writePage(path: string, html: string): void {
  writeText(path, html, 'the page');
  printNote(`Open it: ${path} (${Math.ceil(html.length / 1024)} kB)`);
}
