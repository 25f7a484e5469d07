/** A match on the command line, a meeting or a single game: prepared, printed as it happens, kept in a journal, reported. */

import { setTimeout as wait } from 'node:timers/promises';
import { realClock, SimulatedClock } from '../actors/engine/clock.ts';
import { Recorder } from '../actors/engine/journal/recorder.ts';
import type { FileSink } from '../actors/engine/journal/sink.ts';
import {
  createMatch,
  type GameFinish,
  type MeetingResult,
  type ReadyGame,
  type ReadyMeeting,
  startMatch,
} from '../actors/engine/match.ts';
import { journalName, type PlayedGame } from '../actors/jobs/gameJob.ts';
import { type HumanSeats, NOBODY } from '../actors/minds/human/seats.ts';
import { findSeatProblems } from '../actors/minds/openai/seats.ts';
import type { Mind } from '../actors/minds/port.ts';
import { delayActions } from '../actors/minds/wrap.ts';
import type { Lens } from '../machines/journal/lens.ts';
import type { MeetingMatch } from '../machines/setup/match.ts';
import { type BySeat, COLOURS, type Colour, type RuleSet } from '../machines/types.ts';
import { clean } from '../visualizer/terminal/clean.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { createGameModels, type MatchModels, pausedFailure, printCost } from './gameModels.ts';
import { openScenario, refusedScenario } from './input.ts';
import { abandoned, createJournal, createJournalIn, type JournalFile } from './journalFile.ts';
import { type LiveFlag, type LivePage, openLivePage, showLive } from './live.ts';
import type { ModelFlags } from './modelFlags.ts';
import { findBudgetProblems, applyModelFlags as overriddenSeats } from './modelSeats.ts';
import { commandLine, drawSeed, refuseAbsentLens } from './options.ts';
import { isOutputClosed, print, printJson, printNote } from './output.ts';
import {
  chooseDeadlines,
  choosePlayLens,
  createHumanSeats,
  refuseCrowds,
  seatPeople,
} from './play.ts';
import type { PlayFlags } from './playFlags.ts';
import { beatMs, createPrinter, SPEEDS } from './printer.ts';
import type { SeededRunFlags } from './runFlags.ts';
import { namedRunFolder } from './runFolder.ts';
import { listenForStop } from './stop.ts';

export type MeetOptions = ModelFlags &
  PlayFlags & {
    /** Where the journal goes without `out`. */
    readonly folder: string;
    readonly seed?: number;
    readonly rules?: RuleSet;
    readonly lens: Lens;
    readonly faultRate?: number;
    readonly voteAfter?: number;
    readonly maxTicks?: number;
    readonly out?: string;
    readonly speed?: number;
    readonly json?: boolean;
    readonly quiet?: boolean;
    /** Shown in the browser as it happens. */
    readonly live?: LiveFlag;
  };

/** Holds the meeting of a scenario file; returns the exit status. */
export async function runMeeting(path: string, options: MeetOptions): Promise<ExitCode> {
  const seed = options.seed ?? drawSeed();
  const scenario = overrideMatch(await openScenario(path), options);
  const thinking = createGameModels(options, seed);
  const company = createHumanSeats(
    scenario.seats,
    { table: scenario.options.deadline_ms },
    options,
  );
  refuseCrowds(company.seats, options);
  const creation = createMatch(scenario, seed, company.minds(thinking.minds));
  if (!creation.ok) throw refusedScenario(path, creation.refusals);
  const lacks = [
    ...findSeatProblems(scenario.seats, process.env),
    ...findBudgetProblems(scenario.seats, options),
  ];
  if (lacks.length > 0) throw refusedScenario(path, lacks);
  refuseAbsentLens(
    options.lens,
    scenario.seats.map(({ colour }) => colour),
  );
  const lens = choosePlayLens(company.seats, options, options.lens);
  const host = await openLivePage({ live: options.live, lens, name: scenario.name, company });
  const file = openMeetingJournal(scenario, { ...options, seed });
  try {
    const asked = { ...options, seed, lens };
    return await holdMeeting(creation.ready, file, asked, { thinking, host, company });
  } finally {
    await host?.close();
  }
}

type SeededMeetOptions = MeetOptions & { readonly seed: number };
type MeetingStage = {
  readonly thinking: MatchModels;
  readonly host: LivePage | null;
  readonly company: HumanSeats;
};

