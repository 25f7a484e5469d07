/** The commands that print leagues: status, leaderboard, statistics and exports. */
import manifest from '#manifest' with { type: 'json' };
import { createFailure, EXIT, Failure } from '../../actors/files/failure.ts';
import { auditLeague } from '../../actors/league/impossible.ts';
import {
  describeMissing,
  fetchJournals,
  journalFolder,
  type MissingJournal,
  removeAbandonedFiles,
} from '../../actors/league/journals.ts';
import {
  findPlan,
  type LeagueStatus,
  LOOKING,
  listWorkersAt,
  readStatus,
  type StoreFlags,
  storeLocation,
  tryPlan,
  withStore,
} from '../../actors/league/leagueStore.ts';
import type { LeaguePlan } from '../../actors/league/plan.ts';
import { isRedisUrl } from '../../actors/stores/open.ts';
import type { Store } from '../../actors/stores/store.ts';
import { readStandings } from '../../analysis/league/report.ts';
import { pluralize } from '../../machines/text.ts';
import type { Note } from '../../machines/types.ts';
import { writeEngineVersion } from '../../machines/versions.ts';
import { clean } from '../../visualizer/terminal/layout.ts';
import {
  renderCsv,
  renderLeaderboard,
  renderLevels,
  renderMeasures,
  renderVersus,
} from '../../visualizer/terminal/standings.ts';
import { alignColumns } from '../../visualizer/terminal/table.ts';
import { cleanLines, print, printJson, printNote, textWidth } from '../output.ts';
import { commandLine } from '../usage.ts';

export type ShowFlags = StoreFlags & {
  readonly stats?: boolean;
  readonly versus?: boolean;
  readonly levels?: boolean;
  readonly wide?: boolean;
  readonly json?: boolean;
};

export async function showLeague(name: string | undefined, flags: ShowFlags): Promise<void> {
  await withStore(flags, LOOKING, async (store) => {
    const plan = await findPlan(store, name);
    const { standings, damages } = await readStandings(store, plan);
    if (flags.json) printJson({ type: 'league.standings', v: 1, ...standings });
    else {
      const width = textWidth(flags);
      print(renderLeaderboard(standings, width));
      if (flags.stats) print(`\n${renderMeasures(standings, width)}`);
      if (flags.versus) print(`\n${renderVersus(standings, width)}`);
      if (flags.levels) print(`\n${renderLevels(standings, width)}`);
    }
    expectSound(plan, damages, { done: 'they are left out above', store: flags.store });
  });
}

function statusRow({ name, done, games, leader, damage }: LeagueStatus): readonly string[] {
  if (games === null) {
    const state = damage === null ? 'its plan is lost: run its file again' : 'its plan is damaged';
    return [clean(name), pluralize(done, 'game'), state];
  }
  const state = done === games ? 'over' : 'open';
  const led = leader === null ? state : `${state}, led by ${clean(leader)}`;
  return [clean(name), `${done} of ${games} games`, led];
}

export async function showStatus(name: string | undefined, flags: ShowFlags): Promise<void> {
  await withStore(flags, LOOKING, async (store) => {
    const { what, warnings } = await store.health();
    const leagues = await readStatus(store, name);
    const engine = writeEngineVersion(manifest.version);
    const workers = await listWorkersAt(storeLocation(flags.store), engine);
    if (flags.json) {
      printJson({ type: 'league.status', v: 1, store: what, warnings, leagues, workers });
    } else {
      if (leagues.length === 0) print(`There is no league yet in ${what}.`);
      else print(alignColumns(leagues.map(statusRow)).join('\n'));
      if (workers !== null) {
        const count = pluralize(workers.length, 'worker');
        print(workers.length === 0 ? count : `${count}: ${workers.map(clean).join(', ')}`);
      }
      for (const { text } of warnings) printNote(`Warning: ${clean(text)}`);
    }
    const damages = leagues.flatMap(({ damage }) => damage ?? []);
    if (damages.length > 0) throw new Failure(EXIT.damaged, damages);
  });
}

