/** Finds the journals of a report: the named ones, or the journals of a league. */

import { createFailure, EXIT, Failure, nameOf } from '../../actors/files/failure.ts';
import { findEntry } from '../../actors/files/openFiles.ts';
import { auditLeague } from '../../actors/league/impossible.ts';
import { journalFolder, journalPath } from '../../actors/league/journals.ts';
import { findPlan, LOOKING, withStore } from '../../actors/league/leagueStore.ts';
import type { JournalHashes } from '../../actors/stores/result.ts';
import { damagedLeague, leagueArguments } from '../league/show.ts';
import { commandLine } from '../usage.ts';

export type ReportedJournals = {
  readonly paths: readonly string[];
  /** Null if the report has no name. */
  readonly title: string | null;
  /** The last hashes in the results of a league, by path. */
  readonly hashes: ReadonlyMap<string, JournalHashes>;
  /** The damage of the league; null without one. */
  readonly failure: Failure | null;
};

export type LeaguePlace = { readonly store?: string; readonly journals?: string };

/** A single word that is no file, or any word with a store, is the name of a league. */
export async function findReported(
  words: readonly string[],
  place: LeaguePlace,
): Promise<ReportedJournals> {
  const [word = ''] = words;
  const isNamed = place.store !== undefined || place.journals !== undefined;
  // A missing file should be reported as a file.
  const isPath = word.includes('/') || /\.jsonl(?:\.gz|\.zst)?$/.test(word);
  const isAbsent = words.length === 1 && findEntry(word) === 'nothing' && !isPath;
  if (isNamed && words.length > 1) {
    const text = `expected the name of one league beside --store or --journals, found ${words.length} words`;
    throw createFailure(EXIT.usage, 'report/one-league', text);
  }
  if (isNamed) return await findLeague(word, place);
  if (word !== '-' && isAbsent) {
    return await findLeague(word, place).catch((error: unknown) => {
      const code = error instanceof Failure ? error.notes[0]?.code : undefined;
      if (code !== 'league/unknown' && code !== 'store/no-such-file') throw error;
      const text = `expected journals, a folder with journals in it, or the name of a league, found neither a file nor a league ${nameOf(word)}: "glassbox league status" lists leagues`;
      throw createFailure(EXIT.noInput, 'report/nothing', text);
    });
  }
  return { paths: words, title: null, hashes: new Map(), failure: null };
}

async function findLeague(name: string, place: LeaguePlace): Promise<ReportedJournals> {
  return await withStore(place, LOOKING, async (store) => {
    const plan = await findPlan(store, name);
    const { league } = plan;
    const { results, damages } = await auditLeague(store, plan);
    const folder = place.journals ?? journalFolder(league.name);
    const hashes = new Map<string, JournalHashes>();
    const paths = results.map(({ slot, journal }) => {
      const path = journalPath(folder, slot, league.games);
      if (journal !== null) hashes.set(path, journal);
      return path;
    });
    const fetch = commandLine('league', 'fetch', ...leagueArguments(league.name, place.store));
    if (paths.length === 0) {
      const text = `expected games of the league ${JSON.stringify(league.name)}, found that none has a result yet`;
      throw createFailure(EXIT.noInput, 'report/no-games', text);
    }
    const absent = paths.filter((path) => findEntry(path) === 'nothing');
    const [first] = absent;
    if (first !== undefined) {
      const text = `expected the journals of all ${paths.length} results in ${nameOf(folder)}, found that ${absent.length} are not there, ${nameOf(first)} among them: ${fetch} writes them, and --journals says where they are`;
      throw createFailure(EXIT.noInput, 'report/no-journals', text);
    }
    const ending = { done: 'they are left out of the report', store: place.store };
    const failure = damages.length === 0 ? null : damagedLeague(plan, damages, ending);
    return { paths, title: league.name, hashes, failure };
  });
}
