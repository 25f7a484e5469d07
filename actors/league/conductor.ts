/**
 * The conductor: plays a league from its first open slot to its end, round by round.
 *
 * It may be killed at any moment and begun again: what has a result is not played again, and a round that is gone on
 * with knows what it knew.
 */

import { canonical } from '../../machines/canonical.ts';
import { personaId } from '../stores/personaId.ts';
import type { Result } from '../stores/result.ts';
import type { Store } from '../stores/store.ts';
import { assignmentOf } from './assignment.ts';
import { type Frozen, frozenFor, knowledgeIn, passBarrier } from './barrier.ts';
import type { GameQueue } from './gameQueue.ts';
import { fixturesOf, type Plan, personaOf, planText, readPlan, roundsOf } from './plan.ts';
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

/** Why a league can't be played under its name. */
export type Conflict = { readonly code: string; readonly text: string };

/** A server that is killed may forget what it had acknowledged: so often the schedule is looked through again. */
const MOST_PASSES = 10;

/** Settles the plan and enrols everybody; null when all is well. */
export async function begin(store: Store, plan: Plan): Promise<Conflict | null> {
  const { name, personas } = plan.league;
  const mine = planText(plan);
  const settled = await store.settle(name, 'plan', mine);
  if (settled !== mine) {
    const text = `the league ${JSON.stringify(name)} was begun with ${othersIn(settled, plan)}: go on with that one, or give this one another name`;
    return { code: 'league/other-plan', text };
  }
  for (const member of personas) {
    const persona = personaOf(member);
    const id = personaId(persona);
    if ((await store.enrol(persona)) === 'taken') {
      const text = `the persona ${JSON.stringify(id)} is there already, with another model and name that spell the same id: rename it`;
      return { code: 'persona/taken', text };
    }
    if (!member.learns || member.learned.length === 0) continue;
    const lessons = member.learned.map((text) => ({ text, from: `the file of ${name}` }));
    await store.teach(id, 0, { lessons, why: 'new', barrier: '' });
  }
  return null;
}

/** What of a plan is not as it was settled, in words. */
function othersIn(settled: string, { engine, league }: Plan): string {
  const begun = readPlan(settled);
  if (begun.engine !== engine)
    return `version ${begun.engine} of this program, and this is ${engine}`;
  const before = new Map(Object.entries(begun.league));
  const keys = Object.entries(league)
    .filter(([key]) => key !== 'budget' && key !== 'limits')
    .filter(([key, value]) => canonical([before.get(key) ?? null]) !== canonical([value]))
    .map(([key]) => key);
  return `another file (${keys.join(', ')})`;
}

/** Plays all that is open. */
export async function conduct(conducting: Conducting): Promise<Conducted> {
  const { plan, store } = conducting;
  const fixtures = fixturesOf(plan);
  for (let pass = 1; ; pass++) {
    const { isWhole, lost } = await playThrough(conducting, fixtures);
    const done = new Set(await store.slots(plan.league.name));
    const open = fixtures.filter(({ slot }) => !done.has(slot)).length;
    if (open === 0 || !isWhole || pass >= MOST_PASSES) return { open, lost };
  }
}

/** One look through the schedule; not whole when a round had to be left with games open. */
async function playThrough(
  { plan, store, queue, heard }: Conducting,
  fixtures: readonly Fixture[],
): Promise<{ readonly isWhole: boolean; readonly lost: readonly LostSlot[] }> {
  const { name } = plan.league;
  let learned: Frozen | null = null;
  for (const [number, { least, most }] of roundsOf(plan).entries()) {
    const frozen: Frozen = await frozenFor(store, plan, number, learned);
    const due = fixtures.slice(least, most);
    const lost: LostSlot[] = [];
    const results = async () => {
      const all: Result[] = [];
      for await (const result of store.results(name, least, most)) all.push(result);
      return all;
    };
    let there = await results();
    const open = due.filter(({ slot }) => there.every((result) => result.slot !== slot));
    if (open.length > 0) {
      const knowledge = knowledgeIn(frozen);
      const games = open.map((fixture) => assignmentOf(plan, fixture, knowledge));
      await queue.play(games, (outcome) => {
        if (outcome.type !== 'played') lost.push(outcome);
        heard(outcome);
      });
      there = await results();
    }
    if (there.length < due.length) return { isWhole: false, lost };
    learned = await passBarrier(store, plan, { number, frozen }, there);
  }
  return { isWhole: true, lost: [] };
}
