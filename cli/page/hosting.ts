/** Hosting: what is going on goes on air while it is told, and stays there until somebody asks for the end. */
import { Option } from 'commander';
import type { Line } from '../../machines/journal.ts';
import type { Lens } from '../../machines/lens.ts';
import { Feed } from '../../visualizer/live/feed.ts';
import { parseCount } from '../arguments.ts';
import type { Shower } from '../telling.ts';
import { openBrowser } from './browser.ts';
import { onAir } from './onAir.ts';

/** `--live` without a number takes a free port. */
export type LiveFlag = number | true;

const MOST_PORTS = 65_535;

export function liveOption(): Option {
  return new Option(
    '--live [port]',
    'show it in the browser as it happens, on this machine only',
  ).argParser(parseCount(0, MOST_PORTS));
}

export type Hosting = {
  add(line: Line): void;
  /** Nothing comes any more: waits for Ctrl-C where somebody watches on a terminal. */
  over(): Promise<void>;
};

/** Goes on air through a lens at most; null where nobody asked for it. */
export async function hosting(
  live: LiveFlag | undefined,
  lens: Lens,
  name: string,
): Promise<Hosting | null> {
  if (live === undefined) return null;
  const feed = new Feed(lens);
  const port = live === true ? 0 : live;
  const served = await onAir(feed, { port, name, damaged: 0, isAside: true });
  openBrowser(served.url);
  return {
    add: (line) => feed.add(line),
    over: async () => {
      feed.end();
      if (process.stdout.isTTY === true) await endAsked();
      served.close();
    },
  };
}

/** Waits for Ctrl-C. What ended the game before has nothing to end any more. */
function endAsked(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.removeAllListeners(signal);
      process.on(signal, () => resolve());
    }
  });
}

/** Shows lines where they were shown, and on air. */
export function joined(show: Shower | null, host: Hosting | null): Shower | null {
  if (host === null) return show;
  const both = (line: Line) => {
    host.add(line);
    return show === null ? true : show(line);
  };
  return Object.assign(both, { end: () => show?.end() });
}
