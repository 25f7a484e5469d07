/** Playing on the command line: a game that is told, or a run of many that are counted. */
import type { ReadyGame } from '../../actors/engine/match.ts';
import type { PlayedGame } from '../../actors/jobs/gameJob.ts';
import type { HumanSeats } from '../../actors/minds/human/seats.ts';
import type { GameMatch } from '../../machines/setup/match.ts';
import { clean } from '../../visualizer/terminal/clean.ts';
import { createFailure, EXIT, type ExitCode } from '../exit.ts';
import { describeForecast, forecastCost } from '../forecast.ts';
import { createGameModels, type GameModels, printCost } from '../gameModels.ts';
import { type LivePage, openLivePage } from '../live.ts';
import { hasModels, openPrices } from '../modelSeats.ts';
import { commandLine, drawSeed, refuseAbsentLens } from '../options.ts';
import { isOutputClosed, print, printJson, printNote } from '../output.ts';
import { choosePlayLens, refuseCrowds } from '../play.ts';
import { SPEEDS } from '../printer.ts';
import type { Asked, RunFlags } from './flags.ts';
import { lobbyFor } from './lobby.ts';
import { many } from './many.ts';
import { oneByOne } from './oneByOne.ts';
import { count, newTally, tellAll, tellGame } from './report.ts';
import { single } from './single.ts';

/** Plays what the flags ask for; returns the exit status. */
export async function play(flags: RunFlags): Promise<ExitCode> {
  const { games, seed = drawSeed() } = flags;
  const asked = { ...flags, seed };
  const isLive = isOnAir(flags);
  if (isLive && games > 1 && flags.jobs > 1) throw oneAtATime(flags.jobs);
  const thinking = createGameModels(flags, seed);
  const { lobby, first, company } = await lobbyFor(asked, speedOf(flags), thinking.minds);
  const people = company.seats;
  refuseCrowds(people, flags);
  refuseAbsentLens(
    flags.lens,
    lobby.seats.map(({ colour }) => colour),
  );
  if (flags.dryRun) return await foretell(lobby, asked);
  if (games > 1 && !isLive && !hasModels(lobby.seats)) return await many(lobby, asked);
  const { live } = flags;
  const lens = choosePlayLens(people, flags, flags.lens);
  const host = await openLivePage({
    live,
    isUsual: isTold(flags),
    lens,
    name: lobby.name,
    company,
  });
  try {
    const exit =
      games > 1
        ? await oneByOne(lobby, asked, host)
        : await one(first, { ...asked, lens }, { thinking, host, company });
    if (!isOutputClosed()) await host?.waitForEnd(exit === EXIT.interrupted);
    return exit;
  } finally {
    await host?.close();
  }
}

/** One game is told where somebody reads. */
function isTold({ games, json, quiet, isAsked, terminal = false }: RunFlags): boolean {
  if (games > 1 || json === true) return false;
  return terminal || (quiet !== true && (process.stdout.isTTY === true || isAsked));
}

/** Somebody wants to see it in the browser; a game that is told is there too, and is not played slower for it. */
function isOnAir({ live }: RunFlags): boolean {
  return live !== undefined && live !== false;
}

function speedOf(flags: RunFlags): number {
  if (!isTold(flags) && !isOnAir(flags) && flags.play === undefined) return SPEEDS.max;
  const isWatched = process.stdout.isTTY === true || isOnAir(flags) || flags.play !== undefined;
  return flags.speed ?? (isWatched ? SPEEDS.normal : SPEEDS.max);
}

function oneAtATime(jobs: number) {
  const text = `--jobs ${jobs}: with --live games are played one after another, so that they can be watched; leave out one of the two`;
  return createFailure(EXIT.usage, 'usage/jobs-and-live', text);
}

type Stage = {
  readonly thinking: GameModels;
  readonly host: LivePage | null;
  readonly company: HumanSeats;
};

/** Plays one game and says where it is kept. */
async function one(crew: ReadyGame, asked: Asked, stage: Stage): Promise<ExitCode> {
  const { thinking } = stage;
  const outcome = await single(crew, asked, { isTold: isTold(asked), ...stage });
  if (isOutputClosed()) return EXIT.done;
  tellGame(outcome, asked);
  if (asked.json) {
    const tally = newTally();
    count(tally, outcome);
    tellAll(tally, asked, null);
  } else if (!asked.quiet) {
    printCost(thinking);
    tellWhatNext(outcome);
  }
  return outcome.reason === 'interrupted' ? EXIT.interrupted : EXIT.done;
}

function tellWhatNext({ journal }: PlayedGame): void {
  const path = journal ?? '';
  printNote(`\nSee it again:        ${clean(commandLine('watch', path))}`);
  printNote(`In the browser:      ${clean(commandLine('view', path))}`);
  printNote(`Without the secrets: ${clean(commandLine('watch', path, '--lens', 'table'))}`);
  printNote(`Check every byte:    ${clean(commandLine('replay', path))}`);
}

/** What a game would ask of models. */
async function foretell(lobby: GameMatch, { seed, prices, json }: Asked): Promise<ExitCode> {
  const expected = await forecastCost(lobby, seed, prices === undefined ? {} : openPrices(prices));
  if (json) printJson({ type: 'run.forecast', v: 1, seed, ...expected });
  else print(describeForecast(expected));
  return EXIT.done;
}
