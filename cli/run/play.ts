/** Playing on the command line: a game that is told, or a run of many that are counted. */
import type { Lobby } from '../../machines/lobby.ts';
import { clean } from '../../visualizer/terminal/clean.ts';
import { checkLens, drawSeed } from '../arguments.ts';
import { EXIT, type Exit } from '../failure.ts';
import { command } from '../invocation.ts';
import { tellCost } from '../models/cost.ts';
import { forecast, forecastText } from '../models/forecast.ts';
import { openPrices } from '../models/price-file.ts';
import { hasModels } from '../models/seats.ts';
import { thinkingFor } from '../models/thinking.ts';
import { aside, isOutputClosed, print, printJson } from '../output.ts';
import { SPEEDS } from '../pace.ts';
import { hosting } from '../page/hosting.ts';
import type { Asked, RunFlags } from './flags.ts';
import { lobbyFor } from './lobby.ts';
import { many } from './many.ts';
import { oneByOne } from './oneByOne.ts';
import { count, newTally, tellAll, tellGame } from './report.ts';
import { single } from './single.ts';

/** Plays what the flags ask for; returns the exit status. */
export async function play(flags: RunFlags): Promise<Exit> {
  const { games, seed = drawSeed(), json = false, quiet = false } = flags;
  const asked = { ...flags, seed };
  const isTty = process.stdout.isTTY === true;
  const isTold = games === 1 && !json && !quiet && (isTty || flags.isAsked);
  const isLive = flags.live !== undefined && games === 1;
  const isWatched = isTty || isLive;
  const speed =
    isTold || isLive ? (flags.speed ?? (isWatched ? SPEEDS.normal : SPEEDS.max)) : SPEEDS.max;
  const thinking = thinkingFor(flags, seed);
  const { lobby, first } = await lobbyFor(asked, speed, thinking.minds);
  checkLens(
    flags.lens,
    lobby.seats.map(({ colour }) => colour),
  );
  if (flags.dryRun) return await foretell(lobby, asked);
  if (games > 1 && hasModels(lobby.seats)) return await oneByOne(lobby, asked);
  if (games > 1) return await many(lobby, asked);
  const host = await hosting(flags.live, flags.lens, lobby.name);
  const outcome = await single(first, asked, { isTold, thinking, host });
  if (isOutputClosed()) return EXIT.done;
  tellGame(outcome, asked);
  if (json) {
    const tally = newTally();
    count(tally, outcome);
    tellAll(tally, asked, null);
  } else if (!quiet) {
    const { journal = '' } = outcome;
    tellCost(thinking);
    aside(`\nSee it again:        ${clean(command('watch', `${journal}`))}`);
    aside(`Without the secrets: ${clean(command('watch', `${journal}`, '--lens', 'table'))}`);
    aside(`Check every byte:    ${clean(command('replay', `${journal}`))}`);
  }
  await host?.over();
  return outcome.reason === 'interrupted' ? EXIT.interrupted : EXIT.done;
}

/** What a game would ask of models. */
async function foretell(lobby: Lobby, { seed, prices, json }: Asked): Promise<Exit> {
  const expected = await forecast(lobby, seed, prices === undefined ? {} : openPrices(prices));
  if (json) printJson({ type: 'run.forecast', v: 1, seed, ...expected });
  else print(forecastText(expected));
  return EXIT.done;
}
