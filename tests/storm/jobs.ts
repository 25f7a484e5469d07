/** The queue of jobs of a storm, after BullMQ: locks that workers renew, stalled jobs, retries and failed jobs. */
import { MOST_ATTEMPTS } from '../../actors/league/localQueue.ts';
import type { LeagueGame } from '../../actors/league/plan.ts';
import type { judgeFailure } from '../../actors/league/remoteQueue.ts';

/** As in `queue.ts`. */
export const LOCK_MS = 10_000;
const MOST_LOSSES = 10;
const PAUSE_MS = 1000;

type BoardJob = {
  readonly game: LeagueGame;
  state: 'waiting' | 'active' | 'failed';
  notBefore: number;
  attempts: number;
  losses: number;
  lock: { readonly token: string; until: number } | null;
  reason: string;
};

export class JobBoard {
  readonly #now: () => number;
  readonly #jobs = new Map<string, BoardJob>();

  constructor(now: () => number) {
    this.#now = now;
  }

  put(games: readonly LeagueGame[]): void {
    for (const game of games) {
      if (this.#jobs.has(game.game)) continue;
      const fresh = { notBefore: 0, attempts: 0, losses: 0, lock: null, reason: '' };
      this.#jobs.set(game.game, { game, state: 'waiting', ...fresh });
    }
  }

  failed(): readonly { readonly game: LeagueGame; readonly reason: string }[] {
    return [...this.#jobs.values()].filter(({ state }) => state === 'failed');
  }

  stateOf(id: string): BoardJob['state'] | undefined {
    return this.#jobs.get(id)?.state;
  }

  remove(id: string): void {
    if (this.#holder(id) === null) this.#jobs.delete(id);
  }

  /** The token of a lock that has not run out. */
  #holder(id: string): string | null {
    const lock = this.#jobs.get(id)?.lock ?? null;
    return lock === null || lock.until <= this.#now() ? null : lock.token;
  }

  evict(): void {
    const [first] = this.#jobs.keys();
    if (first !== undefined) this.#jobs.delete(first);
  }

  take(token: string): LeagueGame | null {
    for (const job of this.#jobs.values()) {
      if (job.state !== 'waiting' || job.notBefore > this.#now()) continue;
      job.state = 'active';
      job.lock = { token, until: this.#now() + LOCK_MS };
      return structuredClone(job.game);
    }
    return null;
  }

  renew(id: string, token: string): boolean {
    const job = this.#jobs.get(id);
    if (job === undefined || this.#holder(id) !== token) return false;
    job.lock = { token, until: this.#now() + LOCK_MS };
    return true;
  }

  complete(id: string, token: string): void {
    if (this.#holder(id) === token) this.#jobs.delete(id);
  }

  fail(id: string, token: string, { isFinal, text }: ReturnType<typeof judgeFailure>): void {
    const job = this.#jobs.get(id);
    if (job === undefined || this.#holder(id) !== token) return;
    job.lock = null;
    job.attempts += 1;
    const isOver = isFinal || job.attempts >= MOST_ATTEMPTS;
    job.state = isOver ? 'failed' : 'waiting';
    job.notBefore = this.#now() + PAUSE_MS;
    job.reason = text;
  }

  findStalled(): number {
    let found = 0;
    for (const job of this.#jobs.values()) {
      if (job.lock === null || job.lock.until > this.#now()) continue;
      found += 1;
      job.lock = null;
      job.losses += 1;
      job.state = job.losses > MOST_LOSSES ? 'failed' : 'waiting';
      job.reason = 'job stalled more than allowable limit';
    }
    return found;
  }
}
