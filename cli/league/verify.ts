/** Verification on the command line: names every result that does not fit, and takes such results out when asked to. */

import { EXIT, type ExitCode } from '../../actors/files/failure.ts';
import {
  findEntry,
  openJournalText,
  openLeague,
  refuseUnlisted,
} from '../../actors/files/openFiles.ts';
import { journalFolder, journalPath, listJournals } from '../../actors/league/journals.ts';
import type { LeaguePlan } from '../../actors/league/plan.ts';
import { realTime } from '../../actors/ports/time.ts';
import { isRedisUrl } from '../../actors/stores/open.ts';
import { StoreDamaged } from '../../actors/stores/seal.ts';
import type { Store } from '../../actors/stores/store.ts';
import {
  type LeagueVerification,
  type VerifyFinding,
  verifyLeague,
} from '../../analysis/league/verify.ts';
import { pluralize } from '../../machines/text.ts';
import { cleanLines, print, printJson, printNote } from '../output.ts';
import { createProgressLine } from '../progress.ts';
import { commandLine } from '../usage.ts';
import type { VerifyFlags } from '../verifyFlags.ts';
import { findPlan, LOOKING, storeArguments, withStore } from './store.ts';

/** Games that are played again unless the flags say otherwise. */
const REPLAYS = 20;

/** Verifies a league by its name, its file or its store; without any, the only one of the store. */
export async function verifyLeagueOnCommand(
  thing: string | undefined,
  given: VerifyFlags,
): Promise<ExitCode> {
  const { name, store: location } = await findLeague(thing, given.store);
  const flags = location === undefined ? given : { ...given, store: location };
  return await withStore(flags, LOOKING, async (store) => {
    const plan = await findPlan(store, name);
    const { league } = plan;
    const folder = flags.journals ?? journalFolder(league.name);
    const seed = flags.seed ?? realTime.date() % SEEDS;
    const { replay = REPLAYS, quiet = false, json = false } = flags;
    const games = replay === 'all' ? league.games : replay;
    const progress = createProgressLine();
    const verification = await verifyLeague({
      store,
      plan,
      findJournal: async (slot) => {
        const path = journalPath(folder, slot, league.games);
        // A pipe would be waited for.
        const entry = findEntry(path);
        if (entry === 'file') return await openJournalText(path);
        if (entry !== 'nothing') throw new Error(`${path} is no file (${entry})`);
        return null;
      },
      journals: findJournals(folder, league.games),
      sample: { games, seed },
      onProgress: (done, of) => {
        if (!quiet && !json) progress.show(`${done} of ${of} results verified`);
      },
    });
    progress.clear();
    const discarded = flags.discard === true ? await discardWrong(store, plan, verification) : [];
    if (json) {
      const games = discarded.map((slot) => slot + 1);
      printJson({ type: 'league.verified', v: 1, ...verification, seed, discarded: games });
    } else {
      print(describeVerification(verification, { seed, folder }));
      if (flags.discard === true) {
        print(cleanLines(describeDiscarded(plan, verification, discarded)));
      } else advise(plan, verification, flags);
    }
    return verification.findings.length === 0 ? EXIT.done : EXIT.found;
  });
}

/** The name of a league and the place of its store, where a word on the command line says so. */
async function findLeague(thing: string | undefined, store: string | undefined) {
  if (thing === undefined) return { name: undefined, store };
  if (isRedisUrl(thing)) return { name: undefined, store: thing };
  if (findEntry(thing) !== 'file') return { name: thing, store };
  if (!/\.ya?ml$/.test(thing)) return { name: undefined, store: thing };
  return { name: (await openLeague(thing)).name, store };
}

function findJournals(folder: string, games: number): readonly number[] {
  try {
    return listJournals(folder, games);
  } catch (error) {
    throw refuseUnlisted(folder, error);
  }
}

/** Seeds that are drawn from the time of day have at most so many digits. */
const SEEDS = 1_000_000;

/** Takes out the results that are wrong, so that their games are played again; returns their slots. */
async function discardWrong(
  store: Store,
  { league }: LeaguePlan,
  { findings }: LeagueVerification,
): Promise<readonly number[]> {
  const wrong = findings.flatMap(({ slot, fault }) =>
    slot !== null && fault === 'result' ? [slot] : [],
  );
  const slots = [...new Set(wrong)];
  // Also without one: results that are missed are missed no more.
  await store.discard(league.name, slots);
  await store.rebuild().catch((error: unknown) => {
    if (!(error instanceof StoreDamaged)) throw error;
    printNote(cleanLines(`The careers were not counted anew: ${error.message}`));
  });
  return slots;
}

/** Findings that are gone when the results are counted anew. */
const COUNTED: readonly string[] = ['league/missing-result', 'league/lost-count'];

function describeDiscarded(
  { league }: LeaguePlan,
  { findings }: LeagueVerification,
  slots: readonly number[],
): string {
  if (slots.length === 0 && findings.some(({ code }) => COUNTED.includes(code))) {
    return 'No result was taken out; how many there are is counted anew, and so are the careers.';
  }
  if (slots.length === 0) {
    return 'No result was taken out: journals that are missing or damaged can be written anew by league fetch, if the store has them.';
  }
  const again = `Run the file of ${league.name} again to play what has no result.`;
  const games = slots.map((slot) => slot + 1).join(', ');
  return `Taken out: the results of ${slots.length === 1 ? 'game' : 'games'} ${games}; careers are counted anew. ${again}`;
}

/** What can be done about the findings. */
function advise(
  { league }: LeaguePlan,
  { findings }: LeagueVerification,
  { store, journals }: VerifyFlags,
): void {
  const place = [league.name, ...storeArguments(store)];
  if (findings.some(({ fault }) => fault === 'journal')) {
    const out = journals === undefined ? [] : ['--out', journals];
    const words = commandLine('league', 'fetch', ...place, ...out);
    printNote(cleanLines(`To write journals anew, if the store has them:  ${words}`));
  }
  if (findings.some(({ fault, code }) => fault === 'result' || COUNTED.includes(code))) {
    const folder = journals === undefined ? [] : ['--journals', journals];
    const words = commandLine('verify', ...place, ...folder, '--discard');
    printNote(
      cleanLines(`To take wrong results out, so that their games are played again:  ${words}`),
    );
  }
}

function describeVerification(
  { league, results, journals, journalsFromStore, replayed, findings }: LeagueVerification,
  { seed, folder }: { readonly seed: number; readonly folder: string },
): string {
  const lines = findings.map(({ text, code }: VerifyFinding) => `${text} (${code})`);
  const places = [
    ...(journals > journalsFromStore ? [`${journals - journalsFromStore} in ${folder}`] : []),
    ...(journalsFromStore > 0 ? [`${journalsFromStore} in the store`] : []),
  ];
  const where = places.length === 0 ? '' : ` (${places.join(', ')})`;
  const counts = `${league}: ${pluralize(results, 'result')}, ${pluralize(journals, 'journal')} read${where}, ${pluralize(replayed, 'game')} played again (--seed ${seed})`;
  const verdict =
    findings.length === 0
      ? 'Everything fits: hashes, schedule, journals, careers, and what was played again.'
      : `${pluralize(findings.length, 'finding')}.`;
  return cleanLines([...lines, counts, verdict].join('\n'));
}
