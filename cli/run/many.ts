/** Many games on the command line: played on one thread or several, told in a line each, and summed up. */
import type { LostGame, RunPlan } from '../../actors/jobs/gameJob.ts';
import { playGames } from '../../actors/jobs/run.ts';
import type { GameMatch } from '../../machines/setup/match.ts';
import { EXIT, type ExitCode, Failure } from '../exit.ts';
import { commandLine } from '../options.ts';
import { cleanLines, isOutputClosed, printNote } from '../output.ts';
import { listenForStop } from '../stop.ts';
import type { Asked } from './flags.ts';
import { cannotWrite, namedRunFolder, newRunFolder } from './folder.ts';
import { runGauge } from './progress.ts';
import { count, newTally, tellAll, tellGame } from './report.ts';

/** Plays all games; returns the exit status. */
export async function many(lobby: GameMatch, flags: Asked): Promise<ExitCode> {
  const { games, seed, jobs, out, quiet = false, json = false } = flags;
  const folder =
    out === undefined ? newRunFolder(flags.folder, `run-${seed}`) : namedRunFolder(out, games);
  const plan: RunPlan = { lobby, seed, games, folder };
  const isHeld = listenForStop({
    sink: null,
    isReal: true,
    words: 'The run ends after the games that are on',
  });
  const tally = newTally();
  const gauge = runGauge(games);
  gauge.show(0);
  const running = playGames(plan, {
    jobs,
    onOutcome: (outcome) => {
      count(tally, outcome);
      gauge.clear();
      if (!quiet && !isOutputClosed()) tellGame(outcome, flags);
      gauge.show(tally.played + tally.lost.length);
      // A disk that takes no more will not take the next game either.
      if (outcome.type === 'lost' && outcome.why === 'cannot-write') running.stop();
    },
  });
  isHeld(running);
  await running.result;
  gauge.clear();
  const isWhole = tally.played + tally.lost.length === games;
  if (!isOutputClosed()) tellAll(tally, flags, folder);
  if (!json && !quiet)
    printNote(`\nWhat they were like: ${cleanLines(commandLine('stats', folder))}`);
  if (tally.lost.length > 0) throw lostGames(tally.lost, folder);
  return isWhole || isOutputClosed() ? EXIT.done : EXIT.interrupted;
}

function lostGames(lost: readonly LostGame[], folder: string): Failure {
  const full = lost.find(({ why }) => why === 'cannot-write');
  if (full !== undefined) return cannotWrite(folder, full.text);
  const notes = lost.map(({ game, seed, text }) => ({
    code: 'run/game-lost',
    text: `game ${game} (seed ${seed}) is lost: ${text}`,
  }));
  return new Failure(EXIT.internal, notes);
}
