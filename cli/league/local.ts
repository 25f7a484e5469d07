/** The queue of a league in this process. */
import type { Assignment } from '../../actors/league/assignment.ts';
import { InProcess } from '../../actors/league/inProcess.ts';
import type { Plan } from '../../actors/league/plan.ts';
import type { SlotOutcome } from '../../actors/league/playing.ts';
import type { Store } from '../../actors/stores/store.ts';
import { journalIn, keeperIn } from './journals.ts';
import { modelsOf } from './leagues.ts';
import { OpenTape } from './openTape.ts';
import { hasModels, Players } from './players.ts';

export type LocalOptions = {
  readonly jobs: number;
  readonly folder: string;
  /** A file with the prices of models. */
  readonly prices?: string | undefined;
};

export function localQueue(
  plan: Plan,
  store: Store,
  { jobs, folder, prices }: LocalOptions,
): InProcess {
  const { games } = plan.league;
  const keep = keeperIn(folder, games);
  const models = modelsOf(store, prices);
  const players = new Players(jobs, models);
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
  return new InProcess({ store, jobs, player, keep, close: () => players.close() });
}
