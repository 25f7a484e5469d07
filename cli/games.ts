/** The games of a run on the command line: one that is shown, or many that are counted. */

import { createMatch, type ReadyGame } from '../actors/engine/match.ts';
import {
  gameSeed,
  type JobOutcome,
  journalName,
  type LostGame,
  type PlayedGame,
  type RunPlan,
  toPlayedGame,
} from '../actors/jobs/gameJob.ts';
import { playGames } from '../actors/jobs/run.ts';
import { createBeliefSettings } from '../actors/minds/believers.ts';
import { type HumanSeats, NOBODY } from '../actors/minds/human/seats.ts';
import type { ModelMinds } from '../actors/minds/kinds.ts';
import { findSeatProblems } from '../actors/minds/openai/seats.ts';
import { realProcess } from '../actors/ports/process.ts';
import { realTime } from '../actors/ports/time.ts';
import { forecastCost } from '../analysis/forecast.ts';
import { wilsonInterval } from '../analysis/statistics.ts';
import { isSlow } from '../machines/rules/mindKinds.ts';
import { FEWEST_SEATS, MOST_SEATS } from '../machines/rules/options.ts';
import type { GameMatch } from '../machines/setup/match.ts';
import { plainGame } from '../machines/setup/prepare.ts';
import { formatDuration, pluralize } from '../machines/text.ts';
import { COLOURS } from '../machines/types.ts';
import { clean } from '../visualizer/terminal/layout.ts';
import { describeForecast } from '../visualizer/terminal/statistics.ts';
import { formatShare } from '../visualizer/text.ts';
import { createFailure, EXIT, type ExitCode, Failure } from './exit.ts';
import {
  claimRunFolder,
  createJournal,
  createJournalIn,
  type JournalFile,
  namedRunFolder,
  newRunFolder,
  refuseFolder,
} from './files.ts';
import { drawSeed, type MatchFlags, refuseAbsentLens, SPEEDS } from './flags.ts';
import { openGame, refuseFile } from './input.ts';
import { type LivePage, openLivePage } from './live.ts';
import {
  createGameModels,
  describeCost,
  findBudgetProblems,
  notePriceAge,
  openPrices,
  overrideNamedSeats,
  printCost,
  type ShownModels,
} from './models.ts';
import {
  cleanLines,
  createProgressLine,
  isOutputClosed,
  print,
  printJson,
  printNote,
} from './output.ts';
import {
  chooseDeadlines,
  choosePlayLens,
  chooseRoundDeadlines,
  createHumanSeats,
  refuseCrowds,
  seatPeople,
} from './play.ts';
import { beatMs, createPrinter } from './printer.ts';
import { printSentences } from './sentences.ts';
import { printNextSteps, showMatch } from './showMatch.ts';
import { listenForStop } from './stop.ts';
import { commandLine } from './usage.ts';

export type RunFlags = MatchFlags & {
  /** Whether the game is printed even where there is no terminal. */
  readonly isAsked: boolean;
  readonly games: number;
  readonly players?: number;
  readonly impostors?: number;
  readonly config?: string;
  readonly jobs: number;
  /** Says what a game would ask of models, and sends no request. */
  readonly dryRun?: boolean;
};

/** Flags with a seed, drawn where none was given. */
type SeededRunFlags = RunFlags & { readonly seed: number };

/** The match of the product's own examples. */
const PLAYERS = 8;

/** The match that all games of a run begin in, as it is written, and the first game of it. */
async function prepareGame(
  flags: SeededRunFlags,
  speed: number,
  models: ModelMinds,
): Promise<{ readonly match: GameMatch; readonly first: ReadyGame; readonly company: HumanSeats }> {
  const match = overrideGame(await readGameMatch(flags), flags, speed);
  const { deadline_ms: table, round_deadline_ms: ship } = match.options;
  const company = createHumanSeats(match.seats, { table, ship }, flags);
  const creation = createMatch(match, flags.seed, company.minds(models));
  const lacks = [
    ...findSeatProblems(match.seats, realProcess.environment),
    ...(await findBudgetProblems(match.seats, flags)),
  ].filter(
    // Without requests no key is needed.
    ({ code }) => flags.dryRun !== true || code !== 'model/no-key',
  );
  const notes = creation.ok ? lacks : creation.refusals;
  if (creation.ok && notes.length === 0) return { match, first: creation.ready, company };
  if (flags.config !== undefined) throw refuseFile(flags.config, notes);
  throw new Failure(EXIT.configuration, notes);
}

