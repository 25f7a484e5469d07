/** Teaching by hand: a persona is enrolled, forgets, or goes back to what it knew. */
import { kept } from '../../actors/league/lessons.ts';
import { personaOf } from '../../actors/league/plan.ts';
import { checkName, type MemoryChange, personaId } from '../../actors/stores/persona.ts';
import type { Store } from '../../actors/stores/store.ts';
import { clean } from '../../visualizer/terminal/clean.ts';
import { createFailure, EXIT, type ExitCode } from '../exit.ts';
import { LOOKING, withPlace } from '../league/place.ts';
import { print, printJson } from '../output.ts';
import { known, type PersonaFlags } from './personas.ts';

/** Enrolling may be the first that happens in a store. */
const ENROLLING = { ...LOOKING, makesFile: true };

export async function enrol(name: string, flags: PersonaFlags): Promise<ExitCode> {
  const { model, learned = [], json = false } = flags;
  const persona = personaOf({ name, mind: model === undefined ? 'scripted' : 'openai', model });
  const id = personaId(persona);
  const refusal = checkName('persona', id);
  if (refusal !== null) throw createFailure(EXIT.usage, refusal.code, refusal.text);
  return await withPlace(flags, ENROLLING, async (store) => {
    const said = await store.enrol(persona);
    if (said !== 'new') {
      const other = said === 'taken' ? ', with another model and name that spell the same id' : '';
      const text = `the persona ${JSON.stringify(id)} is there already${other}`;
      throw createFailure(EXIT.usage, 'persona/there', text);
    }
    const lessons = kept(learned).map((text) => ({ text, from: 'the hand that enrolled it' }));
    if (lessons.length > 0) await store.teach(id, 0, { lessons, why: 'new', barrier: '' });
    if (json) printJson({ type: 'persona.enrolled', v: 1, persona_id: id, lessons });
    else print(`${clean(id)} is enrolled and knows ${counted(lessons.length)}.`);
    return EXIT.done;
  });
}

export async function forget(typed: string, flags: PersonaFlags): Promise<ExitCode> {
  return await withPlace(flags, LOOKING, async (store) => {
    const { id, memory } = await known(store, typed);
    const { lesson } = flags;
    if (lesson !== undefined && lesson > memory.lessons.length) {
      const text = `--lesson: ${JSON.stringify(id)} knows ${counted(memory.lessons.length)}, found ${lesson}`;
      throw createFailure(EXIT.usage, 'persona/no-such-lesson', text);
    }
    const left =
      lesson === undefined ? [] : memory.lessons.filter((_, index) => index !== lesson - 1);
    await change(store, id, memory.version, { lessons: left, why: 'forgotten', barrier: '' });
    tell(flags, id, memory.version + 1, left.length);
    return EXIT.done;
  });
}

export async function rollBack(
  typed: string,
  flags: PersonaFlags & { readonly to: number },
): Promise<ExitCode> {
  return await withPlace(flags, LOOKING, async (store) => {
    const { id, memory } = await known(store, typed);
    const earlier = await store.memory(id, flags.to);
    if (earlier === null) {
      const versions = (await store.history(id)).map(({ version }) => version);
      const range = versions.length === 0 ? '0' : `0, ${versions.at(0)} to ${versions.at(-1)}`;
      const text = `--to: ${JSON.stringify(id)} has no version ${flags.to} (versions: ${range})`;
      throw createFailure(EXIT.usage, 'persona/no-such-version', text);
    }
    const { lessons } = earlier;
    await change(store, id, memory.version, { lessons, why: 'rollback', barrier: '' });
    tell(flags, id, memory.version + 1, lessons.length);
    return EXIT.done;
  });
}

async function change(store: Store, id: string, seen: number, to: MemoryChange): Promise<void> {
  const { type } = await store.teach(id, seen, to);
  if (type === 'taught') return;
  const text = `the memory of ${JSON.stringify(id)} has just been changed by somebody else: look at it, and try again`;
  throw createFailure(EXIT.found, 'persona/stale', text);
}

function tell({ json = false }: PersonaFlags, id: string, version: number, lessons: number): void {
  if (json) printJson({ type: 'persona.changed', v: 1, persona_id: id, version, lessons });
  else print(`${clean(id)} knows ${counted(lessons)} now (version ${version}).`);
}

function counted(lessons: number): string {
  return lessons === 1 ? '1 lesson' : `${lessons} lessons`;
}
