/** What is known of leagues: how far they are, who leads them, and all of it for other programs. */

import { clean } from '../../visualizer/terminal/clean.ts';
import { alignColumns } from '../../visualizer/terminal/statistics.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { print, printJson, printNote } from '../output.ts';
import { csvOf } from './exported.ts';
import { keptPlan, planIn, standingsIn } from './leagues.ts';
import { LOOKING, type PlaceFlags, withPlace } from './place.ts';
import { leaderboard, levelsText, measuresText, versusText } from './table.ts';

export type ShowFlags = PlaceFlags & {
  readonly stats?: boolean;
  readonly versus?: boolean;
  readonly levels?: boolean;
  readonly json?: boolean;
};

export async function showLeague(name: string | undefined, flags: ShowFlags): Promise<ExitCode> {
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

type Status = {
  readonly name: string;
  readonly done: number;
  /** Null where the plan is lost. */
  readonly games: number | null;
};

function statusRow({ name, done, games }: Status): readonly string[] {
  if (games === null) return [clean(name), `${done} games`, 'its plan is lost: run its file again'];
  return [clean(name), `${done} of ${games} games`, done === games ? 'over' : 'open'];
}

export async function tellStatus(
  name: string | undefined,
  flags: PlaceFlags & { readonly json?: boolean },
): Promise<ExitCode> {
  return await withPlace(flags, LOOKING, async (store) => {
    const names = name === undefined ? await store.leagues() : [name];
    const { what, warnings } = await store.health();
    const leagues: Status[] = [];
    for (const one of names) {
      // Of many, one whose plan is lost keeps nobody from seeing the others.
      const plan = name === undefined ? await keptPlan(store, one) : await planIn(store, one);
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
  flags: PlaceFlags & { readonly json?: boolean },
): Promise<ExitCode> {
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
): Promise<ExitCode> {
  return await withPlace(flags, LOOKING, async (store) => {
    const standings = await standingsIn(store, await planIn(store, name));
    if (flags.format === 'json') printJson({ type: 'league.standings', v: 1, ...standings });
    else print(csvOf(standings));
    return EXIT.done;
  });
}
