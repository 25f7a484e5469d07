/** The queue of a league on a Redis, on the command line. */
import type { Plan } from '../../actors/league/plan.ts';
import { Counter } from '../../actors/league/queue.ts';
import { Remote } from '../../actors/league/remote.ts';
import type { Store } from '../../actors/stores/store.ts';
import { commandLine } from '../options.ts';
import { cleanLines, printNote } from '../output.ts';
import { keeperIn } from './journals.ts';

export async function remoteQueue(
  plan: Plan,
  store: Store,
  { url, folder }: { readonly url: string; readonly folder: string },
): Promise<Remote> {
  const { name, games } = plan.league;
  const counter = new Counter(url, plan.engine);
  if ((await counter.workers()) === 0) {
    const words = commandLine('league', 'worker', '--redis', 'URL');
    printNote(cleanLines(`Nobody plays yet. Start workers, here or elsewhere: ${words}`));
  }
  return new Remote({ league: name, store, counter, keep: keeperIn(folder, games) });
}
