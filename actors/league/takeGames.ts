import type { Store } from '../stores/store.ts';
import type { OpenedResources } from './models.ts';
import { isLeagueGame, type LeagueGame } from './plan.ts';
import { Players } from './players.ts';
import { type LeaguePorts, realLeaguePorts } from './ports.ts';
import type { JobTaker } from './remoteQueue.ts';
import { GamePaused, type GamePlayer, type HandInOutcome, playQueuedGame } from './worker.ts';

/** A worker that takes games; `close` resolves when those that it has begun are over. */
export type StartedWorker = { readonly close: () => Promise<void> };

type TakeOptions = {
  readonly concurrency: number;
  readonly resources: OpenedResources;
  readonly openTaker: (play: (game: LeagueGame) => Promise<void>) => JobTaker;
  readonly onHandIn: (game: LeagueGame, outcome: HandInOutcome) => void;
  /** Null stands for a job that is no game. */
  readonly onFailure: (game: LeagueGame | null, error: unknown) => void;
  readonly onRefused: (text: string) => void;
  readonly ports?: LeaguePorts;
};

export async function takeGames(
  store: Store,
  { concurrency, resources, ports = realLeaguePorts, ...options }: TakeOptions,
): Promise<StartedWorker> {
  const players = new Players(concurrency, resources.models, ports.workers);
  const { compression } = ports;
  const player: GamePlayer = { play: (...asked) => players.play(...asked), compression };
  const taker = options.openTaker(async (game) => {
    const isGame = isLeagueGame(game);
    try {
      if (!isGame) throw new GamePaused('expected a game of a league, found another job');
      options.onHandIn(game, await playQueuedGame(store, game, player));
    } catch (error) {
      options.onFailure(isGame ? game : null, error);
      throw error;
    }
  });
  taker.onRefused(options.onRefused);
  await taker.ready();
  return {
    close: async () => {
      await taker.close();
      await players.close();
      resources.close();
    },
  };
}