async function readGameMatch({ config, players }: RunFlags): Promise<GameMatch> {
  if (config === undefined) {
    if (players === undefined) return plainGame(PLAYERS);
    if (players <= COLOURS.length) return plainGame(players);
    const text = `expected ${FEWEST_SEATS} to ${MOST_SEATS} seats, found ${players}`;
    throw createFailure(EXIT.configuration, 'match/seats', text);
  }
  if (players !== undefined) {
    const text = '--players: a match file says who plays, so leave out one of the two';
    throw createFailure(EXIT.usage, 'usage/players-and-config', text);
  }
  return openGame(config);
}

/** Flags win over the file. */
function overrideGame(match: GameMatch, flags: RunFlags, speed: number): GameMatch {
  const { impostors, rules, faultRate } = flags;
  const seats = seatPeople(overrideNamedSeats(match.seats, flags), flags);
  return {
    ...match,
    seats: [...seats],
    fault_rate: faultRate ?? match.fault_rate,
    options: {
      ...match.options,
      ...(impostors === undefined ? {} : { impostors }),
      ...(rules === undefined ? {} : { rules }),
      ...chooseDeadlines(seats, flags, match.options),
      ...chooseRoundDeadlines(seats, flags, match.options),
      beat_ms: beatMs(speed, match.options.beat_ms),
    },
  };
}

export type RunProgress = {
  /** Says how many games are over. */
  show(done: number): void;
  clear(): void;
};

/** Only for people: without a terminal nothing is shown. */
function createRunProgress(games: number): RunProgress {
  const line = createProgressLine();
  const started = realTime.now();
  return {
    show: (done) => {
      const seconds = (realTime.now() - started) / 1000;
      line.show(progressText(done, games, seconds));
    },
    clear: () => line.clear(),
  };
}

/** "37 of 200 games, 12.3 a second, 14 s left". */
function progressText(done: number, games: number, seconds: number): string {
  const rate = done / seconds;
  const left = `${formatDuration((games - done) / rate)} left`;
  return `${done} of ${games} games${done === 0 ? '' : `, ${rate.toFixed(1)} a second, ${left}`}`;
}

/** How the victory came about, in words. */
const REASONS: Readonly<Record<PlayedGame['reason'], string>> = {
  tasks: 'all tasks are done',
  vote: 'by a vote',
  kills: 'by a kill',
  sabotage: 'by a sabotage',
  disconnect: 'others have left',
  unfinished: 'the limit of rounds is reached',
  interrupted: 'interrupted',
};

/** What a run has come to so far. */
export type Tally = {
  played: number;
  /** Games that broke down. */
  readonly lost: LostGame[];
  readonly wins: { crew: number; impostors: number };
  /** How often each reason ended a game, as "crew tasks". */
  readonly reasons: Map<string, number>;
  rounds: number;
  leastRounds: number;
  mostRounds: number;
  meetings: number;
};

function newTally(): Tally {
  return {
    played: 0,
    lost: [],
    wins: { crew: 0, impostors: 0 },
    reasons: new Map(),
    rounds: 0,
    leastRounds: Number.POSITIVE_INFINITY,
    mostRounds: 0,
    meetings: 0,
  };
}

