/** Plays a league round by round. Run again, it plays no game with a result, and a round keeps its knowledge. */

import { reach } from '../ports/reach.ts';
import { StoreLost } from '../stores/errors.ts';
import type { GameResult } from '../stores/result.ts';
import type { LeadFence, Store } from '../stores/store.ts';
import type { LeagueGameOutcome, LostLeagueGame } from './game.ts';
import { expectPossible } from './impossible.ts';
import { freezeKnowledge, passBarrier } from './knowledge.ts';
import type { LeagueQueue } from './localQueue.ts';
import {
  type LeagueGame,
  type LeagueKnowledge,
  type LeaguePlan,
  prepareGame,
  roundsOf,
  scheduleLeague,
} from './plan.ts';
import type { ScheduledGame } from './schedule.ts';

export type LeagueRunOptions = {
  readonly plan: LeaguePlan;
  readonly store: Store;
  readonly queue: LeagueQueue;
  readonly onOutcome: (outcome: LeagueGameOutcome) => void;
  readonly onNote?: (text: string) => void;
  /** Records the games without a result that have a whole journal. */
  readonly recover?: (games: readonly LeagueGame[]) => Promise<readonly LeagueGameOutcome[]>;
  /** The lead of this run; without one, no other process can play the league. */
  readonly fence?: LeadFence;
};

export type LeagueRunOutcome = { readonly open: number; readonly lost: readonly LostLeagueGame[] };

/** Passes over the schedule at most. A killed server may lose acknowledged results, which are played again. */
const MOST_PASSES = 10;

export async function playLeague(conducting: LeagueRunOptions): Promise<LeagueRunOutcome> {
  const { plan, store } = conducting;
  const fixtures = scheduleLeague(plan);
  const remembered = new Map<number, LeagueKnowledge>();
  for (let pass = 1; ; pass++) {
    const { isWorthAnother, lost } = await playAllRounds(conducting, fixtures, remembered);
    const done = new Set(await store.slots(plan.league.name));
    const open = fixtures.filter(({ slot }) => !done.has(slot)).length;
    if (open === 0 || !isWorthAnother || pass >= MOST_PASSES) return { open, lost };
  }
}

/** Goes through the schedule once. `remembered` is the knowledge that this run froze for each round. */
async function playAllRounds(
  conducting: LeagueRunOptions,
  fixtures: readonly ScheduledGame[],
  remembered: Map<number, LeagueKnowledge>,
): Promise<{ readonly isWorthAnother: boolean; readonly lost: readonly LostLeagueGame[] }> {
  const { plan, store, fence = null, onNote = () => {} } = conducting;
  let learned: LeagueKnowledge | null = null;
  for (const [number, { least, most }] of roundsOf(plan).entries()) {
    await expectPlan(store, plan);
    const due = fixtures.slice(least, most);
    const frozen: LeagueKnowledge = await freezeKnowledge(store, plan, number, {
      expected: learned,
      remembered: remembered.get(number) ?? null,
      readResults: () => readResults(store, plan, due),
      onRestored: onNote,
    });
    remembered.set(number, frozen);
    const { there, over, lost } = await playRound(conducting, due, frozen);
    await expectPlan(store, plan);
    if (there.length < due.length) {
      const isForgotten = [...over].some((slot) => there.every((result) => result.slot !== slot));
      if (isForgotten) reach('result-forgotten');
      return { isWorthAnother: isForgotten && lost.length === 0, lost };
    }
    learned = await passBarrier(store, plan, { number, frozen, fence }, there);
  }
  return { isWorthAnother: true, lost: [] };
}

/** `over`: the slots that have had a result, even if the store has lost it. */
async function playRound(
  { plan, store, queue, onOutcome, recover = async () => [] }: LeagueRunOptions,
  due: readonly ScheduledGame[],
  frozen: LeagueKnowledge,
) {
  const games = due.map((fixture) => prepareGame(plan, fixture, frozen));
  const before = await readFitting(store, plan, due, games);
  const over = new Set(before.map(({ slot }) => slot));
  const lost: LostLeagueGame[] = [];
  const take = (outcome: LeagueGameOutcome) => {
    if (outcome.type === 'played') over.add(outcome.slot);
    else lost.push(outcome);
    onOutcome(outcome);
  };
  const listOpen = () => games.filter(({ slot }) => !over.has(slot));
  if (listOpen().length === 0) return { there: before, over, lost };
  for (const outcome of await recover(listOpen())) take(outcome);
  if (listOpen().length > 0) await queue.play(listOpen(), take);
  return { there: await readFitting(store, plan, due, games), over, lost };
}

/** Takes out the results of games that were played with a memory that a killed server has lost: they are played again. */
async function readFitting(
  store: Store,
  plan: LeaguePlan,
  due: readonly ScheduledGame[],
  games: readonly LeagueGame[],
): Promise<readonly GameResult[]> {
  const seats = games.flatMap((game) => game.seats.map((seat) => ({ slot: game.slot, ...seat })));
  const isUnfit = (result: GameResult) =>
    result.seats.some(({ colour, persona, memory }) => {
      const seat = seats.find((one) => one.slot === result.slot && one.colour === colour);
      return seat?.persona === persona && seat.memory !== memory;
    });
  const all = await readResults(store, plan, due);
  const { unfit = [], fit = [] } = Object.groupBy(all, (one) => (isUnfit(one) ? 'unfit' : 'fit'));
  if (unfit.length === 0) return all;
  // If a run is killed in between, the next one still finds the results.
  await store.rebuild((result) => unfit.some(({ game }) => game === result.game));
  const slots = unfit.map(({ slot }) => slot);
  await store.discard(plan.league.name, slots);
  return fit;
}

async function readResults(
  store: Store,
  plan: LeaguePlan,
  due: readonly ScheduledGame[],
): Promise<readonly GameResult[]> {
  const [first, last] = [due.at(0), due.at(-1)];
  if (first === undefined || last === undefined) return [];
  const all: GameResult[] = [];
  for await (const one of store.results(plan.league.name, first.slot, last.slot + 1)) {
    const fixture = due[one.slot - first.slot];
    if (fixture !== undefined) expectPossible(plan, fixture, one);
    all.push(one);
  }
  return all;
}

/** A store that was emptied during the run has no plan either: going on would mix two leagues. */
async function expectPlan(store: Store, { league }: LeaguePlan): Promise<void> {
  if ((await store.settled(league.name, 'plan')) !== null) return;
  reach('plan-forgotten');
  throw new StoreLost(
    `the store has lost the league ${JSON.stringify(league.name)}: it was emptied while the league was played; run it again to begin anew`,
    'store/emptied',
  );
}
