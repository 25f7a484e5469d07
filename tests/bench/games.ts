/** Whole games of eight scripted players: on one thread with and without journals, and on two. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimulatedClock } from '../../actors/engine/clock.ts';
import { createMatch, startMatch } from '../../actors/engine/match.ts';
import { gameSeed, type JobOutcome, type RunPlan } from '../../actors/jobs/gameJob.ts';
import { playGames } from '../../actors/jobs/run.ts';
import type { Mind } from '../../actors/minds/port.ts';
import { plainGame } from '../../machines/setup/prepare.ts';
import type { BySeat } from '../../machines/types.ts';
import { type Timing, timed, type Variant } from './rounds.ts';

const PLAYERS = 8;
/** Games in one go, so that a timing is long enough to be one. */
const GAMES = 20;
const SEED = 1;
const SEEDS = Array.from({ length: GAMES }, (_, index) => gameSeed(SEED, index + 1));
const ROUNDS = 5;
/** Goes before anything is timed: it takes a hundred games until the compiler has seen it all. */
const WARMING = 5;
/** Games of a run on threads: they take their time to start. */
const RUN_GAMES = 400;

export type GameBench = {
  readonly games: readonly Timing[];
  /** Answers of minds in a game, the mean. */
  readonly turnsPerGame: number;
  /** Games a second of a whole run with journals, and how many times faster two threads are than one. */
  readonly oneJob: number;
  readonly twoJobs: number;
  readonly speedup: number;
};

export async function gameBench(): Promise<GameBench> {
  return await inFolder(async (folder) => {
    const turnsPerGame = (await turnsIn()) / GAMES;
    for (let go = 0; go < WARMING; go++) await playAll(folder);
    const games = await timed(variants(folder), ROUNDS);
    const oneJob = await runRate(folder, 1);
    const twoJobs = await runRate(folder, 2);
    return { games, turnsPerGame, oneJob, twoJobs, speedup: twoJobs / oneJob };
  });
}

/** What was measured, for people. */
export function shownGames(bench: GameBench): string {
  const { turnsPerGame, oneJob, twoJobs, speedup } = bench;
  const rows = bench.games.map(({ name, microseconds, ratio }) => {
    const rate = 1e6 / microseconds;
    const turns = Math.round(rate * turnsPerGame).toLocaleString('en');
    const milliseconds = (microseconds / 1000).toFixed(1);
    return `${rate.toFixed(1).padStart(10)}${milliseconds.padStart(12)}${turns.padStart(14)}${ratio.toFixed(2).padStart(8)}  ${name}`;
  });
  return [
    `Whole games of ${PLAYERS} scripted players, ${turnsPerGame.toFixed(0)} answers each`,
    `${'games/s'.padStart(10)}${'ms a game'.padStart(12)}${'mind turns/s'.padStart(14)}${'ratio'.padStart(8)}`,
    ...rows,
    `  a run of ${RUN_GAMES} games with journals: ${oneJob.toFixed(1)} games/s on one thread, ` +
      `${twoJobs.toFixed(1)} on two: ${speedup.toFixed(2)} times as many`,
  ].join('\n');
}

function variants(folder: string): readonly Variant[] {
  return [
    { name: 'actors, ghosts included', run: () => playAll(null) },
    { name: 'actors, ghosts included, journals on the disk', run: () => playAll(folder) },
  ];
}

/** Plays the games of a go as `glassbox run` does on one thread. */
async function playAll(folder: string | null): Promise<number> {
  await played({ folder, games: GAMES }, 1);
  return GAMES;
}

async function played({ folder, games }: Pick<RunPlan, 'folder' | 'games'>, jobs: number) {
  const plan = { match: plainGame(PLAYERS), seed: SEED, games, folder };
  const outcomes: JobOutcome[] = [];
  await playGames(plan, { jobs, onOutcome: (outcome) => void outcomes.push(outcome) }).result;
  const lost = outcomes.find((outcome) => outcome.type === 'lost');
  if (lost !== undefined) throw new Error(lost.text);
}

/** How often minds are asked in all games of a go. */
async function turnsIn(): Promise<number> {
  let turns = 0;
  const counting = (mind: Mind): Mind => {
    if (mind.pace !== 'at-once') throw new Error('a scripted mind takes its time');
    const answer: typeof mind.answer = (request) => {
      turns += 1;
      return mind.answer(request);
    };
    return { pace: 'at-once', answer };
  };
  for (const seed of SEEDS) {
    const creation = createMatch(plainGame(PLAYERS), seed);
    if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('; '));
    const { ready } = creation;
    const entries = Object.entries(ready.minds).map(([seat, mind]) => [seat, counting(mind)]);
    const minds: BySeat<Mind> = Object.fromEntries(entries);
    const clock = new SimulatedClock();
    await startMatch({ ...ready, minds, clock, recorder: null }).result;
  }
  return turns;
}

/** Runs something with a folder of its own that is removed afterwards. */
async function inFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-bench-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Games a second, from the first thread that is started to the last journal that is on the disk. */
async function runRate(folder: string, jobs: number): Promise<number> {
  const started = performance.now();
  await played({ folder, games: RUN_GAMES }, jobs);
  return RUN_GAMES / ((performance.now() - started) / 1000);
}
