/**
 * The barrier between two rounds: knowledge is frozen before the games of a round, and written when all are over.
 *
 * What is frozen is settled in the store with its words, so that a round that is gone on with knows what it knew. A
 * barrier has a name, and no memory passes it twice, whoever dies in between.
 */
import { z } from 'zod';
import { canonical } from '../../machines/journal/canonical.ts';
import { BLANK_MEMORY, type Lesson, type MemoryChange, personaId } from '../stores/persona.ts';
import type { GameResult } from '../stores/result.ts';
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

/**
 * What everybody knows in a round: what was frozen for it, or what they know now. `expected` is what they learned at the
 * last barrier, which a server that was killed may have forgotten.
 */
export async function frozenFor(
  store: Store,
  plan: Plan,
  round: number,
  expected: Frozen | null,
): Promise<Frozen> {
  const matter = `round:${round}`;
  const known = await store.settled(plan.league.name, matter);
  if (known !== null) return frozenSchema.parse(JSON.parse(known));
  const now: Record<string, Frozen[string]> = {};
  for (const id of learnersOf(plan)) {
    const { version, lessons } = (await store.memory(id)) ?? BLANK_MEMORY;
    const last = expected?.[id];
    now[id] =
      last !== undefined && last.version > version ? last : { version, lessons: [...lessons] };
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

/**
 * Writes what was learned in a round, once; returns what everybody knows then. `results` are those of the round, in the
 * order of their slots.
 */
export async function passBarrier(
  store: Store,
  plan: Plan,
  round: { readonly number: number; readonly frozen: Frozen },
  results: readonly GameResult[],
): Promise<Frozen | null> {
  const { name } = plan.league;
  const { number, frozen } = round;
  const matter = `passed:${number}`;
  if ((await store.settled(name, matter)) !== null) return null;
  // A server that was killed may have forgotten it.
  await store.settle(name, `round:${number}`, canonical(frozen));
  const after: Record<string, Frozen[string]> = {};
  for (const id of learnersOf(plan)) {
    const before = frozen[id] ?? { version: 0, lessons: [] };
    const wishes = wishesOf(id, results);
    after[id] = await learn(store, id, { barrier: `${name}: ${number}`, frozen: before, wishes });
  }
  await store.settle(name, matter, 'yes');
  return after;
}

function wishesOf(id: string, results: readonly GameResult[]): readonly Wish[] {
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

/** Changes a memory at a barrier, unless it has passed it; returns what is there then. */
async function learn(
  store: Store,
  id: string,
  { barrier, frozen, wishes }: Learning,
): Promise<Frozen[string]> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const memory = (await store.memory(id)) ?? BLANK_MEMORY;
    const { version } = memory;
    const isForgotten = version < frozen.version;
    const hasPassed = (await store.history(id)).some((one) => one.barrier === barrier);
    const lessons = isForgotten ? frozen.lessons : merged(memory.lessons, wishes, frozen.lessons);
    if (hasPassed || (!isForgotten && isSame(lessons, memory.lessons))) {
      return { version, lessons: [...memory.lessons] };
    }
    const change: MemoryChange = isForgotten
      ? { lessons, why: 'rollback', barrier: '' }
      : { lessons, why: 'reflection', barrier };
    const taught = await store.teach(id, version, change);
    if (taught.type === 'taught' && !isForgotten) {
      return { version: taught.version, lessons: [...lessons] };
    }
  }
  throw new StoreLost(`the memory of ${id} is changed by others all the time`);
}

function isSame(one: readonly Lesson[], other: readonly Lesson[]): boolean {
  return one.length === other.length && one.every(({ text }, index) => text === other[index]?.text);
}
