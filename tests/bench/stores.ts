/** What stores, leagues and ratings take: results a second, games a second, and how soon a killed worker is made up for. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { leagueSchema } from '../../actors/league/leagueFile.ts';
import { type LeagueQueue, openLocalQueue } from '../../actors/league/localQueue.ts';
import { completePlan, type LeaguePlan, settleLeague } from '../../actors/league/plan.ts';
import { RedisGameQueue } from '../../actors/league/queue.ts';
import { RemoteQueue } from '../../actors/league/remoteQueue.ts';
import { playLeague } from '../../actors/league/runner.ts';
import { makeSchedule } from '../../actors/league/schedule.ts';
import { InMemoryStore } from '../../actors/stores/inMemory.ts';
import type { Store } from '../../actors/stores/store.ts';
import { rateLeague } from '../../analysis/league/ratings.ts';
import { counting } from '../../analysis/league/tally.ts';
import { drawWords } from '../../machines/rules/dice.ts';
import manifest from '../../package.json' with { type: 'json' };
import { aResult, opened } from '../actors/stores/kept.ts';
import { HAS_REDIS, RedisServer } from '../actors/stores/redisServer.ts';

const PROGRAM = fileURLToPath(new URL('../../cli/glassbox.ts', import.meta.url));
const RESULTS = 500;
const LANES = 8;
/** Games before the clock runs, in which threads and workers get warm, and games that count. */
const WARM = 100;
const GAMES = 200;
const RATED = 5000;
const PERSONAS = 16;

export type StoreBench = {
  readonly results: Readonly<Record<string, number>>;
  readonly games: Readonly<Record<string, number>>;
  /** Seconds from the kill of a worker to the result of its game. */
  readonly recoverySeconds: number | null;
  readonly refitMs: number;
};

