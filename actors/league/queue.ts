/**
 * The queue of a league on many machines: games wait on a Redis for workers, and results are read from the store.
 *
 * The games of a worker that dies go to other workers after a while. A game that kills its workers is given up after some
 * attempts, and the others go on. The store, not the queue, sees to it that each game counts once.
 */

import { type Job, Queue, UnrecoverableError, Worker } from 'bullmq';
import type { ProcessPort } from '../ports/ports.ts';
import { realProcess } from '../ports/process.ts';
import { realTime } from '../ports/time.ts';
import { isRefusal, parseRedisAddress, toStoreError } from '../stores/redis.ts';
import { isOfStore, type Store } from '../stores/store.ts';
import type { LeagueGameOutcome, LostLeagueGame } from './game.ts';
import { type LeagueQueue, MOST_ATTEMPTS } from './localQueue.ts';
import type { LeagueGame } from './plan.ts';
import { GamePaused } from './worker.ts';

/** Games of two versions of the program are not the same games: each version has a queue of its own. */
function queueName(engine: string): string {
  return `games-${engine}`;
}
/** Keys of its own, in one slot of a cluster, apart from those of the store. */
const PREFIX = '{glassbox-queue}';

/** Milliseconds after which a silent worker loses its games, and between two searches for such workers. */
const LOCK_MS = 10_000;
const STALLED_MS = 5000;
/** Times that a game may lose its worker: a game that kills its worker takes the other games of that worker along. */
const MOST_LOSSES = 10;
const PAUSE_MS = 1000;

/** In front of the reason of a game that was paused. */
const PAUSED = 'paused: ';

/** The side that puts games in. */
export class RedisGameQueue {
  readonly #queue: Queue<LeagueGame>;
  readonly #shown: string;

  /** `engine` is the version of the program that has to play them. A reader leaves no trace on the server. */
  constructor(
    url: string,
    engine: string,
    { isReader = false }: { readonly isReader?: boolean } = {},
  ) {
    const connection = { url, maxRetriesPerRequest: null };
    this.#shown = showAddress(url);
    this.#queue = new Queue<LeagueGame>(queueName(engine), {
      connection,
      prefix: PREFIX,
      skipMetasUpdate: isReader,
    });
    // The store reports a server that goes away.
    this.#queue.on('error', () => {});
  }

  /** Puts games in; a game that is there already stays as it is. */
  async put(games: readonly LeagueGame[]): Promise<void> {
    const jobs = games.map((game) => ({
      name: 'game',
      data: game,
      opts: {
        jobId: jobIdOf(game),
        attempts: MOST_ATTEMPTS,
        backoff: { type: 'fixed', delay: PAUSE_MS },
        removeOnComplete: true,
        removeOnFail: false,
      },
    }));
    await this.#ask(this.#queue.addBulk(jobs));
  }

  /** Takes out the games that were given up. */
  async givenUp(games: readonly LeagueGame[]): Promise<readonly LostLeagueGame[]> {
    const failed = await this.#ask(this.#queue.getFailed());
    const found: LostLeagueGame[] = [];
    for (const job of failed) {
      if (!games.some((game) => jobIdOf(game) === job.id)) continue;
      found.push(toLostGame(job.data.slot, job.failedReason));
      await this.#ask(job.remove());
    }
    return found;
  }

  /** Takes out the games that no worker has begun. */
  async withdraw(games: readonly LeagueGame[]): Promise<void> {
    for (const game of games) await this.#queue.remove(jobIdOf(game)).catch(() => {});
  }

  /** The workers, as they call themselves; null where the server does not let this user know. */
  async workers(): Promise<readonly string[] | null> {
    return await this.#queue.getWorkers().then(
      (all) => all.map(({ rawname = '' }) => decodeWorkerName(rawname)).toSorted(),
      () => null,
    );
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }

  /** A refusal of the server is reported in the words of the store. */
  async #ask<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw toStoreError(error, this.#shown);
    }
  }
}

/** The side that takes games out and has them played, until it is closed. */
export class RedisGameWorker {
  readonly #worker: Worker<LeagueGame>;
  readonly #shown: string;

