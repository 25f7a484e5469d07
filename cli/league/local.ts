/** The queue of a league in this process: offline minds on threads. */
import { InProcess } from '../../actors/league/inProcess.ts';
import type { Plan } from '../../actors/league/plan.ts';
import { Threads } from '../../actors/league/threads.ts';
import type { Store } from '../../actors/stores/store.ts';
import { keeperIn } from './journals.ts';

/** A file beside this one keeps its ending when it is built. */
export const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js',
  import.meta.url,
);

export function localQueue(
  plan: Plan,
  store: Store,
  { jobs, folder }: { readonly jobs: number; readonly folder: string },
): InProcess {
  const threads = new Threads(THREAD, jobs);
  return new InProcess({
    store,
    jobs,
    player: (game) => threads.play(game),
    keep: keeperIn(folder, plan.league.games),
    close: () => threads.close(),
  });
}
