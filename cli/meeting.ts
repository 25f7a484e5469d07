/** The meeting of a match file on the command line: prepared, shown as it happens, and reported. */
import { createMatch, type MeetingResult, type ReadyMeeting } from '../actors/engine/match.ts';
import { createBeliefSettings } from '../actors/minds/believers.ts';
import type { HumanSeats } from '../actors/minds/human/seats.ts';
import { findSeatProblems } from '../actors/minds/openai/seats.ts';
import { realProcess } from '../actors/ports/process.ts';
import type { MeetingMatch } from '../machines/setup/match.ts';
import { clean } from '../visualizer/terminal/layout.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { createJournal, createJournalIn, type JournalFile } from './files.ts';
import { drawSeed, type MatchFlags, refuseAbsentLens, SPEEDS } from './flags.ts';
import { openMeeting, refuseFile } from './input.ts';
import { type LivePage, openLivePage } from './live.ts';
import {
  createGameModels,
  findBudgetProblems,
  notePriceAge,
  overrideNamedSeats,
  printCost,
  type ShownModels,
} from './models.ts';
import { isOutputClosed, print, printJson } from './output.ts';
import {
  chooseDeadlines,
  choosePlayLens,
  createHumanSeats,
  refuseCrowds,
  seatPeople,
} from './play.ts';
import { beatMs, createPrinter } from './printer.ts';
import { printNextSteps, showMatch } from './showMatch.ts';

export type MeetFlags = MatchFlags & {
  readonly voteAfter?: number;
  readonly maxTicks?: number;
};

/** Holds the meeting of a match file; returns the exit status. */
export async function runMeeting(path: string, options: MeetFlags): Promise<ExitCode> {
  const seed = options.seed ?? drawSeed();
  const match = overrideMeeting(await openMeeting(path), options);
  const thinking = await createGameModels(options, seed);
  const company = createHumanSeats(match.seats, { table: match.options.deadline_ms }, options);
  refuseCrowds(company.seats, options);
  const creation = createMatch(match, seed, company.minds(thinking.minds));
  if (!creation.ok) throw refuseFile(path, creation.refusals);
  const lacks = [
    ...findSeatProblems(match.seats, realProcess.environment),
    ...(await findBudgetProblems(match.seats, options)),
  ];
  if (lacks.length > 0) throw refuseFile(path, lacks);
  await notePriceAge(match.seats, options);
  refuseAbsentLens(
    options.lens,
    match.seats.map(({ colour }) => colour),
  );
  const lens = choosePlayLens(company.seats, options, options.lens);
  const host = await openLivePage({ live: options.live, lens, name: match.name, company });
  const file = openMeetingJournal(match, { ...options, seed });
  try {
    const asked = { ...options, seed, lens };
    const stage = { thinking, host, company };
    return await holdMeeting(creation.ready, file, asked, stage);
  } finally {
    await host?.close();
  }
}

type SeededMeetFlags = MeetFlags & { readonly seed: number };
type MeetingStage = {
  readonly thinking: ShownModels;
  readonly host: LivePage | null;
  readonly company: HumanSeats;
};

function openMeetingJournal(
  { name }: MeetingMatch,
  { out, folder, seed }: SeededMeetFlags,
): JournalFile {
  return out === undefined
    ? createJournalIn(folder, `${nameFile(name)}-${seed}`)
    : createJournal(out);
}

/** Holds it and reports what came of it. */
async function holdMeeting(
  ready: ReadyMeeting,
  file: JournalFile,
  options: SeededMeetFlags,
  stage: MeetingStage,
): Promise<ExitCode> {
  const { thinking, host } = stage;
  const result = await showMatch(ready, {
    ...stage,
    file,
    beliefs: createBeliefSettings(
      options.beliefs ?? null,
      ready.match,
      options.seed,
      thinking.believers,
    ),
    lens: options.lens,
    print: options.quiet ? null : createPrinter(options),
    stopNotice: 'The meeting ends after this tick',
  });
  if (isOutputClosed()) return EXIT.done;
  reportMeeting(result, file, options);
  if (!options.json && !options.quiet) printCost(thinking);
  const isInterrupted = result.outcome === 'interrupted';
  await host?.waitForEnd(isInterrupted);
  return isInterrupted ? EXIT.interrupted : EXIT.done;
}

/** Flags win over the file. */
function overrideMeeting(match: MeetingMatch, options: MeetFlags): MeetingMatch {
  const { rules, voteAfter, maxTicks, faultRate } = options;
  const seats = seatPeople(overrideNamedSeats(match.seats, options), options);
  return {
    ...match,
    seats: [...seats],
    fault_rate: faultRate ?? match.fault_rate,
    options: {
      ...match.options,
      ...(rules === undefined ? {} : { rules }),
      ...(voteAfter === undefined ? {} : { vote_after: voteAfter }),
      ...(maxTicks === undefined ? {} : { max_ticks: maxTicks }),
      ...chooseDeadlines(seats, options, match.options),
      beat_ms: beatMs(chooseMeetingSpeed(options), match.options.beat_ms),
    },
  };
}

/** Without a choice people get time to read, and programs do not wait. */
function chooseMeetingSpeed({ speed, live, play, json = false, quiet = false }: MeetFlags): number {
  const isSeen = live !== undefined || play !== undefined;
  const isWatched = isSeen || (process.stdout.isTTY === true && !json && !quiet);
  return speed ?? (isWatched ? SPEEDS.normal : SPEEDS.max);
}

function reportMeeting(
  result: MeetingResult,
  { path }: JournalFile,
  { seed, json, quiet }: SeededMeetFlags,
): void {
  if (json) {
    printJson({ type: 'meeting.result', v: 1, ...result, seed, journal: path });
    return;
  }
  const who = result.ejected === null ? '' : ` ${result.ejected}`;
  const ticks = result.ticks === 1 ? '1 tick' : `${result.ticks} ticks`;
  print(clean(`${result.outcome}${who} after ${ticks}, seed ${seed}: ${path}`));
  if (quiet) return;
  printNextSteps(path);
}

/** The longest name of a file that people like to read. */
const NAME_LENGTH = 40;

function nameFile(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const joined = (words ?? ['meeting']).join('-').slice(0, NAME_LENGTH);
  return joined.replace(/-$/, '');
}
