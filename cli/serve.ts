/** Serves pages on this machine and opens the browser; what can't be served is explained in a sentence. */

import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { formatLens } from '../machines/journal/lens.ts';
import { describeTooLong, LONGEST_JOURNAL_BYTES } from '../visualizer/page/game/state/journal.ts';
import type { Broadcast } from '../visualizer/server/broadcast.ts';
import type { PageSource } from '../visualizer/server/routes.ts';
import { type LiveServer, type Route, serve } from '../visualizer/server/server.ts';
import { createFailure, describeSystemError, EXIT } from './exit.ts';
import { nameOf } from './input.ts';
import { cleanLines, printNote } from './output.ts';

type JournalName = {
  readonly name: string;
  readonly damaged: number;
  /** Everyone sees the table until it is over, and everything then. */
  readonly opens?: boolean;
};

/** The page of a broadcast, built when it is first asked for; the terminal says once why it can't be. */
export function createPageSource(broadcast: Broadcast, named: JournalName): PageSource {
  let page: Promise<string> | null = null;
  return () => {
    page ??= buildPage(broadcast, named);
    return page;
  };
}

async function buildPage({ widest }: Broadcast, named: JournalName): Promise<string> {
  try {
    const { createLivePage } = await import('../visualizer/page/build/pages.ts');
    return await createLivePage({
      lens: named.opens === true ? 'table' : formatLens(widest),
      ...named,
    });
  } catch (error) {
    const [why = ''] = describeSystemError(error).split('\n');
    printNote(cleanLines(`The page can't be built, and the game goes on without it: ${why}`));
    throw error;
  }
}

/** Serves at this port, or at a free one where it is taken; null, with a sentence, where nothing can be served. */
export async function serveSomewhere(
  routes: readonly Route[],
  port: number,
): Promise<LiveServer | null> {
  try {
    return await serve(routes, port);
  } catch (error) {
    if (port === 0) {
      printNote(
        `The page can't be served, and the game goes on without it: ${explainPortError(error)}.`,
      );
      return null;
    }
    printNote(`--live ${port}: ${explainPortError(error)}; using another port.`);
    return await serveSomewhere(routes, 0);
  }
}

/** Serves at this port, or fails with the reason. */
export async function serveAt(routes: readonly Route[], port: number): Promise<LiveServer> {
  try {
    return await serve(routes, port);
  } catch (error) {
    const text = `--port ${port}: ${explainPortError(error)}; --port 0 takes a free one`;
    throw createFailure(EXIT.usage, 'live/port', text);
  }
}

function explainPortError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'EADDRINUSE') return 'the port is in use';
  return code === 'EACCES' ? 'this port needs more rights' : describeSystemError(error);
}

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Does nothing without a terminal or a browser: the link is printed anyway. */
export function openBrowser(url: string): void {
  if (process.stdout.isTTY !== true) return;
  const [name, ...before] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(name, [...before, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

/** A browser can't be asked to hold longer journals. */
export function refuseLongJournal(path: string): void {
  const size = path === '-' ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  if (size <= LONGEST_JOURNAL_BYTES) return;
  throw createFailure(
    EXIT.damaged,
    'journal/too-long',
    `${nameOf(path)}: ${describeTooLong(size)}`,
  );
}
