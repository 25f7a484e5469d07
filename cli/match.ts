/** Matches that begin on the command line: one that is shown, or many games that are counted. */
import { fileURLToPath } from 'node:url';
import {
  createMatch,
  type MeetingResult,
  type ReadyGame,
  type ReadyMeeting,
} from '../actors/engine/match.ts';
import { takesRealTime } from '../actors/engine/play.ts';
import { createFailure, EXIT, type ExitCode, Failure } from '../actors/files/failure.ts';
import { refuseFolder } from '../actors/files/newFiles.ts';
import { isThere, openMatch, refuseFile } from '../actors/files/openFiles.ts';
import {
  gameSeed,
  type LostGame,
  type PlayedGame,
  type RunPlan,
  toPlayedGame,
} from '../actors/jobs/gameJob.ts';
import { playGames } from '../actors/jobs/run.ts';
import { createBeliefSettings } from '../actors/minds/believers.ts';
import { type HumanSeats, NOBODY } from '../actors/minds/human/seats.ts';
import type { Lens } from '../machines/journal/lens.ts';
import { isSlow } from '../machines/rules/mindKinds.ts';
import { FEWEST_SEATS, MOST_SEATS } from '../machines/rules/optionRows.ts';
import type { GameMatch } from '../machines/setup/match.ts';
import { plainGame } from '../machines/setup/prepare.ts';
import { capitalize, pluralize } from '../machines/text.ts';
import { type BeliefTimes, COLOURS, type RuleSet } from '../machines/types.ts';
import { clean } from '../visualizer/terminal/layout.ts';
import { renderForecasts } from '../visualizer/terminal/statistics.ts';
import {
  drawSeed,
  type From,
  type LiveFlag,
  type ModelFlags,
  refuseAbsentLens,
  SPEEDS,
} from './flags.ts';
import { type LivePage, openLivePage } from './live.ts';
import { type AnyMatch, claimOut, isMeeting, openMatchJournal, openRunFolder } from './matchOut.ts';
import {
  createGameModels,
  findModelProblems,
  forecastFor,
  limitOf,
  notePriceAge,
  overrideNamedSeats,
  printCost,
  rememberEndpoints,
  type ShownModels,
  warnOfLength,
} from './models.ts';
import {
  cleanLines,
  isOutputClosed,
  isTerminal,
  print,
  printJson,
  printNote,
  textWidth,
} from './output.ts';
import {
  chooseDeadlines,
  choosePlayLens,
  createHumanSeats,
  type PlayFlags,
  refuseCrowds,
  seatPeople,
} from './people.ts';
import { beatMs, createPrinter } from './printer.ts';
import { createCountProgress } from './progress.ts';
import { countOutcome, newTally, printGame, printRun } from './results.ts';
import { isInterrupted, printNextSteps, showMatch } from './showMatch.ts';
import { listenForStop } from './stop.ts';
import { commandLine } from './usage.ts';

export type MatchFlags = ModelFlags &
  PlayFlags & {
    /** Whether the match is printed also where there is no terminal. */
    readonly isAsked: boolean;
    readonly games: number;
    readonly jobs: number;
    readonly players?: number;
    readonly impostors?: number;
    readonly seed?: number;
    readonly rules?: RuleSet;
    readonly voteAfter?: number;
    readonly maxTicks?: number;
    readonly faultRate?: number;
    /** When players state their beliefs. Undefined: never. */
    readonly beliefs?: BeliefTimes;
    readonly out?: string;
    /** Undefined: the terminal shows the table with the winners' scores, and the page everything. */
    readonly lens?: Lens;
    readonly speed?: number;
    /** Where the shown match begins. Undefined: at the first meeting of an offline game that people watch. */
    readonly from?: From;
    readonly json?: boolean;
    readonly quiet?: boolean;
    /** Undefined: a page is served for a match that a terminal shows. */
    readonly live?: LiveFlag;
    readonly dryRun?: boolean;
  };

type SeededFlags = MatchFlags & { readonly seed: number };

/** Players of a game without a file. */
const PLAYERS = 8;
const GLASS: Lens = { type: 'glass' };
const EXAMPLES: Readonly<Record<string, string>> = { electrical: '../examples/electrical.yaml' };

