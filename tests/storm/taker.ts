/** Both sides of the queue of jobs. */
import type { LostLeagueGame } from '../../actors/league/game.ts';
import type { LeagueGame } from '../../actors/league/plan.ts';
import {
  type GameJobs,
  type JobTaker,
  judgeFailure,
  toLostGame,
} from '../../actors/league/remoteQueue.ts';
import { type JobBoard, LOCK_MS } from './jobs.ts';
import type { SimulatedProcess } from './process.ts';
import type { Link } from './server.ts';
import type { World } from './world.ts';

/** Milliseconds between two searches for stalled jobs, as in `queue.ts`, and between two looks for a job. */
const STALLED_MS = 5000;
const LOOK_MS = 700;

export type JobAccess = {
  readonly world: World;
  readonly process: SimulatedProcess;
  readonly link: Link;
};

type Change = <T>(name: string, act: (board: JobBoard) => T) => Promise<T>;

function changeAt({ world, link }: JobAccess): Change {
  const change = <T>(act: (board: JobBoard) => T) =>
    world.server.change(async ({ board }) => act(board));
  return (name, act) => link.call({ name, isChange: true, act: () => change(act) });
}

export function openJobs(access: JobAccess): GameJobs {
  const { process, link } = access;
  const { promises, server } = access.world;
  const change = changeAt(access);
  return {
    put: async (games) => {
      promises.notePut(process);
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
      promises.noteWithdraw(process);
      for (const { game } of games) await change('remove', (board) => board.remove(game));
    },
    close: async () => {},
  };
}

export function openTaker(
  access: JobAccess,
  games: number,
  play: (game: LeagueGame) => Promise<void>,
): JobTaker {
  const { world, process } = access;
  const { time } = process.ports;
  const closing = new AbortController();
  const { signal } = closing;
  const reach = changeAt(access);
  // The queue reports a lost call and goes on: a job whose outcome did not arrive stalls.
  const change: (...call: Parameters<Change>) => Promise<unknown> = (...call) =>
    reach(...call).catch(() => null);

  async function work(lane: number): Promise<void> {
    for (let count = 0; !signal.aborted; count++) {
      const token = `${process.name}-${process.space}-${process.id}-${lane}-${count}`;
      const game = await reach('take', (board) => board.take(token)).catch(() => null);
      if (game === null) await time.sleep(LOOK_MS, signal);
      else await run(game, token);
    }
  }

  async function run(game: LeagueGame, token: string): Promise<void> {
    const id = game.game;
    const over = new AbortController();
    void renew(id, token, over.signal);
    try {
      await play(game);
      await change('complete', (board) => board.complete(id, token));
    } catch (error) {
      world.promises.noteFailure(process, error);
      await change('fail', (board) => board.fail(id, token, judgeFailure(error)));
    }
    over.abort();
  }

  async function renew(id: string, token: string, over: AbortSignal): Promise<void> {
    for (;;) {
      await time.sleep(LOCK_MS / 2, over);
      if (over.aborted) return;
      await change('renew', (board) => board.renew(id, token));
    }
  }

  async function watch(): Promise<void> {
    for (;;) {
      await time.sleep(STALLED_MS, signal);
      if (signal.aborted) return;
      await change('find stalled', (board) => board.findStalled());
    }
  }

  const lanes = [...Array.from({ length: games }, (_, lane) => work(lane)), watch()];
  return {
    onRefused: () => {},
    ready: () => process.wait(1),
    close: async () => {
      closing.abort();
      await Promise.all(lanes);
    },
  };
}
