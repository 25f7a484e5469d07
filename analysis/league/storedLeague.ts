/** Verifies a league with the journals of a folder, and discards its wrong results. */
import { findEntry, openText, refuseUnlisted } from '../../actors/files/openFiles.ts';
import { journalPath, listJournals } from '../../actors/league/journals.ts';
import type { LeaguePlan } from '../../actors/league/plan.ts';
import { realTime } from '../../actors/ports/time.ts';
import { StoreDamaged } from '../../actors/stores/errors.ts';
import type { Store } from '../../actors/stores/store.ts';
import { listWords, pluralize } from '../../machines/text.ts';
import { type LeagueVerification, type VerifyFinding, verifyLeague } from './verify.ts';

export type StoredLeague = {
  readonly store: Store;
  readonly plan: LeaguePlan;
  readonly folder: string;
};

type StoredLeagueOptions = {
  readonly replay?: number | 'all' | undefined;
  /** Draws the games to replay. The default is drawn from the clock. */
  readonly seed?: number | undefined;
  readonly onProgress: (done: number, of: number) => void;
};

export type SampledVerification = LeagueVerification & { readonly seed: number };

const REPLAYS = 20;
const DRAWN_SEEDS = 1_000_000;

export async function verifyStoredLeague(
  { store, plan, folder }: StoredLeague,
  { replay = REPLAYS, seed = realTime.date() % DRAWN_SEEDS, onProgress }: StoredLeagueOptions,
): Promise<SampledVerification> {
  const { games } = plan.league;
  const verification = await verifyLeague({
    store,
    plan,
    findJournal: async (slot) => {
      const path = journalPath(folder, slot, games);
      // Reading a pipe would block.
      const entry = findEntry(path);
      if (entry === 'file') return await openText(path, 'game');
      if (entry !== 'nothing') throw new Error(`${path} is no file (${entry})`);
      return null;
    },
    journals: findJournals(folder, games),
    sample: { games: replay === 'all' ? games : replay, seed },
    onProgress,
  });
  return { ...verification, seed };
}

function findJournals(folder: string, games: number): readonly number[] {
  try {
    return listJournals(folder, games);
  } catch (error) {
    throw refuseUnlisted(folder, error);
  }
}

/** Removes the wrong results, so that their games are played again. `problem` says why no career was counted again. */
export async function discardWrong(
  { store, plan }: StoredLeague,
  { findings }: LeagueVerification,
) {
  const wrong = findings.flatMap(({ slot, fault }) =>
    slot !== null && fault === 'result' ? [slot] : [],
  );
  const slots = [...new Set(wrong)];
  // Without wrong results this still corrects the count of results.
  await store.discard(plan.league.name, slots);
  try {
    await store.rebuild();
    return { slots, problem: null };
  } catch (error) {
    if (!(error instanceof StoreDamaged)) throw error;
    return { slots, problem: `The careers were not counted again: ${error.message}` };
  }
}

/** Findings that a new count of the results removes. */
const COUNTED: readonly string[] = ['league/missing-result', 'league/lost-count'];

/** Which commands can repair the findings: `league fetch` for journals, `--discard` for results. */
export function listRepairs({ findings }: LeagueVerification) {
  return {
    journals: findings.some(({ fault }) => fault === 'journal'),
    results: findings.some(({ fault, code }) => fault === 'result' || COUNTED.includes(code)),
  };
}

export function describeDiscarded(
  { league, findings }: LeagueVerification,
  { slots }: { readonly slots: readonly number[] },
): string {
  if (slots.length === 0 && findings.some(({ code }) => COUNTED.includes(code)))
    return 'No result was removed. The results and careers were counted again.';
  if (slots.length === 0)
    return 'No result was removed. league fetch can write missing or damaged journals again, if the store has them.';
  const games = slots.map((slot) => slot + 1).join(', ');
  return `Removed the results of ${slots.length === 1 ? 'game' : 'games'} ${games} and counted the careers again. To play these games again, run the file of ${league}.`;
}

export function describeVerification(
  verification: SampledVerification,
  { folder }: StoredLeague,
): string {
  const { league, results, journals, journalsFromStore, replayed, findings, seed } = verification;
  const lines = findings.map(({ text, code }: VerifyFinding) => `${text} (${code})`);
  const places = [
    ...(journals > journalsFromStore ? [`${journals - journalsFromStore} in ${folder}`] : []),
    ...(journalsFromStore > 0 ? [`${journalsFromStore} in the store`] : []),
  ];
  const where = places.length === 0 ? '' : ` (${places.join(', ')})`;
  const counts = `${league}: ${pluralize(results, 'result')}, ${pluralize(journals, 'journal')} read${where}, ${pluralize(replayed, 'game')} replayed (--seed ${seed})`;
  const judged = ['hashes', 'schedule', 'careers'];
  if (journals > 0) judged.push('journals');
  if (replayed > 0) judged.push('replays');
  const verdict =
    findings.length === 0
      ? `Everything fits: ${listWords(judged)}.`
      : `${pluralize(findings.length, 'finding')}.`;
  return [...lines, counts, verdict].join('\n');
}
