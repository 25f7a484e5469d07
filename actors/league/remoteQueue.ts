/** The queue of a league whose games are played by workers elsewhere: results are read from the store. */

import type { TimePort } from '../ports/ports.ts';
import { reach } from '../ports/reach.ts';
import { realTime } from '../ports/time.ts';
import { StoreError } from '../stores/errors.ts';
import type { Store } from '../stores/store.ts';
import type { LeagueGameOutcome, LostLeagueGame } from './game.ts';
import type { LeagueQueue } from './localQueue.ts';
import type { LeagueGame } from './plan.ts';
import { GamePaused } from './worker.ts';

/** A queue of jobs that all machines share, from the side that puts games in. `queue.ts` is the one on a Redis. */
export type GameJobs = {
  /** Puts games in; a game that is there already stays as it is. */
  put(games: readonly LeagueGame[]): Promise<void>;
  givenUp(games: readonly LeagueGame[]): Promise<readonly LostLeagueGame[]>;
  withdraw(games: readonly LeagueGame[]): Promise<void>;
  close(): Promise<void>;
};

/** The side that takes games out and has them played, until it is closed. */
export type JobTaker = {
  onRefused(hear: (text: string) => void): void;
  ready(): Promise<void>;
  close(): Promise<void>;
};

const PAUSED = /^(?:aborted|unusable): /;

/** A paused game is given up at once. A store's refusal is tried again: the game is not at fault. */
export function judgeFailure(error: unknown): { readonly isFinal: boolean; readonly text: string } {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof StoreError) return { isFinal: false, text: `aborted: ${text}` };
  const isFinal = error instanceof GamePaused;
  if (isFinal) reach('job-final');
  return { isFinal, text };
}

export function toLostGame(slot: number, reason: string): LostLeagueGame {
  if (!PAUSED.test(reason)) return { type: 'broken', slot, text: reason };
  const type = reason.startsWith('unusable') ? 'unusable' : 'aborted';
  return { type, slot, text: reason.replace(PAUSED, '') };
}

type RemoteQueueOptions = {
  readonly league: string;
  readonly store: Store;
  readonly jobs: GameJobs;
  readonly fetch: (slots: readonly number[]) => Promise<unknown>;
  readonly time?: TimePort;
};

/** Milliseconds between two looks at the store, and looks between two checks for games that the queue has lost. */
const LOOK_MS = 200;
const LOOKS = 25;

export function createRemoteQueue(options: RemoteQueueOptions): LeagueQueue {
  const { store, league, fetch, jobs: counter, time = realTime } = options;
  let isStopped = false;
  let isLeft = false;
  const stop = () => {
    isStopped = true;
  };
  const readNews = async (
    open: ReadonlyMap<number, LeagueGame>,
  ): Promise<readonly LeagueGameOutcome[]> => {
    const there = (await store.slots(league)).filter((slot) => open.has(slot));
    const news: LeagueGameOutcome[] = [];
    if (there.length > 0) await fetch(there);
    for (const slot of there) {
      for await (const result of store.results(league, slot, slot + 1)) {
        news.push({ type: 'played', slot, result, journal: null });
      }
    }
    return news;
  };
  return {
    play: async (games, onOutcome) => {
      const open = new Map(games.map((game) => [game.slot, game]));
      // Games given up before this run, for example for a full server, are tried again.
      await counter.givenUp(games);
      for (let look = 0; open.size > 0 && !isStopped; look++) {
        const left = [...open.values()];
        if (look > 0 && look % LOOKS === 0) reach('jobs-put-again');
        if (look % LOOKS === 0) await counter.put(left);
        for (const outcome of await readNews(open)) {
          open.delete(outcome.slot);
          onOutcome(outcome);
        }
        for (const lost of await counter.givenUp(left)) {
          if (!open.delete(lost.slot)) continue;
          reach('job-lost');
          onOutcome(lost);
        }
        if (open.size > 0) await time.sleep(LOOK_MS);
      }
      if (!isStopped) return;
      reach(isLeft ? 'queue-left' : 'queue-withdrawn');
      if (!isLeft) await counter.withdraw([...open.values()]);
    },
    stop,
    leave: () => {
      isLeft = true;
      stop();
    },
    close: () => counter.close(),
  };
}
