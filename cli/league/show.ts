/** The commands that print leagues: status, leaderboard, statistics, and all of it for other programs. */

import { readStandings } from '../../analysis/league/report.ts';
import { clean } from '../../visualizer/terminal/clean.ts';
import {
  renderCsv,
  renderLeaderboard,
  renderLevels,
  renderMeasures,
  renderVersus,
} from '../../visualizer/terminal/standings.ts';
import { alignColumns } from '../../visualizer/terminal/statistics.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { print, printJson, printNote } from '../output.ts';
import { damagedLeague, findPlan, LOOKING, readPlan, type StoreFlags, withStore } from './store.ts';

export type ShowFlags = StoreFlags & {
  readonly stats?: boolean;
  readonly versus?: boolean;
  readonly levels?: boolean;
  readonly json?: boolean;
};

export async function showLeague(name: string | undefined, flags: ShowFlags): Promise<ExitCode> {
  return await withStore(flags, LOOKING, async (store) => {
    const plan = await findPlan(store, name);
    const { standings, damages } = await readStandings(store, plan);
    if (flags.json) printJson({ type: 'league.standings', v: 1, ...standings });
    else {
      print(renderLeaderboard(standings));
      if (flags.stats) print(`\n${renderMeasures(standings)}`);
      if (flags.versus) print(`\n${renderVersus(standings)}`);
      if (flags.levels) print(`\n${renderLevels(standings)}`);
    }
    if (damages.length > 0) throw damagedLeague(plan, damages, 'they are left out above');
    return EXIT.done;
  });
}

type LeagueStatus = {
  readonly name: string;
  readonly done: number;
  /** Null where the plan is lost. */
  readonly games: number | null;
};

function statusRow({ name, done, games }: LeagueStatus): readonly string[] {
  if (games === null) return [clean(name), `${done} games`, 'its plan is lost: run its file again'];
  return [clean(name), `${done} of ${games} games`, done === games ? 'over' : 'open'];
}

export async function showStatus(
  name: string | undefined,
  flags: StoreFlags & { readonly json?: boolean },
): Promise<ExitCode> {
  return await withStore(flags, LOOKING, async (store) => {
    const names = name === undefined ? await store.leagues() : [name];
    const { what, warnings } = await store.health();
    const leagues: LeagueStatus[] = [];
    for (const one of names) {
      // A league whose plan is lost does not hide the others.
      const plan = name === undefined ? await readPlan(store, one) : await findPlan(store, one);
      const done = (await store.slots(one)).length;
      leagues.push({ name: one, done, games: plan?.league.games ?? null });
    }
    if (flags.json) {
      printJson({ type: 'league.status', v: 1, store: what, warnings, leagues });
      return EXIT.done;
    }
    if (leagues.length === 0) print(`There is no league yet in ${what}.`);
    else {
      print(alignColumns(leagues.map(statusRow)).join('\n'));
    }
    for (const { text } of warnings) printNote(`Warning: ${clean(text)}`);
    return EXIT.done;
  });
}

export async function rebuildCareers(
  flags: StoreFlags & { readonly json?: boolean },
): Promise<ExitCode> {
  return await withStore(flags, LOOKING, async (store) => {
    const { personas, changed } = await store.rebuild();
    if (flags.json) printJson({ type: 'league.rebuilt', v: 1, personas, changed });
    else print(`${personas} careers recounted from the results: ${changed} were wrong.`);
    return EXIT.done;
  });
}

export async function exportLeague(
  name: string | undefined,
  flags: StoreFlags & { readonly format: 'csv' | 'json' },
): Promise<ExitCode> {
  return await withStore(flags, LOOKING, async (store) => {
    const plan = await findPlan(store, name);
    const { standings, damages } = await readStandings(store, plan);
    if (damages.length > 0) throw damagedLeague(plan, damages, 'nothing is exported');
    if (flags.format === 'json') printJson({ type: 'league.standings', v: 1, ...standings });
    else print(renderCsv(standings));
    return EXIT.done;
  });
}
