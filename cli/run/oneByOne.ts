/**
 * Games one after another: with language models, because the endpoint is what they wait for, and where somebody watches.
 */

import { createMatch } from '../../actors/engine/match.ts';
import { gameSeed } from '../../actors/jobs/gameJob.ts';
import type { GameMatch } from '../../machines/setup/match.ts';
import { EXIT, type ExitCode, Failure } from '../exit.ts';
import { createGameModels, describeCost } from '../gameModels.ts';
import type { LivePage } from '../live.ts';
import { isOutputClosed, printNote } from '../output.ts';
import type { Asked } from './flags.ts';
import { count, newTally, tellAll, tellGame } from './report.ts';
import { single } from './single.ts';

/** Plays all games; the first that is interrupted or paused ends the run. */
export async function oneByOne(
  lobby: GameMatch,
  flags: Asked,
  host: LivePage | null,
): Promise<ExitCode> {
  const tally = newTally();
  for (let game = 1; game <= flags.games; game++) {
    const seed = gameSeed(flags.seed, game);
    const thinking = createGameModels(flags, seed);
    const creation = createMatch(lobby, seed, thinking.minds);
    if (!creation.ok) throw new Failure(EXIT.configuration, creation.refusals);
    const outcome = await single(
      creation.ready,
      { ...flags, seed },
      { isTold: false, thinking, game, host },
    );
    count(tally, outcome);
    if (isOutputClosed()) return EXIT.done;
    tellGame(outcome, flags);
    if (!flags.json && !flags.quiet && thinking.spent.calls > 0)
      printNote(`  ${describeCost(thinking.spent)}`);
    if (outcome.reason === 'interrupted') return EXIT.interrupted;
  }
  tellAll(tally, flags, null);
  return EXIT.done;
}
