/** Records games whose journal outlived their result, as when a server loses its last seconds. No mind is asked. */
import { pluralize } from '../../machines/text.ts';
import { reach } from '../ports/reach.ts';
import { packJournal, unpackJournal } from '../stores/journal.ts';
import type { Store } from '../stores/store.ts';
import { type GameServices, type LeagueGameOutcome, readPlayedGame } from './game.ts';
import { journalPath, readSaved } from './journals.ts';
import type { LeagueGame, LeaguePlan } from './plan.ts';
import { isSlowGame } from './players.ts';
import type { LeaguePorts } from './ports.ts';

type RecoverySource = {
  readonly plan: LeaguePlan;
  readonly store: Store;
  readonly folder: string;
  readonly count: GameServices['count'];
  readonly onNote: (text: string) => void;
  readonly ports: Pick<LeaguePorts, 'disk' | 'compression'>;
};

export async function recoverGames(source: RecoverySource, games: readonly LeagueGame[]) {
  const outcomes: LeagueGameOutcome[] = [];
  for (const game of games) {
    const outcome = await recoverGame(source, game);
    if (outcome !== null) outcomes.push(outcome);
  }
  const { onNote, plan } = source;
  const count = pluralize(outcomes.length, 'game');
  if (outcomes.length > 0)
    onNote(
      `The store has lost the result of ${count} of ${plan.league.name}: recorded again from the whole journal, without a call.`,
    );
  return outcomes;
}

/** Records a game from its whole journal; null where there is none. Offline games are played again, to the byte. */
async function recoverGame(
  { plan, store, folder, count, ports: { disk, compression } }: RecoverySource,
  game: LeagueGame,
): Promise<LeagueGameOutcome | null> {
  if (!isSlowGame(game)) return null;
  const { slot } = game;
  const kept = await store.journal(game);
  const texts = [
    readSaved(journalPath(folder, slot, plan.league.games), disk),
    kept === null ? null : await unpackJournal(kept, compression),
  ];
  for (const text of texts) {
    const result = text === null ? null : await readPlayedGame(game, text, count);
    if (text === null || result === null) continue;
    const epoch = await store.claim(game);
    const recorded = await store.record(result, epoch, await packJournal(text, compression));
    // A worker that has claimed it meanwhile plays it.
    if (recorded === 'fenced') return null;
    reach('result-recovered');
    return { type: 'played', slot, result, journal: null };
  }
  return null;
}
