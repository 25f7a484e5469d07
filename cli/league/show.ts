/** What is known of leagues: how far they are, who leads them, and all of it for other programs. */

import { clean } from '../../visualizer/terminal/clean.ts';
import { EXIT, type Exit } from '../failure.ts';
import { aside, print, printJson } from '../output.ts';
import { table } from '../stats/table.ts';
import { csvOf } from './exported.ts';
import { planIn, standingsIn } from './leagues.ts';
import { LOOKING, type PlaceFlags, withPlace } from './place.ts';
import { leaderboard, levelsText, measuresText, versusText } from './table.ts';

export type ShowFlags = PlaceFlags & {
  readonly stats?: boolean;
  readonly versus?: boolean;
  readonly levels?: boolean;
  readonly json?: boolean;
};

export async function showLeague(name: string | undefined, flags: ShowFlags): Promise<Exit> {
  return await withPlace(flags, LOOKING, async (store) => {
    const standings = await standingsIn(store, await planIn(store, name));
    if (flags.json) printJson({ type: 'league.standings', v: 1, ...standings });
    else print(leaderboard(standings));
    if (flags.json) return EXIT.done;
    if (flags.stats) print(`\n${measuresText(standings)}`);
    if (flags.versus) print(`\n${versusText(standings)}`);
    if (flags.levels) print(`\n${levelsText(standings)}`);
    return EXIT.done;
  });
}

export async function tellStatus(
  name: string | undefined,
  flags: PlaceFlags & { readonly json?: boolean },
): Promise<Exit> {
  return await withPlace(flags, LOOKING, async (store) => {
    const names = name === undefined ? await store.leagues() : [name];
    const { what, warnings } = await store.health();
    const leagues: { name: string; done: number; games: number }[] = [];
    for (const one of names) {
      const { league } = await planIn(store, one);
      leagues.push({ name: one, done: (await store.slots(one)).length, games: league.games });
    }
    if (flags.json) {
      printJson({ type: 'league.status', v: 1, store: what, warnings, leagues });
      return EXIT.done;
    }
    if (leagues.length === 0) print(`There is no league yet in ${what}.`);
    else {
      const rows = leagues.map((one) => [
        clean(one.name),
        `${one.done} of ${one.games} games`,
        one.done === one.games ? 'over' : 'open',
      ]);
      print(table(rows).join('\n'));
    }
    for (const { text } of warnings) aside(`Warning: ${clean(text)}`);
    return EXIT.done;
  });
}

export async function rebuildCareers(
  flags: PlaceFlags & { readonly json?: boolean },
): Promise<Exit> {
  return await withPlace(flags, LOOKING, async (store) => {
    const { personas, changed } = await store.rebuild();
    if (flags.json) printJson({ type: 'league.rebuilt', v: 1, personas, changed });
    else print(`${personas} careers counted anew from the results: ${changed} were wrong.`);
    return EXIT.done;
  });
}

export async function exportLeague(
  name: string | undefined,
  flags: PlaceFlags & { readonly format: 'csv' | 'json' },
): Promise<Exit> {
  return await withPlace(flags, LOOKING, async (store) => {
    const standings = await standingsIn(store, await planIn(store, name));
    if (flags.format === 'json') printJson({ type: 'league.standings', v: 1, ...standings });
    else print(csvOf(standings));
    return EXIT.done;
  });
}
