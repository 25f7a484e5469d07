/** Playing on the command line: a game that is told, or a run of many that are counted. */
import { clean } from '../../visualizer/terminal/clean.ts';
import { checkLens, drawSeed } from '../arguments.ts';
import { EXIT, type Exit } from '../failure.ts';
import { command } from '../invocation.ts';
import { aside, isOutputClosed } from '../output.ts';
import { SPEEDS } from '../pace.ts';
import type { RunFlags } from './flags.ts';
import { lobbyFor } from './lobby.ts';
import { many } from './many.ts';
import { count, newTally, tellAll, tellGame } from './report.ts';
import { single } from './single.ts';

/** Plays what the flags ask for; returns the exit status. */
export async function play(flags: RunFlags): Promise<Exit> {
  const { games, seed = drawSeed(), json = false, quiet = false } = flags;
  const asked = { ...flags, seed };
  const isTty = process.stdout.isTTY === true;
  const isTold = games === 1 && !json && !quiet && (isTty || flags.isAsked);
  const speed = isTold ? (flags.speed ?? (isTty ? SPEEDS.normal : SPEEDS.max)) : SPEEDS.max;
  const { lobby, first } = await lobbyFor(asked, speed);
  checkLens(
    flags.lens,
    lobby.seats.map(({ colour }) => colour),
  );
  if (games > 1) return await many(lobby, asked);
  const outcome = await single(first, asked, isTold);
  if (isOutputClosed()) return EXIT.done;
  tellGame(outcome, asked);
  if (json) {
    const tally = newTally();
    count(tally, outcome);
    tellAll(tally, asked, null);
  } else if (!quiet) {
    const { journal = '' } = outcome;
    aside(`\nSee it again:        ${clean(command('watch', `${journal}`))}`);
    aside(`Without the secrets: ${clean(command('watch', `${journal}`, '--lens', 'table'))}`);
    aside(`Check every byte:    ${clean(command('replay', `${journal}`))}`);
  }
  return outcome.reason === 'interrupted' ? EXIT.interrupted : EXIT.done;
}
