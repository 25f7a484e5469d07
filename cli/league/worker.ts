/** A worker on the command line: plays games of leagues that run elsewhere, until it is stopped. */

import manifest from '#manifest' with { type: 'json' };
import { createFailure, EXIT, type ExitCode } from '../../actors/files/failure.ts';
import type { LeagueGame } from '../../actors/league/plan.ts';
import { RedisGameWorker } from '../../actors/league/queue.ts';
import { type StartedWorker, takeGames } from '../../actors/league/takeGames.ts';
import { parseRedisAddress } from '../../actors/stores/redis.ts';
import type { Store } from '../../actors/stores/store.ts';
import { writeEngineVersion } from '../../machines/versions.ts';
import { clean } from '../../visualizer/terminal/layout.ts';
import { cleanLines, printNote } from '../output.ts';
import { listenForStop } from '../stop.ts';
import { openModels, PLAYING, withStore } from './store.ts';

export type WorkerFlags = {
  readonly redis: string;
  readonly concurrency: number;
  readonly prices?: string;
  readonly wait?: number;
  readonly quiet?: boolean;
};

/** Works until it is stopped; returns the exit status. */
export async function runWorker(flags: WorkerFlags): Promise<ExitCode> {
  const { redis, concurrency, wait, quiet = false } = flags;
  const address = parseRedisAddress(redis);
  if (!address.ok) throw createFailure(EXIT.usage, address.note.code, address.note.text);
  const say = (text: string) => {
    if (!quiet) printNote(cleanLines(text));
  };
  return await withStore(
    { store: redis, ...(wait === undefined ? {} : { wait }) },
    PLAYING,
    async (store) => {
      const words = 'The worker stops after the games that it is playing';
      const isHeld = listenForStop({ sink: null, isReal: true, words });
      const worker = await startWorker(store, { ...flags, say });
      say(`Taking games from Redis at ${address.shown}, ${concurrency} at once. Ctrl-C ends it.`);
      await new Promise<void>((resolve) => isHeld({ stop: resolve }));
      await worker.close();
      return EXIT.done;
    },
  );
}

type StartOptions = WorkerFlags & {
  readonly say: (text: string) => void;
  /** Called after each recorded game. */
  readonly onRecorded?: () => void;
};

/** Takes games from the queue; resolves when it does. */
export async function startWorker(
  store: Store,
  { redis, concurrency, prices, say, onRecorded = () => {} }: StartOptions,
): Promise<StartedWorker> {
  const nameOf = (game: LeagueGame) => `${clean(game.league)}, game ${game.slot + 1}`;
  const engine = writeEngineVersion(manifest.version);
  return await takeGames(store, {
    concurrency,
    resources: await openModels(store, { address: redis, prices, say }),
    openTaker: (play) => new RedisGameWorker(redis, engine, concurrency, play),
    onHandIn: (game, outcome) => {
      if (outcome === 'recorded') onRecorded();
      say(outcome === 'recorded' ? nameOf(game) : `${nameOf(game)}: another worker was quicker`);
    },
    onFailure: (game, error) =>
      say(`${nameOf(game)}: ${error instanceof Error ? error.message : String(error)}`),
    onRefused: (text) => say(`The queue hands out no games: ${text}`),
  });
}
