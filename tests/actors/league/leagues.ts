/** Leagues and their queues for the tests. */
import { begin } from '../../../actors/league/beginning.ts';
import { conduct } from '../../../actors/league/conductor.ts';
import type { JournalKeeper } from '../../../actors/league/gameQueue.ts';
import { InProcess } from '../../../actors/league/inProcess.ts';
import { type LeagueFile, leagueSchema } from '../../../actors/league/leagueFile.ts';
import { type Plan, planOf } from '../../../actors/league/plan.ts';
import { playAssignment, type SlotOutcome } from '../../../actors/league/playing.ts';
import { InMemoryStore } from '../../../actors/stores/inMemory.ts';
import type { GameResult } from '../../../actors/stores/result.ts';
import type { Store } from '../../../actors/stores/store.ts';
import { tallyOf } from '../../../cli/league/tally.ts';
import { gathered } from '../stores/kept.ts';

/** A small league: five offline minds at a table of five. */
export function aPlan(file: Partial<LeagueFile> = {}): Plan {
  const names = ['one', 'two', 'three', 'four', 'five'];
  const league = leagueSchema.parse({
    name: 'small',
    seed: 4,
    games: 6,
    round: 2,
    players: 5,
    personas: names.map((name) => ({ name, temperament: 'follower' })),
  });
  return planOf({ ...league, ...file }, 'test');
}

export const EDGE = { count: tallyOf, thinkers: null };

export type Given = {
  readonly store?: Store;
  readonly jobs?: number;
  /** Instead of playing: an outcome, or null to play after all. */
  readonly instead?: (slot: number) => SlotOutcome | null;
  readonly keep?: JournalKeeper;
  /** The games after which the run is stopped. */
  readonly stopAfter?: number;
};

/** Plays what is open in a league; returns what has become of it, and all results. */
export async function played(plan: Plan, given: Given = {}) {
  const {
    store = new InMemoryStore(),
    jobs = 2,
    instead = () => null,
    keep = async () => {},
  } = given;
  const conflict = await begin(store, plan);
  if (conflict !== null) throw new Error(conflict.text);
  const begun: number[] = [];
  const queue = new InProcess({
    store,
    begun: jobs,
    keep,
    player: async (game) => {
      begun.push(game.slot);
      return instead(game.slot) ?? (await playAssignment(game, EDGE));
    },
    close: async () => {},
  });
  let heard = 0;
  const conducted = await conduct({
    plan,
    store,
    queue,
    heard: () => {
      heard += 1;
      if (heard === given.stopAfter) queue.stop();
    },
  });
  return {
    ...conducted,
    store,
    begun,
    results: await gathered<GameResult>(store.results(plan.league.name)),
  };
}
