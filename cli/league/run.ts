/** Running a league on the command line: in this process, or by workers on any number of machines. */
import manifest from '#manifest' with { type: 'json' };
import { createFailure, EXIT, type ExitCode, Failure } from '../../actors/files/failure.ts';
import { openLeague } from '../../actors/files/openFiles.ts';
import { conductLeague, type LeadDisplay } from '../../actors/league/conduct.ts';
import type { LostLeagueGame } from '../../actors/league/game.ts';
import { describeMissing, fetchJournals, journalFolder } from '../../actors/league/journals.ts';
import type { LeagueFile } from '../../actors/league/leagueFile.ts';
import {
  checkDurable,
  PLAYING,
  type StoreFlags,
  storeLocation,
  withStore,
} from '../../actors/league/leagueStore.ts';
import type { LeagueQueue } from '../../actors/league/localQueue.ts';
import { type Permit, permitOf } from '../../actors/league/permit.ts';
import {
  checkFirstGame,
  checkKeys,
  checkPlan,
  completePlan,
  type LeagueGame,
  type LeaguePlan,
  prepareGame,
  scheduleLeague,
  settleLeague,
} from '../../actors/league/plan.ts';
import { leagueBudget } from '../../actors/league/players.ts';
import type { LeagueRunOutcome } from '../../actors/league/runner.ts';
import { type StartedWorker, takeGames } from '../../actors/league/takeGames.ts';
import { findUnpriced } from '../../actors/minds/openai/seats.ts';
import type { Store } from '../../actors/stores/store.ts';
import { readStandings } from '../../analysis/league/report.ts';
import { counting } from '../../analysis/league/tally.ts';
import { pluralize } from '../../machines/text.ts';
import type { Note } from '../../machines/types.ts';
import { writeEngineVersion } from '../../machines/versions.ts';
import { clean } from '../../visualizer/terminal/layout.ts';
import { renderLeaderboard } from '../../visualizer/terminal/standings.ts';
import { renderForecasts } from '../../visualizer/terminal/statistics.ts';
import type { WaitFlags } from '../flags.ts';
import {
  forecastFor,
  notePriceAge,
  openLeagueModels,
  openPrices,
  readDeadlines,
} from '../models.ts';
import { cleanLines, isOutputClosed, print, printJson, printNote, textWidth } from '../output.ts';
import { createCountProgress, formatCost } from '../progress.ts';
import { abortOnStop, listenForStop } from '../stop.ts';
import { commandLine } from '../usage.ts';
import { expectSound, leagueArguments } from './show.ts';

export type LeagueRunFlags = StoreFlags & {
  readonly redis?: string;
  readonly jobs: number;
  readonly mirror?: boolean;
  readonly out?: string;
  readonly prices?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
} & WaitFlags;

/** Keys that are not set, and a budget in dollars for models without a price. Workers have keys and prices of their own. */
async function checkModels(
  plan: LeaguePlan,
  { redis, prices }: LeagueRunFlags,
): Promise<readonly Note[]> {
  if (redis !== undefined) return [];
  const { personas, budget } = plan.league;
  const { dollars } = budget;
  const unpriced =
    dollars === undefined
      ? []
      : findUnpriced(personas, await openPrices(prices), leagueBudget(dollars));
  return [...checkKeys(plan), ...unpriced];
}

/** Flags win over the file. Its limits go along with each game, to workers on other machines too. */
function overrideLeague(file: LeagueFile, { mirror, ...flags }: LeagueRunFlags): LeagueFile {
  const { tickMs, waitMs } = readDeadlines(flags);
  return {
    ...file,
    mirror: mirror ?? file.mirror,
    limits: {
      ...file.limits,
      ...(tickMs === undefined ? {} : { max_tick_ms: tickMs }),
      ...(waitMs === undefined ? {} : { wait_for_model_ms: waitMs }),
    },
  };
}

