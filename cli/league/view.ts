/** Viewing a league: its page is served and kept up to date while games are being played, here or elsewhere. */

import { journalFolder, journalPath } from '../../actors/league/journals.ts';
import { realProcess } from '../../actors/ports/process.ts';
import { reportLeague } from '../../analysis/league/report.ts';
import { LeagueWatch } from '../../analysis/league/watch.ts';
import type { SeenLine } from '../../machines/journal/lens.ts';
import { answerText, type HttpAnswer, type Route } from '../../visualizer/server/server.ts';
import { createFailure, EXIT, type ExitCode, Failure } from '../exit.ts';
import { writeText } from '../files.ts';
import { isThere } from '../input.ts';
import { openBrowser, openShownJournal, serveAt } from '../live.ts';
import { cleanLines, print, printJson, printNote } from '../output.ts';
import {
  damagedLeague,
  FOLLOWING,
  findPlan,
  LOOKING,
  type StoreFlags,
  withStore,
} from './store.ts';

export type ViewFlags = StoreFlags & {
  readonly port: number;
  readonly open: boolean;
  readonly json?: boolean;
  readonly journals?: string;
};

/** Serves until it is stopped. */
export async function viewLeague(name: string | undefined, flags: ViewFlags): Promise<ExitCode> {
  return await withStore(flags, FOLLOWING, async (store) => {
    const plan = await findPlan(store, name);
    const folder = flags.journals ?? journalFolder(plan.league.name);
    const watch = new LeagueWatch(store, plan, folder);
    await watch.look();
    const live = await serveAt(
      [createLeagueRoute(watch), gameRoute(folder, plan.league.games)],
      flags.port,
    );
    const { url } = live;
    if (flags.json === true)
      printJson({ type: 'league.view', v: 1, url, league: plan.league.name });
    else print(url);
    printNote('Ctrl-C ends it.');
    if (flags.open) openBrowser(live.url);
    const ended = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      realProcess.onSignal(signal, () => ended.abort());
    await watch.keepLooking(ended.signal);
    live.close();
    return EXIT.done;
  });
}

/** The page of the league, and what it asks for while it is open. */
function createLeagueRoute(watch: LeagueWatch): Route {
  return async ({ method, path }) => {
    const { report } = watch;
    if (method !== 'GET' || report === null) return null;
    if (path === '/progress.json') return jsonAnswer(report.progress);
    if (path === '/league.json') return jsonAnswer(report.league);
    if (path !== '/') return null;
    const { createLeaguePage } = await import('../../visualizer/page/build/pages.ts');
    return htmlAnswer(await createLeaguePage(report));
  };
}

/** The page of each game, made from its journal on request. */
function gameRoute(folder: string, games: number): Route {
  return async ({ method, path }) => {
    const [, digits] = /^\/game\/(\d{1,9})$/.exec(path) ?? [];
    if (method !== 'GET' || digits === undefined) return null;
    const journal = journalPath(folder, Number(digits) - 1, games);
    if (!isThere(journal)) return answerText(404, `There is no journal ${journal} here.`);
    try {
      const { lines, damageCount } = await openShownJournal(journal);
      const { createExportPage } = await import('../../visualizer/page/build/pages.ts');
      const seen: readonly SeenLine[] = lines;
      const name = `game ${digits}`;
      return htmlAnswer(
        await createExportPage(seen, { lens: 'glass', name, damaged: damageCount }),
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
    if (league.damages.length > 0) {
      const notes = league.damages.map((text) => ({ code: 'league/damaged-result', text }));
      throw damagedLeague(plan, notes, { done: 'nothing is exported', store: place.store });
    }
    const { createLeaguePage } = await import('../../visualizer/page/build/pages.ts');
    const page = await createLeaguePage({ league, progress: null });
    writeText(out, page, 'the page');
    print(cleanLines(`${plan.league.name}: ${Math.ceil(page.length / 1024)} kB in ${out}`));
    return EXIT.done;
  });
}