function openMeetingJournal(
  { name }: MeetingMatch,
  { out, folder, seed }: SeededMeetOptions,
): JournalFile {
  return out === undefined ? createJournalIn(folder, `${slug(name)}-${seed}`) : createJournal(out);
}

/** Holds it and reports what came of it. */
async function holdMeeting(
  cast: ReadyMeeting,
  file: JournalFile,
  options: SeededMeetOptions,
  stage: MeetingStage,
): Promise<ExitCode> {
  const { thinking, host, company } = stage;
  const minds = host === null ? cast.minds : host.startGame(file.path, cast.minds);
  if (host !== null) thinking.onFailure = (seat, code) => host.reportFailure(seat, code);
  const show = showLive(options.quiet ? null : createPrinter(options), host);
  const stopNotice = 'The meeting ends after this tick';
  const { sink } = file;
  const ready = { ...cast, minds };
  const result = await playMatch(ready, { sink, show, thinking, company, stopNotice });
  if (file.sink.failure !== null) throw abandoned(file);
  if (thinking.paused !== null) throw pausedFailure(thinking.paused, file.path);
  if (isOutputClosed()) return EXIT.done;
  reportMeeting(result, file, options);
  if (!options.json && !options.quiet) printCost(thinking);
  const isInterrupted = result.outcome === 'interrupted';
  await host?.waitForEnd(isInterrupted);
  return isInterrupted ? EXIT.interrupted : EXIT.done;
}

/** Flags win over the file. */
function overrideMatch(scenario: MeetingMatch, options: MeetOptions): MeetingMatch {
  const { rules, voteAfter, maxTicks, faultRate } = options;
  const seats = seatPeople(overriddenSeats(scenario.seats, options), options);
  return {
    ...scenario,
    seats: [...seats],
    fault_rate: faultRate ?? scenario.fault_rate,
    options: {
      ...scenario.options,
      ...(rules === undefined ? {} : { rules }),
      ...(voteAfter === undefined ? {} : { vote_after: voteAfter }),
      ...(maxTicks === undefined ? {} : { max_ticks: maxTicks }),
      ...chooseDeadlines(seats, options, scenario.options),
      beat_ms: beatMs(speedOf(options), scenario.options.beat_ms),
    },
  };
}

/** Without a choice people get time to read, and programs do not wait. */
function speedOf({ speed, live, play, json = false, quiet = false }: MeetOptions): number {
  const isSeen = live !== undefined || play !== undefined;
  const isWatched = isSeen || (process.stdout.isTTY === true && !json && !quiet);
  return speed ?? (isWatched ? SPEEDS.normal : SPEEDS.max);
}

function reportMeeting(
  result: MeetingResult,
  { path }: JournalFile,
  { seed, json, quiet }: SeededMeetOptions,
): void {
  if (json) {
    printJson({ type: 'meeting.result', v: 1, ...result, seed, journal: path });
    return;
  }
  const who = result.ejected === null ? '' : ` ${result.ejected}`;
  const ticks = result.ticks === 1 ? '1 tick' : `${result.ticks} ticks`;
  print(clean(`${result.outcome}${who} after ${ticks}, seed ${seed}: ${path}`));
  if (quiet) return;
  printNote(`\nSee it again:        ${clean(commandLine('watch', path))}`);
  printNote(`In the browser:      ${clean(commandLine('view', path))}`);
  printNote(`Without the secrets: ${clean(commandLine('watch', path, '--lens', 'table'))}`);
  printNote(`Check every byte:    ${clean(commandLine('replay', path))}`);
}

/** The longest name of a file that people like to read. */
const NAME_LENGTH = 40;

function slug(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const joined = (words ?? ['meeting']).join('-').slice(0, NAME_LENGTH);
  return joined.replace(/-$/, '');
}

export type RunGameOptions = {
  /** Printed as it happens, at the pace of its meetings. */
  readonly isTold: boolean;
  readonly thinking: MatchModels;
  /** Its number among those of the run, from 1. */
  readonly game?: number;
  /** Where it is on air, too. */
  readonly host?: LivePage | null;
  /** The people who play in it. */
  readonly company?: HumanSeats;
};

