/** Fetching the journals of a league: from the store, to a folder on any machine, as often as wanted. */

import {
  fetchJournals,
  journalFolder,
  type MissingJournal,
  removeAbandonedFiles,
} from '../../actors/league/journals.ts';
import type { LeaguePlan } from '../../actors/league/plan.ts';
import type { Store } from '../../actors/stores/store.ts';
import { pluralize } from '../../machines/text.ts';
import { createFailure, EXIT, type ExitCode, Failure } from '../exit.ts';
import { cleanLines, print, printJson } from '../output.ts';
import { findPlan, LOOKING, type StoreFlags, withStore } from './store.ts';

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