export async function runLeague(path: string, flags: LeagueRunFlags): Promise<ExitCode> {
  const file = await openLeague(path);
  const plan = completePlan(overrideLeague(file, flags), writeEngineVersion(manifest.version));
  const lacks = await checkModels(plan, flags);
  const refusals = [...checkPlan(plan), ...checkFirstGame(plan), ...lacks].filter(
    ({ code }) => flags.dryRun !== true || code !== 'model/no-key',
  );
  if (refusals.length > 0) throw new Failure(EXIT.configuration, refusals);
  await notePriceAge(plan.league.personas, flags);
  if (flags.dryRun === true) return await printForecast(plan, flags);
  const place = flags.redis === undefined ? flags : { ...flags, store: flags.redis };
  return await withStore(place, PLAYING, async (store) => {
    await checkDurable(store, flags);
    const conflict = await settleLeague(store, plan);
    if (conflict !== null) {
      // The name of a league in a file is like an argument: it means another league.
      const exit = conflict.code === 'league/other-plan' ? EXIT.usage : EXIT.configuration;
      throw createFailure(exit, conflict.code, conflict.text);
    }
    return await playOpenGames(plan, store, flags);
  });
}

const SAMPLE_GAMES = 4;

async function printForecast(plan: LeaguePlan, flags: LeagueRunFlags): Promise<ExitCode> {
  const { games, limits } = plan.league;
  const samples = scheduleLeague(plan)
    .slice(0, SAMPLE_GAMES)
    .map((fixture) => prepareGame(plan, fixture, {}));
  const terms = { ...limits, games, parallel: Math.min(flags.jobs, games) };
  const expected = await forecastFor(samples, flags.prices, terms);
  if (flags.json === true) printJson({ type: 'league.forecast', v: 1, games, ...expected });
  else print(renderForecasts(expected, pluralize(games, 'game'), textWidth()));
  return EXIT.done;
}

/** Plays the league when this run leads it; until then it waits, and helps where there is a queue. */
async function playOpenGames(
  plan: LeaguePlan,
  store: Store,
  flags: LeagueRunFlags,
): Promise<ExitCode> {
  const { league } = plan;
  const prices = await openPrices(flags.prices);
  const folder = flags.out ?? journalFolder(league.name);
  const unlock = flags.redis === undefined ? await lockFolderOf(league.name, folder) : () => {};
  using _unlocked = { [Symbol.dispose]: unlock };
  const words =
    'The league stops after the games that are being played; run it again to play the rest';
  const run = { plan, store, flags, folder, signal: abortOnStop(words, true) };
  const joined = waitForLead(run);
  await using _closed = { [Symbol.asyncDispose]: () => joined.close() };
  const outcome = await conductLeague({
    ...run,
    ownsFolder: flags.redis === undefined,
    openQueue: (onNote) => openQueue(run, onNote),
    onWait: (runner) => joined.join(runner),
    onLead: (there) => {
      joined.lead();
      return showLead(run, there);
    },
    count: (lines) => counting.tally(lines, prices),
    onMissing: (missing) => printNote(cleanLines(`${describeMissing(missing)}.`)),
  });
  return outcome === null ? EXIT.interrupted : await printOutcome(run, outcome);
}

type LeagueRun = {
  readonly plan: LeaguePlan;
  readonly store: Store;
  readonly flags: LeagueRunFlags;
  readonly folder: string;
  readonly signal: AbortSignal;
};

function showLead({ plan, flags }: LeagueRun, there: number): LeadDisplay {
  const isQuiet = flags.quiet === true || flags.json === true;
  const options = { before: there, tellsTenths: true, isQuiet };
  const line = createCountProgress('games', plan.league.games, options);
  let [done, lost, microdollars] = [there, 0, 0];
  return {
    onOutcome: (outcome) => {
      if (outcome.type === 'played') {
        done += 1;
        for (const { tally } of outcome.result.seats) microdollars += tally['microdollars'] ?? 0;
      } else {
        lost += 1;
        line.clear();
        const [text = ''] = `game ${outcome.slot + 1}: ${outcome.text}`.split('\n');
        if (!isQuiet) printNote(`Not played: ${text}`);
      }
      line.show(done, `${formatCost(microdollars)}${lost === 0 ? '' : `, ${lost} not played`}`);
    },
    onNote: (text) => {
      line.clear();
      printNote(cleanLines(text));
    },
    onPlayed: () => line.clear(),
  };
}

