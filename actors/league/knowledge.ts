/**
 * Knowledge of personas in a round: frozen and settled in the store before its games, and written at the barrier after
 * them. A barrier has a name, and no memory passes it twice, even if processes die in between.
 */

import { z } from 'zod';
import { canonical } from '../../machines/journal/canonical.ts';
import { parseJson } from '../../machines/text.ts';
import { LONGEST_LESSON, MOST_LESSONS } from '../../machines/types.ts';
import { cleanLine } from '../../prompts/clean.ts';
import { reach } from '../ports/reach.ts';
import { StoreDamaged, StoreLost } from '../stores/errors.ts';
import {
  BLANK_MEMORY,
  type Lesson,
  type MemoryChange,
  type PersonaMemory,
  personaId,
} from '../stores/persona.ts';
import type { GameResult } from '../stores/result.ts';
import type { LeadFence, Store } from '../stores/store.ts';
import { LeadLost } from './lead.ts';
import {
  isLearning,
  knowledgeSchema,
  type LeagueKnowledge,
  type LeaguePlan,
  lessonsSchema,
  personaNameOf,
  roundsOf,
} from './plan.ts';

/** Times that another process may change a memory before this one gives up. */
const MOST_TRIES = 100;

type KnowledgeTraces = {
  /** Versions written at the last barrier, which a killed server may have lost. */
  readonly expected: LeagueKnowledge | null;
  readonly remembered: LeagueKnowledge | null;
  readonly readResults: () => Promise<readonly GameResult[]>;
  readonly onRestored: (text: string) => void;
};

/** The knowledge of a round: the frozen one, or before its first game the current memories. */
export async function freezeKnowledge(
  store: Store,
  plan: LeaguePlan,
  round: number,
  traces: KnowledgeTraces,
): Promise<LeagueKnowledge> {
  const known = await readKnowledge(store, plan, round);
  if (known !== null) return known;
  const now = traces.remembered ?? (await knowAnew(store, plan, round, traces));
  const settled = await store.settle(plan.league.name, `round:${round}`, canonical(now));
  return decodeKnowledge(plan, settled);
}

/** Finds the knowledge to freeze. A round that was played already does not continue with the current memories. */
async function knowAnew(
  store: Store,
  plan: LeaguePlan,
  round: number,
  { expected, readResults, onRestored }: KnowledgeTraces,
): Promise<LeagueKnowledge> {
  const results = await readResults();
  const hasPassed = (await store.settled(plan.league.name, `passed:${round}`)) !== null;
  const isPlayed = results.length > 0 || hasPassed;
  const now: LeagueKnowledge = {};
  // Lessons of this round may be there without it: they were written after a server had lost its games.
  const barriers = roundsOf(plan)
    .map((_, number) => barrierOf(plan, number))
    .slice(round);
  for (const id of listLearners(plan)) {
    const latest = await readLatest(store, id);
    const last = expected?.[id] ?? latest;
    now[id] =
      (await restoreKnowledge(store, id, results, barriers)) ??
      (last.version > latest.version ? last : latest);
  }
  if (isPlayed && listLearners(plan).length > 0) {
    onRestored(
      `The store has lost what the personas knew in round ${round + 1} of ${plan.league.name}, which was played already: it is restored from the results and the memories.`,
    );
  }
  return now;
}

/**
 * A persona's knowledge in a round: the version that its first game there was played with, if its memory still has it,
 * otherwise the version before the first of the barriers. Games played with another version are played again.
 */
async function restoreKnowledge(
  store: Store,
  id: string,
  results: readonly GameResult[],
  barriers: readonly string[],
): Promise<LeagueKnowledge[string] | null> {
  const seat = results
    .flatMap(({ seats }) => seats)
    .find(({ model, persona }) => personaId({ model, name: persona }) === id);
  const passed = (await store.history(id)).find(({ barrier }) => barriers.includes(barrier));
  const before = passed === undefined ? null : await store.memory(id, passed.version - 1);
  const memory = (seat && (await store.memory(id, seat.memory))) ?? before;
  return memory && { version: memory.version, lessons: memory.lessons };
}

function barrierOf({ league }: LeaguePlan, round: number): string {
  return `${league.name}: ${round}`;
}

/** The knowledge a round was played with. Null if the round has not begun. */
export async function readKnowledge(
  store: Store,
  plan: LeaguePlan,
  round: number,
): Promise<LeagueKnowledge | null> {
  const known = await store.settled(plan.league.name, `round:${round}`);
  return known === null ? null : decodeKnowledge(plan, known);
}

function decodeKnowledge({ league }: LeaguePlan, text: string): LeagueKnowledge {
  const reading = knowledgeSchema.safeParse(parseJson(text));
  if (reading.success) return reading.data;
  throw new StoreDamaged(
    `what the league ${JSON.stringify(league.name)} has settled for a round was written by another version of this program`,
  );
}

