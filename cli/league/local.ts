/** The queue of a league in this process. */
import type { Assignment } from '../../actors/league/assignment.ts';
import { InProcess } from '../../actors/league/inProcess.ts';
import type { Plan } from '../../actors/league/plan.ts';
import type { SlotOutcome } from '../../actors/league/playing.ts';
import { lockFile } from '../../actors/stores/sqlite.ts';
import type { Store } from '../../actors/stores/store.ts';
import { createFailure, EXIT } from '../exit.ts';
import { journalIn, keeperIn, sweep } from './journals.ts';
import type { Meant } from './means.ts';
import { OpenTape } from './openTape.ts';
import { hasModels, Players } from './players.ts';

export type LocalOptions = {
  readonly store: Store;
  readonly jobs: number;
  readonly folder: string;
  readonly means: Meant;
};

export function localQueue(
  plan: Plan,
  { store, jobs, folder, means: { means, close } }: LocalOptions,
): InProcess {
  const { games } = plan.league;
  const keep = keeperIn(folder, games);
  const letGo = lockFile(`${folder}/.running`);
  if (letGo === null) {
    const text = `the league ${JSON.stringify(plan.league.name)} is being played already, with journals in ${folder}: wait until that run is over, or stop it`;
    throw createFailure(EXIT.cannotWrite, 'league/running', text);
  }
  sweep(folder);
  const players = new Players(jobs, means);
  const player = async (game: Assignment): Promise<SlotOutcome> => {
    if (!hasModels(game)) return await players.play(game, null);
    const tape = new OpenTape(`${journalIn(folder, game.slot, games)}.open`);
    try {
      const outcome = await players.play(game, tape);
      if (outcome.type === 'played' && outcome.journal !== null) {
        await keep(outcome.slot, outcome.journal);
        tape.remove();
      }
      return outcome;
    } finally {
      tape.close();
    }
  };
  const closeAll = async () => {
    await players.close();
    close();
    letGo();
  };
  // While the disk takes one game in, a thread plays the next; a game with models is begun by nobody before its turn.
  const isOffline = plan.league.personas.every(({ mind }) => mind === 'scripted');
  const begun = isOffline ? 2 * jobs : jobs;
  return new InProcess({ store, begun, player, keep, close: closeAll });
}