/** Adds a game to what the run has come to. */
function countOutcome(tally: Tally, outcome: JobOutcome): void {
  if (outcome.type === 'lost') {
    tally.lost.push(outcome);
    return;
  }
  const { winner, reason, rounds, meetings } = outcome;
  const how = winner === null ? reason : `${winner} ${reason}`;
  tally.played += 1;
  if (winner !== null) tally.wins[winner] += 1;
  tally.reasons.set(how, (tally.reasons.get(how) ?? 0) + 1);
  tally.rounds += rounds;
  tally.leastRounds = Math.min(tally.leastRounds, rounds);
  tally.mostRounds = Math.max(tally.mostRounds, rounds);
  tally.meetings += meetings;
}

/** Tells one game. */
function printGame(outcome: JobOutcome, { games, json = false }: SeededRunFlags): void {
  if (json) {
    const { type, ...rest } = outcome;
    printJson({ type: type === 'played' ? 'game.result' : 'game.lost', v: 1, ...rest });
    return;
  }
  const number = `game ${String(outcome.game).padStart(String(games).length)}`;
  const seed = `seed ${outcome.seed}`;
  if (outcome.type === 'lost') {
    print(`${number}  ${seed}  lost: ${clean(firstLine(outcome.text))}`);
    return;
  }
  const { rounds, meetings, journal } = outcome;
  const length = `${pluralize(rounds, 'round')}  ${pluralize(meetings, 'meeting')}`;
  printSentences(
    `${number}  ${seed}  ${length}  ${describeGameEnd(outcome)}  ${clean(journal ?? '')}`.trimEnd(),
  );
}

function describeGameEnd({ winner, reason, impostors }: PlayedGame): string {
  const who =
    winner === null ? 'no winner' : `${winner === 'crew' ? 'crew wins' : 'impostors win'}`;
  return `${who}: ${REASONS[reason]}  (${impostors.join(', ')})`;
}

/** Tells what a run has come to. */
function printRun(
  tally: Tally,
  { seed, games, json = false }: SeededRunFlags,
  folder: string | null,
): void {
  const { played, lost, wins, rounds, meetings, leastRounds, mostRounds } = tally;
  const reasons = Object.fromEntries([...tally.reasons].toSorted());
  if (json) {
    const mean = (sum: number) => (played === 0 ? null : sum / played);
    printJson({
      type: 'run.result',
      v: 1,
      seed,
      games,
      played,
      lost: lost.map(({ game }) => game),
      wins,
      reasons,
      mean_rounds: mean(rounds),
      mean_meetings: mean(meetings),
      journals: folder,
    });
    return;
  }
  const all =
    played === games ? pluralize(games, 'game') : `${played} of ${pluralize(games, 'game')}`;
  const decided = wins.crew + wins.impostors;
  print(
    `${all}, seed ${seed}: ${describeWins('crew', wins.crew, decided)}, ${describeWins('impostors', wins.impostors, decided)}`,
  );
  if (played === 0) return;
  print(
    `  ${Object.entries(reasons)
      .map(([how, times]) => `${how} ${times}`)
      .join(', ')}`,
  );
  print(
    `  ${(rounds / played).toFixed(1)} rounds (${leastRounds} to ${mostRounds}) and ${(meetings / played).toFixed(1)} meetings a game`,
  );
}