export async function runMatches(path: string | undefined, flags: MatchFlags): Promise<ExitCode> {
  const asked: SeededFlags = { ...flags, seed: flags.seed ?? drawSeed() };
  const { games, seed, lens = GLASS } = asked;
  if (isOnAir(flags) && games > 1 && flags.jobs > 1) {
    const text = `--jobs ${flags.jobs}: with --live games are played one after another, so that they can be watched; leave out one of the two`;
    throw createFailure(EXIT.usage, 'usage/jobs-and-live', text);
  }
  const match = overrideMatch(await readMatch(path, flags), asked);
  if (isMeeting(match)) refuseGameFlags(flags);
  const thinking = await createGameModels(flags, seed);
  const { deadline_ms: table } = match.options;
  const ship = isMeeting(match) ? undefined : match.options.round_deadline_ms;
  const company = createHumanSeats(match.seats, { table, ship }, flags);
  const creation = createMatch(match, seed, company.minds(thinking.minds));
  const notes = creation.ok ? await findModelProblems(match.seats, flags) : creation.refusals;
  if (!creation.ok || notes.length > 0)
    throw path === undefined ? new Failure(EXIT.configuration, notes) : refuseFile(path, notes);
  refuseCrowds(company.seats, flags);
  const seated = match.seats.map(({ colour }) => colour);
  refuseAbsentLens(lens, seated);
  await notePriceAge(match.seats, flags);
  if (flags.dryRun) return await printForecast(match, asked);
  rememberEndpoints(match.seats);
  using _unlocked = { [Symbol.dispose]: await claimOut(asked) };
  const { ready } = creation;
  if (games === 1) return await runOne(ready, asked, { thinking, company });
  if (isMeeting(match)) throw new Error('a meeting is played once');
  if (isOnAir(flags) || match.seats.some(isSlow)) return await runOneByOne(match, asked);
  return await runManyGames(match, asked);
}

async function readMatch(path: string | undefined, { players }: MatchFlags): Promise<AnyMatch> {
  if (path !== undefined) {
    if (players !== undefined) {
      const text = '--players: a match file says who plays, so leave out one of the two';
      throw createFailure(EXIT.usage, 'usage/players-and-match', text);
    }
    const example = isThere(path) ? undefined : EXAMPLES[path];
    const place = example === undefined ? path : fileURLToPath(new URL(example, import.meta.url));
    return await openMatch(place);
  }
  if (players === undefined || players <= COLOURS.length) return plainGame(players ?? PLAYERS);
  const text = `expected ${FEWEST_SEATS} to ${MOST_SEATS} seats, found ${players}`;
  throw createFailure(EXIT.configuration, 'match/seats', text);
}

function refuseGameFlags({ games, impostors }: MatchFlags): void {
  const flag = games > 1 ? '-n' : impostors !== undefined ? '--impostors' : null;
  if (flag === null) return;
  const text = `${flag}: expected a whole game, found a match file with "call", which is one meeting; leave ${flag} out`;
  throw createFailure(EXIT.usage, 'usage/one-meeting', text);
}

function overrideMatch(match: AnyMatch, flags: SeededFlags): AnyMatch {
  const { impostors, rules, faultRate, voteAfter, maxTicks } = flags;
  const shared = {
    ...(rules === undefined ? {} : { rules }),
    ...(voteAfter === undefined ? {} : { vote_after: voteAfter }),
    ...(maxTicks === undefined ? {} : { max_ticks: maxTicks }),
    beat_ms: beatMs(chooseSpeed(match, flags), match.options.beat_ms),
  };
  const fault_rate = faultRate ?? match.fault_rate;
  const override = <S extends AnyMatch['seats'][number], O extends AnyMatch['options']>(
    given: { readonly seats: readonly S[]; readonly options: O },
    isGame: boolean,
  ) => {
    const seats = [...seatPeople(overrideNamedSeats(given.seats, flags), flags)];
    const deadlines = chooseDeadlines(seats, flags, given.options, isGame);
    return { seats, fault_rate, options: { ...given.options, ...shared, ...deadlines } };
  };
  if (isMeeting(match)) return { ...match, ...override(match, false) };
  const { options, ...game } = override(match, true);
  const sides = impostors === undefined ? {} : { impostors };
  return { ...match, ...game, options: { ...options, ...sides } };
}