/** Plays a game, and keeps its journal. */
export async function runGame(
  crew: ReadyGame,
  flags: SeededRunFlags,
  { isTold, thinking, game = 1, host = null, company = NOBODY }: RunGameOptions,
): Promise<PlayedGame> {
  const file = openGameJournal(flags, game);
  const minds = host === null ? crew.minds : host.startGame(file.path, crew.minds);
  if (host !== null) thinking.onFailure = (seat, code) => host.reportFailure(seat, code);
  const show = showLive(isTold ? createPrinter({ lens: flags.lens }) : null, host);
  const stopNotice = 'The game ends after this round, or after this tick of a meeting';
  const { sink } = file;
  const score = await playMatch({ ...crew, minds }, { sink, show, thinking, company, stopNotice });
  if (file.sink.failure !== null) throw abandoned(file);
  if (thinking.paused !== null) throw pausedFailure(thinking.paused, file.path);
  const impostors = crew.players.filter(({ role }) => role === 'impostor');
  return {
    type: 'played',
    game,
    seed: crew.seed,
    ...score,
    impostors: impostors.map(({ colour }) => colour),
    journal: file.path,
  };
}

function openGameJournal({ out, folder, seed, games }: SeededRunFlags, game: number): JournalFile {
  if (out === undefined) return createJournalIn(folder, `game-${seed}`);
  return createJournal(`${namedRunFolder(out, games)}/${journalName(game, games)}`);
}

type Show = NonNullable<ReturnType<typeof showLive>>;

/** What a match is played with, beside its players. */
type MatchStage = {
  readonly sink: FileSink;
  readonly show: Show | null;
  readonly thinking: MatchModels;
  readonly company: HumanSeats;
  /** What the operator reads after the first Ctrl-C. */
  readonly stopNotice: string;
};

/** Plays a meeting or a game into its journal, in real time where people watch or models think. */
function playMatch(ready: ReadyMeeting, stage: MatchStage): Promise<MeetingResult>;
function playMatch(ready: ReadyGame, stage: MatchStage): Promise<GameFinish>;
async function playMatch(
  ready: ReadyMeeting | ReadyGame,
  { sink, show, thinking, company, stopNotice }: MatchStage,
): Promise<MeetingResult | GameFinish> {
  const beat = ready.type === 'meeting' ? ready.setting.options.beatMs : ready.ship.meeting.beatMs;
  const asksModels = Object.values(ready.minds).some(({ pace }) => pace === 'in-time');
  const isReal = beat > 0 || asksModels;
  const onStart = listenForStop({ sink, isReal, words: stopNotice });
  const started = performance.now();
  const pace = new Pace(beat);
  const aboveCost = <T>(act: () => T) => company.above(() => thinking.costLine.above(act));
  const recorder = new Recorder({
    sink,
    // What was paid for must survive a power cut.
    syncEveryStep: asksModels,
    readClock: isReal ? () => ({ ms: Math.round(performance.now() - started) }) : null,
    onLine: show === null ? null : ({ line }) => pace.note(aboveCost(() => show(line))),
  });
  recorder.write('living', [ready.headers.living]);
  recorder.write('ghosts', [ready.headers.ghosts]);
  company.begin();
  const clock = isReal ? realClock : new SimulatedClock();
  // A meeting waits between its beats by itself; on the ship its players do.
  const minds =
    ready.type === 'game' && beat > 0 ? slowMinds(ready.minds, pace, company) : ready.minds;
  const match = startMatch({ ...ready, minds, clock, recorder });
  thinking.attach({ pause: () => match.pause(), end: () => match.end() }, recorder);
  onStart(company.with(match));
  try {
    return await match.result;
  } finally {
    company.close();
    thinking.costLine.end();
    sink.close();
  }
}

/** How long players wait on the ship, so that people can read what was told last. */
class Pace {
  readonly #beat: number;
  #until = 0;

  /** `beat` in milliseconds. */
  constructor(beat: number) {
    this.#beat = beat;
  }

  note(isSeen: boolean): void {
    if (isSeen) this.#until = performance.now() + this.#beat;
  }

  /** A game that is stopped is not kept waiting. */
  async rest(): Promise<void> {
    await wait(Math.max(0, this.#until - performance.now()), undefined, { ref: false });
  }
}

/** People read at their own pace. */
function slowMinds(minds: BySeat<Mind>, pace: Pace, { seats }: HumanSeats): BySeat<Mind> {
  const slow: Partial<Record<Colour, Mind>> = {};
  for (const colour of COLOURS) {
    const mind = minds[colour];
    if (mind === undefined) continue;
    slow[colour] = seats.includes(colour) ? mind : delayActions(mind, () => pace.rest());
  }
  return slow;
}