export async function storeBench(): Promise<StoreBench> {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-bench-'));
  const server = HAS_REDIS ? await RedisServer.start({ fsync: 'everysec' }) : null;
  try {
    const results: Record<string, number> = { memory: await recordRate(new InMemoryStore()) };
    results['node:sqlite'] = await recordRate(await opened(join(folder, 'store.db')));
    if (server !== null) results['Redis'] = await recordRate(await opened(server.url));
    const games: Record<string, number> = {};
    for (const jobs of [1, 2])
      games[`${jobs} at once in this process`] = await localRate(jobs, folder);
    let recoverySeconds: number | null = null;
    if (server !== null) {
      for (const count of [1, 2])
        games[`${count} workers over Redis`] = await remoteRate(server, count);
      recoverySeconds = await recovery(server);
    }
    return { results, games, recoverySeconds, refitMs: refit() };
  } finally {
    await server?.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

export function shownStores({ results, games, recoverySeconds, refitMs }: StoreBench): string {
  const rows = (rates: Readonly<Record<string, number>>) =>
    Object.entries(rates).map(([name, rate]) => `${rate.toFixed(1).padStart(10)}  ${name}`);
  return [
    `Results recorded a second, ${LANES} at once`,
    ...rows(results),
    '',
    `Games of a league a second, after ${WARM} to get warm`,
    ...rows(games),
    '',
    recoverySeconds === null
      ? 'No redis-server: nothing was measured over a queue.'
      : `${recoverySeconds.toFixed(1)} s from the kill of a worker to the result of its game`,
    `${refitMs.toFixed(0)} ms to rate ${PERSONAS} personas by ${RATED} games, with intervals`,
  ].join('\n');
}

async function recordRate(store: Store): Promise<number> {
  const started = performance.now();
  let next = 0;
  const lane = async () => {
    for (let slot = next++; slot < RESULTS; slot = next++) {
      await store.record(aResult({ slot, seed: slot }), null);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await store.close();
  return (1000 * RESULTS) / (performance.now() - started);
}

function aLeague(name: string, games = WARM + GAMES): LeaguePlan {
  const personas = [
    'leader',
    'observer',
    'accuser',
    'joker',
    'follower',
    'sceptic',
    'diplomat',
  ].map((temperament) => ({ name: temperament, temperament }));
  const file = { name, games, round: games, learning: false, personas };
  // Workers take games of their own version only.
  return completePlan(leagueSchema.parse(file), manifest.version);
}

async function rateOf(plan: LeaguePlan, store: Store, queue: LeagueQueue): Promise<number> {
  const conflict = await settleLeague(store, plan);
  if (conflict !== null) throw new Error(conflict.text);
  let [heard, started] = [0, 0];
  const hear = () => {
    heard += 1;
    if (heard === WARM) started = performance.now();
  };
  await playLeague({ plan, store, queue, onOutcome: hear });
  const rate = (1000 * (heard - WARM)) / (performance.now() - started);
  await queue.close();
  return rate;
}

async function localRate(jobs: number, folder: string): Promise<number> {
  const [plan, store] = [aLeague(`local ${jobs}`), await opened(join(folder, `local${jobs}.db`))];
  const queue = openLocalQueue(plan, {
    store,
    jobs,
    folder: join(folder, 'journals'),
    resources: { models: { store, prices: {}, counting }, close: () => {} },
  });
  const rate = await rateOf(plan, store, queue);
  await store.close();
  return rate;
}

async function remoteRate(server: RedisServer, count: number): Promise<number> {
  const workers = await Promise.all(Array.from({ length: count }, () => aWorker(server.url)));
  const [plan, store] = [aLeague(`remote ${count}`), await opened(server.url)];
  const rate = await rateOf(plan, store, remote(plan, store, server.url));
  for (const worker of workers) worker.kill('SIGKILL');
  await store.close();
  return rate;
}

/** A worker is killed while it plays; another one waits for its game. */
async function recovery(server: RedisServer): Promise<number> {
  const [first, second] = await Promise.all([aWorker(server.url), aWorker(server.url)]);
  const [plan, store] = [aLeague('recovery', 12), await opened(server.url)];
  let killed = 0;
  const queue = remote(plan, store, server.url);
  const conflict = await settleLeague(store, plan);
  if (conflict !== null) throw new Error(conflict.text);
  await playLeague({
    plan,
    store,
    queue,
    onOutcome: () => {
      if (killed > 0) return;
      first.kill('SIGKILL');
      killed = performance.now();
    },
  });
  const seconds = (performance.now() - killed) / 1000;
  second.kill('SIGKILL');
  await queue.close();
  await store.close();
  return seconds;
}

function remote(plan: LeaguePlan, store: Store, url: string): RemoteQueue {
  return new RemoteQueue({
    league: plan.league.name,
    store,
    jobs: new RedisGameQueue(url, plan.engine),
    fetch: async () => {},
  });
}

/** Kept when it takes games. */
async function aWorker(url: string): Promise<ChildProcess> {
  const args = [PROGRAM, 'league', 'worker', '--redis', url, '--concurrency', '1'];
  const worker = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise<void>((resolve) => {
    worker.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('Taking games')) resolve();
    });
    worker.on('exit', () => resolve());
  });
  return worker;
}

function refit(): number {
  const fixtures = makeSchedule({
    seed: 1,
    games: RATED,
    personas: PERSONAS,
    players: 8,
    impostors: 2,
    seating: 'mixed',
    mirror: false,
    compare: [],
  });
  const games = fixtures.map(({ slot, table }) => {
    const of = (role: string) =>
      table.filter((place) => place.role === role).map(({ persona }) => persona);
    const [word] = drawWords({ seed: 9, meeting: 0, stream: 'mind', tick: slot }, 0);
    return {
      impostors: of('impostor'),
      crew: of('crewmate'),
      impostorsWon: word % 2 === 0,
      pair: slot,
    };
  });
  const started = performance.now();
  rateLeague(games, PERSONAS);
  return performance.now() - started;
}
