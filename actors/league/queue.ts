/**
 * The queue of a league on many machines. Games of a dead worker go to other workers after a while; a game that kills its
 * workers is given up after some attempts. The store, not the queue, ensures that each game counts once.
 */

import { type Job, Queue, UnrecoverableError, Worker } from 'bullmq';
import { realProcess } from '../ports/process.ts';
import { isRefusal, showRedisAddress, toStoreError } from '../stores/redis.ts';
import type { LostLeagueGame } from './game.ts';
import { MOST_ATTEMPTS } from './localQueue.ts';
import type { LeagueGame } from './plan.ts';
import { type GameJobs, type JobTaker, judgeFailure, toLostGame } from './remoteQueue.ts';

/** Games of two versions of the program are not the same games: each version has a queue of its own. */
function queueName(engine: string): string {
  return `games-${engine}`;
}
/** The queue's own keys, in one slot of a cluster, separate from the store's keys. */
const PREFIX = '{glassbox-queue}';

/** Milliseconds after which a silent worker loses its games, and between two searches for such workers. */
const LOCK_MS = 10_000;
const STALLED_MS = 5000;
/** Times that a game may lose its worker: a game that kills its worker takes the other games of that worker along. */
const MOST_LOSSES = 10;
const PAUSE_MS = 1000;

export class RedisGameQueue implements GameJobs {
  readonly #queue: Queue<LeagueGame>;
  readonly #shown: string;

  constructor(url: string, engine: string, { isReader = false } = {}) {
    this.#shown = showRedisAddress(url);
    this.#queue = new Queue<LeagueGame>(queueName(engine), {
      connection: { url, maxRetriesPerRequest: null },
      prefix: PREFIX,
      skipMetasUpdate: isReader,
    });
    // The store reports a server that goes away.
    this.#queue.on('error', () => {});
  }

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

  async givenUp(games: readonly LeagueGame[]): Promise<readonly LostLeagueGame[]> {
    const found: LostLeagueGame[] = [];
    for (const job of await this.#ask(this.#queue.getFailed())) {
      if (!games.some((game) => jobIdOf(game) === job.id)) continue;
      found.push(toLostGame(job.data.slot, job.failedReason));
      await this.#ask(job.remove());
    }
    return found;
  }

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

  async #ask<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw toStoreError(error, this.#shown);
    }
  }
}

export class RedisGameWorker implements JobTaker {
  readonly #worker: Worker<LeagueGame>;
  readonly #shown: string;

  constructor(
    url: string,
    engine: string,
    concurrency: number,
    play: (game: LeagueGame) => Promise<void>,
  ) {
    this.#shown = showRedisAddress(url);
    const act = ({ data }: Job<LeagueGame>) =>
      play(data).catch((error: unknown) => {
        const { isFinal, text } = judgeFailure(error);
        throw isFinal ? new UnrecoverableError(text) : new Error(text);
      });
    this.#worker = new Worker<LeagueGame>(queueName(engine), act, {
      connection: { url, maxRetriesPerRequest: null },
      prefix: PREFIX,
      // For the list of the connections of a server, which takes no spaces.
      name: `${realProcess.id}@${encodeURIComponent(realProcess.host)}`,
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

  async ready(): Promise<void> {
    await this.#worker.waitUntilReady();
  }

  async close(): Promise<void> {
    await this.#worker.close();
  }
}

function decodeWorkerName(text: string): string {
  const [, id = '', host = ''] = /:w:(\d+)@([^:]*)$/.exec(text) ?? [];
  return id === '' ? 'an unnamed process' : `process ${id} on ${decodeURIComponent(host)}`;
}

/** The queue refuses numeric ids. */
function jobIdOf({ game }: LeagueGame): string {
  return `game-${game}`;
}