/** Writes a round's lessons once. `results` are in slot order. Throws `LeadLost` if another run leads now. */
export async function passBarrier(
  store: Store,
  plan: LeaguePlan,
  round: {
    readonly number: number;
    readonly frozen: LeagueKnowledge;
    readonly fence: LeadFence | null;
  },
  results: readonly GameResult[],
): Promise<LeagueKnowledge> {
  const { name } = plan.league;
  const { number, frozen, fence } = round;
  const matter = `passed:${number}`;
  const passed = await store.settled(name, matter);
  if (passed !== null) {
    const behind = await readMemories(store, plan);
    // A killed server loses its latest writes. While the settled versions are there, the memories are too.
    const isThere = (await store.settled(name, matter)) !== null;
    // Leagues of earlier versions of this program have settled a word: it says of no memory that it is lost.
    const versions = versionsSchema.safeParse(parseJson(passed)).data ?? {};
    if (isThere && holdVersions(behind, versions)) return behind;
  }
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    // A killed server may have lost it.
    await store.settle(name, `round:${number}`, canonical(frozen));
    const after: LeagueKnowledge = {};
    const versions: Record<string, number> = {};
    for (const id of listLearners(plan)) {
      const memory = await learnAtBarrier(store, id, {
        barrier: barrierOf(plan, number),
        frozen: frozen[id] ?? { version: 0, lessons: [] },
        wishes: collectWishes(id, results),
        fence,
      });
      after[id] = memory;
      versions[id] = memory.version;
    }
    // If another run finds a lower version, the server has lost a memory, and the run passes the barrier again.
    await store.settle(name, matter, canonical(versions));
    if (holdVersions(await readMemories(store, plan), versions)) return after;
    reach('barrier-again');
  }
  const league = JSON.stringify(name);
  throw new StoreLost(`the store forgets all the time what the league ${league} has taught`);
}

async function readMemories(store: Store, plan: LeaguePlan): Promise<LeagueKnowledge> {
  const now: LeagueKnowledge = {};
  for (const id of listLearners(plan)) now[id] = await readLatest(store, id);
  return now;
}

async function readLatest(store: Store, id: string): Promise<LeagueKnowledge[string]> {
  const { version, lessons } = await readMemory(store, id);
  return { version, lessons };
}

export async function readMemory(store: Store, id: string): Promise<PersonaMemory> {
  return expectMemory(id, (await store.memory(id)) ?? BLANK_MEMORY);
}

/** Throws for a memory that no league has written. */
export function expectMemory(id: string, memory: PersonaMemory): PersonaMemory {
  if (lessonsSchema.safeParse(memory.lessons).success) return memory;
  throw new StoreDamaged(
    `the memory of ${id} is damaged: expected at most ${MOST_LESSONS} lessons of ${LONGEST_LESSON} characters each; restore the store from a copy`,
  );
}

const versionsSchema = z.record(z.string(), z.int());

/** Whether no memory has a lower version, as after the loss of a killed server. */
function holdVersions(
  memories: LeagueKnowledge,
  versions: Readonly<Record<string, number>>,
): boolean {
  return Object.entries(memories).every(([id, { version }]) => version >= (versions[id] ?? 0));
}

function listLearners(plan: LeaguePlan): readonly string[] {
  return plan.league.personas
    .filter((member) => isLearning(plan, member))
    .map((member) => personaId(personaNameOf(member)));
}

function collectWishes(id: string, results: readonly GameResult[]): readonly LessonWish[] {
  return results.flatMap(({ league, slot, seats }) =>
    seats.flatMap(({ model, persona, role, learned }): LessonWish[] => {
      if (learned === null || personaId({ model, name: persona }) !== id) return [];
      return [{ learned, from: `${league}, game ${slot + 1}, as ${role}` }];
    }),
  );
}

async function learnAtBarrier(
  store: Store,
  id: string,
  learning: {
    readonly barrier: string;
    readonly frozen: LeagueKnowledge[string];
    readonly wishes: readonly LessonWish[];
    readonly fence: LeadFence | null;
  },
): Promise<LeagueKnowledge[string]> {
  const { barrier, frozen, wishes, fence } = learning;
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const memory = await readLatest(store, id);
    const { version } = memory;
    const isForgotten = version < frozen.version;
    const hasPassed = (await store.history(id)).some((one) => one.barrier === barrier);
    const lessons = isForgotten
      ? frozen.lessons
      : mergeLessons(memory.lessons, wishes, frozen.lessons);
    if (hasPassed) reach('barrier-passed');
    if (isForgotten) reach('memory-rolled-back');
    const texts = (of: readonly Lesson[]) => canonical(of.map(({ text }) => text));
    const isSame = !isForgotten && texts(lessons) === texts(memory.lessons);
    if (hasPassed || isSame) return memory;
    const change: MemoryChange = isForgotten
      ? { lessons, why: 'rollback', barrier: '' }
      : { lessons, why: 'reflection', barrier };
    const taught = await store.teach(id, version, change, fence);
    if (taught.type === 'fenced') {
      reach('lessons-fenced');
      throw new LeadLost();
    }
    if (taught.type === 'stale') reach('lessons-stale');
    if (taught.type === 'taught' && !isForgotten) return { version: taught.version, lessons };
  }
  throw new StoreLost(`the memory of ${id} is changed by other processes all the time`);
}

type LessonWish = { readonly learned: readonly string[]; readonly from: string };

/** Removes dropped lessons and adds new ones. `known` may hold more than `playedWith`: lessons taught by hand since. */
export function mergeLessons(
  known: readonly Lesson[],
  wishes: readonly LessonWish[],
  playedWith: readonly Lesson[] = known,
): readonly Lesson[] {
  const before = new Set(playedWith.map(({ text }) => text));
  let lessons = [...known];
  for (const { learned, from } of wishes) {
    const wanted = cleanLessons(learned);
    const isGivenUp = ({ text }: Lesson) => before.has(text) && !wanted.includes(text);
    const isFresh = (text: string) =>
      !before.has(text) && lessons.every((lesson) => lesson.text !== text);
    const fresh = wanted.filter(isFresh);
    lessons = [
      ...lessons.filter((lesson) => !isGivenUp(lesson)),
      ...fresh.map((text) => ({ text, from })),
    ].slice(-MOST_LESSONS);
  }
  return lessons;
}

export function cleanLessons(lessons: readonly string[]): readonly string[] {
  const clean = lessons
    .map((text) => cleanLine(cleanLine(text).slice(0, LONGEST_LESSON)))
    .filter((text) => text !== '');
  return [...new Set(clean)].slice(-MOST_LESSONS);
}
