/** A worker on the command line: plays games of leagues that run elsewhere, until it is told to stop. */
import type { Assignment } from '../../actors/league/assignment.ts';
import { Taker } from '../../actors/league/queue.ts';
import { playShift, type ShiftPlayer } from '../../actors/league/shift.ts';
import { parseRedisAddress } from '../../actors/stores/redis.ts';
import manifest from '../../package.json' with { type: 'json' };
import { clean } from '../../visualizer/terminal/clean.ts';
import { createFailure, EXIT, type ExitCode } from '../exit.ts';
import { cleanLines, printNote } from '../output.ts';
import { listenForStop } from '../stop.ts';
import { openMeans } from './means.ts';
import { PLAYING, withPlace } from './place.ts';
import { hasModels, Players } from './players.ts';

export type WorkerFlags = {
  readonly redis: string;
  readonly concurrency: number;
  readonly prices?: string;
  readonly quiet?: boolean;
};

/** Works until it is told to stop; returns the exit status. */
export async function work({
  redis,
  concurrency,
  prices,
  quiet = false,
}: WorkerFlags): Promise<ExitCode> {
  const address = parseRedisAddress(redis);
  if (!address.ok) throw createFailure(EXIT.usage, address.note.code, address.note.text);
  const say = (text: string) => {
    if (!quiet) printNote(cleanLines(text));
  };
  return await withPlace({ store: redis }, PLAYING, async (store) => {
    const { means, close } = await openMeans(store, redis, prices);
    const players = new Players(concurrency, means);
    const player: ShiftPlayer = {
      isSlow: hasModels,
      play: (...asked) => players.play(...asked),
    };
    const play = async (game: Assignment) => {
      const name = `${clean(game.league)}, game ${game.slot + 1}`;
      try {
        const handed = await playShift(store, game, player);
        say(handed === 'recorded' ? name : `${name}: somebody else was quicker`);
      } catch (error) {
        say(`${name}: ${error instanceof Error ? error.message : String(error)}`);
        throw error;
      }
    };
    const words = 'The worker stops after the games that are on';
    const isHeld = listenForStop({ sink: null, isReal: true, words });
    const taker = new Taker(redis, manifest.version, concurrency, play);
    taker.onRefused((text) => say(`No games for now: ${text}`));
    await taker.ready();
    say(`Taking games from Redis at ${address.shown}, ${concurrency} at once. Ctrl-C ends it.`);
    await new Promise<void>((resolve) => isHeld({ stop: resolve }));
    await taker.close();
    await players.close();
    close();
    return EXIT.done;
  });
}
