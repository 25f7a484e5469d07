/** On air: a feed is served, and the link to it is printed. */

import { airing } from '../../visualizer/live/airing.ts';
import type { Feed } from '../../visualizer/live/feed.ts';
import { keyOf } from '../../visualizer/live/feed.ts';
import { type Live, type Route, serve } from '../../visualizer/live/server.ts';
import { EXIT, failure, reasonOf } from '../failure.ts';
import { aside, print } from '../output.ts';

export type Airing = {
  readonly port: number;
  readonly name: string;
  readonly damaged: number;
  /** The link is no result of the command: there is another. */
  readonly isAside?: boolean;
};

export async function onAir(
  feed: Feed,
  { port, name, damaged, isAside = false }: Airing,
): Promise<Live> {
  const { livePage } = await import('../../visualizer/page/build/embedding.ts');
  const page = await livePage({ lens: keyOf(feed.widest), name, damaged });
  const live = await served(airing(feed, page), port);
  if (isAside) aside(`Live: ${live.url}`);
  else {
    print(live.url);
    aside('Ctrl-C ends it.');
  }
  return live;
}

/** Serves by these routes, or says why the port can't be had. */
export async function served(routes: readonly Route[], port: number): Promise<Live> {
  try {
    return await serve(routes, port);
  } catch (error) {
    const isTaken = error instanceof Error && error.message.includes('EADDRINUSE');
    const why = isTaken ? 'somebody else is there already' : reasonOf(error);
    const text = `--port ${port}: ${why}; --port 0 takes a free one`;
    throw failure(EXIT.usage, 'live/port', text);
  }
}
