/**
 * What a checkout costs in CPU time of its game thread, printed as JSON: `node tests/bench/tree.ts FOLDER`.
 *
 * Everything that is measured comes from the folder, so that one checkout measures another. A process measures once:
 * what it has compiled belongs to what it has run.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Clock from '../../actors/engine/clock.ts';
import type * as Match from '../../actors/engine/match.ts';
import type * as Jobs from '../../actors/jobs/gameJob.ts';
import type * as Prepare from '../../machines/setup/prepare.ts';
import { countCalls } from './calls.ts';
import type * as Ticks from './ticks.ts';

type Kinds = {
  readonly prepare: typeof Prepare;
  readonly jobs: typeof Jobs;
  readonly match: typeof Match;
  readonly clock: typeof Clock;
  readonly ticks: typeof Ticks;
};

const [root = '.'] = process.argv.slice(2);
/** Earlier commits have the bench at the top level. */
const TICKS = existsSync(join(root, 'tests/bench')) ? 'tests/bench/ticks.ts' : 'bench/ticks.ts';

async function load<Name extends keyof Kinds>(_name: Name, path: string): Promise<Kinds[Name]> {
  return await import(pathToFileURL(resolve(root, path)).href);
}

const { plainGame } = await load('prepare', 'machines/setup/prepare.ts');
const { GameJob, gameSeed } = await load('jobs', 'actors/jobs/gameJob.ts');
const { createMatch, startMatch } = await load('match', 'actors/engine/match.ts');
const { SimulatedClock } = await load('clock', 'actors/engine/clock.ts');
const { tickVariants } = await load('ticks', TICKS);

const PLAYERS = 8;
/** Games before anything is measured: so many until all that is hot is compiled. */
const WARMING = 80;
const GAMES = 60;
const SEED = 1;
/** How often the first game is played again. */
const AGAIN = 5;

/** CPU milliseconds of this thread that something takes. */
async function cost(act: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await act();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const folder = mkdtempSync(join(tmpdir(), 'glassbox-bench-'));
const plan = { match: plainGame(PLAYERS), seed: SEED, games: WARMING + GAMES, folder };

async function play(game: number): Promise<void> {
  const outcome = await new GameJob(plan, game).outcome;
  if (outcome.type !== 'played') throw new Error(outcome.text);
}

async function playAll(from: number, count: number): Promise<void> {
  for (let game = from; game < from + count; game++) await play(game);
}

async function repeatFirst(times: number): Promise<void> {
  for (let time = 0; time < times; time++) await play(1);
}

const firstMs = await cost(() => play(1));
await playAll(2, WARMING - 1);
const scriptedMs = (await cost(() => playAll(WARMING + 1, GAMES))) / GAMES;
/** The first game again: one game may be twice as long as another. */
const againMs = (await cost(() => repeatFirst(AGAIN))) / AGAIN;
rmSync(folder, { recursive: true, force: true });

type Minds = Parameters<typeof startMatch>[0]['minds'];
type LightMind = Extract<NonNullable<Minds[keyof Minds]>, { readonly pace: 'at-once' }>;

/** A game whose minds say again what scripted minds have said: to ask one costs nothing. */
function recall(seed: number) {
  const creation = createMatch(plainGame(PLAYERS), seed);
  if (!creation.ok) throw new Error('a plain game was refused');
  const { ready } = creation;
  const said = new Map<string, ReturnType<LightMind['answer']>[]>();
  const minds = (make: (seat: string, mind: LightMind) => LightMind['answer']): Minds =>
    Object.fromEntries(
      Object.entries(ready.minds).map(([seat, mind]) => {
        if (mind.pace !== 'at-once') throw new Error('a scripted mind takes its time');
        return [seat, { pace: 'at-once', answer: make(seat, mind) }];
      }),
    );
  const run = async (those: Minds) =>
    await startMatch({ ...ready, minds: those, clock: new SimulatedClock(), recorder: null })
      .result;
  return {
    record: () =>
      run(
        minds((seat, mind) => (request) => {
          const answer = mind.answer(request);
          said.set(seat, [...(said.get(seat) ?? []), answer]);
          return answer;
        }),
      ),
    repeat: () => {
      const next = new Map<string, number>();
      return run(
        minds((seat) => () => {
          const at = next.get(seat) ?? 0;
          next.set(seat, at + 1);
          const answer = said.get(seat)?.[at];
          if (answer === undefined) throw new Error('the game goes another way');
          return answer;
        }),
      );
    },
    count: () => [...said.values()].reduce((sum, { length }) => sum + length, 0),
  };
}

const games = Array.from({ length: GAMES }, (_, index) => recall(gameSeed(SEED, index + 1)));
for (const { record, repeat } of games) {
  await record();
  await repeat();
}
const freeMs =
  (await cost(async () => {
    for (const { repeat } of games) await repeat();
  })) / GAMES;
const asked = games.reduce((sum, { count }) => sum + count(), 0) / GAMES;

const ticks: Record<string, number> = {};
for (const { name, run } of tickVariants()) {
  await run();
  let units = 0;
  const ms = await cost(async () => {
    for (let go = 0; go < 4; go++) units += await run();
  });
  ticks[name] = (1000 * ms) / units;
}

// At the end, since counting keeps the engine from compiling.
const called = await countCalls(async () => {
  for (const { repeat } of games) await repeat();
});
const calls = called.reduce((sum, one) => sum + one.calls, 0) / GAMES;

console.log(JSON.stringify({ firstMs, againMs, scriptedMs, freeMs, asked, ticks, calls }));
