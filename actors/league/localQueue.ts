import { isSlow } from '../../machines/rules/mindKinds.ts';
import { forEachAtOnce } from '../jobs/pool.ts';
import { splitAhead } from '../minds/ahead.ts';
import { realCompression } from '../ports/compression.ts';
import type { Compression, Disk } from '../ports/ports.ts';
import { reach } from '../ports/reach.ts';
import { packJournal } from '../stores/journal.ts';
import { lockFile } from '../stores/sqlite.ts';
import type { Store } from '../stores/store.ts';
import type { LeagueGameOutcome } from './game.ts';
import {
  attemptAt,
  FileJournal,
  fetchJournals,
  isWhole,
  openJournalPath,
  prepareFolder,
  readOpenJournal,
  saveJournalsIn,
} from './journals.ts';
import type { OpenedResources } from './models.ts';
import type { LeagueGame, LeaguePlan } from './plan.ts';
import { isSlowGame, Players } from './players.ts';
import { type LeaguePorts, realLeaguePorts } from './ports.ts';

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
  /** Like `stop`, if another run leads now: waiting games belong to that run. */
  leave(): void;
  close(): Promise<void>;
};

export const MOST_ATTEMPTS = 3;

export type LocalQueueOptions = {
  readonly store: Store;
  readonly gamesAtOnce: number;
  readonly player: (game: LeagueGame) => Promise<LeagueGameOutcome>;
  /** Saves the journal of a game that has a result; null when it is not the journal of that result. */
  readonly save: (slot: number, text: string | null) => Promise<void>;
  readonly close: () => Promise<void>;
  readonly compression?: Compression;
  /** Counts past spending before the first game goes on. Returns the games that ask no model, which are played first. */
  readonly countPast?: (games: readonly LeagueGame[]) => Promise<readonly LeagueGame[]>;
};

export function createLocalQueue(options: LocalQueueOptions): LeagueQueue {
  const { store, gamesAtOnce, player, save, compression = realCompression } = options;
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  const playAndRecord = async (game: LeagueGame): Promise<LeagueGameOutcome> => {
    for (let attempt = 1; ; attempt++) {
      const outcome = await player(game);
      if (outcome.type === 'played') {
        const { journal, result, slot } = outcome;
        const kept = journal === null ? null : await packJournal(journal, compression);
        const isMine = (await store.record(result, null, kept)) === 'recorded';
        // A run that was taken for dead may have recorded this game meanwhile.
        if (!isMine) reach('result-not-mine');
        await save(slot, isMine ? journal : null);
        return outcome;
      }
      // What paused it, such as a spent budget, would pause the next one too.
      if (outcome.type !== 'broken') stop();
      if (isStopped || attempt >= MOST_ATTEMPTS) return outcome;
      reach('game-again');
    }
  };
  const playAll = async (
    games: readonly LeagueGame[],
    onOutcome: (outcome: LeagueGameOutcome) => void,
  ) => {
    const failures: unknown[] = [];
    // Games in progress are finished even if one of them fails.
    const work = async (game: LeagueGame) => {
      try {
        onOutcome(await playAndRecord(game));
      } catch (error) {
        failures.push(error);
        stop();
      }
    };
    await forEachAtOnce(games, gamesAtOnce, { work, isStopped: () => isStopped });
    if (failures.length > 0) throw failures[0];
  };
  return {
    play: async (games, onOutcome) => {
      const free = (await options.countPast?.(games)) ?? [];
      await playAll(free, onOutcome);
      const others = games.filter((game) => !free.includes(game));
      await playAll(others, onOutcome);
    },
    stop,
    leave: stop,
    close: async () => {
      stop();
      await options.close();
    },
  };
}

export type LocalLeagueOptions = {
  readonly store: Store;
  readonly jobs: number;
  readonly folder: string;
  readonly resources: OpenedResources;
  readonly ports?: LeaguePorts;
};

/** Locks a folder for this process; the returned function unlocks it. Null if another run is in it. */
export function lockFolder(
  folder: string,
  { disk, lock }: { readonly disk: Disk; readonly lock: typeof lockFile } = REAL_LOCK,
): (() => void) | null {
  prepareFolder(folder, disk);
  const file = `${folder}/.running`;
  const unlock = attemptAt(file, () => lock(file));
  if (unlock === null) reach('folder-taken');
  return unlock;
}

const REAL_LOCK = { disk: realLeaguePorts.disk, lock: lockFile };

export function openLocalQueue(
  plan: LeaguePlan,
  { store, jobs, folder, resources, ports = realLeaguePorts }: LocalLeagueOptions,
): LeagueQueue {
  const { name, games } = plan.league;
  const { disk, compression } = ports;
  const save = saveJournalsIn(folder, games, disk);
  const players = new Players(jobs, resources.models, ports.workers);
  const player = async (game: LeagueGame): Promise<LeagueGameOutcome> => {
    if (!isSlowGame(game)) return await players.play(game, null);
    const journal = new FileJournal(openJournalPath(folder, game.slot, games), disk);
    using _closed = { [Symbol.dispose]: () => journal.close() };
    const outcome = await players.play(game, journal, (stop) => journal.listenForFailure(stop));
    journal.expectWritten();
    return outcome;
  };
  const countPast = async (due: readonly LeagueGame[]) => {
    const free: LeagueGame[] = [];
    for (const game of due) {
      const past = isSlowGame(game)
        ? readOpenJournal(openJournalPath(folder, game.slot, games), disk)
        : '';
      if (past !== '') await players.countPast(game, past);
      if (!isSlowGame(game) || isWhole(splitAhead(past).journal)) free.push(game);
    }
    return free;
  };
  const saveRecorded = async (slot: number, text: string | null) => {
    if (text === null) await fetchJournals(store, { league: name, games, folder, ports }, [slot]);
    else await save(slot, text);
    disk.remove(openJournalPath(folder, slot, games));
  };
  const closeAll = async () => {
    await players.close();
    resources.close();
  };
  // While one game is written to disk, a thread plays the next. A game with models does not begin before its turn.
  const gamesAtOnce = plan.league.personas.some(isSlow) ? jobs : 2 * jobs;
  const acts = { player, save: saveRecorded, close: closeAll, countPast };
  return createLocalQueue({ store, gamesAtOnce, compression, ...acts });
}
