/**
 * A run of a league that another run leads: it says so, and plays games of the queue where there is one, until it leads the
 * league itself.
 */
import { checkKeys, type LeaguePlan } from '../../actors/league/plan.ts';
import type { StartedWorker } from '../../actors/league/takeGames.ts';
import type { Store } from '../../actors/stores/store.ts';
import { cleanLines, printNote } from '../output.ts';

type JoinFlags = {
  readonly redis?: string;
  readonly jobs: number;
  readonly prices?: string;
  readonly quiet?: boolean;
};

export class JoinedRun {
  readonly #plan: LeaguePlan;
  readonly #store: Store;
  readonly #flags: JoinFlags;
  #worker: StartedWorker | null = null;
  #played = 0;
  #isWaiting = false;

  constructor(plan: LeaguePlan, store: Store, flags: JoinFlags) {
    this.#plan = plan;
    this.#store = store;
    this.#flags = flags;
  }

  /** Helps the run that leads. */
  async join(leader: string): Promise<void> {
    const { redis } = this.#flags;
    const name = JSON.stringify(this.#plan.league.name);
    const isThere = `${leader} plays the league ${name} already`;
    const later = 'goes on with the league if that run ends';
    this.#isWaiting = true;
    if (redis === undefined) {
      this.#say(`${isThere}: this run waits, and ${later}.`);
      return;
    }
    // Without them every game that it takes would break down.
    const [lack] = checkKeys(this.#plan);
    if (lack !== undefined) {
      this.#say(`${isThere}: this run waits, and ${later}. It plays no games: ${lack.text}`);
      return;
    }
    this.#say(`${isThere}: this run joins it as a worker, and ${later}.`);
    if (this.#worker !== null) return;
    const { startWorker } = await import('./worker.ts');
    const { jobs, prices } = this.#flags;
    this.#worker = await startWorker(this.#store, {
      redis,
      concurrency: jobs,
      ...(prices === undefined ? {} : { prices }),
      say: () => {},
      onRecorded: () => {
        this.#played += 1;
      },
    });
  }

  /** This run leads now. Its worker plays on: it may be the only one. */
  lead(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#say(`This run leads the league ${JSON.stringify(this.#plan.league.name)} now.`);
  }

  /** Resolves when the games that it plays are over. */
  async close(): Promise<void> {
    if (this.#worker !== null) {
      await this.#worker.close();
      this.#worker = null;
      const games = this.#played === 1 ? '1 game' : `${this.#played} games`;
      this.#say(`As a worker this run has played ${games}.`);
    } else if (this.#isWaiting) {
      this.#say('This run ends, and has played no games.');
    }
  }

  #say(text: string): void {
    if (this.#flags.quiet !== true) printNote(cleanLines(text));
  }
}
