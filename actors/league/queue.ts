/**
 * The queue on a Redis: games wait there for workers on any machine.
 *
 * A worker that dies leaves its games to others after a while; a game that breaks whoever plays it is given up after
 * some attempts, and its neighbours go on. That each game counts once is not the queue's business but the store's.
 */
import { type Job, Queue, UnrecoverableError, Worker } from 'bullmq';
import { isRefusal, parseRedisAddress, toStoreLost } from '../stores/redis.ts';
import { StoreLost } from '../stores/store.ts';
import type { Assignment } from './assignment.ts';
import { MOST_ATTEMPTS } from './gameQueue.ts';
import type { LostSlot } from './playing.ts';
import { Paused } from './shift.ts';

/** Games of two versions of the program are not the same games: each version has a queue of its own. */
function nameFor(engine: string): string {
  return `games-${engine}`;
}
/** Keys of its own, in one slot of a cluster, apart from those of the store. */
const PREFIX = '{glassbox-queue}';

/** Milliseconds after which a worker that has not been heard of has lost its games, and between two looks for such. */
const LOCK_MS = 10_000;
const LOOK_MS = 5000;
/** Times that a game may lose its worker: neighbours of one that kills workers lose theirs with it. */
const MOST_LOSSES = 10;
const PAUSE_MS = 1000;

/** In front of the reason of a game that was paused. */
const PAUSED = 'paused: ';

/** Where games are put. */
export class Counter {
  readonly #queue: Queue<Assignment>;
  readonly #shown: string;

  /** `engine` is the version of the program that has to play them. */
  constructor(url: string, engine: string) {
    const connection = { url, maxRetriesPerRequest: null };
    this.#shown = shownOf(url);
    this.#queue = new Queue<Assignment>(nameFor(engine), { connection, prefix: PREFIX });
    // A server that goes away is told by the store, and comes back.
    this.#queue.on('error', () => {});
  }

  /** Puts games in; one that is there already stays as it is. */
  async put(games: readonly Assignment[]): Promise<void> {
    const jobs = games.map((game) => ({
      name: 'game',
      data: game,
      opts: {
        jobId: idOf(game),
        attempts: MOST_ATTEMPTS,
        backoff: { type: 'fixed', delay: PAUSE_MS },
        removeOnComplete: true,
        removeOnFail: false,
      },
    }));
    await this.#ask(this.#queue.addBulk(jobs));
  }

  /** Takes those out that were given up. */
  async givenUp(games: readonly Assignment[]): Promise<readonly LostSlot[]> {
    const failed = await this.#ask(this.#queue.getFailed());
    const found: LostSlot[] = [];
    for (const job of failed) {
      if (!games.some((game) => idOf(game) === job.id)) continue;
      found.push(lostOf(job.data.slot, job.failedReason));
      await this.#ask(job.remove());
    }
    return found;
  }

  /** Takes those out that nobody has begun. */
  async withdraw(games: readonly Assignment[]): Promise<void> {
    for (const game of games) await this.#queue.remove(idOf(game)).catch(() => {});
  }

  /** Workers that are there; null where this user may not know. */
  async workers(): Promise<number | null> {
    return await this.#queue.getWorkers().then(
      (all) => all.length,
      () => null,
    );
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }

  /** What the server refuses is told in the store's words. */
  async #ask<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw toStoreLost(error, this.#shown);
    }
  }
}

/** Takes games out and has them played, so many at once, until it is closed. */
export class Taker {
  readonly #worker: Worker<Assignment>;
  readonly #shown: string;

  constructor(
    url: string,
    engine: string,
    concurrency: number,
    play: (game: Assignment) => Promise<void>,
  ) {
    this.#shown = shownOf(url);
    const act = ({ data }: Job<Assignment>) => tried(play(data));
    this.#worker = new Worker<Assignment>(nameFor(engine), act, {
      connection: { url, maxRetriesPerRequest: null },
      prefix: PREFIX,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: LOOK_MS,
      maxStalledCount: MOST_LOSSES,
    });
    this.#worker.on('error', () => {});
  }

  /** Hears, once for each reason, why the server gives out no games: a replica, say, or a user without rights. */
  onRefused(hear: (text: string) => void): void {
    const told = new Set<string>();
    this.#worker.on('error', (error) => {
      const text = toStoreLost(error, this.#shown).message;
      if (!isRefusal(error) || told.has(text)) return;
      told.add(text);
      hear(text);
    });
  }

  /** Kept when it takes games. */
  async ready(): Promise<void> {
    await this.#worker.waitUntilReady();
  }

  /** Begins no other game; kept when those that are on are over. */
  async close(): Promise<void> {
    await this.#worker.close();
  }
}

/** A paused game is given up at once; what a store refuses is tried again, and is not the fault of the game either. */
async function tried(played: Promise<void>): Promise<void> {
  try {
    await played;
  } catch (error) {
    if (error instanceof StoreLost) throw new Error(`${PAUSED}${error.message}`);
    if (!(error instanceof Paused)) throw error;
    throw new UnrecoverableError(`${PAUSED}${error.message}`);
  }
}

function lostOf(slot: number, reason: string): LostSlot {
  if (!reason.startsWith(PAUSED)) return { type: 'broken', slot, text: reason };
  return { type: 'aborted', slot, text: reason.slice(PAUSED.length) };
}

function shownOf(url: string): string {
  const address = parseRedisAddress(url);
  return address.ok ? address.shown : 'this address';
}

/** The queue refuses ids that are numbers. */
function idOf({ game }: Assignment): string {
  return `game-${game}`;
}