function describeWins(who: string, wins: number, games: number): string {
  const interval = wilsonInterval(wins, games);
  return `${who} ${wins}${interval === null ? '' : ` (${formatShare(interval)})`}`;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

/** Plays all games; returns the exit status. */
async function runManyGames(match: GameMatch, flags: SeededRunFlags): Promise<ExitCode> {
  const { games, seed, jobs, out, quiet = false, json = false } = flags;
  const folder =
    out === undefined ? newRunFolder(flags.folder, `run-${seed}`) : namedRunFolder(out, games);
  const plan: RunPlan = { match, seed, games, folder, beliefs: flags.beliefs ?? null };
  const isHeld = listenForStop({
    sink: null,
    isReal: true,
    words: 'The run ends after the games that are on',
  });
  const tally = newTally();
  const gauge = createRunProgress(games);
  gauge.show(0);
  const running = playGames(plan, {
    jobs,
    onOutcome: (outcome) => {
      countOutcome(tally, outcome);
      gauge.clear();
      if (!quiet && !isOutputClosed()) printGame(outcome, flags);
      gauge.show(tally.played + tally.lost.length);
      // A disk that takes no more will not take the next game either.
      if (outcome.type === 'lost' && outcome.why === 'cannot-write') running.stop();
    },
  });
  isHeld(running);
  await running.result;
  gauge.clear();
  const isWhole = tally.played + tally.lost.length === games;
  if (!isOutputClosed()) printRun(tally, flags, folder);
  if (!json && !quiet)
    printNote(`\nWhat they were like: ${cleanLines(commandLine('stats', folder))}`);
  if (tally.lost.length > 0) throw describeLostGames(tally.lost, folder);
  return isWhole || isOutputClosed() ? EXIT.done : EXIT.interrupted;
}

function describeLostGames(lost: readonly LostGame[], folder: string): Failure {
  const full = lost.find(({ why }) => why === 'cannot-write');
  if (full !== undefined) return refuseFolder(folder, full.text);
  const notes = lost.map(({ game, seed, text }) => ({
    code: 'run/game-lost',
    text: `game ${game} (seed ${seed}) is lost: ${text}`,
  }));
  return new Failure(EXIT.internal, notes);
}

/** Plays all games; the first that is interrupted or paused ends the run. */
async function runOneByOne(
  match: GameMatch,
  flags: SeededRunFlags,
  { host }: Pick<RunStage, 'host'>,
): Promise<ExitCode> {
  const tally = newTally();
  for (let game = 1; game <= flags.games; game++) {
    const seed = gameSeed(flags.seed, game);
    const thinking = await createGameModels(flags, seed);
    const creation = createMatch(match, seed, thinking.minds);
    if (!creation.ok) throw new Failure(EXIT.configuration, creation.refusals);
    const outcome = await runGame(
      creation.ready,
      { ...flags, seed },
      { isPrinted: false, thinking, game, host, company: NOBODY },
    );
    countOutcome(tally, outcome);
    if (isOutputClosed()) return EXIT.done;
    printGame(outcome, flags);
    if (!flags.json && !flags.quiet && thinking.spent.calls > 0)
      printNote(`  ${describeCost(thinking.spent)}`);
    if (outcome.reason === 'interrupted') return EXIT.interrupted;
  }
  printRun(tally, flags, null);
  return EXIT.done;
}

/** Plays what the flags ask for; returns the exit status. */
export async function runGames(flags: RunFlags): Promise<ExitCode> {
  const { games, seed = drawSeed() } = flags;
  const asked = { ...flags, seed };
  const isLive = isOnAir(flags);
  if (isLive && games > 1 && flags.jobs > 1) throw refuseJobsAndLive(flags.jobs);
  const thinking = await createGameModels(flags, seed);
  const { match, first, company } = await prepareGame(
    asked,
    chooseGameSpeed(flags),
    thinking.minds,
  );
  const people = company.seats;
  refuseCrowds(people, flags);
  refuseAbsentLens(
    flags.lens,
    match.seats.map(({ colour }) => colour),
  );
  await notePriceAge(match.seats, flags);
  if (flags.dryRun) return await printForecast(match, asked);
  const unlock = flags.out === undefined ? null : await claimRunFolder(flags.out, asked);
  try {
    if (games === 1 || isLive || match.seats.some(isSlow)) {
      return await runInTime({ match, first, thinking, company }, asked);
    }
    return await runManyGames(match, asked);
  } finally {
    unlock?.();
  }
}

type PreparedRun = Pick<RunStage, 'thinking' | 'company'> & {
  readonly match: GameMatch;
  readonly first: ReadyGame;
};

/** Plays one game after the other, each shown as it happens. */
async function runInTime(
  { match, first, thinking, company }: PreparedRun,
  flags: SeededRunFlags,
): Promise<ExitCode> {
  const { games, live } = flags;
  const lens = choosePlayLens(company.seats, flags, flags.lens);
  const host = await openLivePage({
    live,
    isUsual: isPrinted(flags),
    lens,
    name: match.name,
    company,
  });
  try {
    const exit =
      games > 1
        ? await runOneByOne(match, flags, { host })
        : await runOneGame(first, { ...flags, lens }, { thinking, host, company });
    if (!isOutputClosed()) await host?.waitForEnd(exit === EXIT.interrupted);
    return exit;
  } finally {
    await host?.close();
  }
}

/** One game is shown where a person reads. */
function isPrinted({ games, json, quiet, isAsked, terminal = false }: RunFlags): boolean {
  if (games > 1 || json === true) return false;
  return terminal || (quiet !== true && (process.stdout.isTTY === true || isAsked));
}

/** It is to be seen in the browser; a game that the terminal shows is there too, and is not played slower for it. */
function isOnAir({ live }: RunFlags): boolean {
  return live !== undefined && live !== false;
}

function chooseGameSpeed(flags: RunFlags): number {
  if (!isPrinted(flags) && !isOnAir(flags) && flags.play === undefined) return SPEEDS.max;
  const isWatched = process.stdout.isTTY === true || isOnAir(flags) || flags.play !== undefined;
  return flags.speed ?? (isWatched ? SPEEDS.normal : SPEEDS.max);
}

function refuseJobsAndLive(jobs: number) {
  const text = `--jobs ${jobs}: with --live games are played one after another, so that they can be watched; leave out one of the two`;
  return createFailure(EXIT.usage, 'usage/jobs-and-live', text);
}

type RunStage = {
  readonly thinking: ShownModels;
  readonly host: LivePage | null;
  readonly company: HumanSeats;
};

/** Plays one game and says where it is kept. */
async function runOneGame(
  crew: ReadyGame,
  asked: SeededRunFlags,
  stage: RunStage,
): Promise<ExitCode> {
  const { thinking } = stage;
  const outcome = await runGame(crew, asked, { isPrinted: isPrinted(asked), game: 1, ...stage });
  if (isOutputClosed()) return EXIT.done;
  printGame(outcome, asked);
  if (asked.json) {
    const tally = newTally();
    countOutcome(tally, outcome);
    printRun(tally, asked, null);
  } else if (!asked.quiet) {
    printCost(thinking);
    printNextSteps(outcome.journal ?? '');
  }
  return outcome.reason === 'interrupted' ? EXIT.interrupted : EXIT.done;
}

/** What a game would ask of models. */
async function printForecast(
  match: GameMatch,
  { seed, prices, json, beliefs }: SeededRunFlags,
): Promise<ExitCode> {
  const expected = await forecastCost(match, seed, await openPrices(prices), beliefs ?? null);
  if (json) printJson({ type: 'run.forecast', v: 1, seed, ...expected });
  else printSentences(describeForecast(expected));
  return EXIT.done;
}

type RunGameOptions = RunStage & {
  /** Whether its lines are printed as it happens, at the pace of its meetings. */
  readonly isPrinted: boolean;
  /** Its number among those of the run, from 1. */
  readonly game: number;
};

/** Plays a game, and keeps its journal. */
async function runGame(
  ready: ReadyGame,
  flags: SeededRunFlags,
  { isPrinted, game, ...stage }: RunGameOptions,
): Promise<PlayedGame> {
  const file = openGameJournal(flags, game);
  const score = await showMatch(ready, {
    ...stage,
    file,
    beliefs: createBeliefSettings(
      flags.beliefs ?? null,
      ready.match,
      flags.seed,
      stage.thinking.believers,
    ),
    lens: flags.lens,
    print: isPrinted ? createPrinter({ lens: flags.lens }) : null,
    stopNotice: 'The game ends after this round, or after this tick of a meeting',
  });
  return toPlayedGame(ready, score, { game, journal: file.path });
}

function openGameJournal({ out, folder, seed, games }: SeededRunFlags, game: number): JournalFile {
  if (out === undefined) return createJournalIn(folder, `game-${seed}`);
  return createJournal(`${namedRunFolder(out, games)}/${journalName(game, games)}`);
}
