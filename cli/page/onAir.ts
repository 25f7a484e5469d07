/** On air: pages and routes are served, and what can't be is told in a sentence. */

import { formatLens } from '../../machines/journal/lens.ts';
import type { Broadcast } from '../../visualizer/server/broadcast.ts';
import type { PageSource } from '../../visualizer/server/routes.ts';
import { type LiveServer, type Route, serve } from '../../visualizer/server/server.ts';
import { createFailure, describeSystemError, EXIT } from '../exit.ts';
import { cleanLines, printNote } from '../output.ts';

type Named = {
  readonly name: string;
  readonly damaged: number;
  /** Everybody gets the table until it is over, and everything then. */
  readonly opens?: boolean;
};

/** The page of a feed, made when it is first asked for; why it can't be is told on the terminal, once. */
export function pageOf(feed: Broadcast, named: Named): PageSource {
  let page: Promise<string> | null = null;
  return () => {
    page ??= made(feed, named);
    return page;
  };
}

async function made({ widest }: Broadcast, named: Named): Promise<string> {
  try {
    const { createLivePage } = await import('../../visualizer/page/build/pages.ts');
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

/** Serves at a port, or at any other where that can't be had; null, with a sentence, where nothing can be served. */
export async function servedSomewhere(
  routes: readonly Route[],
  port: number,
): Promise<LiveServer | null> {
  try {
    return await serve(routes, port);
  } catch (error) {
    if (port === 0) {
      printNote(`The page can't be served, and the game goes on without it: ${whyNot(error)}.`);
      return null;
    }
    printNote(`--live ${port}: ${whyNot(error)}; another port is taken.`);
    return await servedSomewhere(routes, 0);
  }
}

/** Serves by these routes, or says why the port can't be had. */
export async function served(routes: readonly Route[], port: number): Promise<LiveServer> {
  try {
    return await serve(routes, port);
  } catch (error) {
    const text = `--port ${port}: ${whyNot(error)}; --port 0 takes a free one`;
    throw createFailure(EXIT.usage, 'live/port', text);
  }
}

function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'EADDRINUSE') return 'somebody else is there already';
  return code === 'EACCES' ? 'only the system may serve there' : describeSystemError(error);
}