async function printOutcome(
  { plan, store, flags, folder, signal }: LeagueRun,
  { open, lost }: LeagueRunOutcome,
): Promise<ExitCode> {
  const { quiet = false, json = false } = flags;
  const place = flags.redis ?? flags.store;
  const { standings, damages } = await readStandings(store, plan);
  if (!isOutputClosed()) {
    if (json) printJson({ type: 'league.standings', v: 1, ...standings, journals: folder });
    else print(renderLeaderboard(standings, textWidth()));
  }
  if (!json && !quiet) {
    const { name } = plan.league;
    const words = commandLine('league', 'show', ...leagueArguments(name, place), '--stats');
    printNote(`\nHow they play:  ${cleanLines(words)}`);
    printNote(`The games:      ${cleanLines(commandLine('report', folder, '--stats'))}`);
  }
  expectSound(plan, damages, { done: 'they are left out above', store: place });
  if (open === 0) return EXIT.done;
  if (signal.aborted) return EXIT.interrupted;
  throw lostFailure(lost, open);
}

function lostFailure(lost: readonly LostLeagueGame[], open: number): Failure {
  if (lost.length === 0) {
    const games = open === 1 ? '1 game was played and has' : `${open} games were played and have`;
    const text = `${games} no result: the store lost acknowledged results. Repair it, then run the league again`;
    return createFailure(EXIT.unreachable, 'league/forgotten', text);
  }
  const types = lost.map(({ type }) => type);
  const notes = lost.map(({ slot, type, text }) => {
    const again = `game ${slot + 1}: ${text}; run the league again to continue`;
    return type === 'broken'
      ? { code: 'league/game-lost', text: `game ${slot + 1} cannot be played: ${text}` }
      : { code: 'league/paused', text: again };
  });
  const paused = types.includes('aborted') ? EXIT.unreachable : EXIT.found;
  return new Failure(types.includes('unusable') ? EXIT.unusable : paused, notes);
}

async function openQueue(run: LeagueRun, say: (text: string) => void): Promise<LeagueQueue> {
  const { plan, store, flags, folder } = run;
  const { redis, jobs, prices, store: place } = flags;
  if (redis !== undefined) return await openRemoteQueue(run, redis);
  const { openLocalQueue } = await import('../../actors/league/localQueue.ts');
  const resources = await openLeagueModels(store, storeLocation(place), { prices, say });
  try {
    return openLocalQueue(plan, { store, jobs, folder, resources });
  } catch (error) {
    resources.close();
    throw error;
  }
}

async function lockFolderOf(league: string, folder: string): Promise<() => void> {
  const { lockFolder } = await import('../../actors/league/localQueue.ts');
  const unlock = lockFolder(folder);
  if (unlock !== null) return unlock;
  const text = `the league ${JSON.stringify(league)} is being played already, with journals in ${folder}: wait until that run is over, or stop it`;
  throw createFailure(EXIT.cannotWrite, 'league/running', text);
}

async function openRemoteQueue(
  { plan, store, folder }: LeagueRun,
  url: string,
): Promise<LeagueQueue> {
  const { RedisGameQueue } = await import('../../actors/league/queue.ts');
  const { createRemoteQueue } = await import('../../actors/league/remoteQueue.ts');
  const { name: league, games } = plan.league;
  const jobs = new RedisGameQueue(url, plan.engine);
  if ((await jobs.workers())?.length === 0) {
    const words = commandLine('league', 'worker', '--redis', 'URL');
    printNote(cleanLines(`No worker is there yet. Start some, here or elsewhere: ${words}`));
  }
  const fetch = (slots: readonly number[]) =>
    fetchJournals(store, { league, games, folder }, slots);
  return createRemoteQueue({ league, store, jobs, fetch });
}