  constructor(
    url: string,
    engine: string,
    concurrency: number,
    play: (game: LeagueGame) => Promise<void>,
  ) {
    this.#shown = showAddress(url);
    const act = ({ data }: Job<LeagueGame>) => runJob(play(data));
    this.#worker = new Worker<LeagueGame>(queueName(engine), act, {
      connection: { url, maxRetriesPerRequest: null },
      prefix: PREFIX,
      name: encodeWorkerName(realProcess),
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_MS,
      maxStalledCount: MOST_LOSSES,
    });
    this.#worker.on('error', () => {});
  }

  /** Calls back, once for each reason, when the server hands out no games, such as a replica or a user without rights. */
  onRefused(hear: (text: string) => void): void {
    const told = new Set<string>();
    this.#worker.on('error', (error) => {
      const text = toStoreError(error, this.#shown).message;
      if (!isRefusal(error) || told.has(text)) return;
      told.add(text);
      hear(text);
    });
  }

  /** Resolves when it takes games. */
  async ready(): Promise<void> {
    await this.#worker.waitUntilReady();
  }

  /** Begins no other game; resolves when those that have begun are over. */
  async close(): Promise<void> {
    await this.#worker.close();
  }
}

/** A paused game is given up at once. What a store refuses is tried again: the game is not at fault. */
async function runJob(played: Promise<void>): Promise<void> {
  try {
    await played;
  } catch (error) {
    if (isOfStore(error)) throw new Error(`${PAUSED}${error.message}`);
    if (!(error instanceof GamePaused)) throw error;
    throw new UnrecoverableError(`${PAUSED}${error.message}`);
  }
}

/** A worker on the list of the connections of a server, which takes no spaces. */
function encodeWorkerName({ id, host }: ProcessPort): string {
  return `${id}@${encodeURIComponent(host)}`;
}

function decodeWorkerName(text: string): string {
  const [, id = '', host = ''] = /:w:(\d+)@([^:]*)$/.exec(text) ?? [];
  return id === '' ? 'an unnamed process' : `process ${id} on ${decodeURIComponent(host)}`;
}

function toLostGame(slot: number, reason: string): LostLeagueGame {
  if (!reason.startsWith(PAUSED)) return { type: 'broken', slot, text: reason };
  return { type: 'aborted', slot, text: reason.slice(PAUSED.length) };
}

function showAddress(url: string): string {
  const address = parseRedisAddress(url);
  return address.ok ? address.shown : 'this address';
}

/** The queue refuses ids that are numbers. */
function jobIdOf({ game }: LeagueGame): string {
  return `game-${game}`;
}

type RemoteQueueOptions = {
  readonly league: string;
  readonly store: Store;
  readonly redisQueue: RedisGameQueue;
  /** Fetches the journals of games that have a result now. */
  readonly fetch: (slots: readonly number[]) => Promise<unknown>;
};

/** Milliseconds between two looks at the store, and looks between two at what the queue has forgotten. */
const LOOK_MS = 200;
const LOOKS = 25;

export class RemoteQueue implements LeagueQueue {
  readonly #options: RemoteQueueOptions;
  #isStopped = false;
  #isLeft = false;

  constructor(options: RemoteQueueOptions) {
    this.#options = options;
  }

  async play(
    games: readonly LeagueGame[],
    onOutcome: (outcome: LeagueGameOutcome) => void,
  ): Promise<void> {
    const { redisQueue: counter } = this.#options;
    const open = new Map(games.map((game) => [game.slot, game]));
    // What was given up before this run, such as for a server that was full, is tried again.
    await counter.givenUp(games);
    for (let look = 0; open.size > 0 && !this.#isStopped; look++) {
      const left = [...open.values()];
      if (look % LOOKS === 0) await counter.put(left);
      for (const outcome of await this.#news(open)) {
        open.delete(outcome.slot);
        onOutcome(outcome);
      }
      for (const lost of await counter.givenUp(left)) {
        if (open.delete(lost.slot)) onOutcome(lost);
      }
      if (open.size > 0) await realTime.sleep(LOOK_MS);
    }
    if (this.#isStopped && !this.#isLeft) await counter.withdraw([...open.values()]);
  }

  stop(): void {
    this.#isStopped = true;
  }

  leave(): void {
    this.#isLeft = true;
    this.stop();
  }

  async close(): Promise<void> {
    await this.#options.redisQueue.close();
  }

  /** Games that have a result now. */
  async #news(open: ReadonlyMap<number, LeagueGame>): Promise<readonly LeagueGameOutcome[]> {
    const { store, league, fetch } = this.#options;
    const there = (await store.slots(league)).filter((slot) => open.has(slot));
    const news: LeagueGameOutcome[] = [];
    if (there.length > 0) await fetch(there);
    for (const slot of there) {
      for await (const result of store.results(league, slot, slot + 1)) {
        news.push({ type: 'played', slot, result, journal: null });
      }
    }
    return news;
  }
}
