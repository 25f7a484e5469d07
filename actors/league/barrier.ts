/**
 * The barrier between two rounds: knowledge is frozen before the games of a round, and written when all are over.
 *
 * What is frozen is settled in the store with its words, so that a round that is gone on with knows what it knew. A
 * barrier has a name, and no memory passes it twice, whoever dies in between.
 */
import { z } from 'zod';
import { canonical } from '../../machines/canonical.ts';
import { BLANK_MEMORY, type Lesson } from '../stores/memory.ts';
import { personaId } from '../stores/personaId.ts';
import type { Result } from '../stores/result.ts';
import { type Store, StoreLost } from '../stores/store.ts';
import { isLearning, type Knowledge } from './assignment.ts';
import { merged, type Wish } from './lessons.ts';
import { type Plan, personaOf } from './plan.ts';

const frozenSchema = z.record(
  z.string(),
  z.strictObject({
    version: z.int(),
    lessons: z.array(z.strictObject({ text: z.string(), from: z.string() })),
  }),
);
/** What everybody who learns knows in a round, by id. */
export type Frozen = z.output<typeof frozenSchema>;

/** Times that a memory is changed under one's hands before it is given up. */
const MOST_TRIES = 100;

/** Who learns in this league, by id. */
function learnersOf(plan: Plan): readonly string[] {
  return plan.league.personas
    .filter((member) => isLearning(plan, member))
    .map((member) => personaId(personaOf(member)));
}

/** What everybody knows in a round: what was frozen for it, or what they know now. */
export async function frozenFor(store: Store, plan: Plan, round: number): Promise<Frozen> {
  const matter = `round:${round}`;
  const known = await store.settled(plan.league.name, matter);
  if (known !== null) return frozenSchema.parse(JSON.parse(known));
  const now: Record<string, Frozen[string]> = {};
  for (const id of learnersOf(plan)) {
    const { version, lessons } = (await store.memory(id)) ?? BLANK_MEMORY;
    now[id] = { version, lessons: [...lessons] };
  }
  const held = await store.settle(plan.league.name, matter, canonical(now));
  return frozenSchema.parse(JSON.parse(held));
}

export function knowledgeIn(frozen: Frozen): Knowledge {
  return Object.fromEntries(
    Object.entries(frozen).map(([id, { version, lessons }]) => [
      id,
      { version, lessons: lessons.map(({ text }) => text) },
    ]),
  );
}

/** Writes what was learned in a round. `results` are those of the round, in the order of their slots. */
export async function passBarrier(
  store: Store,
  plan: Plan,
  round: { readonly number: number; readonly frozen: Frozen },
  results: readonly Result[],
): Promise<void> {
  const { name } = plan.league;
  // A server that was killed may have forgotten it.
  await store.settle(name, `round:${round.number}`, canonical(round.frozen));
  for (const id of learnersOf(plan)) {
    const wishes = wishesOf(id, results);
    const frozen = round.frozen[id] ?? { version: 0, lessons: [] };
    if (wishes.length > 0)
      await learn(store, id, { barrier: `${name}: ${round.number}`, frozen, wishes });
  }
}

function wishesOf(id: string, results: readonly Result[]): readonly Wish[] {
  return results.flatMap(({ league, slot, seats }) =>
    seats.flatMap(({ model, persona, role, learned }): Wish[] => {
      if (learned === null || personaId({ model, name: persona }) !== id) return [];
      return [{ learned, from: `${league}, game ${slot + 1}, as ${role}` }];
    }),
  );
}

type Learning = {
  readonly barrier: string;
  readonly frozen: Frozen[string];
  readonly wishes: readonly Wish[];
};

async function learn(
  store: Store,
  id: string,
  { barrier, frozen, wishes }: Learning,
): Promise<void> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const memory = (await store.memory(id)) ?? BLANK_MEMORY;
    const isForgotten = memory.version < frozen.version;
    const passed =
      memory.barrier === barrier ||
      (await store.history(id)).some((one) => one.barrier === barrier);
    if (passed) return;
    // Somebody else may have taught them meanwhile: what the games found is added to that.
    const base = memory.version > frozen.version ? memory.lessons : frozen.lessons;
    const lessons = isForgotten ? base : merged(base, wishes);
    if (!isForgotten && isSame(lessons, memory.lessons)) return;
    const why = isForgotten ? 'rollback' : 'reflection';
    const change = { lessons: [...lessons], why, barrier: isForgotten ? '' : barrier } as const;
    const { type } = await store.teach(id, memory.version, change);
    if (type === 'taught' && !isForgotten) return;
  }
  throw new StoreLost(`the memory of ${id} is changed by others all the time`);
}

function isSame(one: readonly Lesson[], other: readonly Lesson[]): boolean {
  return one.length === other.length && one.every(({ text }, index) => text === other[index]?.text);
}