function waitForLead({ plan, store, flags }: LeagueRun) {
  const { redis, jobs, prices } = flags;
  const name = JSON.stringify(plan.league.name);
  let worker: StartedWorker | null = null;
  let [played, isWaiting] = [0, false];
  const say = (text: string) => {
    if (flags.quiet !== true) printNote(cleanLines(text));
  };
  return {
    join: async (leader: string): Promise<void> => {
      const isThere = `${leader} plays the league ${name} already`;
      const later = 'goes on with the league if that run ends';
      isWaiting = true;
      // Without keys every game that it takes would break down.
      const lack = redis === undefined ? undefined : checkKeys(plan)[0];
      if (redis === undefined || lack !== undefined) {
        const why = lack === undefined ? '' : ` It plays no games: ${lack.text}`;
        say(`${isThere}: this run waits, and ${later}.${why}`);
        return;
      }
      say(`${isThere}: this run joins it as a worker, and ${later}.`);
      worker ??= await startWorker(store, {
        redis,
        concurrency: jobs,
        prices,
        permit: permitOf(plan.league.personas),
        say: () => {},
        onRecorded: () => {
          played += 1;
        },
      });
    },
    /** This run leads now. Its worker plays on: it may be the only one. */
    lead: (): void => {
      if (isWaiting) say(`This run leads the league ${name} now.`);
      isWaiting = false;
    },
    close: async (): Promise<void> => {
      await worker?.close();
      if (worker !== null) say(`As a worker this run has played ${pluralize(played, 'game')}.`);
      else if (isWaiting) say('This run ends, and has played no games.');
    },
  };
}

export type WorkerFlags = {
  readonly redis: string;
  readonly concurrency: number;
  readonly prices?: string;
  readonly wait?: number;
  readonly quiet?: boolean;
  readonly runMinds?: Permit['minds'];
  readonly allowHost?: Permit['hosts'];
};

export async function runWorker(flags: WorkerFlags): Promise<ExitCode> {
  const { redis, concurrency, quiet = false } = flags;
  const { showRedisAddress } = await import('../../actors/stores/redis.ts');
  const address = showRedisAddress(redis);
  const say = (text: string) => {
    if (!quiet) printNote(cleanLines(text));
  };
  return await withStore({ ...flags, store: redis }, PLAYING, async (store) => {
    const words = 'The worker stops after the games that it is playing';
    const isHeld = listenForStop({ sink: null, isReal: true, words });
    const { runMinds: minds = [], allowHost: hosts = [] } = flags;
    const worker = await startWorker(store, { ...flags, permit: { minds, hosts }, say });
    say(`Taking games from Redis at ${address}, ${concurrency} at once. Ctrl-C ends it.`);
    await new Promise<void>((resolve) => isHeld({ stop: resolve }));
    await worker.close();
    return EXIT.done;
  });
}

type StartOptions = Pick<WorkerFlags, 'redis' | 'concurrency'> & {
  readonly prices?: string | undefined;
  readonly permit: Permit;
  readonly say: (text: string) => void;
  readonly onRecorded?: () => void;
};

async function startWorker(
  store: Store,
  { redis, concurrency, prices, permit, say, onRecorded = () => {} }: StartOptions,
): Promise<StartedWorker> {
  const nameOf = (game: LeagueGame) => `${clean(game.league)}, game ${game.slot + 1}`;
  const engine = writeEngineVersion(manifest.version);
  const { RedisGameWorker } = await import('../../actors/league/queue.ts');
  return await takeGames(store, {
    concurrency,
    resources: await openLeagueModels(store, redis, { prices, permit, say }),
    openTaker: (play) => new RedisGameWorker(redis, engine, concurrency, play),
    onHandIn: (game, outcome) => {
      if (outcome === 'recorded') onRecorded();
      say(outcome === 'recorded' ? nameOf(game) : `${nameOf(game)}: another worker was quicker`);
    },
    onFailure: (game, error) =>
      say(
        `${game === null ? 'the queue' : nameOf(game)}: ${error instanceof Error ? error.message : String(error)}`,
      ),
    onRefused: (text) => say(`The queue hands out no games: ${text}`),
  });
}
