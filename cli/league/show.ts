/** The commands that print leagues: status, leaderboard, statistics, and all of it for other programs. */
import manifest from '#manifest' with { type: 'json' };
import { createFailure, EXIT, type ExitCode, Failure } from '../../actors/files/failure.ts';
import {
  fetchJournals,
  journalFolder,
  type MissingJournal,
  removeAbandonedFiles,
} from '../../actors/league/journals.ts';
import { describeLeader } from '../../actors/league/lead.ts';
import type { LeaguePlan } from '../../actors/league/plan.ts';
import { isRedisUrl } from '../../actors/stores/open.ts';
import { StoreDamaged } from '../../actors/stores/seal.ts';
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
import {
  damagedLeague,
  findPlan,
  LOOKING,
  readPlan,
  type StoreFlags,
  storeLocation,
  withStore,
} from './store.ts';

export type ShowFlags = StoreFlags & {
  readonly stats?: boolean;
  readonly versus?: boolean;
  readonly levels?: boolean;
  readonly wide?: boolean;
  readonly json?: boolean;
};

export async function showLeague(name: string | undefined, flags: ShowFlags): Promise<ExitCode> {
  return await withStore(flags, LOOKING, async (store) => {
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
    if (damages.length > 0)
      throw damagedLeague(plan, damages, { done: 'they are left out above', store: flags.store });
    return EXIT.done;
  });
}

type LeagueStatus = {
  readonly name: string;
  readonly done: number;
  /** Null where the plan is lost or damaged. */
  readonly games: number | null;
  readonly damage: Note | null;
  /** The run that leads it; null while none does. */
  readonly leader: string | null;
};

function statusRow({ name, done, games, leader, damage }: LeagueStatus): readonly string[] {
  if (games === null) {
    const state = damage === null ? 'its plan is lost: run its file again' : 'its plan is damaged';
    return [clean(name), pluralize(done, 'game'), state];
  }
  const state = done === games ? 'over' : 'open';
  const led = leader === null ? state : `${state}, led by ${clean(leader)}`;
  return [clean(name), `${done} of ${games} games`, led];
}

/** The workers on the Redis of a store that are of this version; null where there is no queue, or it can't be asked. */
async function listWorkersAt(address: string): Promise<readonly string[] | null> {
  if (!isRedisUrl(address)) return null;
  const { RedisGameQueue } = await import('../../actors/league/queue.ts');
  const queue = new RedisGameQueue(address, writeEngineVersion(manifest.version), {
    isReader: true,
  });
  try {
    return await queue.workers();
  } finally {
    await queue.close();
  }
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
      const { plan, damage } =
        name === undefined
          ? await tryPlan(store, one)
          : { plan: await findPlan(store, one), damage: null };
      const done = (await store.slots(one)).length;
      const lead = await store.leader(one);
      const leader = lead === null ? null : describeLeader(lead);
      leagues.push({ name: one, done, games: plan?.league.games ?? null, leader, damage });
    }
    const workers = await listWorkersAt(storeLocation(flags.store));
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
    if (damages.length === 0) return EXIT.done;
    throw new Failure(EXIT.damaged, damages);
  });
}

/** The plan of a league, or its damage. A damaged plan does not hide the other leagues. */
async function tryPlan(store: Store, league: string) {
  try {
    return { plan: await readPlan(store, league), damage: null };
  } catch (error) {
    if (!(error instanceof StoreDamaged)) throw error;
    return { plan: null, damage: { code: error.code, text: error.message } };
  }
}

export async function rebuildCareers(
  flags: StoreFlags & { readonly json?: boolean },
): Promise<ExitCode> {
  return await withStore(flags, LOOKING, async (store) => {
    const { personas, changed } = await store.rebuild();
    if (flags.json) printJson({ type: 'league.rebuilt', v: 1, personas, changed });
    else {
      const careers = pluralize(personas, 'career');
      const wrong = `${changed} ${changed === 1 ? 'was' : 'were'} wrong`;
      print(`${careers} recounted from the results: ${wrong}.`);
    }
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
    if (damages.length > 0)
      throw damagedLeague(plan, damages, { done: 'nothing is exported', store: flags.store });
    if (flags.format === 'json') printJson({ type: 'league.standings', v: 1, ...standings });
    else print(renderCsv(standings));
    return EXIT.done;
  });
}

export type FetchFlags = StoreFlags & {
  readonly out?: string;
  readonly drop?: boolean;
  readonly json?: boolean;
};

/** Writes the journals of all results of a league into a folder. */
export async function fetchLeague(name: string | undefined, flags: FetchFlags): Promise<ExitCode> {
  return await withStore(flags, LOOKING, async (store) => {
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
    if (flags.drop === true) await store.dropJournals(league);
    return EXIT.done;
  });
}

/** Journals can be dropped only where no run needs them any more. */
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

type MissingWords = Readonly<Record<MissingJournal['why'], string>>;

const ONE: MissingWords = {
  unsound:
    'its file is empty, damaged or of another game, and the store never had it; it is in the folder of the run that played it',
  unkept: 'the store never had it; it is in the folder of the run that played it',
  dropped: 'it was removed from the store by fetch --drop; it is in the folder of that command',
  damaged: 'its bytes in the store are damaged',
};
const MANY: MissingWords = {
  unsound:
    'their files are empty, damaged or of other games, and the store never had them; they are in the folder of the run that played them',
  unkept: 'the store never had them; they are in the folder of the run that played them',
  dropped:
    'they were removed from the store by fetch --drop; they are in the folder of that command',
  damaged: 'their bytes in the store are damaged',
};

/** Games that are named in one sentence. */
const MOST_NAMED = 5;

/** One sentence for all. */
export function describeMissing(missing: readonly MissingJournal[]): string {
  return [...Map.groupBy(missing, ({ why }) => why)]
    .map(([why, some]) => {
      const named = some.slice(0, MOST_NAMED).map(({ slot }) => String(slot + 1));
      const more = some.length > MOST_NAMED ? ` and ${some.length - MOST_NAMED} more` : '';
      const subject =
        some.length === 1
          ? `the journal of game ${named.join('')} is missing`
          : `the journals of games ${named.join(', ')}${more} are missing`;
      return `${subject}: ${some.length === 1 ? ONE[why] : MANY[why]}`;
    })
    .join('; ');
}

function missingFailure(missing: readonly MissingJournal[]): Failure {
  const isDamaged = missing.some(({ why }) => why === 'damaged' || why === 'unsound');
  const note = { code: 'league/journals-missing', text: describeMissing(missing) };
  return new Failure(isDamaged ? EXIT.damaged : EXIT.noInput, [note]);
}
