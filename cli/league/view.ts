/** Viewing a league: its page is served and kept up to date while games are being played, here or elsewhere. */
import { existsSync } from 'node:fs';
import { setTimeout as rest } from 'node:timers/promises';
import type { Plan } from '../../actors/league/plan.ts';
import { type Store, StoreLost } from '../../actors/stores/store.ts';
import type { SeenLine } from '../../machines/journal/lens.ts';
import type { League } from '../../visualizer/page/league/league.ts';
import { answerText, type HttpAnswer, type Route } from '../../visualizer/server/server.ts';
import { EXIT, type ExitCode, Failure } from '../exit.ts';
import { openJournal } from '../input.ts';
import { print, printNote } from '../output.ts';
import { openBrowser, refuseLongJournal, serveAt } from '../serve.ts';
import { folderOf, journalIn } from './journals.ts';
import { planIn } from './leagues.ts';
import { Pace } from './pace.ts';
import { leagueIn } from './page.ts';
import { FOLLOWING, type PlaceFlags, withPlace } from './place.ts';

export type ViewFlags = PlaceFlags & {
  readonly port: number;
  readonly open: boolean;
  readonly journals?: string;
};

/** Serves until somebody asks for the end. */
export async function viewLeague(name: string | undefined, flags: ViewFlags): Promise<ExitCode> {
  return await withPlace(flags, FOLLOWING, async (store) => {
    const plan = await planIn(store, name);
    const folder = flags.journals ?? folderOf(plan.league.name);
    const watch = new Watch(store, plan, folder);
    await watch.look();
    const live = await serveAt([watch.route, gameRoute(folder, plan.league.games)], flags.port);
    print(live.url);
    printNote('Ctrl-C ends it.');
    if (flags.open) openBrowser(live.url);
    const ended = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ended.abort());
    await watch.keepLooking(ended.signal);
    live.close();
    return EXIT.done;
  });
}

/** Milliseconds between two looks at the store. */
const LOOK_MS = 1000;
/** A fit of many games takes its time: this often as long is waited before the next one. */
const PATIENCE = 4;

class Watch {
  readonly #store: Store;
  readonly #plan: Plan;
  readonly #folder: string;
  readonly #pace: Pace;
  #league: League | null = null;
  #restUntil = 0;

  constructor(store: Store, plan: Plan, folder: string) {
    this.#store = store;
    this.#plan = plan;
    this.#folder = folder;
    this.#pace = new Pace(plan.league.games);
  }

  /** Sees how far the league is, and counts it anew where there is more to count. */
  async look(): Promise<void> {
    const done = (await this.#store.slots(this.#plan.league.name)).length;
    const before = performance.now();
    this.#pace.looked(done, before);
    const isDue = this.#league === null || done !== this.#league.standings.games;
    if (!isDue || before < this.#restUntil) return;
    this.#league = await leagueIn(this.#store, this.#plan, this.#folder);
    const after = performance.now();
    this.#restUntil = after + PATIENCE * (after - before);
  }

  /** A store that goes away for a while is looked at again. */
  async keepLooking(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await rest(LOOK_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.look();
      } catch (error) {
        if (!(error instanceof StoreLost)) throw error;
      }
    }
  }

  readonly route: Route = async ({ method, path }) => {
    const league = this.#league;
    if (method !== 'GET' || league === null) return null;
    const progress = this.#pace.progress(league.standings.games);
    if (path === '/progress.json') return json(progress);
    if (path === '/league.json') return json(league);
    if (path !== '/') return null;
    const { createLeaguePage } = await import('../../visualizer/page/build/pages.ts');
    return html(await createLeaguePage({ league, progress }));
  };
}

/** The page of each game, drawn from its journal when somebody asks for it. */
function gameRoute(folder: string, games: number): Route {
  return async ({ method, path }) => {
    const [, digits] = /^\/game\/(\d{1,9})$/.exec(path) ?? [];
    if (method !== 'GET' || digits === undefined) return null;
    const journal = journalIn(folder, Number(digits) - 1, games);
    if (!existsSync(journal)) return answerText(404, `There is no journal ${journal} here.`);
    try {
      refuseLongJournal(journal);
      const { lines, damages } = await openJournal(journal);
      const { createExportPage } = await import('../../visualizer/page/build/pages.ts');
      const seen: readonly SeenLine[] = lines;
      const name = `game ${digits}`;
      return html(await createExportPage(seen, { lens: 'glass', name, damaged: damages.length }));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return answerText(404, error.notes.map(({ text }) => text).join('\n'));
    }
  };
}

function json(value: unknown): HttpAnswer {
  return { type: 'json', status: 200, text: JSON.stringify(value) };
}

function html(text: string): HttpAnswer {
  return { type: 'html', status: 200, text };
}