/** Whether the lines of a single match are printed. Those of a meeting are its result, too. */
function isPrinted(match: AnyMatch, flags: MatchFlags): boolean {
  const { games, json, quiet = false, isAsked, terminal = false } = flags;
  if (games > 1) return false;
  if (isMeeting(match)) return !quiet;
  if (json === true) return false;
  return terminal || (!quiet && (isTerminal() || isAsked));
}

/** Whether a page was asked for. A page that a terminal only offers slows nothing down. */
function isOnAir({ live }: MatchFlags): boolean {
  return live !== undefined && live !== false;
}

/** People get time to read, and programs do not wait. */
function chooseSpeed(match: AnyMatch, flags: MatchFlags): number {
  const { json, play, games, speed } = flags;
  if (games === 1 && speed !== undefined) return speed;
  const isSeen = isOnAir(flags) || play !== undefined;
  if (!isPrinted(match, flags) && !isSeen) return SPEEDS.max;
  const isWatched = isSeen || (isTerminal() && json !== true);
  return speed ?? (isWatched ? SPEEDS.normal : SPEEDS.max);
}

type Thinkers = { readonly thinking: ShownModels; readonly company: HumanSeats };
type MatchStage = Thinkers & {
  readonly host: LivePage | null;
  /** The number of the game in the run, from 1. */
  readonly game: number;
  /** Whether its lines are printed as it happens, at the pace of its meetings. */
  readonly isShown: boolean;
  readonly lens: Lens;
};

async function runOne(
  ready: ReadyMeeting | ReadyGame,
  flags: SeededFlags,
  { thinking, company }: Thinkers,
): Promise<ExitCode> {
  const { match } = ready;
  const lens = choosePlayLens(company.seats, flags, flags.lens ?? GLASS);
  const isShown = isPrinted(match, flags);
  await using host = await openLivePage({
    live: flags.live,
    isUsual: isShown && (isTerminal() || !isMeeting(match)),
    lens,
    name: match.name,
    company,
  });
  const stage = { thinking, company, host, game: 1, isShown, lens };
  const { isStopped, isVoid, journal } = await playOne(ready, flags, stage);
  if (isOutputClosed()) return EXIT.done;
  if (flags.json !== true && flags.quiet !== true) {
    await printCost(thinking, journal);
    printNextSteps(journal, !isStopped);
  }
  await host?.waitForEnd(isStopped);
  if (isVoid) throw createFailure(EXIT.unusable, 'match/no-answers', NO_ANSWERS);
  return isStopped ? EXIT.interrupted : EXIT.done;
}

const NO_ANSWERS = 'the match has no result: the players of a side gave no usable answers';

async function playOne(ready: ReadyMeeting | ReadyGame, flags: SeededFlags, stage: MatchStage) {
  if ('setting' in ready) {
    const showing = prepareShow(ready, flags, stage);
    const { path } = showing.file;
    const result = await showMatch(ready, showing);
    if (!isOutputClosed()) printMeeting({ ...result, ...limitOf(stage.thinking) }, path, flags);
    return { isStopped: isInterrupted(result), isVoid: result.outcome === 'empty', journal: path };
  }
  const outcome = await playGame(ready, flags, stage);
  if (!isOutputClosed()) {
    printGame({ ...outcome, ...limitOf(stage.thinking) }, flags);
    if (flags.json === true) {
      const tally = newTally();
      countOutcome(tally, outcome);
      printRun(tally, flags, null);
    }
  }
  const isVoid = outcome.reason === 'faults';
  return { isStopped: isInterrupted(outcome), isVoid, journal: outcome.journal ?? '' };
}

async function playGame(
  ready: ReadyGame,
  flags: SeededFlags,
  stage: MatchStage,
): Promise<PlayedGame> {
  const showing = prepareShow(ready, flags, stage);
  const score = await showMatch(ready, showing);
  return toPlayedGame(ready, score, { game: stage.game, journal: showing.file.path });
}

