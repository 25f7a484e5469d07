import { pluralize } from '../../machines/text.ts';
import { suggestWord } from '../engine/suggestion.ts';
import { createFailure, EXIT } from '../files/failure.ts';
import { checkName, type MemoryChange, normaliseId, personaId } from '../stores/persona.ts';
import type { Store } from '../stores/store.ts';
import { cleanLessons, readMemory } from './knowledge.ts';
import { personaNameOf } from './plan.ts';

type KnownPersona = Awaited<ReturnType<typeof findPersona>>;

export async function findPersona(store: Store, typed: string) {
  const refusal = checkName('persona', typed);
  if (refusal !== null) throw createFailure(EXIT.usage, refusal.code, refusal.text);
  const id = normaliseId(typed);
  const career = await store.career(id);
  if (career !== null) return { id, career, memory: await readMemory(store, id) };
  const all = await store.personas();
  // A name alone means the persona of that name, whatever its model is.
  const near = all.find((each) => each.endsWith(`_${id}`)) ?? suggestWord(id, all);
  const help = near === null ? '' : `; did you mean ${JSON.stringify(near)}?`;
  const text = `there is no persona ${JSON.stringify(id)} in this store${help}`;
  throw createFailure(EXIT.noInput, 'persona/unknown', text);
}

export type NewPersona = {
  readonly name: string;
  /** Undefined: the offline mind. */
  readonly model: string | undefined;
  readonly learned: readonly string[];
};

export function idOfNew({ name, model }: NewPersona): string {
  const id = personaId(nameNew(name, model));
  const refusal = checkName('persona', id);
  if (refusal === null) return id;
  throw createFailure(EXIT.usage, refusal.code, refusal.text);
}

function nameNew(name: string, model: string | undefined) {
  return personaNameOf({ name, mind: model === undefined ? 'scripted' : 'openai', model });
}

export async function enrolPersona(
  store: Store,
  { name, model, learned }: NewPersona,
): Promise<MemoryChange['lessons']> {
  const persona = nameNew(name, model);
  const id = personaId(persona);
  const said = await store.enrol(persona);
  if (said !== 'new') {
    const other = said === 'taken' ? ', with another model and name that spell the same id' : '';
    const text = `the persona ${JSON.stringify(id)} is there already${other}`;
    throw createFailure(EXIT.usage, 'persona/there', text);
  }
  const from = 'the command that added it';
  const lessons = cleanLessons(learned).map((text) => ({ text, from }));
  if (lessons.length > 0) await store.teach(id, 0, { lessons, why: 'new', barrier: '' });
  return lessons;
}

export type ChangedMemory = Awaited<ReturnType<typeof changeMemory>>;

/** Removes one lesson, counted from 1, or all of them. */
export async function forgetLessons(store: Store, typed: string, lesson: number | undefined) {
  const persona = await findPersona(store, typed);
  const { lessons } = persona.memory;
  if (lesson !== undefined && lesson > lessons.length) {
    const text = `--lesson: ${JSON.stringify(persona.id)} knows ${pluralize(lessons.length, 'lesson')}, found ${lesson}`;
    throw createFailure(EXIT.usage, 'persona/no-such-lesson', text);
  }
  const left = lesson === undefined ? [] : lessons.filter((_, index) => index !== lesson - 1);
  return await changeMemory(store, persona, { lessons: left, why: 'forgotten', barrier: '' });
}

export async function rollBackMemory(store: Store, typed: string, to: number) {
  const persona = await findPersona(store, typed);
  const { id } = persona;
  const earlier = await store.memory(id, to);
  if (earlier === null) {
    const versions = (await store.history(id)).map(({ version }) => version);
    const range = versions.length === 0 ? '0' : `0, ${versions.at(0)} to ${versions.at(-1)}`;
    const text = `--to: ${JSON.stringify(id)} has no version ${to} (versions: ${range})`;
    throw createFailure(EXIT.usage, 'persona/no-such-version', text);
  }
  const { lessons } = earlier;
  return await changeMemory(store, persona, { lessons, why: 'rollback', barrier: '' });
}

async function changeMemory(store: Store, { id, memory }: KnownPersona, to: MemoryChange) {
  const { type } = await store.teach(id, memory.version, to);
  if (type === 'taught') return { id, version: memory.version + 1, lessons: to.lessons.length };
  const text = `the memory of ${JSON.stringify(id)} was changed by another process just now: look at it and try again`;
  throw createFailure(EXIT.found, 'persona/stale', text);
}
