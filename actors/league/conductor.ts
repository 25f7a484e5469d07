/**
 * The conductor: plays a league from its first open slot to its end, round by round.
 *
 * It may be killed at any moment and begun again: what has a result is not played again, and a round that is gone on
 * with knows what it knew.
 */
import type { GameResult } from '../stores/result.ts';
import { type Store, StoreLost } from '../stores/store.ts';
import { assignmentOf } from './assignment.ts';
import { type Frozen, frozenFor, knowledgeIn, passBarrier } from './barrier.ts';
import type { GameQueue } from './gameQueue.ts';
import { fixturesOf, type Plan, roundsOf } from './plan.ts';
import type { LostSlot, SlotOutcome } from './playing.ts';
import type { Fixture } from './schedule.ts';

export type Conducting = {
  readonly plan: Plan;
  readonly store: Store;
  readonly queue: GameQueue;
  readonly heard: (outcome: SlotOutcome) => void;
};

/** What has become of a league for now. It is over when nothing is open. */
export type Conducted = { readonly open: number; readonly lost: readonly LostSlot[] };

/** A server that is killed may forget what it had acknowledged: so often the schedule is looked through again. */
const MOST_PASSES = 10;

/** Plays all that is open. */
export async function conduct(conducting: Conducting): Promise<Conducted> {
  const { plan, store } = conducting;
  const fixtures = fixturesOf(plan);
  for (let pass = 1; ; pass++) {
    const { isWorthAnother, lost } = await playThrough(conducting, fixtures);
    const done = new Set(await store.slots(plan.league.name));
    const open = fixtures.filter(({ slot }) => !done.has(slot)).length;
    if (open === 0 || !isWorthAnother || pass >= MOST_PASSES) return { open, lost };
  }
}

/** One look through the schedule. Another one is of no use where a round had to be left with games that nobody played. */
async function playThrough(
  conducting: Conducting,
  fixtures: readonly Fixture[],
): Promise<{ readonly isWorthAnother: boolean; readonly lost: readonly LostSlot[] }> {
  const { plan, store } = conducting;
  let learned: Frozen | null = null;
  for (const [number, { least, most }] of roundsOf(plan).entries()) {
    await mustBeKnown(store, plan);
    const frozen: Frozen = await frozenFor(store, plan, number, learned);
    const due = fixtures.slice(least, most);
    const { there, over, lost } = await playRound(conducting, due, frozen);
    await mustBeKnown(store, plan);
    if (there.length < due.length) {
      const isForgotten = [...over].some((slot) => there.every((result) => result.slot !== slot));
      return { isWorthAnother: isForgotten && lost.length === 0, lost };
    }
    learned = await passBarrier(store, plan, { number, frozen }, there);
  }
  return { isWorthAnother: true, lost: [] };
}

type Round = {
  /** The results that the store has then. */
  readonly there: readonly GameResult[];
  /** The slots that have had a result, whether or not the store still knows it. */
  readonly over: ReadonlySet<number>;
  readonly lost: readonly LostSlot[];
};

/** Plays what is open of a round. */
async function playRound(
  { plan, store, queue, heard }: Conducting,
  due: readonly Fixture[],
  frozen: Frozen,
): Promise<Round> {
  const before = await resultsOf(store, plan, due);
  const over = new Set(before.map(({ slot }) => slot));
  const open = due.filter(({ slot }) => !over.has(slot));
  if (open.length === 0) return { there: before, over, lost: [] };
  const knowledge = knowledgeIn(frozen);
  const games = open.map((fixture) => assignmentOf(plan, fixture, knowledge));
  const lost: LostSlot[] = [];
  await queue.play(games, (outcome) => {
    if (outcome.type === 'played') over.add(outcome.slot);
    else lost.push(outcome);
    heard(outcome);
  });
  return { there: await resultsOf(store, plan, due), over, lost };
}

async function resultsOf(
  store: Store,
  { league }: Plan,
  due: readonly Fixture[],
): Promise<readonly GameResult[]> {
  const [first, last] = [due.at(0), due.at(-1)];
  if (first === undefined || last === undefined) return [];
  const all: GameResult[] = [];
  for await (const one of store.results(league.name, first.slot, last.slot + 1)) all.push(one);
  return all;
}

/** A store that was emptied on the way has forgotten the plan as well: going on would mix two leagues. */
async function mustBeKnown(store: Store, { league }: Plan): Promise<void> {
  if ((await store.settled(league.name, 'plan')) !== null) return;
  throw new StoreLost(
    `the store does not know the league ${JSON.stringify(league.name)} any more: it was emptied while the league was played; run it again to begin anew`,
    'store/emptied',
  );
}
