/** Viewing a league: its page is served and kept up to date while games are being played, here or elsewhere. */

import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as rest } from 'node:timers/promises';
import { journalFolder, journalPath } from '../../actors/league/journals.ts';
import type { LeaguePlan } from '../../actors/league/plan.ts';
import { type Store, StoreLost } from '../../actors/stores/store.ts';
import { reportLeague } from '../../analysis/league/report.ts';
import type { LeagueProgress, LeagueReport } from '../../analysis/league/types.ts';
import type { SeenLine } from '../../machines/journal/lens.ts';
import { answerText, type HttpAnswer, type Route } from '../../visualizer/server/server.ts';
import { createFailure, describeSystemError, EXIT, type ExitCode, Failure } from '../exit.ts';
import { openJournal } from '../input.ts';
import { cleanLines, print, printNote } from '../output.ts';
import { openBrowser, refuseLongJournal, serveAt } from '../serve.ts';
import { FOLLOWING, findPlan, LOOKING, type StoreFlags, withStore } from './store.ts';

export type ViewFlags = StoreFlags & {
  readonly port: number;
  readonly open: boolean;
  readonly journals?: string;
};

/** Serves until it is stopped. */
export async function viewLeague(name: string | undefined, flags: ViewFlags): Promise<ExitCode> {
  return await withStore(flags, FOLLOWING, async (store) => {
    const plan = await findPlan(store, name);
    const folder = flags.journals ?? journalFolder(plan.league.name);
    const watch = new LeagueWatch(store, plan, folder);
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

/** Fitting many games takes time: the next fit waits this many times as long. */
const PATIENCE = 4;

class LeagueWatch {
  readonly #store: Store;
  readonly #plan: LeaguePlan;
  readonly #folder: string;
  readonly #pace: LeaguePace;
  #league: LeagueReport | null = null;
  #restUntil = 0;

  constructor(store: Store, plan: LeaguePlan, folder: string) {
    this.#store = store;
    this.#plan = plan;
    this.#folder = folder;
    this.#pace = new LeaguePace(plan.league.games);
  }

  /** Reads how many games are played, and makes a new report when there are more. */
  async look(): Promise<void> {
    const done = (await this.#store.slots(this.#plan.league.name)).length;
    const before = performance.now();
    this.#pace.addSample(done, before);
    const isDue = this.#league === null || done !== this.#league.standings.games;
    if (!isDue || before < this.#restUntil) return;
    this.#league = await reportLeague(this.#store, this.#plan, this.#folder);
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
    if (path === '/progress.json') return jsonAnswer(progress);
    if (path === '/league.json') return jsonAnswer(league);
    if (path !== '/') return null;
    const { createLeaguePage } = await import('../../visualizer/page/build/pages.ts');
    return htmlAnswer(await createLeaguePage({ league, progress }));
  };
}

/** The page of each game, made from its journal on request. */
function gameRoute(folder: string, games: number): Route {
  return async ({ method, path }) => {
    const [, digits] = /^\/game\/(\d{1,9})$/.exec(path) ?? [];
    if (method !== 'GET' || digits === undefined) return null;
    const journal = journalPath(folder, Number(digits) - 1, games);
    if (!existsSync(journal)) return answerText(404, `There is no journal ${journal} here.`);
    try {
      refuseLongJournal(journal);
      const { lines, damages } = await openJournal(journal);
      const { createExportPage } = await import('../../visualizer/page/build/pages.ts');
      const seen: readonly SeenLine[] = lines;
      const name = `game ${digits}`;
      return htmlAnswer(
        await createExportPage(seen, { lens: 'glass', name, damaged: damages.length }),
      );
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return answerText(404, error.notes.map(({ text }) => text).join('\n'));
    }
  };
}

function jsonAnswer(value: unknown): HttpAnswer {
  return { type: 'json', status: 200, text: JSON.stringify(value) };
}

function htmlAnswer(text: string): HttpAnswer {
  return { type: 'html', status: 200, text };
}

export type ExportPageFlags = StoreFlags & {
  readonly out?: string;
  readonly journals?: string;
};

export async function exportLeaguePage(
  name: string | undefined,
  { out, journals, ...place }: ExportPageFlags,
): Promise<ExitCode> {
  if (out === undefined) {
    throw createFailure(
      EXIT.usage,
      'league/no-out',
      '--format html wants -o <file>: where the page goes',
    );
  }
  return await withStore(place, LOOKING, async (store) => {
    const plan = await findPlan(store, name);
    const league = await reportLeague(store, plan, journals ?? journalFolder(plan.league.name));
    const { createLeaguePage } = await import('../../visualizer/page/build/pages.ts');
    const page = await createLeaguePage({ league, progress: null });
    try {
      writeFileSync(out, page);
    } catch (error) {
      const why = `the page can't be written to ${out}: ${describeSystemError(error)}`;
      throw createFailure(EXIT.cannotWrite, 'output/cannot-write', why);
    }
    print(cleanLines(`${plan.league.name}: ${Math.ceil(page.length / 1024)} kB in ${out}`));
    return EXIT.done;
  });
}

/** Milliseconds over which the rate is taken. */
const WINDOW_MS = 60_000;

type ProgressSample = { readonly atMs: number; readonly done: number };

export class LeaguePace {
  readonly #of: number;
  #looks: readonly ProgressSample[] = [];

  constructor(of: number) {
    this.#of = of;
  }

  /** Adds how many games are over at a moment. */
  addSample(done: number, atMs: number): void {
    this.#looks = [...this.#looks.filter((look) => look.atMs > atMs - WINDOW_MS), { atMs, done }];
  }

  /** `counted` games are in the standings. */
  progress(counted: number): LeagueProgress {
    const [first, last] = [this.#looks.at(0), this.#looks.at(-1)];
    const done = last?.done ?? 0;
    const left = this.#of - done;
    const gained = done - (first?.done ?? done);
    const seconds = ((last?.atMs ?? 0) - (first?.atMs ?? 0)) / 1000;
    const rate = gained <= 0 || seconds <= 0 || left <= 0 ? null : gained / seconds;
    const secondsLeft = rate === null ? null : left / rate;
    return { done, of: this.#of, rate, secondsLeft, counted };
  }
}