export async function rebuildCareers(flags: ShowFlags): Promise<void> {
  await withStore(flags, LOOKING, async (store) => {
    for (const league of await store.leagues()) {
      const { plan } = await tryPlan(store, league);
      if (plan === null) continue;
      const { damages } = await auditLeague(store, plan);
      expectSound(plan, damages, { done: 'nothing is counted', store: flags.store });
    }
    const { personas, changed } = await store.rebuild();
    if (flags.json) printJson({ type: 'league.rebuilt', v: 1, personas, changed });
    else {
      const careers = pluralize(personas, 'career');
      const wrong = `${changed} ${changed === 1 ? 'was' : 'were'} wrong`;
      print(`${careers} recounted from the results: ${wrong}.`);
    }
  });
}

export async function exportLeague(
  name: string | undefined,
  flags: StoreFlags & { readonly format: 'csv' | 'json' },
): Promise<void> {
  await withStore(flags, LOOKING, async (store) => {
    const plan = await findPlan(store, name);
    const { standings, damages } = await readStandings(store, plan);
    expectSound(plan, damages, { done: 'nothing is exported', store: flags.store });
    if (flags.format === 'json') printJson({ type: 'league.standings', v: 1, ...standings });
    else print(renderCsv(standings));
  });
}

export type FetchFlags = StoreFlags & {
  readonly out?: string;
  readonly drop?: boolean;
  readonly json?: boolean;
};

export async function fetchLeague(name: string | undefined, flags: FetchFlags): Promise<void> {
  await withStore(flags, LOOKING, async (store) => {
    const plan = await findPlan(store, name);
    const { name: league, games } = plan.league;
    const folder = flags.out ?? journalFolder(league);
    const slots = await store.slots(league);
    if (flags.drop === true) await expectOver(store, plan, slots.length);
    const fetched = await fetchJournals(store, { league, games, folder }, slots);
    removeAbandonedFiles(folder);
    const { written, there, missing } = fetched;
    if (flags.json === true) {
      const absent = missing.map(({ slot, why }) => ({ game: slot + 1, why }));
      const results = slots.length;
      const counts = { games, results, written, there, missing: absent };
      printJson({ type: 'league.journals', v: 1, league, folder, ...counts });
    } else {
      const all = `${league}: ${slots.length} of ${games} games have a result`;
      const files = `${pluralize(written, 'journal')} written to ${folder}, ${there} there already`;
      print(cleanLines(`${all}; ${files}.`));
    }
    if (missing.length > 0) throw missingFailure(missing);
    const { damages } = await auditLeague(store, plan);
    expectSound(plan, damages, { done: 'the journals are written', store: flags.store });
    if (flags.drop === true) await store.dropJournals(league);
  });
}

/** Journals may be dropped only if no run needs them. */
async function expectOver(
  store: Store,
  { league: { name, games } }: LeaguePlan,
  results: number,
): Promise<void> {
  if (results === games && (await store.leader(name)) === null) return;
  const state = results === games ? 'it is still led by a run' : `${results} of ${games} games`;
  const text = `--drop wants a league that is over (${state}): fetch without it, or play the league to its end`;
  throw createFailure(EXIT.usage, 'league/not-over', text);
}

function missingFailure(missing: readonly MissingJournal[]): Failure {
  const isDamaged = missing.some(({ why }) => why === 'damaged' || why === 'unsound');
  const note = { code: 'league/journals-missing', text: describeMissing(missing) };
  return new Failure(isDamaged ? EXIT.damaged : EXIT.noInput, [note]);
}

/** A file may call its league like an option, and an address may hold a password: neither is repeated. */
export function leagueArguments(league: string, store: string | undefined): readonly string[] {
  const place = store === undefined ? [] : ['--store', isRedisUrl(store) ? 'URL' : store];
  return [/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(league) ? league : 'LEAGUE', ...place];
}

export function expectSound(...audited: Parameters<typeof damagedLeague>): void {
  if (audited[1].length > 0) throw damagedLeague(...audited);
}

/** The failure for results that differ from their records. `done` says how the command went on. */
export function damagedLeague(
  { league }: LeaguePlan,
  damages: readonly Note[],
  { done, store }: { readonly done: string; readonly store: string | undefined },
): Failure {
  const { length } = damages;
  const verify = commandLine('verify', ...leagueArguments(league.name, store));
  const text = `${pluralize(length, 'damage')} in the results of the league, and ${done}: ${verify} names everything that does not fit`;
  const shown = damages.slice(0, SHOWN_DAMAGES);
  return new Failure(EXIT.damaged, [...shown, { code: 'league/damaged', text }]);
}

const SHOWN_DAMAGES = 10;
