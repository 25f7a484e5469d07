/** Both sides of the queue of jobs, as processes of a storm reach it. */
import type { LostLeagueGame } from '../../actors/league/game.ts';
import type { LeagueGame } from '../../actors/league/plan.ts';
import {
  type GameJobs,
  type JobTaker,
  judgeFailure,
  toLostGame,
} from '../../actors/league/remoteQueue.ts';
import type { Ground } from './ground.ts';
import { type JobBoard, LOCK_MS } from './jobs.ts';
import type { SimulatedProcess } from './process.ts';
import type { Link, Server } from './server.ts';

/** Milliseconds between two searches for workers that have lost their jobs, as `queue.ts` sets them. */
const STALLED_MS = 5000;

/** Milliseconds between two looks for a job. */
const LOOK_MS = 700;

/** What a process reaches the queue by. */
export type JobAccess = {
  readonly ground: Ground;
  readonly server: Server;
  readonly process: SimulatedProcess;
  readonly link: Link;
};

/** The side that puts games in. */
export function openJobs({ ground, server, process, link }: JobAccess): GameJobs {
  const change = <T>(name: string, act: (board: JobBoard) => T) =>
    link.call({
      name,
      isChange: true,
      act: () => server.change(async ({ board }) => act(board)),
    });
  return {
    put: async (games) => {
      ground.promises.notePut(process);
      await change('put', (board) => board.put(games));
    },
    givenUp: async (games) => {
      const look = { name: 'failed', isChange: false };
      const failed = await link.call({ ...look, act: async () => server.board.failed() });
      const found: LostLeagueGame[] = [];
      for (const { game, reason } of failed) {
        if (!games.some((one) => one.game === game.game)) continue;
        found.push(toLostGame(game.slot, reason));
        await change('remove', (board) => board.remove(game.game));
      }
      return found;
    },
    withdraw: async (games) => {
      ground.promises.noteWithdraw(process);
      for (const { game } of games) await change('remove', (board) => board.remove(game));
    },
    close: async () => {},
  };
}

/** The side that takes games out. */
export class SimulatedTaker implements JobTaker {
  readonly #access: JobAccess;
  readonly #play: (game: LeagueGame) => Promise<void>;
  readonly #closing = new AbortController();
  readonly #lanes: Promise<unknown>[] = [];

  constructor(access: JobAccess, games: number, play: (game: LeagueGame) => Promise<void>) {
    this.#access = access;
    this.#play = play;
    for (let lane = 0; lane < games; lane++) this.#lanes.push(this.#work(lane));
    this.#lanes.push(this.#watch());
  }

  onRefused(): void {}

  async ready(): Promise<void> {
    await this.#access.process.wait(1);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#lanes);
  }

  #change<T>(name: string, act: (board: JobBoard) => T): Promise<T | null> {
    const carryOut = () => this.#access.server.change(async ({ board }) => act(board));
    // The queue says so, and goes on: a job whose outcome did not arrive stalls.
    return this.#access.link.call({ name, isChange: true, act: carryOut }).catch(() => null);
  }

  async #work(lane: number): Promise<void> {
    const { signal } = this.#closing;
    for (let count = 0; !signal.aborted; count++) {
      const token = `${this.#access.process.name}-${this.#access.process.space}-${this.#access.process.id}-${lane}-${count}`;
      const game = await this.#change('take', (board) => board.take(token));
      if (game === null) await this.#access.process.ports.time.sleep(LOOK_MS, signal);
      else await this.#run(game, token);
    }
  }

  async #run(game: LeagueGame, token: string): Promise<void> {
    const id = game.game;
    const over = new AbortController();
    void this.#renew(id, token, over.signal);
    try {
      await this.#play(game);
      await this.#change('complete', (board) => board.complete(id, token));
    } catch (error) {
      const failure = judgeFailure(error);
      this.#access.ground.promises.noteFailure(this.#access.process, error);
      await this.#change('fail', (board) => board.fail(id, token, failure));
    }
    over.abort();
  }

  async #renew(id: string, token: string, over: AbortSignal): Promise<void> {
    for (;;) {
      await this.#access.process.ports.time.sleep(LOCK_MS / 2, over);
      if (over.aborted) return;
      await this.#change('renew', (board) => board.renew(id, token));
    }
  }

  async #watch(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      await this.#access.process.ports.time.sleep(STALLED_MS, signal);
      if (signal.aborted) return;
      await this.#change('find stalled', (board) => board.findStalled());
    }
  }
}
