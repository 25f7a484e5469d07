/** A meeting on the command line: cast from a scenario, told as it happens, kept in a journal, reported. */

import { realClock, SimulatedClock } from '../actors/engine/clock.ts';
import { Recorder } from '../actors/engine/journal/recorder.ts';
import type { FileSink } from '../actors/engine/journal/sink.ts';
import {
  createMatch,
  type MeetingResult,
  type ReadyMeeting,
  startMatch,
} from '../actors/engine/match.ts';
import type { HumanSeats } from '../actors/minds/human/seats.ts';
import { findSeatProblems } from '../actors/minds/openai/seats.ts';
import type { Lens } from '../machines/journal/lens.ts';
import type { MeetingMatch } from '../machines/setup/match.ts';
import type { RuleSet } from '../machines/types.ts';
import { clean } from '../visualizer/terminal/clean.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { createGameModels, type GameModels, pausedFailure, printCost } from './gameModels.ts';
import { openScenario, refusedScenario } from './input.ts';
import { abandoned, createJournal, createJournalIn, type JournalFile } from './journal-file.ts';
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
export async function meet(path: string, options: MeetOptions): Promise<ExitCode> {
  const seed = options.seed ?? drawSeed();
  const scenario = overridden(await openScenario(path), options);
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
  const file = fileFor(scenario, { ...options, seed });
  try {
    const asked = { ...options, seed, lens };
    return await told(creation.ready, file, asked, { thinking, host, company });
  } finally {
    await host?.close();
  }
}

type Asked = MeetOptions & { readonly seed: number };
type Stage = {
  readonly thinking: GameModels;
  readonly host: LivePage | null;
  readonly company: HumanSeats;
};

function fileFor({ name }: MeetingMatch, { out, folder, seed }: Asked): JournalFile {
  return out === undefined ? createJournalIn(folder, `${slug(name)}-${seed}`) : createJournal(out);
}

/** Holds it and reports what came of it. */
async function told(
  cast: ReadyMeeting,
  file: JournalFile,
  options: Asked,
  stage: Stage,
): Promise<ExitCode> {
  const { thinking, host } = stage;
  const minds = host === null ? cast.minds : host.startGame(file.path, cast.minds);
  if (host !== null) thinking.onTrouble = (seat, code) => host.reportFailure(seat, code);
  const result = await held({ ...cast, minds }, file.sink, options, stage);
  if (file.sink.failure !== null) throw abandoned(file);
  if (thinking.paused !== null) throw pausedFailure(thinking.paused, file.path);
  if (isOutputClosed()) return EXIT.done;
  report(result, file, options);
  if (!options.json && !options.quiet) printCost(thinking);
  const isInterrupted = result.outcome === 'interrupted';
  await host?.waitForEnd(isInterrupted);
  return isInterrupted ? EXIT.interrupted : EXIT.done;
}

/** Flags win over the file. */
function overridden(scenario: MeetingMatch, options: MeetOptions): MeetingMatch {
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

async function held(
  cast: ReadyMeeting,
  sink: FileSink,
  options: MeetOptions,
  { thinking, host, company }: Stage,
): Promise<MeetingResult> {
  const isReal = isRealTime(cast);
  const words = 'The meeting ends after this tick';
  const isHeld = listenForStop({ sink, isReal, words });
  const started = performance.now();
  const told = <T>(tell: () => T) => company.above(() => thinking.costLine.above(tell));
  const show = showLive(options.quiet ? null : createPrinter(options), host);
  const recorder = new Recorder({
    sink,
    // What was paid for must survive a power cut.
    syncEveryStep: Object.values(cast.minds).some(({ pace }) => pace === 'in-time'),
    stamp: isReal ? () => ({ ms: Math.round(performance.now() - started) }) : null,
    onLine: show === null ? null : ({ line }) => told(() => show(line)),
  });
  recorder.write('living', [cast.headers.living]);
  recorder.write('ghosts', [cast.headers.ghosts]);
  company.begin();
  const meeting = startMatch({
    ...cast,
    clock: isReal ? realClock : new SimulatedClock(),
    recorder,
  });
  thinking.attach({ pause: () => meeting.pause(), end: () => meeting.end() }, recorder);
  isHeld(company.with(meeting));
  try {
    return await meeting.result;
  } finally {
    company.close();
    thinking.costLine.end();
    sink.close();
  }
}

/** Where people watch, and where models think. */
function isRealTime({ setting, minds }: ReadyMeeting): boolean {
  const isSlow = Object.values(minds).some(({ pace }) => pace === 'in-time');
  return setting.options.beatMs > 0 || isSlow;
}

function report(result: MeetingResult, { path }: JournalFile, { seed, json, quiet }: Asked): void {
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