function prepareShow(
  ready: ReadyMeeting | ReadyGame,
  flags: SeededFlags,
  { isShown, game, lens, ...stage }: MatchStage,
) {
  const { match } = ready;
  const { seed, beliefs = null } = flags;
  const { thinking, company } = stage;
  warnOfLength(thinking, { match, seed }, flags.beliefs);
  const isTold = flags.lens === undefined && flags.json !== true && company.seats.length === 0;
  const view: Lens = isTold ? { type: 'table' } : lens;
  // Nobody waits for models or people in front of an empty screen.
  const isOffline = company.seats.length === 0 && !match.seats.some(isSlow);
  const from = flags.from ?? (takesRealTime(ready) ? 'meeting' : 'start');
  const skipsToCall = isOffline && from === 'meeting';
  return {
    ...stage,
    skipsToCall,
    file: openMatchJournal(match, flags, game),
    beliefs: createBeliefSettings(beliefs, match, seed, thinking.believers),
    lens: view,
    print: isShown
      ? createPrinter({ lens: view, json: flags.json === true, hasWinners: isTold, skipsToCall })
      : null,
  };
}

function printMeeting(
  result: MeetingResult,
  journal: string,
  { seed, json = false }: SeededFlags,
): void {
  const who = result.ejected === null ? '' : ` ${capitalize(result.ejected)}`;
  const ticks = pluralize(result.ticks, 'tick');
  if (json) printJson({ type: 'meeting.result', v: 1, ...result, seed, journal });
  else print(clean(`${result.outcome}${who} after ${ticks}, seed ${seed}: ${journal}`));
}

async function printForecast(
  match: AnyMatch,
  { seed, prices, json, beliefs: times, concurrency }: SeededFlags,
): Promise<ExitCode> {
  const expected = await forecastFor([{ match, seed }], prices, { concurrency, times });
  const what = `a ${isMeeting(match) ? 'meeting' : 'game'} like this`;
  if (json) printJson({ type: 'run.forecast', v: 1, seed, ...expected });
  else print(renderForecasts(expected, what, textWidth()));
  return EXIT.done;
}

async function runManyGames(match: GameMatch, flags: SeededFlags): Promise<ExitCode> {
  const { games, seed, jobs, quiet = false, json = false } = flags;
  const folder = openRunFolder(flags);
  const plan: RunPlan = { match, seed, games, folder, beliefs: flags.beliefs ?? null };
  const words = 'The run ends after the games that are on';
  const isHeld = listenForStop({ sink: null, isReal: true, words });
  const tally = newTally();
  const progress = createCountProgress('games', games);
  progress.show(0);
  const running = playGames(plan, {
    jobs,
    onOutcome: (outcome) => {
      countOutcome(tally, outcome);
      progress.clear();
      if (!quiet && !isOutputClosed()) printGame(outcome, flags);
      progress.show(tally.played + tally.lost.length);
      // A disk that takes no more will not take the next game either.
      if (outcome.type === 'lost' && outcome.why === 'cannot-write') running.stop();
    },
  });
  isHeld(running);
  await running.result;
  progress.clear();
  const isWhole = tally.played + tally.lost.length === games;
  if (!isOutputClosed()) printRun(tally, flags, folder);
  if (!json && !quiet)
    printNote(`\nA report of them: ${cleanLines(commandLine('report', folder, '-o', 'report'))}`);
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

async function runOneByOne(match: GameMatch, flags: SeededFlags): Promise<ExitCode> {
  const { games, quiet = false, json = false, lens = GLASS } = flags;
  const { name } = match;
  await using host = await openLivePage({ live: flags.live, lens, name });
  const exit = await playEach();
  if (!isOutputClosed()) await host?.waitForEnd(exit === EXIT.interrupted);
  return exit;

  async function playEach(): Promise<ExitCode> {
    const tally = newTally();
    for (let game = 1; game <= games; game++) {
      const seed = gameSeed(flags.seed, game);
      const thinking = await createGameModels(flags, seed);
      const creation = createMatch(match, seed, thinking.minds);
      if (!creation.ok) throw new Failure(EXIT.configuration, creation.refusals);
      const stage = { thinking, company: NOBODY, host, game, isShown: false, lens };
      const outcome = await playGame(creation.ready, { ...flags, seed }, stage);
      countOutcome(tally, outcome);
      if (isOutputClosed()) return EXIT.done;
      printGame({ ...outcome, ...limitOf(thinking) }, flags);
      if (!json && !quiet) await printCost(thinking, outcome.journal);
      if (isInterrupted(outcome)) return EXIT.interrupted;
    }
    printRun(tally, flags, null);
    return EXIT.done;
  }
}
