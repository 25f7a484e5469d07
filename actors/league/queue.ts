/**
 * The queue on a Redis: games wait there for workers on any machine.
 *
 * A worker that dies leaves its games to others after a while; a game that breaks whoever plays it is given up after
 * some attempts, and its neighbours go on. That each game counts once is not the queue's business but the store's.
 */
import { type Job, Queue, UnrecoverableError, Worker } from 'bullmq';
import type { Assignment } from './assignment.ts';
import { MOST_ATTEMPTS } from './gameQueue.ts';
import type { LostSlot } from './playing.ts';
import { Paused } from './shift.ts';

const NAME = 'games';
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

  constructor(url: string) {
    const connection = { url, maxRetriesPerRequest: null };
    this.#queue = new Queue<Assignment>(NAME, { connection, prefix: PREFIX });
    // A server that goes away is told by the store, and comes back.
    this.#queue.on('error', () => {});
  }

  /** Puts games in; one that is there already stays as it is. */
  async put(games: readonly Assignment[]): Promise<void> {
    await this.#queue.addBulk(
      games.map((game) => ({
        name: 'game',
        data: game,
        opts: {
          jobId: idOf(game),
          attempts: MOST_ATTEMPTS,
          backoff: { type: 'fixed', delay: PAUSE_MS },
          removeOnComplete: true,
          removeOnFail: false,
        },
      })),
    );
  }

  /** Takes those out that were given up. */
  async givenUp(games: readonly Assignment[]): Promise<readonly LostSlot[]> {
    const failed = await this.#queue.getFailed();
    const found: LostSlot[] = [];
    for (const job of failed) {
      if (!games.some((game) => idOf(game) === job.id)) continue;
      found.push(lostOf(job.data.slot, job.failedReason));
      await job.remove();
    }
    return found;
  }

  /** Takes those out that nobody has begun. */
  async withdraw(games: readonly Assignment[]): Promise<void> {
    for (const game of games) await this.#queue.remove(idOf(game)).catch(() => {});
  }

  /** Workers that are there. */
  async workers(): Promise<number> {
    return (await this.#queue.getWorkers()).length;
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }
}

/** Takes games out and has them played, so many at once, until it is closed. */
export class Taker {
  readonly #worker: Worker<Assignment>;

  constructor(url: string, concurrency: number, play: (game: Assignment) => Promise<void>) {
    this.#worker = new Worker<Assignment>(NAME, ({ data }: Job<Assignment>) => tried(play(data)), {
      connection: { url, maxRetriesPerRequest: null },
      prefix: PREFIX,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: LOOK_MS,
      maxStalledCount: MOST_LOSSES,
    });
    this.#worker.on('error', () => {});
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

/** A paused game is given up at once. */
async function tried(played: Promise<void>): Promise<void> {
  try {
    await played;
  } catch (error) {
    if (!(error instanceof Paused)) throw error;
    throw new UnrecoverableError(`${PAUSED}${error.message}`);
  }
}

function lostOf(slot: number, reason: string): LostSlot {
  if (!reason.startsWith(PAUSED)) return { type: 'broken', slot, text: reason };
  return { type: 'aborted', slot, text: reason.slice(PAUSED.length) };
}

/** The queue refuses ids that are numbers. */
function idOf({ game }: Assignment): string {
  return `game-${game}`;
}
