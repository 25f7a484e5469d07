/** A run of a league. It can be killed at any moment and started again. */

import { reach } from '../ports/reach.ts';
import type { GameServices, LeagueGameOutcome } from './game.ts';
import {
  fetchJournals,
  type MissingJournal,
  refuseOthers,
  removeAbandonedFiles,
  removePartialFiles,
} from './journals.ts';
import { Lead, LeadLost, type LeadRequest } from './lead.ts';
import type { LeagueQueue } from './localQueue.ts';
import type { LeaguePlan } from './plan.ts';
import { type LeaguePorts, realLeaguePorts } from './ports.ts';
import { recoverGames } from './recovery.ts';
import { type LeagueRunOutcome, playLeague } from './runner.ts';

export type LeadDisplay = {
  readonly onOutcome: (outcome: LeagueGameOutcome) => void;
  readonly onNote: (text: string) => void;
  readonly onPlayed: () => void;
};

export type ConductOptions = Omit<LeadRequest, 'league'> & {
  readonly plan: LeaguePlan;
  readonly folder: string;
  readonly ownsFolder: boolean;
  readonly openQueue: (onNote: (text: string) => void) => Promise<LeagueQueue>;
  /** This run leads now. `there` counts the games with a result. */
  readonly onLead: (there: number) => LeadDisplay;
  readonly count: GameServices['count'];
  readonly onMissing: (missing: readonly MissingJournal[]) => void;
  readonly ports?: LeaguePorts;
};

/** Plays the league when this run leads it; null when it was stopped before. */
export async function conductLeague(run: ConductOptions): Promise<LeagueRunOutcome | null> {
  const { plan, store, onWait, signal, ports = realLeaguePorts } = run;
  const { name: league } = plan.league;
  for (;;) {
    const lead = await Lead.take({ store, league, onWait, signal }, ports);
    if (lead === null) return null;
    const outcome = await leadLeague(run, lead);
    if (outcome !== null) return outcome;
    reach('lead-changed');
  }
}

/** Plays the open games. Null when another run has taken the lead meanwhile. */
async function leadLeague(run: ConductOptions, lead: Lead): Promise<LeagueRunOutcome | null> {
  const { plan, store, folder, count, signal, ports = realLeaguePorts } = run;
  const { name: league, games } = plan.league;
  let queue: LeagueQueue | null = null;
  try {
    const before = await store.slots(league);
    refuseOthers({ folder, disk: ports.disk }, plan, before);
    const { onOutcome, onNote, onPlayed } = run.onLead(before.length);
    const ready = await run.openQueue(onNote);
    queue = ready;
    onAbort(signal, () => ready.stop());
    onAbort(lead.lost, () => ready.leave());
    if (run.ownsFolder) removePartialFiles(folder, { slots: before, games }, ports.disk);
    const outcome = await playLeague({
      ...{ plan, store, queue, onOutcome, onNote, fence: lead.fence },
      recover: (open) => recoverGames({ plan, store, folder, count, ports, onNote }, open),
    });
    onPlayed();
    // Workers play on while the lead changes, so all journals are fetched at the end.
    const slots = await store.slots(league);
    const { missing } = await fetchJournals(store, { league, games, folder, ports }, slots);
    // Another run may have recorded a game that this one has only begun.
    if (run.ownsFolder) removePartialFiles(folder, { slots, games }, ports.disk);
    else removeAbandonedFiles(folder, ports);
    if (missing.length > 0) run.onMissing(missing);
    return outcome.open > 0 && lead.lost.aborted ? null : outcome;
  } catch (error) {
    if (error instanceof LeadLost) return null;
    throw error;
  } finally {
    // Where the store refuses this, it says so elsewhere, and the lead runs out.
    await lead.resign().catch(() => {});
    await queue?.close();
  }
}

function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act);
}
