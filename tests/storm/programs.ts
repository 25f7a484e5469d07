/** The programs of a storm: `glassbox league run` and `glassbox league worker` with simulated ports. */
import { conductLeague } from '../../actors/league/conduct.ts';
import type { LeagueGameOutcome } from '../../actors/league/game.ts';
import { fetchJournals } from '../../actors/league/journals.ts';
import { type LeagueQueue, lockFolder, openLocalQueue } from '../../actors/league/localQueue.ts';
import type { OpenedResources } from '../../actors/league/models.ts';
import { settleLeague } from '../../actors/league/plan.ts';
import { createRemoteQueue } from '../../actors/league/remoteQueue.ts';
import type { LeagueRunOutcome } from '../../actors/league/runner.ts';
import { type StartedWorker, takeGames } from '../../actors/league/takeGames.ts';
import type { Store } from '../../actors/stores/store.ts';
import { tallyGame } from '../../analysis/league/tally.ts';
import { connectStore } from './connection.ts';
import type { SimulatedProcess } from './process.ts';
import type { ProgramPlan } from './scenario.ts';
import { connectFile, connectServer, type Link } from './server.ts';
import { openJobs, openTaker } from './taker.ts';
import type { World } from './world.ts';

/** `again`: the operator runs the league again. `paused`: the budget is spent. */
export type ProgramEnd = 'over' | 'again' | 'paused';

type ProgramGround = {
  readonly world: World;
  readonly process: SimulatedProcess;
  readonly link: Link;
  readonly store: Store;
  readonly games: number;
};

export async function runProgram(
  world: World,
  process: SimulatedProcess,
  { type, games }: ProgramPlan,
): Promise<ProgramEnd> {
  const link = world.isLocal
    ? connectFile(world, process)
    : connectServer(world, world.server, process);
  const home = world.isLocal ? process.machine.file : world.server;
  const store = connectStore(world, process, { link, home });
  const around = { world, process, link, store, games };
  if (type === 'worker') return await runWorker(around);
  return world.isLocal ? await runAlone(around) : await runWithWorkers(around);
}

async function runWorker(around: ProgramGround): Promise<ProgramEnd> {
  const { signal } = around.process.stopping;
  const worker = await startWorker(around);
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await worker.close();
  return 'over';
}

function startWorker(around: ProgramGround): Promise<StartedWorker> {
  const { world, process, store, games } = around;
  return takeGames(store, {
    concurrency: games,
    resources: openResources(world, process, store),
    openTaker: (play) => openTaker(around, games, play),
    onHandIn: (game, outcome) =>
      world.timeline.note(process.name, `hands in game ${game.slot}: ${outcome}`),
    onFailure: (game, error) =>
      world.timeline.note(process.name, `game ${game?.slot}: ${sayOf(error)}`),
    onRefused: () => {},
    ports: process.ports,
  });
}

async function runAlone(around: ProgramGround): Promise<ProgramEnd> {
  const { world, process, store, games } = around;
  const { folder } = process;
  const { plan } = world;
  const unlock = lockFolder(folder, {
    disk: process.ports.disk,
    lock: (path) => process.machine.lock(process, path),
  });
  if (unlock === null) return 'again';
  try {
    const resources = openResources(world, process, store);
    const { ports } = process;
    return await conduct(around, async () =>
      openLocalQueue(plan, { store, jobs: games, folder, resources, ports }),
    );
  } finally {
    unlock();
  }
}

async function runWithWorkers(around: ProgramGround): Promise<ProgramEnd> {
  const { world, process, store } = around;
  const { folder } = process;
  const { name: league, games } = world.plan.league;
  const fetch = (slots: readonly number[]) =>
    fetchJournals(store, { league, games, folder, ports: process.ports }, slots);
  return await conduct(around, async () => {
    const jobs = openJobs(around);
    return createRemoteQueue({ league, store, jobs, fetch, time: process.ports.time });
  });
}

/** Settles the league, and plays it when this run leads. A waiting run joins as a worker if there is a queue. */
async function conduct(
  around: ProgramGround,
  openQueue: () => Promise<LeagueQueue>,
): Promise<ProgramEnd> {
  const { world, process, store } = around;
  const { plan, timeline } = world;
  const conflict = await settleLeague(store, plan);
  if (conflict !== null) throw new Error(conflict.text);
  const joined: StartedWorker[] = [];
  const onWait = async (runner: string) => {
    timeline.note(process.name, `waits for ${runner}`);
    if (!world.isLocal && joined.length === 0) joined.push(await startWorker(around));
  };
  const onLead = (there: number) => {
    timeline.note(process.name, `leads, and ${there} games have a result`);
    const onOutcome = (outcome: LeagueGameOutcome) =>
      timeline.note(process.name, `game ${outcome.slot} is ${outcome.type}`);
    const onNote = (text: string) => timeline.note(process.name, text);
    return { onOutcome, onNote, onPlayed: () => {} };
  };
  const stopped = process.stopping.signal;
  try {
    const outcome = await conductLeague({
      plan,
      store,
      folder: process.folder,
      ownsFolder: world.isLocal,
      openQueue,
      onWait,
      onLead,
      count: tallyGame,
      onMissing: (missing) => timeline.note(process.name, `misses ${JSON.stringify(missing)}`),
      signal: stopped,
      ports: process.ports,
    });
    return judgeOutcome(world, process, outcome);
  } finally {
    for (const worker of joined) await worker.close();
  }
}

function judgeOutcome(
  world: World,
  process: SimulatedProcess,
  outcome: LeagueRunOutcome | null,
): ProgramEnd {
  if (outcome === null) return 'again';
  const { open, lost } = outcome;
  const words = lost.map(({ slot, text }) => `${slot}: ${text.split('\n')[0]}`).join('; ');
  const why = words === '' ? '' : ` (${words})`;
  world.timeline.note(process.name, `is over with ${open} open games${why}`);
  if (open === 0) return 'over';
  return lost.some(({ text }) => text.includes('budget')) ? 'paused' : 'again';
}

function openResources(world: World, process: SimulatedProcess, store: Store): OpenedResources {
  return {
    models: {
      store,
      prices: {},
      counting: { tally: tallyGame, worker: new URL('file:///simulated') },
      time: process.ports.time,
      environment: world.environment,
      open: world.models.open(process),
    },
    close: () => {},
  };
}

export function sayOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
