/** The queue of a league, and the one that plays in this process. */
import { isSlow } from '../../machines/rules/mindKinds.ts';
import type { Note } from '../../machines/types.ts';
import { lockFile } from '../stores/sqlite.ts';
import type { Store } from '../stores/store.ts';
import type { LeagueGameOutcome } from './game.ts';
import {
  FileJournal,
  journalPath,
  removePartialFiles,
  type SaveJournal,
  saveJournalsIn,
} from './journals.ts';
import type { OpenedResources } from './models.ts';
import type { LeagueGame, LeaguePlan } from './plan.ts';
import { isSlowGame, Players } from './players.ts';

export type LeagueQueue = {
  /**
   * Plays games and records them; `onOutcome` is called for each afterwards. Resolves when all are over: each has a
   * result then, was reported as lost, or was not begun because of `stop`.
   */
  play(
    games: readonly LeagueGame[],
    onOutcome: (outcome: LeagueGameOutcome) => void,
  ): Promise<void>;
  /** Begins no other game; those that have begun are played to their end. */
  stop(): void;
  close(): Promise<void>;
};

/** Times that a game is begun before it is given up. */
export const MOST_ATTEMPTS = 3;

export type LocalQueueOptions = {
  readonly store: Store;
  /** How many games may be begun and not yet recorded. */
  readonly gamesAtOnce: number;
  readonly player: (game: LeagueGame) => Promise<LeagueGameOutcome>;
  readonly save: SaveJournal;
  /** Ends the players. */
  readonly close: () => Promise<void>;
};

export class LocalQueue implements LeagueQueue {
  readonly #options: LocalQueueOptions;
  #isStopped = false;

  constructor(options: LocalQueueOptions) {
    this.#options = options;
  }

  async play(
    games: readonly LeagueGame[],
    onOutcome: (outcome: LeagueGameOutcome) => void,
  ): Promise<void> {
    const due = [...games];
    const lane = async () => {
      for (let game = due.shift(); game !== undefined && !this.#isStopped; game = due.shift()) {
        onOutcome(await this.#playAndRecord(game));
      }
    };
    await Promise.all(Array.from({ length: this.#options.gamesAtOnce }, lane));
  }

  stop(): void {
    this.#isStopped = true;
  }

  async close(): Promise<void> {
    this.stop();
    await this.#options.close();
  }

  async #playAndRecord(game: LeagueGame): Promise<LeagueGameOutcome> {
    const { player, save, store } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const outcome = await player(game);
      if (outcome.type === 'played') {
        if (outcome.journal !== null) await save(outcome.slot, outcome.journal);
        await store.record(outcome.result, null);
        return outcome;
      }
      // What paused it, such as a spent budget, would pause the next one too.
      if (outcome.type === 'aborted') this.#isStopped = true;
      if (this.#isStopped || attempt >= MOST_ATTEMPTS) return outcome;
    }
  }
}

export type LocalLeagueOptions = {
  readonly store: Store;
  readonly jobs: number;
  readonly folder: string;
  readonly resources: OpenedResources;
};

export type LocalQueueOpening =
  | { readonly ok: true; readonly queue: LocalQueue }
  | { readonly ok: false; readonly note: Note };

export function openLocalQueue(
  plan: LeaguePlan,
  { store, jobs, folder, resources }: LocalLeagueOptions,
): LocalQueueOpening {
  const { games } = plan.league;
  const save = saveJournalsIn(folder, games);
  const unlock = lockFile(`${folder}/.running`);
  if (unlock === null) {
    const text = `the league ${JSON.stringify(plan.league.name)} is being played already, with journals in ${folder}: wait until that run is over, or stop it`;
    return { ok: false, note: { code: 'league/running', text } };
  }
  removePartialFiles(folder);
  const players = new Players(jobs, resources.models);
  const player = async (game: LeagueGame): Promise<LeagueGameOutcome> => {
    if (!isSlowGame(game)) return await players.play(game, null);
    const journal = new FileJournal(`${journalPath(folder, game.slot, games)}.open`);
    try {
      const outcome = await players.play(game, journal);
      if (outcome.type === 'played' && outcome.journal !== null) {
        await save(outcome.slot, outcome.journal);
        journal.remove();
      }
      return outcome;
    } finally {
      journal.close();
    }
  };
  const closeAll = async () => {
    await players.close();
    resources.close();
    unlock();
  };
  // While one game goes to the disk, a thread plays the next; a game with models does not begin before its turn.
  const isOffline = !plan.league.personas.some(isSlow);
  const gamesAtOnce = isOffline ? 2 * jobs : jobs;
  const queue = new LocalQueue({ store, gamesAtOnce, player, save, close: closeAll });
  return { ok: true, queue };
}
