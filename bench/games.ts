/** Whole games of eight scripted players: on one core with and without journals, against the plain loop, and on two. */
import { join } from 'node:path';
import { SimulatedClock } from '../actors/clock.ts';
import { manned } from '../actors/crewing.ts';
import { run } from '../actors/jobs/run.ts';
import { Recorder } from '../actors/journal/recorder.ts';
import { BatchSink } from '../actors/journal/sink.ts';
import type { Mind } from '../actors/minds/port.ts';
import { play } from '../actors/play.ts';
import { plainLobby } from '../machines/boarding.ts';
import { type BySeat, COLOURS, type Colour } from '../machines/types.ts';
import { inFolder } from './journal.ts';
import { playGame, tableFor } from './plain-game.ts';
import { type Timing, timed, type Variant } from './rounds.ts';
import { type Share, whereTimeGoes } from './where.ts';

const PLAYERS = 8;
/** Games in one go, so that a timing is long enough to be one. */
const GAMES = 20;
const ROUNDS = 5;
/** Games of a run on threads: they take their time to start. */
const RUN_GAMES = 200;

export type GameBench = {
  readonly games: readonly Timing[];
  /** Answers of minds in a game, the mean. */
  readonly turnsPerGame: number;
  readonly parts: readonly Share[];
  /** Games a second of a whole run with journals, and how many times faster two threads are than one. */
  readonly oneJob: number;
  readonly twoJobs: number;
  readonly speedup: number;
};

export async function gameBench(): Promise<GameBench> {
  return await inFolder(async (folder) => {
    const turnsPerGame = (await turnsIn()) / GAMES;
    const games = await timed(variants(folder), ROUNDS);
    const parts = await whereTimeGoes(() => playAll(folder));
    const oneJob = await runRate(folder, 1);
    const twoJobs = await runRate(folder, 2);
    return { games, turnsPerGame, parts, oneJob, twoJobs, speedup: twoJobs / oneJob };
  });
}

/** What was measured, for people. */
export function shownGames(bench: GameBench): string {
  const { turnsPerGame, parts, oneJob, twoJobs, speedup } = bench;
  const rows = bench.games.map(({ name, microseconds, ratio }) => {
    const rate = 1e6 / microseconds;
    const turns = Math.round(rate * turnsPerGame).toLocaleString('en');
    return `${rate.toFixed(1).padStart(10)}${turns.padStart(14)}${ratio.toFixed(2).padStart(8)}  ${name}`;
  });
  const shares = parts.map(({ part, share }) => `${part} ${(100 * share).toFixed(0)} %`);
  return [
    `Whole games of ${PLAYERS} scripted players, ${turnsPerGame.toFixed(0)} answers each`,
    `${'games/s'.padStart(10)}${'mind turns/s'.padStart(14)}${'ratio'.padStart(8)}`,
    ...rows,
    `  where the time goes, with journals: ${shares.join(', ')}`,
    `  a run of ${RUN_GAMES} games with journals: ${oneJob.toFixed(1)} games/s on one thread, ` +
      `${twoJobs.toFixed(1)} on two: ${speedup.toFixed(2)} times as many`,
  ].join('\n');
}

function variants(folder: string): readonly Variant[] {
  return [
    {
      name: 'rules in a plain loop, without ghosts (the limit)',
      run: async () => {
        for (let seed = 1; seed <= GAMES; seed++) await playGame(tableFor(seed, PLAYERS));
        return GAMES;
      },
    },
    { name: 'actors, ghosts included', run: () => playAll(null) },
    { name: 'actors, ghosts included, journal', run: () => playAll(folder) },
  ];
}

async function playAll(folder: string | null): Promise<number> {
  for (let seed = 1; seed <= GAMES; seed++) await playOne(seed, folder, (minds) => minds);
  return GAMES;
}

async function playOne(
  seed: number,
  folder: string | null,
  change: (minds: BySeat<Mind>) => BySeat<Mind>,
): Promise<void> {
  const manning = manned(plainLobby(PLAYERS), seed);
  if (!manning.ok) throw new Error(manning.refusals.map(({ text }) => text).join('; '));
  const { headers, minds } = manning.manned;
  const sink = folder === null ? null : new BatchSink(join(folder, `${seed}.jsonl`));
  const recorder = sink === null ? null : new Recorder({ sink });
  recorder?.write('living', [headers.living]);
  recorder?.write('ghosts', [headers.ghosts]);
  await play({ ...manning.manned, minds: change(minds), clock: new SimulatedClock(), recorder })
    .result;
  sink?.close();
}

/** How often minds are asked in all games of a go. */
async function turnsIn(): Promise<number> {
  let turns = 0;
  const counting = (minds: BySeat<Mind>): BySeat<Mind> => {
    const counted: Partial<Record<Colour, Mind>> = {};
    for (const colour of COLOURS) {
      const mind = minds[colour];
      if (mind?.pace !== 'at-once') continue;
      const answer: typeof mind.answer = (request) => {
        turns += 1;
        return mind.answer(request);
      };
      counted[colour] = { pace: 'at-once', answer };
    }
    return counted;
  };
  for (let seed = 1; seed <= GAMES; seed++) await playOne(seed, null, counting);
  return turns;
}

/** Games a second, from the first thread that is started to the last journal that is on the disk. */
async function runRate(folder: string, jobs: number): Promise<number> {
  const plan = { lobby: plainLobby(PLAYERS), seed: 1, games: RUN_GAMES, folder };
  const started = performance.now();
  await run(plan, {
    jobs,
    onOutcome: (outcome) => {
      if (outcome.type === 'lost') throw new Error(outcome.text);
    },
  }).result;
  return RUN_GAMES / ((performance.now() - started) / 1000);
}
