/** Serves the page of a league and updates it while games are played, here or elsewhere. */

import { createFailure, EXIT, Failure } from '../../actors/files/failure.ts';
import { resultPathOf, writeOutput } from '../../actors/files/newFiles.ts';
import { isThere } from '../../actors/files/openFiles.ts';
import { journalFolder, journalPath } from '../../actors/league/journals.ts';
import {
  FOLLOWING,
  findPlan,
  LOOKING,
  type StoreFlags,
  withStore,
} from '../../actors/league/leagueStore.ts';
import { reportLeague } from '../../analysis/league/report.ts';
import type { LeagueReport, ListedTurn } from '../../analysis/league/types.ts';
import { type LeagueWatch, watchLeague } from '../../analysis/league/watch.ts';
import { answerHtml, answerJson, answerText, type Route } from '../../visualizer/server/server.ts';
import { openBrowser, openShownJournal, serveAt, waitForStop } from '../live.ts';
import { cleanLines, print, printJson, printNote } from '../output.ts';
import { expectSound } from './show.ts';

export type ViewFlags = StoreFlags & {
  readonly port: number;
  readonly open: boolean;
  readonly json?: boolean;
  readonly journals?: string;
};

export async function viewLeague(name: string | undefined, flags: ViewFlags): Promise<void> {
  await withStore(flags, FOLLOWING, async (store) => {
    const plan = await findPlan(store, name);
    const folder = flags.journals ?? journalFolder(plan.league.name);
    const watch = watchLeague({ store, plan, folder });
    await watch.look();
    const routes = [createLeagueRoute(watch), gameRoute(folder, plan.league.games)];
    const live = await serveAt(routes, flags.port);
    const { url } = live;
    if (flags.json === true)
      printJson({ type: 'league.view', v: 1, url, league: plan.league.name });
    else print(url);
    printNote('Ctrl-C ends it.');
    if (flags.open) openBrowser(live.url);
    const ended = new AbortController();
    void waitForStop().then(() => ended.abort());
    await watch.keepLooking(ended.signal);
    live.close();
  });
}

function createLeagueRoute(watch: LeagueWatch): Route {
  const turns = new TurningPoints();
  return async ({ method, path }) => {
    const report = watch.report();
    if (method !== 'GET' || report === null) return null;
    const { progress } = report;
    if (path === '/progress.json') return answerJson(progress);
    if (path !== '/league.json' && path !== '/') return null;
    const league = await turns.addTo(report.league);
    if (path === '/league.json') return answerJson(league);
    const { createLeaguePage } = await import('../../visualizer/page/build/pages.ts');
    return answerHtml(await createLeaguePage({ league, progress }));
  };
}

/** The turning points of games with a `why` result. Each result is read once. */
class TurningPoints {
  readonly #known = new Map<string, Promise<ListedTurn | null>>();

  async addTo(league: LeagueReport): Promise<LeagueReport> {
    const games = await Promise.all(
      league.games.map(async (game) => {
        const turn = game.journal === null ? null : await this.#find(game.journal);
        return turn === null ? game : { ...game, turn };
      }),
    );
    return { ...league, games };
  }

  async #find(journal: string): Promise<ListedTurn | null> {
    const file = resultPathOf(journal);
    if (file === null || !isThere(file)) return null;
    const turn = this.#known.get(journal) ?? readTurn(journal);
    this.#known.set(journal, turn);
    return await turn;
  }
}

/** The turning point of a game; null if its result has none or cannot be used, which a note explains. */
async function readTurn(path: string): Promise<ListedTurn | null> {
  try {
    const journal = await openShownJournal(path);
    const { openResultNotes } = await import('../whyNotes.ts');
    const turn = (await openResultNotes(path, journal, GLASS))?.stakes?.turns[0];
    if (turn === undefined) return null;
    const { at, when, from, to, what } = turn;
    return { at, when, from, to, what };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    for (const { text } of error.notes) printNote(cleanLines(text));
    return null;
  }
}

const GLASS = { type: 'glass' } as const;

function gameRoute(folder: string, games: number): Route {
  return async ({ method, path }) => {
    const [, digits] = /^\/game\/(\d{1,9})$/.exec(path) ?? [];
    if (method !== 'GET' || digits === undefined) return null;
    const journal = journalPath(folder, Number(digits) - 1, games);
    if (!isThere(journal)) return answerText(404, `There is no journal ${journal} here.`);
    try {
      const opened = await openShownJournal(journal);
      const { lines, damageCount } = opened;
      const { openResultNotes } = await import('../whyNotes.ts');
      const notes = await openResultNotes(journal, opened, GLASS);
      const { createExportPage } = await import('../../visualizer/page/build/pages.ts');
      const { seeWithMoves } = await import('../../visualizer/charts/machineRun.ts');
      const name = `game ${digits}`;
      return answerHtml(
        await createExportPage(
          seeWithMoves(lines, GLASS),
          { lens: 'glass', name, damaged: damageCount },
          notes,
        ),
      );
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return answerText(404, error.notes.map(({ text }) => text).join('\n'));
    }
  };
}

export type ExportPageFlags = StoreFlags & {
  readonly out?: string;
  readonly force?: boolean;
  readonly journals?: string;
};

export async function exportLeaguePage(
  name: string | undefined,
  { out, force, journals, ...place }: ExportPageFlags,
): Promise<void> {
  if (out === undefined) {
    const text = '--format html wants -o <file>: where the page goes';
    throw createFailure(EXIT.usage, 'league/no-out', text);
  }
  await withStore(place, LOOKING, async (store) => {
    const plan = await findPlan(store, name);
    const league = await reportLeague(store, plan, journals ?? journalFolder(plan.league.name));
    const notes = league.damages.map((text) => ({ code: 'league/damaged-result', text }));
    expectSound(plan, notes, { done: 'nothing is exported', store: place.store });
    const { createLeaguePage } = await import('../../visualizer/page/build/pages.ts');
    const whole = await new TurningPoints().addTo(league);
    const page = await createLeaguePage({ league: whole, progress: null });
    await writeOutput(out, page, { what: 'the page', force });
    print(cleanLines(`${plan.league.name}: ${Math.ceil(page.length / 1024)} kB in ${out}`));
  });
}
